//! A number that decides has a reason, and stands in the table of all of them. The test that is said to pin it exists.

use crate::numbers;
use crate::tidy::Violation;

pub fn check(files: &[String], read: impl Fn(&str) -> Option<String>) -> Vec<Violation> {
    let found = numbers::collect(files, &read);
    let bare = found.iter().filter(|number| number.reason.is_empty());
    let mut violations: Vec<Violation> = bare
        .map(|number| Violation::new(&number.file, format!("nothing says why `{}` is {}", number.name, number.value)))
        .collect();
    let tests = numbers::tests(files, &read);
    let named = found.iter().filter_map(|number| Some((number, number.test.as_ref()?)));
    violations.extend(named.filter(|(_, test)| !tests.contains(*test)).map(|(number, test)| {
        Violation::new(&number.file, format!("there is no test `{test}`, which is said to pin `{}`", number.name))
    }));
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

    #[test]
    fn a_test_that_is_named_exists() {
        let files = ["crates/simulation/src/pace.rs".to_string()];
        let number = "/// Metres.\n// Test: far_is_far\nconst FAR: f64 = 1e3;\n";
        let first = |text: String| check(&files, |_| Some(text.clone())).remove(0).reason;
        assert_eq!(first(number.to_string()), "there is no test `far_is_far`, which is said to pin `FAR`");
        let with_test = format!("{number}#[cfg(test)]\nmod tests {{\n#[test]\nfn far_is_far() {{}}\n}}\n");
        assert_eq!(first(with_test), "is not what the sources say; run `cargo xtask numbers`");
    }
}
