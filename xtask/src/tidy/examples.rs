//! Examples are laid out as `ansatz fmt` lays them out.

use base::SourceId;

use crate::tidy::Violation;

pub fn check(files: &[String], read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    let examples = files.iter().filter(|file| file.starts_with("examples/") && file.ends_with(".anz"));
    examples.filter_map(|file| check_file(file, &read)).collect()
}

fn check_file(file: &str, read: impl Fn(&str) -> Option<String>) -> Option<Violation> {
    let Some(text) = read(file) else { return Some(Violation::new(file, "is not a text in UTF-8")) };
    match syntax::format(SourceId(0), &text) {
        Ok(formatted) if formatted == text => None,
        Ok(_) => Some(Violation::new(file, format!("is not laid out; run `ansatz fmt {file}`"))),
        Err(_) => Some(Violation::new(file, format!("has errors; run `ansatz check {file}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str) -> bool {
        !check(&["examples/a.anz".to_string()], |_| Some(text.to_string())).is_empty()
    }

    #[test]
    fn layout_and_syntax_are_checked() {
        assert!(!broken("scene a\n\nparam length = 1 [m]\n"));
        assert!(broken("scene a\n\nparam   length=1[m]\n"));
        assert!(broken("scene a\n\nparam = = =\n"));
    }
}
