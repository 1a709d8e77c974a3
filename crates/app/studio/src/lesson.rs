//! A lesson as one page: prose, scenes in frames of their own, questions and tasks. What draws a scene is in the page once, however many there are.

use serde_json::{Value, json};

use crate::alone::{inside_page, template};
use crate::protocol::Refusal;

const PAGE: &str = include_str!("../lesson/lesson.html");
const STYLE: &str = include_str!("../lesson/lesson.css");
const SCRIPT: &str = include_str!("../lesson/lesson.js");

/// The page. Needs: parts as `lesson.js` reads them, scenes with their [`crate::content`].
pub fn lesson_page(title: &str, parts: &[Value]) -> Result<String, Refusal> {
    let inside = |value: &Value| inside_page(&value.to_string());
    let filled = PAGE.replacen("@STYLE@", STYLE, 1).replacen("@SCRIPT@", SCRIPT, 1);
    let filled = filled.replacen("@TITLE@", &base::escaped(title), 1);
    let filled = filled.replacen("@LESSON@", &inside(&json!({ "parts": parts })), 1);
    Ok(filled.replacen("@PLAYER@", &inside(&json!(template()?)), 1))
}
