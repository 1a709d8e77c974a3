//! Names of a file as names of the language: letters, digits and `_`, each used once.

use std::collections::HashSet;

/// Names that have a meaning in every scene, beside the reserved words.
const TAKEN: &[&str] = &["world", "bodies", "t", "pi"];

#[derive(Default)]
pub struct Names {
    used: HashSet<String>,
}

impl Names {
    /// A name as near to the wanted one as there is, which nobody else has.
    pub fn claim(&mut self, wanted: &str) -> String {
        let word = as_word(wanted);
        let taken = |name: &str| TAKEN.contains(&name) || syntax::is_reserved(name);
        let free = |name: &String| !taken(name) && !self.used.contains(name);
        let numbered = (2..).map(|number| format!("{word}_{number}"));
        let name = std::iter::once(word.clone()).chain(numbered).find(free).expect("numbers go on without end");
        self.used.insert(name.clone());
        name
    }
}

/// A word of the language as near to a text as there is.
fn as_word(text: &str) -> String {
    let letters = |c: char| if c.is_ascii_alphanumeric() || c.is_alphabetic() { c } else { '_' };
    let word: String = text.trim().chars().map(letters).collect();
    match word.chars().next() {
        None => "part".to_string(),
        Some(first) if first.is_alphabetic() || first == '_' => word,
        Some(_) => format!("_{word}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_each_is_used_once() {
        let mut names = Names::default();
        let claimed = ["left arm/1", "left_arm_1", "2dof", "world", "in", "", "θ"].map(|name| names.claim(name));
        assert_eq!(claimed, ["left_arm_1", "left_arm_1_2", "_2dof", "world_2", "in_2", "part", "θ"]);
    }
}
