//! Files of measured data: columns of numbers beside the scene, with names and units in the first line.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Source, SourceId, Sources, Span};
use model::{DataColumn, DataFile};
use syntax::{Data, ItemKind, Tree, UnitText};

use crate::library::{DATA, text_beside};

/// More rows than this are no table to compile into a program.
const MOST_ROWS: usize = 100_000;

/// The files that a scene and its theories take data from, each once. What cannot be read is reported, and left out.
pub fn load(trees: &[&Tree], folder: Option<&Path>, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<DataFile> {
    let mut files: Vec<DataFile> = Vec::new();
    let mut met: Vec<&str> = Vec::new();
    for data in trees.iter().flat_map(|tree| &tree.items).filter_map(|item| stated(&item.kind)) {
        if met.contains(&data.file.value.as_str()) {
            continue;
        }
        met.push(&data.file.value);
        match read(data, folder) {
            Ok(text) => {
                let id = sources.add(Source::new(data.file.value.clone(), text));
                let text = sources.get(id).text.clone();
                match columns(id, &text) {
                    Ok(columns) => files.push(DataFile { name: data.file.value.clone(), columns }),
                    Err(found) => sink.report(found),
                }
            }
            Err(why) => sink.report(
                Diagnostic::error(model::BAD_DATA, format!("the data of `{}` cannot be read: {why}", data.name.text))
                    .at(data.file.span, "this file")
                    .hint("files of data lie in the folder of the scene, or below it"),
            ),
        }
    }
    files
}

fn stated(kind: &ItemKind) -> Option<&Data> {
    match kind {
        ItemKind::Data(data) => Some(data),
        _ => None,
    }
}

/// A file beside the scene; else one of those that come with Ansatz.
fn read(data: &Data, folder: Option<&Path>) -> Result<String, String> {
    let path = Path::new(&data.file.value);
    if path.is_absolute() {
        return Err("it is not said from the folder of the scene on".to_string());
    }
    let own = folder.map(|folder| folder.join(path)).filter(|path| path.exists());
    if let (None, Some((_, text))) = (own, DATA.iter().find(|(name, _)| *name == data.file.value)) {
        return Ok((*text).to_string());
    }
    let folder = folder.ok_or("a text without a folder has no files beside it")?;
    text_beside(folder, &folder.join(path)).map_err(|error| error.to_string())
}

/// A line with what stands between its separators, each with its place. Within quotation marks a separator is part of a name, as in `"atan2(y, x) [deg]"`.
fn cells(source: SourceId, start: usize, line: &str, separator: char) -> Vec<(&str, Span)> {
    let mut at = start;
    let cell = |text| {
        let text: &str = text;
        let trimmed = text.trim();
        let first = at + (text.len() - text.trim_start().len());
        at += text.len() + separator.len_utf8();
        (trimmed.trim_matches('"'), Span::new(source, first, first + trimmed.len()))
    };
    let mut quoted = false;
    let separates = |c: char| {
        quoted ^= c == '"';
        c == separator && !quoted
    };
    line.split(separates).map(cell).collect()
}

fn bad(message: String, span: Span, label: &str) -> Diagnostic {
    Diagnostic::error(model::BAD_DATA, message).at(span, label)
}

/// The columns of a text: names with units in its first line, then numbers. Empty lines, and those that begin with `#`, say nothing.
fn columns(source: SourceId, text: &str) -> Result<Vec<DataColumn>, Diagnostic> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        start += line.len();
        (start - line.len(), line.trim_end_matches(['\n', '\r']))
    });
    let says = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines: Vec<(usize, &str)> = lines.filter(says).collect();
    let whole = Span::new(source, 0, text.len().min(1));
    let Some(&(first, head)) = lines.first() else {
        return Err(bad("this file of data is empty".to_string(), whole, "nothing here")
            .hint("its first line names columns, `t [s], speed [m/s]`; below stand numbers"));
    };
    let separator = [';', '\t'].into_iter().find(|&mark| head.contains(mark)).unwrap_or(',');
    let head = cells(source, first, head, separator);
    let has_names = head.iter().any(|(text, _)| text.parse::<f64>().is_err());
    let mut columns: Vec<DataColumn> = head.iter().enumerate().map(|(at, cell)| column(at, *cell, has_names)).collect();
    if columns.len() < 2 {
        return Err(bad("data needs two columns at least".to_string(), head[0].1, "there is one")
            .hint("the first is what the function is asked for, as in `t [s], speed [m/s]`"));
    }
    for &(start, line) in &lines[usize::from(has_names)..] {
        let own = cells(source, start, line, separator);
        let span = Span::new(source, start, start + line.len().max(1));
        if own.len() != columns.len() {
            let message = format!("this line has {} numbers, and there are {} columns", own.len(), columns.len());
            return Err(bad(message, span, "here"));
        }
        for (column, (text, span)) in columns.iter_mut().zip(own) {
            let value = text.parse::<f64>().ok().filter(|value| value.is_finite());
            let Some(value) = value else {
                let message = format!("`{text}` is not a number");
                return Err(bad(message, span, "here")
                    .hint("numbers are written as in `-1.5e-3`; leave out lines without a value"));
            };
            column.values.push(value);
        }
        if let [.., before, now] = columns[0].values.as_slice()
            && before >= now
        {
            let message = format!("`{}` does not ascend: {now} comes after {before}", columns[0].name);
            return Err(bad(message, span, "here").hint("sort the lines, and keep one of those that are alike"));
        }
        if columns[0].values.len() > MOST_ROWS {
            return Err(bad(format!("there are more than {MOST_ROWS} lines of data"), span, "from here on")
                .hint("leave out what is finer than the motion needs"));
        }
    }
    if columns[0].values.len() < 2 {
        return Err(bad("data needs two lines of numbers at least".to_string(), whole, "too few"));
    }
    Ok(columns)
}

