//! Places in the text, as lines and columns of UTF-16 code units, which is what browsers count.

use base::{SourceId, Sources};

use crate::protocol::Span;

/// The places of one text of a compilation.
pub struct Places<'s> {
    sources: &'s Sources,
    source: SourceId,
}

impl<'s> Places<'s> {
    /// Of the scene itself, which is the first text.
    pub fn of_scene(sources: &'s Sources) -> Places<'s> {
        Places { sources, source: SourceId(0) }
    }

    /// Of another text, such as an expression that was typed.
    pub fn of_text(sources: &'s Sources, source: SourceId) -> Places<'s> {
        Places { sources, source }
    }

    pub fn is_here(&self, span: base::Span) -> bool {
        span.source == self.source
    }

    pub fn text(&self, span: base::Span) -> &'s str {
        self.sources.text(span)
    }

    /// The text that the places are in.
    pub fn whole(&self) -> &'s str {
        &self.sources.get(self.source).text
    }

    /// What comes from another text, such as a theory, has its place at the very beginning.
    pub fn span(&self, span: base::Span) -> Span {
        if !self.is_here(span) {
            return Span { line: 1, column: 1, end_line: 1, end_column: 1 };
        }
        let (line, column) = self.place(span.start as usize);
        let (end_line, end_column) = self.place(span.end as usize);
        Span { line, column, end_line, end_column }
    }

    fn place(&self, offset: usize) -> (usize, usize) {
        self.sources.get(self.source).utf16_place(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Source;

    #[test]
    fn columns_count_as_javascript_does() {
        let mut sources = Sources::default();
        let source = sources.add(Source::new("a", "θ = 1\n𝛼 = x"));
        let places = Places::of_scene(&sources);
        let x = "θ = 1\n𝛼 = ".len();
        let span = places.span(base::Span::new(source, x, x + 1));
        assert_eq!((span.line, span.column, span.end_line, span.end_column), (2, 6, 2, 7));
        assert_eq!(places.span(base::Span::new(source, 900, 901)).line, 2);
    }
}
