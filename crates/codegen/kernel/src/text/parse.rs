//! From text to a module: arrays, functions and statements. The expressions are in their own file.

mod expression;

use super::lexicon::{is_identifier, is_keyword};
use super::token::{Placed, Token, tokens};
use crate::{Array, ArrayId, Block, Function, FunctionId, Local, LocalId, Module, Slot, Statement, Type, Value};
use rustc_hash::FxHashMap;
use std::fmt;

/// Reads what [`print`](super::print) writes. Says what was expected at the first place that does not fit.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let tokens = tokens(text)?;
    let functions = function_names(&tokens);
    let mut parser =
        Parser { text, tokens, at: 0, functions, arrays: FxHashMap::default(), locals: FxHashMap::default() };
    parser.module()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// From one, as editors count.
    pub line: usize,
    pub column: usize,
    pub expected: String,
}

impl ParseError {
    pub(super) fn at(text: &str, offset: usize, expected: &str) -> ParseError {
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        ParseError { line, column, expected: expected.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: expected {}", self.line, self.column, self.expected)
    }
}

impl std::error::Error for ParseError {}

/// Functions may be called before they are defined, so their names are collected first.
fn function_names<'t>(tokens: &[Placed<'t>]) -> FxHashMap<&'t str, FunctionId> {
    let names = tokens.windows(2).filter_map(|pair| match (pair[0].0, pair[1].0) {
        (Token::Word("fn"), Token::Word(name)) => Some(name),
        _ => None,
    });
    names.zip((0..).map(FunctionId)).collect()
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Placed<'t>>,
    at: usize,
    functions: FxHashMap<&'t str, FunctionId>,
    arrays: FxHashMap<&'t str, ArrayId>,
    /// Those of the function being read.
    locals: FxHashMap<&'t str, LocalId>,
}

type Parsed<T> = Result<T, ParseError>;

impl<'t> Parser<'t> {
    fn module(&mut self) -> Parsed<Module> {
        self.word("module")?;
        let mut module = Module { name: self.name()?.into(), arrays: Vec::new(), functions: Vec::new() };
        self.symbol(";")?;
        loop {
            let note = self.documentation();
            match self.next() {
                Token::Word("array") => {
                    let array = self.array(note, module.arrays.len())?;
                    module.arrays.push(array);
                }
                Token::Word("fn") => module.functions.push(self.function(note, false)?.into()),
                Token::Word("rare") => {
                    self.word("fn")?;
                    module.functions.push(self.function(note, true)?.into());
                }
                Token::Note(_) => (),
                Token::End if note.is_empty() => return Ok(module),
                _ => return self.expected_before("`array` or `fn`"),
            }
        }
    }

    fn documentation(&mut self) -> String {
        let mut lines = Vec::new();
        while let Token::Documentation(line) = self.peek() {
            lines.push(line);
            self.at += 1;
        }
        lines.join("\n")
    }

    fn array(&mut self, note: String, index: usize) -> Parsed<Array> {
        let name = self.name()?;
        self.symbol(":")?;
        let element = self.kind()?;
        self.symbol("[")?;
        let length = match self.constant()? {
            Value::Integer(length) if length >= 0 => length as usize,
            _ => return self.expected_before("a length"),
        };
        self.symbol("]")?;
        let slots = if self.take("{") { self.list("}", Parser::slot)? } else { Vec::new() };
        let initial = if self.take("=") { Some(self.initial()?) } else { None };
        self.symbol(";")?;
        self.arrays.insert(name, ArrayId { index: index as u32, element });
        Ok(Array { name: name.into(), element, length, initial, slots, note })
    }

    fn slot(&mut self) -> Parsed<Slot> {
        let note = self.documentation();
        Ok(Slot { name: self.name()?.into(), note })
    }

    fn initial(&mut self) -> Parsed<Vec<Value>> {
        self.symbol("[")?;
        self.list("]", Parser::constant)
    }

    fn function(&mut self, note: String, rare: bool) -> Parsed<Function> {
        let name = self.name()?.into();
        self.locals.clear();
        self.symbol("(")?;
        let mut locals = self.list(")", Parser::local)?;
        let parameter_count = locals.len();
        let results = if self.take("->") { self.results()? } else { Vec::new() };
        self.symbol("{")?;
        while self.peek() == Token::Word("let") {
            self.at += 1;
            locals.push(self.local()?);
            self.symbol(";")?;
        }
        let body = self.block()?;
        Ok(Function { name, parameter_count, results, locals, body, note, rare })
    }

    fn local(&mut self) -> Parsed<Local> {
        let name = self.name()?;
        self.symbol(":")?;
        let kind = self.kind()?;
        self.locals.insert(name, LocalId { index: self.locals.len() as u32, kind });
        Ok(Local { name: name.into(), kind })
    }

    fn results(&mut self) -> Parsed<Vec<Type>> {
        if self.take("(") { self.list(")", Parser::kind) } else { Ok(vec![self.kind()?]) }
    }

