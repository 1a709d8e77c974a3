//! Hints that name what was meant can be carried out: `did you mean …?` and `give it a unit: …`.

/// What the place of a diagnostic may be replaced by, given what is written there.
pub fn replacements(written: &str, hints: &[String]) -> Vec<String> {
    let replacement = |hint: &String| {
        let between = |begin: &str, end: &str| hint.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end));
        let meant = between("did you mean `", "`?").or_else(|| between("did you mean \"", "\"?"));
        // Only where the whole place is the word that was mistaken.
        let is_word = || written.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '[' | ']' | '/' | '^' | '*'));
        match (meant, between("give it a unit: `", "`")) {
            (Some(text), _) if written.starts_with('"') => Some(format!("\"{text}\"")),
            (Some(text), _) if is_word() => Some(text.to_string()),
            (None, Some(text)) => Some(text.to_string()),
            _ => None,
        }
    };
    hints.iter().filter_map(replacement).collect()
}
