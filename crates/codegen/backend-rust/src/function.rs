//! Functions and statements in Rust.

use kernel::{
    Block, Declarations, Expression, Function, FunctionId, LocalId, Module, Notation, Operator, Statement, Usage,
};

use crate::expression::{Writer, is_word};
use crate::memory::{document, kind_name, push};
use crate::names::plain;

/// Longer lines are broken.
const WIDTH: usize = 110;

/// The whole function, as a method or, if it needs no memory, as a function of the type.
pub fn definition(module: &Module, usage: &Usage, id: FunctionId) -> String {
    let function = module.function(id);
    let declarations = Declarations::of(function);
    let mut text = String::new();
    document(&function.note, "    ", &mut text);
    let mut parameters = Vec::new();
    if usage.is_stateful(id) || usage.is_entry(id) {
        parameters.push("&mut self".to_string());
    }
    for parameter in function.parameters() {
        let mark = match (declarations.is_needed(parameter), declarations.changes(parameter)) {
            (_, true) => "mut ",
            (true, false) => "",
            (false, false) => "_",
        };
        let name = plain(&function.local(parameter).name);
        parameters.push(format!("{mark}{name}: {}", kind_name(parameter.kind)));
    }
    let kinds: Vec<&str> = function.results.iter().map(|&kind| kind_name(kind)).collect();
    let result = match kinds[..] {
        [] => String::new(),
        [only] => format!(" -> {only}"),
        _ => format!(" -> ({})", kinds.join(", ")),
    };
    let visible = if usage.is_entry(id) { "pub " } else { "" };
    let name = plain(&function.name);
    push(&mut text, format_args!("    {visible}fn {name}({}){result} {{\n", parameters.join(", ")));
    let writer = Writer { module, usage, function };
    let mut body = Body { writer, declarations, text, depth: 2 };
    body.whole(&function.body);
    body.text + "    }\n"
}

struct Body<'m> {
    writer: Writer<'m>,
    declarations: Declarations,
    text: String,
    depth: usize,
}

