//! Columns: consecutive lines that say the same kind of thing are set like a table, and so are the comments after them.

use super::spacing::{Pattern, Spaced};

const COMMENT_GAP: usize = 2;

/// The whole text.
pub(super) fn align(lines: Vec<Spaced>) -> String {
    let codes = align_cells(&lines);
    let comment_columns = align_comments(&lines, &codes);
    let mut output = String::new();
    for ((line, code), comment_column) in lines.iter().zip(&codes).zip(comment_columns) {
        if line.follows_blank {
            output.push('\n');
        }
        output.push_str(code);
        if let Some(comment) = &line.comment {
            pad(&mut output, comment_column - width(code));
            output.push_str(comment);
        }
        output.push('\n');
    }
    output
}

/// The code of each line, indented, with its cells in columns.
fn align_cells(lines: &[Spaced]) -> Vec<String> {
    let same = |a: &Spaced, b: &Spaced| {
        a.pattern == b.pattern && a.pattern != Pattern::Other && a.indent == b.indent && !b.follows_blank
    };
    let mut codes = Vec::with_capacity(lines.len());
    for run in lines.chunk_by(same) {
        let widths = column_widths(run);
        codes.extend(run.iter().map(|line| set_in_columns(line, &widths)));
    }
    codes
}

/// The widest cell of each column, counting only cells that have another to their right.
fn column_widths(run: &[Spaced]) -> Vec<usize> {
    let mut widths = Vec::new();
    for line in run {
        for (column, cell) in line.cells.iter().enumerate().take(line.cells.len().saturating_sub(1)) {
            if widths.len() <= column {
                widths.push(0);
            }
            widths[column] = width(cell).max(widths[column]);
        }
    }
    widths
}

fn set_in_columns(line: &Spaced, widths: &[usize]) -> String {
    let mut code = " ".repeat(line.indent);
    for (column, cell) in line.cells.iter().enumerate() {
        code.push_str(cell);
        let column_width = widths.get(column).copied().unwrap_or(0);
        if column + 1 < line.cells.len() && column_width > 0 {
            pad(&mut code, column_width - width(cell) + 1);
        }
    }
    code
}

/// Where the comment of each line begins; a comment by itself is indented like code.
fn align_comments(lines: &[Spaced], codes: &[String]) -> Vec<usize> {
    let lonely = |line: &Spaced| line.cells.iter().all(String::is_empty);
    let trailing = |line: &Spaced| line.comment.is_some() && !lonely(line);
    let mut columns = Vec::with_capacity(lines.len());
    for run in lines.chunk_by(|a, b| trailing(a) && trailing(b) && !b.follows_blank) {
        let codes = codes.iter().skip(columns.len()).take(run.len());
        let widest = codes.map(|code| width(code)).max().unwrap_or(0);
        columns.extend(run.iter().map(|line| if lonely(line) { line.indent } else { widest + COMMENT_GAP }));
    }
    columns
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn pad(output: &mut String, count: usize) {
    output.extend(std::iter::repeat_n(' ', count));
}
