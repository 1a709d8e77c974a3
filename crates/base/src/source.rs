//! Source texts and places in them.

/// Which text a span belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceId(pub u32);

/// A half-open range of bytes in one source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub source: SourceId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span { source, start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both; both must lie in the same text.
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn holds(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One text, with the name a person knows it by.
#[derive(Clone, Debug)]
pub struct Source {
    pub name: String,
    pub text: String,
    line_starts: Vec<usize>,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Source { name: name.into(), text, line_starts }
    }

    /// Line and column of a byte offset, both counted from 1; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        let column = self.text.get(start..offset).map_or(0, |text| text.chars().count());
        (line, column + 1)
    }

    /// As `line_column`, with columns in UTF-16 code units, which is what browsers and editors count.
    pub fn utf16_place(&self, offset: usize) -> (usize, usize) {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let before = self.text.get(self.line_starts[line - 1]..offset).unwrap_or("");
        (line, before.encode_utf16().count() + 1)
    }

    /// The byte offset of such a place; what lies outside is brought to the end of its line, or of the text.
    pub fn utf16_offset(&self, line: usize, column: usize) -> usize {
        let Some(&start) = line.checked_sub(1).and_then(|at| self.line_starts.get(at)) else {
            return if line == 0 { 0 } else { self.text.len() };
        };
        let rest = self.text[start..].split('\n').next().unwrap_or("");
        let rest = rest.strip_suffix('\r').unwrap_or(rest);
        let mut units = 1;
        for (at, character) in rest.char_indices() {
            if units >= column {
                return start + at;
            }
            units += character.len_utf16();
        }
        start + rest.len()
    }
}

/// All texts of one compilation.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    sources: Vec<Source>,
}

impl Sources {
    pub fn add(&mut self, source: Source) -> SourceId {
        self.sources.push(source);
        SourceId(self.sources.len() as u32 - 1)
    }

    pub fn get(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }

    pub fn text(&self, span: Span) -> &str {
        self.get(span.source).text.get(span.range()).unwrap_or("")
    }

    /// `line 4`, with the name of the text unless it is the first; none where there is no such text.
    pub fn line(&self, span: Span) -> Option<String> {
        let source = self.sources.get(span.source.0 as usize)?;
        let (line, _) = source.line_column(span.start as usize);
        Some(if span.source == SourceId(0) { format!("line {line}") } else { format!("{}, line {line}", source.name) })
    }

    /// `name:line:column`, as editors and terminals understand it.
    pub fn locate(&self, span: Span) -> String {
        let source = self.get(span.source);
        let (line, column) = source.line_column(span.start as usize);
        format!("{}:{line}:{column}", source.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let source = Source::new("a", "θ = 1\n  x");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column("θ ".len()), (1, 3));
        assert_eq!(source.line_column("θ = 1\n  ".len()), (2, 3));
        assert_eq!(source.line_column(999), (2, 4));
    }

    #[test]
    fn editors_count_code_units() {
        let source = Source::new("a", "θ = 1\r\n𝛼 = x\n");
        let x = "θ = 1\r\n𝛼 = ".len();
        assert_eq!(source.utf16_place(x), (2, 6));
        for (offset, _) in source.text.char_indices().filter(|(_, character)| *character != '\n') {
            let (line, column) = source.utf16_place(offset);
            assert_eq!(source.utf16_offset(line, column), offset);
        }
        assert_eq!(source.utf16_offset(1, 99), "θ = 1".len());
        assert_eq!(source.utf16_offset(99, 1), source.text.len());
        assert_eq!(source.utf16_offset(0, 0), 0);
        // In the middle of a character of two units: after it.
        assert_eq!(source.utf16_offset(2, 2), "θ = 1\r\n𝛼".len());
    }
}
