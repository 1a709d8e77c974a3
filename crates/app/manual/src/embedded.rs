//! The texts and pictures, by their path in the repository, as they were when the program was built.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A text, by its path in the repository.
pub fn text(path: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == path);
    found.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok())
}
