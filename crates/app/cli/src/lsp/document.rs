//! A text that is open in the editor, and how it changes.

use std::path::{Path, PathBuf};

use base::Source;
use editing::Reading;
use serde_json::Value;

use super::{place, uri};

pub struct Document {
    pub uri: String,
    /// None for a text that has no file.
    pub path: Option<PathBuf>,
    pub version: Option<i64>,
    pub source: Source,
}

impl Document {
    pub fn new(address: &str, text: &str, version: Option<i64>) -> Document {
        let path = uri::to_path(address);
        Document { uri: address.to_string(), path, version, source: Source::new(address, text) }
    }

    pub fn folder(&self) -> Option<&Path> {
        self.path.as_deref().and_then(Path::parent)
    }

    pub fn reading(&self) -> Reading {
        Reading::new(&self.source.name, &self.source.text, self.folder())
    }

    /// A change of a part, or a whole new text.
    pub fn change(&mut self, change: &Value) {
        let new = change["text"].as_str().unwrap_or_default();
        let text = match change.get("range").filter(|range| range.is_object()) {
            None => new.to_string(),
            Some(range) => {
                let (start, end) = place::offsets(&self.source, range);
                let (start, end) = (start.min(end), start.max(end));
                format!("{}{new}{}", &self.source.text[..start], &self.source.text[end..])
            }
        };
        self.source = Source::new(self.source.name.as_str(), text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn changes_count_as_editors_do() {
        let mut document = Document::new("untitled:1", "let 𝛼θ = 1\r\nplot 𝛼θ\r\n", Some(1));
        let range = json!({ "start": { "line": 1, "character": 7 }, "end": { "line": 1, "character": 8 } });
        document.change(&json!({ "range": range, "text": "ω" }));
        assert_eq!(document.source.text, "let 𝛼θ = 1\r\nplot 𝛼ω\r\n");
        let range = json!({ "start": { "line": 0, "character": 11 }, "end": { "line": 9, "character": 0 } });
        document.change(&json!({ "range": range, "text": "" }));
        assert_eq!(document.source.text, "let 𝛼θ = 1");
        document.change(&json!({ "text": "scene a" }));
        assert_eq!(document.source.text, "scene a");
    }
}
