//! What an editor shows of a text without being asked: colours by meaning, hints beside names, what can be folded; and the arguments of the call that
//! is being typed.

use base::{Span, counted};
use model::{Component, Frame, Model, Rotation};
use syntax::{Token, TokenKind};

use crate::index::Target;
use crate::known::{self, Table};
use crate::nature::Nature;
use crate::reading::{HERE, Reading};
use crate::symbol::Role;

/// A name, and what it stands for.
pub struct Coloured {
    pub span: Span,
    pub sort: Sort,
    /// Whether it is declared here.
    pub declared: bool,
}

/// As editors know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Namespace,
    Type,
    Variable,
    /// What stays as it is while a scene runs.
    Constant,
    Argument,
    Property,
    Function,
    Event,
}

/// Words that stand beside a place.
pub struct Hint {
    pub offset: usize,
    pub text: String,
}

/// The call around a place.
pub struct Signature {
    /// As it is declared, from its name to the end of its arguments.
    pub written: String,
    pub meaning: String,
    pub arguments: Vec<String>,
    /// Which of them is being typed.
    pub active: usize,
}

impl Reading {
    /// All names in the order of the text.
    pub fn colours(&self) -> Vec<Coloured> {
        let mut list: Vec<Coloured> = self.with_index(|index| {
            let here = index.mentions.iter().filter(|mention| mention.span.source == HERE);
            let coloured = |mention: &crate::index::Mention| match mention.of {
                Target::Symbol(id) => {
                    let symbol = index.symbol(id);
                    let declared = symbol.span == mention.span;
                    Some(Coloured { span: mention.span, sort: sort_of(symbol.role), declared })
                }
                Target::Known(table) => {
                    Some(Coloured { span: mention.span, sort: sort_of_known(table)?, declared: false })
                }
            };
            here.filter_map(coloured).collect()
        });
        // Editors want each place once; the innermost mention is the last of those that begin where it does.
        list.sort_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
        let mut apart: Vec<Coloured> = Vec::new();
        for one in list {
            while apart.last().is_some_and(|last| last.span.end > one.span.start) {
                apart.pop();
            }
            apart.push(one);
        }
        apart
    }

    /// Units of what is defined, and freedoms of frames and bodies.
    pub fn hints(&self) -> Vec<Hint> {
        let Some(model) = self.model() else { return Vec::new() };
        let mut hints = self.with_index(|index| {
            let own =
                |symbol: &crate::symbol::Symbol<'_>| symbol.span.source == HERE && symbol.role == Role::Definition;
            let defined = index.symbols().filter(|(_, symbol)| own(symbol));
            let unit = |(_, symbol): (_, &crate::symbol::Symbol<'_>)| {
                let Nature::Same(value, _) = symbol.nature else { return None };
                let type_ = (0..model.terms.len())
                    .map(|at| model.terms.get(model::TermId(at as u32)))
                    .find(|term| term.span == value.span)?
                    .type_;
                let text = format!(": {}", known::in_words(type_));
                Some(Hint { offset: symbol.span.end as usize, text })
            };
            defined.filter_map(unit).collect::<Vec<Hint>>()
        });
        hints.extend(freedoms(&model));
        hints.sort_by_key(|hint| hint.offset);
        hints
    }

    /// First and last lines, from zero, of braces and of comments that have several lines; and whether it is a comment.
    pub fn folds(&self) -> Vec<(usize, usize, bool)> {
        let text = self.text();
        let line = |offset: usize| text.utf16_place(offset).0 - 1;
        let (mut open, mut folds): (Vec<usize>, Vec<(usize, usize, bool)>) = Default::default();
        let mut comment: Option<(usize, usize)> = None;
        for token in syntax::tokenize(&text.text) {
            let at = line(token.start);
            match token.kind {
                TokenKind::OpenBrace => open.push(at),
                TokenKind::CloseBrace => {
                    folds.extend(open.pop().filter(|&from| from < at).map(|from| (from, at, false)))
                }
                TokenKind::Comment => match &mut comment {
                    Some((_, last)) if *last + 1 == at => *last = at,
                    _ => folds.extend(comment.replace((at, at)).map(|(first, last)| (first, last, true))),
                },
                _ => {}
            }
        }
        folds.extend(comment.map(|(first, last)| (first, last, true)));
        folds.retain(|(first, last, _)| first < last);
        folds.sort_unstable();
        folds
    }

    /// The function whose arguments are being typed at a place.
    pub fn signature(&self, offset: usize) -> Option<Signature> {
        let text = &self.text().text;
        let tokens: Vec<Token> = syntax::tokenize(text).into_iter().take_while(|token| token.start < offset).collect();
        let (mut depth, mut active) = (0_usize, 0);
        for (at, token) in tokens.iter().enumerate().rev() {
            match token.kind {
                TokenKind::CloseParenthesis | TokenKind::CloseBracket => depth += 1,
                TokenKind::OpenParenthesis if depth == 0 => {
                    let name =
                        tokens[..at].last().filter(|name| name.kind == TokenKind::Word && name.end == token.start)?;
                    return self.declared_call(name, active);
                }
                TokenKind::OpenParenthesis | TokenKind::OpenBracket if depth > 0 => depth -= 1,
                TokenKind::Comma if depth == 0 => active += 1,
                TokenKind::Newline | TokenKind::OpenBrace | TokenKind::CloseBrace | TokenKind::OpenBracket => {
                    return None;
                }
                _ => {}
            }
        }
        None
    }