impl Body<'_> {
    /// The last result needs no `return`.
    fn whole(&mut self, block: &Block) {
        match block.split_last() {
            Some((Statement::Return(values), before)) => {
                self.block(before);
                if !values.is_empty() {
                    let values = self.values(values);
                    self.line(&values);
                }
            }
            _ => self.block(block),
        }
    }

    fn block(&mut self, block: &[Statement]) {
        for statement in block {
            let declared: Vec<LocalId> = self.declarations.before(statement).collect();
            for local in declared {
                let (mark, name) = (self.mark(local), self.writer.local(local));
                self.line(&format!("let {mark}{name}: {};", kind_name(local.kind)));
            }
            self.statement(statement);
        }
    }

    fn mark(&self, local: LocalId) -> &'static str {
        if self.declarations.changes(local) { "mut " } else { "" }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, value) => {
                let target = self.target(statement, *local);
                self.assign(&target, &Expression::Local(*local), value);
            }
            Statement::Store { array, index, value } => {
                let place = self.writer.place(*array, index);
                self.assign(&place, &kernel::load(*array, index), value);
            }
            Statement::If { condition, then, otherwise } => self.alternatives("", condition, then, otherwise),
            Statement::Switch { index, cases, otherwise } => {
                let index = self.writer.typed(index);
                self.line(&format!("match {index} {{"));
                self.depth += 1;
                cases.iter().enumerate().for_each(|(at, case)| self.braces(&format!("{at} => {{"), case));
                self.braces("_ => {", otherwise);
                self.depth -= 1;
                self.line("}");
            }
            Statement::While { condition, body } => match condition.as_integer() {
                Some(nonzero) if nonzero != 0 => self.braces("loop {", body),
                _ => {
                    let condition = self.writer.condition(condition);
                    self.braces(&format!("while {condition} {{"), body);
                }
            },
            Statement::For { variable, from, to, body } => self.count(*variable, from, to, body),
            Statement::Break => self.line("break;"),
            Statement::Call { function, arguments, results } => self.call(statement, *function, arguments, results),
            Statement::Foreign { .. } => unreachable!("what calls libraries of others stays where it is"),
            Statement::Return(values) if values.is_empty() => self.line("return;"),
            Statement::Return(values) => {
                let values = self.values(values);
                self.line(&format!("return {values};"));
            }
            Statement::Note(note) => self.line(&format!("// {note}")),
        }
    }

    /// `x = value;`, or `x += rest;` where the value begins with the place itself.
    fn assign(&mut self, target: &str, place: &Expression, value: &Expression) {
        use Operator::*;
        if let Expression::Apply { operator, operands } = value
            && let RealAdd | RealSubtract | RealMultiply | RealDivide | IntegerAnd | IntegerXor | IntegerOr = operator
            && operands[0] == *place
            && let Notation::Infix(symbol, _) = operator.row().notation
        {
            let rest = self.writer.expression(&operands[1]);
            return self.line(&format!("{target} {symbol}= {rest};"));
        }
        let value = self.writer.expression(value);
        self.line(&format!("{target} = {value};"));
    }

    /// The variable, declared where this is its first value.
    fn target(&self, statement: &Statement, local: LocalId) -> String {
        let name = self.writer.local(local);
        match self.declarations.declares(statement, local) {
            true => format!("let {}{name}: {}", self.mark(local), kind_name(local.kind)),
            false => name,
        }
    }

    fn alternatives(&mut self, before: &str, condition: &Expression, then: &Block, otherwise: &Block) {
        let condition = self.writer.condition(condition);
        self.line(&format!("{before}if {condition} {{"));
        self.inner(then);
        match &otherwise[..] {
            [] => self.line("}"),
            [only @ Statement::If { condition, then, otherwise }]
                if self.declarations.before(only).next().is_none() =>
            {
                self.alternatives("} else ", condition, then, otherwise);
            }
            _ => self.braces("} else {", otherwise),
        }
    }

    fn count(&mut self, variable: LocalId, from: &Expression, to: &Expression, body: &Block) {
        let (from, to) = (self.writer.typed(from), self.writer.expression(to));
        let mark = if self.declarations.is_needed(variable) { "" } else { "_" };
        let (name, range) = (self.writer.local(variable), format!("({from})..({to})"));
        let range = if is_simple(&from) && is_simple(&to) { format!("{from}..{to}") } else { range };
        self.braces(&format!("for {mark}{name} in {range} {{"), body);
    }

    fn call(&mut self, statement: &Statement, function: FunctionId, arguments: &[Expression], results: &[LocalId]) {
        let callee: &Function = self.writer.module.function(function);
        let how = if self.writer.usage.is_stateful(function) { "self." } else { "Self::" };
        let arguments: Vec<String> = arguments.iter().map(|argument| self.writer.expression(argument)).collect();
        let call = format!("{how}{}({})", plain(&callee.name), arguments.join(", "));
        match results {
            [] => self.line(&format!("{call};")),
            [only] if !self.declarations.is_needed(*only) => self.line(&format!("{call};")),
            [only] => {
                let target = self.target(statement, *only);
                self.line(&format!("{target} = {call};"));
            }
            _ => self.take_apart(statement, results, &call),
        }
    }

    /// Many results, new variables or old ones.
    fn take_apart(&mut self, statement: &Statement, results: &[LocalId], call: &str) {
        let fresh = |local: &LocalId| self.declarations.declares(statement, *local);
        let read = |local: &LocalId| self.declarations.is_needed(*local);
        let all_fresh = results.iter().filter(|local| read(local)).all(fresh);
        let name = |local: &LocalId| match (read(local), all_fresh) {
            (false, _) => "_".to_string(),
            (true, true) => format!("{}{}", self.mark(*local), self.writer.local(*local)),
            (true, false) => self.writer.local(*local),
        };
        let names: Vec<String> = results.iter().map(name).collect();
        if all_fresh {
            return self.line(&format!("let ({}) = {call};", names.join(", ")));
        }
        let declared: Vec<LocalId> = results.iter().filter(|local| fresh(local) && read(local)).copied().collect();
        for local in declared {
            let (mark, name) = (self.mark(local), self.writer.local(local));
            self.line(&format!("let {mark}{name}: {};", kind_name(local.kind)));
        }
        self.line(&format!("({}) = {call};", names.join(", ")));
    }

    fn values(&self, values: &[Expression]) -> String {
        let values: Vec<String> = values.iter().map(|value| self.writer.expression(value)).collect();
        match &values[..] {
            [only] => only.clone(),
            _ => format!("({})", values.join(", ")),
        }
    }

    fn braces(&mut self, head: &str, body: &Block) {
        self.line(head);
        self.inner(body);
        self.line("}");
    }

    fn inner(&mut self, body: &Block) {
        self.depth += 1;
        self.block(body);
        self.depth -= 1;
    }

    /// One line, or more where it is too long. A comment begins again on each.
    fn line(&mut self, line: &str) {
        let continuation = if line.starts_with("// ") { "// " } else { "    " };
        let indentation = self.depth * 4;
        let mut rest = line.to_string();
        while indentation + rest.len() > WIDTH {
            let limit = rest.floor_char_boundary(WIDTH - indentation.min(WIDTH / 2));
            let start = continuation.len();
            let before = rest[..limit].rfind(' ').filter(|&cut| cut > start);
            let Some(cut) = before.or_else(|| rest[start..].find(' ').map(|cut| cut + start)) else { break };
            push(&mut self.text, format_args!("{:indentation$}{}\n", "", &rest[..cut]));
            rest = format!("{continuation}{}", &rest[cut + 1..]);
        }
        push(&mut self.text, format_args!("{:indentation$}{rest}\n", ""));
    }
}

/// A variable or a number.
fn is_simple(text: &str) -> bool {
    is_word(text.strip_prefix('-').unwrap_or(text))
}
