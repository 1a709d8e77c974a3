//! Plots as SVG.

use std::fmt::Write;

use super::{Anchor, LETTERS, Mark, Page};

pub fn svg(page: &Page) -> String {
    let Page { width, height, marks } = page;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"{LETTERS}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for mark in marks {
        match mark {
            Mark::Line { pieces, color: [red, green, blue], width } => {
                let mut path = String::new();
                for (at, (x, y)) in pieces.iter().flat_map(|piece| piece.iter().enumerate()) {
                    let _ = write!(path, "{}{x:.2} {y:.2}", if at == 0 { "M" } else { "L" });
                }
                let _ = writeln!(
                    out,
                    "<path d=\"{path}\" fill=\"none\" stroke=\"#{red:02x}{green:02x}{blue:02x}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>"
                );
            }
            Mark::Text { at: (x, y), anchor, bold, text } => {
                let anchor = match anchor {
                    Anchor::Begin => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                };
                let weight = if *bold { " font-weight=\"bold\"" } else { "" };
                let text = base::escaped(text);
                let _ = writeln!(out, "<text x=\"{x:.2}\" y=\"{y:.2}\"{anchor}{weight}>{text}</text>");
            }
        }
    }
    out + "</svg>\n"
}