    fn declared_call(&self, name: &Token, active: usize) -> Option<Signature> {
        let word = name.text(&self.text().text);
        let own = self.with_index(|index| {
            let id = self.symbol_at(index, name.end)?;
            let calls = matches!(index.symbol(id).role, Role::Function | Role::Kind | Role::Connection | Role::Law);
            calls.then(|| self.describe(index, id))
        });
        let entry = own.or_else(|| {
            let tables = [Table::Function, Table::Shape, Table::Figure];
            tables.into_iter().find_map(|table| known::entry(table, word))
        })?;
        let (written, arguments) = call_in(&entry.written, word)?;
        Some(Signature { written, meaning: entry.meaning, active: active.min(arguments.len().max(1) - 1), arguments })
    }
}

/// `area(r, s)` in `fn area(r, s) = r * s`, and what is between its parentheses.
fn call_in(declaration: &str, name: &str) -> Option<(String, Vec<String>)> {
    let start = declaration.find(&format!("{name}("))?;
    let open = start + name.len();
    let (mut depth, mut from, mut arguments) = (0, open + 1, Vec::new());
    for (at, character) in declaration.char_indices().skip_while(|(at, _)| *at < open) {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 1 && character == ',' || depth == 0 {
            let argument = declaration[from..at].trim();
            if !argument.is_empty() {
                arguments.push(argument.to_string());
            }
            from = at + 1;
        }
        if depth == 0 {
            return Some((declaration[start..=at].to_string(), arguments));
        }
    }
    None
}

/// How many freedoms each frame brings, beside its name.
fn freedoms(model: &Model) -> Vec<Hint> {
    let told = |frame: &Frame| {
        let free = |components: &[Component]| components.iter().filter(|it| matches!(it, Component::Free(_))).count();
        let turning = match &frame.rotation {
            Rotation::None => 0,
            Rotation::About { angle, .. } => free(&[*angle]),
            Rotation::Free(_) => 3,
            // A unit quaternion has one number more than it has freedoms.
            Rotation::Quaternion(parts) => free(parts).saturating_sub(usize::from(free(parts) == 4)),
        };
        let count = free(&frame.position) + turning + free(&frame.scale);
        let words = counted(count, "freedom", "freedoms");
        (frame.span.source == HERE && count > 0)
            .then(|| Hint { offset: frame.span.end as usize, text: format!(" {words}") })
    };
    let mut hints: Vec<Hint> = model.frames.iter().skip(1).filter_map(told).collect();
    // What a loop makes is written once.
    hints.sort_by_key(|hint| hint.offset);
    hints.dedup_by_key(|hint| hint.offset);
    hints
}

fn sort_of(role: Role) -> Sort {
    use Role::*;
    match role {
        Scene | Theory => Sort::Namespace,
        Kind | Connection => Sort::Type,
        Parameter => Sort::Constant,
        Function | Law => Sort::Function,
        Argument | Counter => Sort::Argument,
        Mode | Quantity => Sort::Property,
        ModeValue | Transition | Sequence | Plan | Claim | Label | Choice => Sort::Event,
        Definition | Control | Frame | Body | Group | Surface | Thing | Camera | Light => Sort::Variable,
    }
}

fn sort_of_known(table: Table) -> Option<Sort> {
    match table {
        Table::Function | Table::Shape | Table::Figure => Some(Sort::Function),
        Table::FrameField | Table::SceneQuantity | Table::Component | Table::ContactField | Table::Property => {
            Some(Sort::Property)
        }
        Table::ContactProperty => Some(Sort::Property),
        Table::Theory => Some(Sort::Namespace),
        // The grammar colours words of the language, units and colours.
        Table::Statement | Table::Word | Table::Unit | Table::Color => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "scene a\n// one\n// two\nparam l = 2 [m]\nfn area(r, s) = r * s\n\
        frame swing {\n  rotation = about x free\n}\nlet a = area(l, l)\nplot atan2(a, \n";

    fn reading(text: &str) -> Reading {
        Reading::new("a", text, None)
    }

    #[test]
    fn the_argument_that_is_typed_is_known() {
        let reading = reading(TEXT);
        let at = |piece: &str| TEXT.find(piece).expect("there") + piece.len();
        let own = reading.signature(at("area(l, ")).expect("a call");
        assert_eq!((own.arguments.len(), own.active), (2, 1), "{}", own.written);
        let known = reading.signature(at("atan2(a, ")).expect("a call");
        assert_eq!((known.active, known.arguments.len()), (1, 2), "{}", known.written);
        assert!(reading.signature(at("param l")).is_none());
    }

    #[test]
    fn braces_and_comments_fold() {
        assert_eq!(reading(TEXT).folds(), [(1, 2, true), (5, 7, false)]);
    }

    #[test]
    fn names_have_colours_that_do_not_overlap() {
        let colours = reading(TEXT).colours();
        assert!(colours.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        let of = |word: &str| {
            let named = colours.iter().filter(|one| &TEXT[one.span.start as usize..one.span.end as usize] == word);
            named.map(|one| (one.sort, one.declared)).collect::<Vec<_>>()
        };
        assert_eq!(of("l"), [(Sort::Constant, true), (Sort::Constant, false), (Sort::Constant, false)]);
        assert_eq!(of("swing"), [(Sort::Variable, true)]);
    }

    #[test]
    fn units_and_freedoms_stand_beside_names() {
        let text = "scene a\nframe swing { rotation = about x free }\nbody b in swing { position = (0, 0, free); mass = 1 [kg] }\nlet v = b.velocity.y\nplot v\n";
        let hints = reading(text).hints();
        let told: Vec<(&str, &str)> = hints
            .iter()
            .map(|hint| (text[..hint.offset].rsplit([' ', '\n']).next().expect("a word"), hint.text.as_str()))
            .collect();
        assert_eq!(told, [("swing", " 1 freedom"), ("b", " 1 freedom"), ("v", ": number [m/s]")]);
    }
}
