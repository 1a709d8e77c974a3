//! What the search box looks through: titles, headings and rows of tables, as a script that defines a list.

use serde_json::json;

use crate::page::Page;

/// Each entry is what is found, the title of its page, and its address from the root of the site.
pub fn index<'p>(pages: impl Iterator<Item = (&'p str, &'p Page)>) -> String {
    let mut entries = Vec::new();
    for (address, page) in pages {
        for place in &page.places {
            let address = if place.level == 1 { address.to_string() } else { format!("{address}#{}", place.id) };
            entries.push(json!([place.text, page.title, address]));
        }
    }
    // A script instead of data: a page that was opened from a folder may read nothing else.
    format!("window.ANSATZ_INDEX = {};\n", serde_json::Value::Array(entries))
}
