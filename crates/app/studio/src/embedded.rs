//! The page, the page that stands alone and the examples, as they were when the program was built.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The text face and the code face of the page, by file name; none if the page was not built.
pub fn typefaces() -> Vec<(&'static str, &'static [u8])> {
    let files = PAGE.iter().filter_map(|(path, bytes)| Some((path.strip_prefix("assets/")?, *bytes)));
    files.filter(|(name, _)| name.starts_with("inter-") || name.starts_with("jetbrains-mono-")).collect()
}

/// The scenes that come with Ansatz: names of files, and texts.
pub fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    EXAMPLES.iter().filter_map(|(name, bytes)| Some((*name, std::str::from_utf8(bytes).ok()?)))
}

/// Whether the page is in this program; otherwise one stands in that says how to build it.
pub fn has_page() -> bool {
    BUILT
}
