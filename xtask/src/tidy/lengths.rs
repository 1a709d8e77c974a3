//! A function that needs scrolling says why it is one: a line `// Long: reason` before it.

use crate::tidy::Violation;

/// Lines of a function that fit on a screen.
const MOST: usize = 60;

pub fn check(files: &[String], read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    // Tests are read one by one; texts are templates of exported programs.
    let counts = |file: &&String| file.ends_with(".rs") && file.contains("/src/") && !file.contains("/text/");
    let without_reason = |file: &String| -> Vec<Violation> {
        let found = long(&read(file).unwrap_or_default());
        let told =
            |(name, lines)| format!("`{name}` has {lines} lines; make it shorter, or say why before it: `// Long: …`");
        found.into_iter().map(|function| Violation::new(file, told(function))).collect()
    };
    files.iter().filter(counts).flat_map(without_reason).collect()
}

/// Names and lengths of the functions that are long without a reason. What is formatted ends where a brace stands as far in as it begins.
fn long(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().take_while(|line| *line != "#[cfg(test)]").collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indent}}}");
        let Some(length) = lines[at..].iter().position(|line| *line == end).map(|end| end + 1) else { continue };
        let mut before = lines[..at].iter().rev().take_while(|line| line.trim_start().starts_with(['/', '#']));
        if length > MOST && !before.any(|line| line.trim_start().starts_with("// Long: ")) {
            found.push((name.to_string(), length));
        }
    }
    found
}

/// The name of the function whose body begins here or some lines later; one that ends here has none to speak of.
fn function(line: &str) -> Option<&str> {
    let words = line.trim_start();
    let (before, rest) = words.split_once("fn ")?;
    let is_declared = before.split_whitespace().all(|word| {
        matches!(word, "const" | "unsafe" | "async" | "extern" | "\"C\"" | "pub") || word.starts_with("pub(")
    });
    let name = rest.split(['(', '<']).next()?;
    (is_declared && !words.ends_with([';', '}'])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_lines(before: &str, count: usize) -> String {
        format!(
            "impl It {{\n{before}    pub(crate) fn long(\n        &self,\n    ) {{\n{}    }}\n}}\n",
            "        go();\n".repeat(count)
        )
    }

    #[test]
    fn what_needs_scrolling_needs_a_reason() {
        assert_eq!(long(&with_lines("", MOST - 4)), []);
        assert_eq!(long(&with_lines("", MOST - 3)), [("long".to_string(), MOST + 1)]);
        assert_eq!(
            long(&with_lines("    /// What it does.\n    // Long: one arm for each.\n    #[must_use]\n", MOST)),
            []
        );
    }

    #[test]
    fn a_function_without_a_body_is_none() {
        assert_eq!(function("    fn short(&self) -> f64;"), None);
        assert_eq!(function("    fn one_line() { 1 }"), None);
        assert_eq!(function("let sin = fn |x| {"), None);
        assert_eq!(function("pub unsafe extern \"C\" fn called<T>(x: T) {"), Some("called"));
    }
}
