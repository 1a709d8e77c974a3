//! Plots as PDF: one page with lines and letters, in the fonts that every reader has.
//!
//! The format: ISO 32000-1, "Document management: portable document format"; fonts and their encodings are in its annexes D and H.

use std::fmt::Write;

use super::{Anchor, LETTERS, Mark, Page};

/// The fonts, by the names that the page has for them.
const FONTS: [(&str, &str); 3] = [("F1", "Helvetica"), ("F2", "Helvetica-Bold"), ("F3", "Symbol")];
/// How wide letters of Helvetica are from the space to the tilde, in thousandths of their size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];
/// Of letters that are not among these.
const USUAL_WIDTH: u16 = 556;
/// Small Greek letters, in the order in which the font `Symbol` has them from `a` on.
const GREEK: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";

pub fn pdf(page: &Page) -> Vec<u8> {
    let drawn = content(page);
    let fonts: Vec<String> = (0..FONTS.len()).map(|at| format!("/{} {} 0 R", FONTS[at].0, 5 + at)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_string().into_bytes(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_string().into_bytes(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R /Resources << /Font << {} >> >> >>",
            page.width,
            page.height,
            fonts.join(" ")
        )
        .into_bytes(),
        [format!("<< /Length {} >>\nstream\n", drawn.len()).into_bytes(), drawn, b"\nendstream".to_vec()].concat(),
    ];
    objects.extend(FONTS.iter().map(|(_, font)| {
        let encoding = if *font == "Symbol" { "" } else { " /Encoding /WinAnsiEncoding" };
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /{font}{encoding} >>").into_bytes()
    }));
    file(&objects)
}

/// Objects one behind the other, and a table of where each begins.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (at, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", out.len());
        out.extend(format!("{} 0 obj\n", at + 1).into_bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let start = out.len();
    let trailer = format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1);
    out.extend(table.into_bytes());
    out.extend(trailer.into_bytes());
    out
}

/// What is drawn; the origin of a page is below at the left.
fn content(page: &Page) -> Vec<u8> {
    let mut out = Vec::new();
    for mark in &page.marks {
        match mark {
            Mark::Line { pieces, color, width } => {
                let [red, green, blue] = color.map(|part| f64::from(part) / 255.0);
                let mut line = format!("{red:.3} {green:.3} {blue:.3} RG {width} w 1 j\n");
                for (at, (x, y)) in pieces.iter().flat_map(|piece| piece.iter().enumerate()) {
                    let _ = writeln!(line, "{x:.2} {:.2} {}", page.height - y, if at == 0 { "m" } else { "l" });
                }
                out.extend(format!("{line}S\n").into_bytes());
            }
            Mark::Text { at: (x, y), anchor, bold, text } => {
                let runs = runs(text, *bold);
                let width = runs.iter().flat_map(|(_, letters)| letters).map(|&it| width(it)).sum::<f64>();
                let x = match anchor {
                    Anchor::Begin => *x,
                    Anchor::Middle => x - width / 2.0,
                    Anchor::End => x - width,
                };
                out.extend(format!("BT {x:.2} {:.2} Td\n", page.height - y).into_bytes());
                for (font, letters) in runs {
                    out.extend(format!("/{font} {LETTERS} Tf (").into_bytes());
                    for letter in letters {
                        if b"()\\".contains(&letter) {
                            out.push(b'\\');
                        }
                        out.push(letter);
                    }
                    out.extend(b") Tj\n");
                }
                out.extend(b"ET\n");
            }
        }
    }
    out
}

fn width(letter: u8) -> f64 {
    let thousandths = WIDTHS.get(usize::from(letter).wrapping_sub(32)).copied().unwrap_or(USUAL_WIDTH);
    f64::from(thousandths) / 1000.0 * LETTERS
}

/// A text in parts of one font each. What no font has is a question mark.
fn runs(text: &str, bold: bool) -> Vec<(&'static str, Vec<u8>)> {
    let plain = if bold { "F2" } else { "F1" };
    let mut runs: Vec<(&'static str, Vec<u8>)> = Vec::new();
    for letter in text.chars() {
        let greek = GREEK.chars().position(|known| known == letter);
        let (font, code) = match (letter, greek) {
            (_, Some(at)) => ("F3", b'a' + at as u8),
            (' '..='~' | '\u{a0}'..='\u{ff}', _) => (plain, letter as u32 as u8),
            ('−', _) => (plain, b'-'),
            ('′', _) => (plain, b'\''),
            _ => (plain, b'?'),
        };
        match runs.last_mut().filter(|(known, _)| *known == font) {
            Some((_, letters)) => letters.push(code),
            None => runs.push((font, vec![code])),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_is_where_the_table_says() {
        let text = Mark::Text { at: (1.0, 2.0), anchor: Anchor::End, bold: true, text: "θ (m²)".to_string() };
        let line = Mark::Line { pieces: vec![vec![(0.0, 0.0), (3.0, 4.0)]], color: [255, 0, 0], width: 1.0 };
        let bytes = pdf(&Page { width: 100.0, height: 50.0, marks: vec![text, line] });
        let find = |what: &str, from: usize| {
            bytes[from..].windows(what.len()).position(|it| it == what.as_bytes()).map(|at| from + at)
        };
        let table = find("xref\n", 0).expect("a table");
        let said = String::from_utf8_lossy(&bytes[table..]).into_owned();
        assert!(said.contains(&format!("startxref\n{table}\n")), "{said}");
        for (number, line) in said.lines().skip(3).take(7).enumerate() {
            let at: usize = line[..10].parse().expect("a place");
            assert!(bytes[at..].starts_with(format!("{} 0 obj\n", number + 1).as_bytes()));
        }
        // The line goes from the upper left corner downwards.
        assert!(find("0.00 50.00 m\n3.00 46.00 l\nS", 0).is_some());
        assert!(find("/F3 13 Tf (q) Tj\n/F2 13 Tf ( \\(m", 0).is_some());
    }

    #[test]
    fn texts_are_as_wide_as_their_letters() {
        let found = "0.25".bytes().map(width).sum::<f64>();
        assert!((found - (3.0 * 556.0 + 278.0) / 1000.0 * LETTERS).abs() < 1e-12, "{found}");
        assert_eq!(runs("a ☃", false), [("F1", b"a ?".to_vec())]);
    }
}
