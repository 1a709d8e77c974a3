//! A number that decides has a reason, and stands in the table of all of them.

use crate::numbers;
use crate::tidy::Violation;

pub fn check(files: &[String], read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    let found = numbers::collect(files, &read);
    let bare = found.iter().filter(|number| number.reason.is_empty());
    let mut violations: Vec<Violation> = bare
        .map(|number| Violation::new(&number.file, format!("nothing says why `{}` is {}", number.name, number.value)))
        .collect();
    if read(numbers::TARGET) != Some(numbers::page(&found)) {
        violations.push(Violation::new(numbers::TARGET, "is not what the sources say; run `cargo xtask numbers`"));
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_a_reason_is_found() {
        let files = ["crates/simulation/src/pace.rs".to_string()];
        let read = |text: &'static str| move |file: &str| file.ends_with(".rs").then(|| text.to_string());
        let reasons = |text| check(&files, read(text)).into_iter().map(|it| it.reason).collect::<Vec<_>>();
        assert_eq!(reasons("const FAR: f64 = 1e3;\n")[0], "nothing says why `FAR` is 1e3");
        assert_eq!(
            reasons("/// Metres.\nconst FAR: f64 = 1e3;\n"),
            ["is not what the sources say; run `cargo xtask numbers`"]
        );
    }
}