/// `speed [m/s]`, or a column that its number names.
fn column(at: usize, (text, span): (&str, Span), is_named: bool) -> DataColumn {
    let unnamed = || DataColumn { name: (at + 1).to_string(), unit: None, span, values: Vec::new() };
    if !is_named {
        return unnamed();
    }
    match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((name, unit)) => {
            let start = span.start as usize + name.len() + 1 + (unit.len() - unit.trim_start().len());
            let unit = unit.trim();
            let own = Span::new(span.source, start, start + unit.len());
            let unit = Some(UnitText { text: unit.to_string(), span: own });
            DataColumn { name: name.trim().to_string(), unit, ..unnamed() }
        }
        None => DataColumn { name: text.to_string(), ..unnamed() },
    }
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::*;

    const TABLE: &str = "# gusts\nt [s], \"wind\" [m/s], from\n0, 1.5, -2\n0.5, 2e-3, 7\n\n1.25, 0, 1e3\n";

    /// What chance has changed, cut off and doubled is refused at a place in it, or is columns of one length, the first of which ascends.
    #[test]
    fn tables_that_chance_has_changed_are_refused_or_read() {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
        let (trials, first) = (number("ANSATZ_FUZZ_TRIALS").unwrap_or(5000), number("ANSATZ_FUZZ_SEED").unwrap_or(1));
        let pieces = [
            "nan", "inf", "1e308", "-1e400", ",", ";", "\t", "\n", "\r\n", "\"", "#", "[", "]", "\u{202e}", "\0",
            "0x1", "θ", "",
        ];
        for seed in first..first + trials {
            let mut random = Random::new(seed);
            let mut text: Vec<char> = TABLE.chars().collect();
            for _ in 0..=random.below(5) {
                let (a, b) = (random.below(text.len() + 1), random.below(text.len() + 1));
                let (low, high) = (a.min(b), a.max(b).min(a.min(b) + 12));
                let copied: String = text[low..high].iter().collect();
                let put = if random.chance(0.3) { copied.as_str() } else { random.pick(&pieces) };
                let replaced = if random.chance(0.5) { low..high } else { low..low };
                text.splice(replaced, put.chars());
            }
            let text: String = text.into_iter().collect();
            match columns(SourceId(0), &text) {
                Ok(columns) => {
                    let rows = columns[0].values.len();
                    assert!(rows >= 2 && columns.iter().all(|column| column.values.len() == rows), "seed {seed}");
                    assert!(columns[0].values.windows(2).all(|pair| pair[0] < pair[1]), "seed {seed}");
                    assert!(
                        columns.iter().flat_map(|column| &column.values).all(|value| value.is_finite()),
                        "seed {seed}"
                    );
                }
                Err(found) => {
                    assert!(!found.message.is_empty(), "seed {seed}");
                    let inside =
                        |span: Span| span.start as usize <= text.len() && text.is_char_boundary(span.start as usize);
                    assert!(found.labels.iter().all(|label| inside(label.span)), "seed {seed}: {text:?}");
                }
            }
        }
    }

    #[test]
    fn a_table_of_our_own_is_read() {
        let text = "t [s],\"atan2(y, x) [deg]\",swing[1].angle [rad],n\n0,1,2,3\n1,2,3,4\n";
        let columns = columns(SourceId(0), text).expect("a table");
        let heads: Vec<(&str, Option<&str>)> =
            columns.iter().map(|it| (it.name.as_str(), it.unit.as_ref().map(|unit| unit.text.as_str()))).collect();
        let expected = [("t", Some("s")), ("atan2(y, x)", Some("deg")), ("swing[1].angle", Some("rad")), ("n", None)];
        assert_eq!(heads, expected);
        assert_eq!(columns[1].values, [1.0, 2.0]);
    }
}