    /// Statements up to and with the closing brace.
    fn block(&mut self) -> Parsed<Block> {
        let mut block = Block::new();
        while !self.take("}") {
            block.push(self.statement()?);
        }
        Ok(block)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        match self.next() {
            Token::Note(note) => Ok(Statement::Note(note.into())),
            Token::Word("if") => self.alternatives(),
            Token::Word("switch") => self.selection(),
            Token::Word("while") => {
                let condition = self.expression()?;
                self.symbol("{")?;
                Ok(Statement::While { condition, body: self.block()? })
            }
            Token::Word("for") => self.counting(),
            Token::Word("break") => self.end(Statement::Break),
            Token::Word("return") => {
                let results = if self.peek() == Token::Symbol(";") { Vec::new() } else { self.expressions()? };
                self.end(Statement::Return(results))
            }
            Token::Word("call") => self.call(Vec::new()),
            Token::Word(array) if self.peek() == Token::Symbol("[") => {
                let array = self.known_array(array)?;
                self.symbol("[")?;
                let index = self.expression()?;
                self.symbol("]")?;
                self.symbol("=")?;
                let value = self.expression()?;
                self.end(Statement::Store { array, index, value })
            }
            Token::Word(local) => self.assignment(local),
            _ => self.expected_before("a statement"),
        }
    }

    fn alternatives(&mut self) -> Parsed<Statement> {
        let condition = self.expression()?;
        self.symbol("{")?;
        let then = self.block()?;
        let mut otherwise = Block::new();
        if self.peek() == Token::Word("else") {
            self.at += 1;
            if self.peek() == Token::Word("if") {
                self.at += 1;
                otherwise.push(self.alternatives()?);
            } else {
                self.symbol("{")?;
                otherwise = self.block()?;
            }
        }
        Ok(Statement::If { condition, then, otherwise })
    }

    fn selection(&mut self) -> Parsed<Statement> {
        let index = self.expression()?;
        self.symbol("{")?;
        let (mut cases, mut otherwise) = (Vec::new(), Block::new());
        while self.peek() == Token::Word("case") {
            self.at += 1;
            self.symbol("{")?;
            cases.push(self.block()?);
        }
        if self.peek() == Token::Word("else") {
            self.at += 1;
            self.symbol("{")?;
            otherwise = self.block()?;
        }
        self.symbol("}")?;
        Ok(Statement::Switch { index, cases, otherwise })
    }

    fn counting(&mut self) -> Parsed<Statement> {
        let name = self.name()?;
        let variable = self.known_local(name)?;
        self.word("in")?;
        let from = self.expression()?;
        self.symbol("..")?;
        let to = self.expression()?;
        self.symbol("{")?;
        Ok(Statement::For { variable, from, to, body: self.block()? })
    }

    /// `a = value;`, `a, b = call f();` or `a = foreign(0.0);`
    fn assignment(&mut self, first: &str) -> Parsed<Statement> {
        let mut targets = vec![self.known_local(first)?];
        while self.take(",") {
            let name = self.name()?;
            targets.push(self.known_local(name)?);
        }
        self.symbol("=")?;
        if targets.len() > 1 || self.peek() == Token::Word("call") {
            self.word("call")?;
            return self.call(targets);
        }
        if self.peek() == Token::Word("foreign") {
            self.at += 1;
            self.symbol("(")?;
            let arguments = self.list(")", Parser::expression)?;
            return self.end(Statement::Foreign { arguments, result: targets[0] });
        }
        let value = self.expression()?;
        self.end(Statement::Assign(targets[0], value))
    }

    fn call(&mut self, results: Vec<LocalId>) -> Parsed<Statement> {
        let name = self.name()?;
        let Some(&function) = self.functions.get(name) else { return self.expected_before("a function") };
        self.symbol("(")?;
        let arguments = self.list(")", Parser::expression)?;
        self.end(Statement::Call { function, arguments, results })
    }

    fn end(&mut self, statement: Statement) -> Parsed<Statement> {
        self.symbol(";")?;
        Ok(statement)
    }

    fn kind(&mut self) -> Parsed<Type> {
        match self.next() {
            Token::Word("real") => Ok(Type::Real),
            Token::Word("integer") => Ok(Type::Integer),
            _ => self.expected_before("`real` or `integer`"),
        }
    }

    fn name(&mut self) -> Parsed<&'t str> {
        match self.next() {
            Token::Word(name) if is_identifier(name) && !is_keyword(name) => Ok(name),
            _ => self.expected_before("a name"),
        }
    }

    /// The name just read, as a local.
    fn known_local(&self, name: &str) -> Parsed<LocalId> {
        self.locals.get(name).copied().map_or_else(|| self.expected_before("a local"), Ok)
    }

    /// The name just read, as an array.
    fn known_array(&self, name: &str) -> Parsed<ArrayId> {
        self.arrays.get(name).copied().map_or_else(|| self.expected_before("an array"), Ok)
    }

    /// Items with commas between them, up to and with the closing symbol.
    fn list<T>(&mut self, close: &str, item: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.take(close) {
            if !items.is_empty() {
                self.symbol(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn peek(&self) -> Token<'t> {
        self.tokens[self.at].0
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// Steps over the symbol if it comes next.
    fn take(&mut self, symbol: &str) -> bool {
        let found = self.peek() == Token::Symbol(symbol);
        self.at += usize::from(found);
        found
    }

    fn symbol(&mut self, symbol: &str) -> Parsed<()> {
        if self.take(symbol) { Ok(()) } else { self.expected(self.at, &format!("`{symbol}`")) }
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        match self.next() {
            Token::Word(found) if found == word => Ok(()),
            _ => self.expected_before(&format!("`{word}`")),
        }
    }

    /// Complains about the token just read.
    fn expected_before<T>(&self, what: &str) -> Parsed<T> {
        self.expected(self.at - 1, what)
    }

    fn expected<T>(&self, at: usize, what: &str) -> Parsed<T> {
        Err(ParseError::at(self.text, self.tokens[at].1, what))
    }
}
