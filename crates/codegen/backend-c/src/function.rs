//! Functions and statements in C.

use std::collections::BTreeSet;

use kernel::{Block, Declarations, Expression, Function, FunctionId, LocalId, Module, Statement, Usage};

use crate::dialect::Dialect;
use crate::expression::Writer;
use crate::memory::{SELF, comment, push, type_name};
use crate::names::{local, plain};
use crate::operator::Helper;

/// Larger functions are not copied to where they are called.
const SMALL: usize = 250;

/// Longer lines are broken.
const WIDTH: usize = 110;

/// The name of a function: those for the world outside, and those that C has too, carry the name of the module.
pub fn function_name(module: &Module, usage: &Usage, id: FunctionId) -> String {
    let name = &module.function(id).name;
    let taken = plain(name) != *name;
    if usage.is_entry(id) || taken { format!("{}_{name}", module.name) } else { name.clone() }
}

/// `int64_t pendulum_advance(pendulum *self, double target, int64_t limit)`. Many results go to places the caller gives.
pub fn signature(module: &Module, usage: &Usage, dialect: &Dialect, id: FunctionId) -> String {
    let function = module.function(id);
    let result = match function.results[..] {
        [only] => type_name(only),
        _ => "void",
    };
    let mut parameters = Vec::new();
    if usage.is_stateful(id) || usage.is_entry(id) {
        parameters.push(format!("{}{} *{SELF}", module.name, dialect.record));
    }
    parameters.extend(
        function.parameters().map(|it| format!("{} {}", type_name(it.kind), local(module, &function.local(it).name))),
    );
    if function.results.len() > 1 {
        let results = function.results.iter().enumerate();
        parameters.extend(results.map(|(at, &kind)| format!("{} *result{at}", type_name(kind))));
    }
    let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
    let storage = match (usage.is_entry(id), usage.is_stateful(id)) {
        (true, _) => dialect.entry,
        // A function of its arguments alone, such as a sine: compilers are told that a copy at each call is welcome.
        (false, false) if function.size() <= SMALL => dialect.inline,
        (false, false) => dialect.large,
        (false, true) => dialect.function,
    };
    format!("{storage}{result} {}({parameters})", function_name(module, usage, id))
}

/// The whole function, and the helpers it needs.
pub fn definition(
    module: &Module,
    usage: &Usage,
    dialect: &Dialect,
    id: FunctionId,
    helpers: &mut BTreeSet<&'static Helper>,
) -> String {
    let function = module.function(id);
    let writer = Writer { module, usage, function, helpers: std::mem::take(helpers) };
    let mut body = Body { writer, declarations: Declarations::of(function), text: String::new(), depth: 1 };
    body.unused_parameters(id);
    body.block(&function.body);
    *helpers = body.writer.helpers;
    let note = if function.note.is_empty() { String::new() } else { format!("/* {} */\n", comment(&function.note)) };
    format!("{note}{}\n{{\n{}}}\n", signature(module, usage, dialect, id), body.text)
}

struct Body<'m> {
    writer: Writer<'m>,
    declarations: Declarations,
    text: String,
    depth: usize,
}

impl Body<'_> {
    fn function(&self) -> &Function {
        self.writer.function
    }

    /// So that no compiler warns of them.
    fn unused_parameters(&mut self, id: FunctionId) {
        if self.writer.usage.is_entry(id) && !self.writer.usage.is_stateful(id) {
            self.line(&format!("(void){SELF};"));
        }
        let unused: Vec<LocalId> =
            self.function().parameters().filter(|&parameter| !self.declarations.is_needed(parameter)).collect();
        for parameter in unused {
            let name = self.writer.local(parameter);
            self.line(&format!("(void){name};"));
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            let declared: Vec<LocalId> = self.declarations.before(statement).collect();
            declared.into_iter().for_each(|local| self.declare(local));
            self.statement(statement);
        }
    }

    fn declare(&mut self, local: LocalId) {
        let name = self.writer.local(local);
        self.line(&format!("{} {name};", type_name(local.kind)));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, value) => {
                let (target, value) = (self.target(statement, *local), self.writer.expression(value));
                self.line(&format!("{target} = {value};"));
            }
            Statement::Store { array, index, value } => {
                let (value, place) = (self.writer.expression(value), self.writer.place(*array, index));
                self.line(&format!("{place} = {value};"));
            }
            Statement::If { condition, then, otherwise } => self.alternatives("", condition, then, otherwise),
            Statement::Switch { index, cases, otherwise } => self.selection(index, cases, otherwise),
            Statement::While { condition, body } => {
                let condition = self.writer.expression(condition);
                self.braces(&format!("while ({condition}) {{"), body);
            }
            Statement::For { variable, from, to, body } => self.count(*variable, from, to, body),
            Statement::Break => self.line("break;"),
            Statement::Call { function, arguments, results } => self.call(statement, *function, arguments, results),
            Statement::Foreign { .. } => unreachable!("what calls libraries of others stays where it is"),
            Statement::Return(values) => self.return_(values),
            Statement::Note(note) => self.line(&format!("/* {} */", comment(note))),
        }
    }

    /// The variable, declared where this is its first value.
    fn target(&self, statement: &Statement, local: LocalId) -> String {
        let name = self.writer.local(local);
        if !self.declarations.declares(statement, local) {
            return name;
        }
        let constant = if self.declarations.changes(local) { "" } else { "const " };
        format!("{constant}{} {name}", type_name(local.kind))
    }

    fn alternatives(&mut self, before: &str, condition: &Expression, then: &Block, otherwise: &Block) {
        let condition = self.writer.expression(condition);
        self.line(&format!("{before}if ({condition}) {{"));
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

    fn selection(&mut self, index: &Expression, cases: &[Block], otherwise: &Block) {
        let index = self.writer.expression(index);
        self.line(&format!("switch ({index}) {{"));
        let heads = (0..cases.len()).map(|at| format!("case {at}: {{")).chain(["default: {".to_string()]);
        for (head, case) in heads.zip(cases.iter().chain([otherwise])) {
            self.line(&head);
            self.inner(case);
            if !matches!(case.last(), Some(Statement::Return(_))) {
                self.line("    break;");
            }
            self.line("}");
        }
        self.line("}");
    }

    /// The end of the count is computed once.
    fn count(&mut self, variable: LocalId, from: &Expression, to: &Expression, body: &Block) {
        let (name, from) = (self.writer.local(variable), self.writer.expression(from));
        let end = self.writer.expression(to);
        match to {
            Expression::Constant(_) => {
                self.braces(&format!("for (int64_t {name} = {from}; {name} < {end}; {name}++) {{"), body);
            }
            _ => {
                let (first, again) =
                    (format!("{name} = {from}, end_of_{name} = {end}"), format!("{name} < end_of_{name}"));
                self.braces(&format!("for (int64_t {first}; {again}; {name}++) {{"), body);
            }
        }
    }

    fn call(&mut self, statement: &Statement, function: FunctionId, arguments: &[Expression], results: &[LocalId]) {
        let usage = self.writer.usage;
        let name = function_name(self.writer.module, usage, function);
        let mut passed = Vec::new();
        if usage.is_stateful(function) {
            passed.push(SELF.to_string());
        }
        passed.extend(arguments.iter().map(|argument| self.writer.expression(argument)));
        match results {
            [] => self.line(&format!("{name}({});", passed.join(", "))),
            [only] if !self.declarations.is_needed(*only) => self.line(&format!("{name}({});", passed.join(", "))),
            [only] => {
                let target = self.target(statement, *only);
                self.line(&format!("{target} = {name}({});", passed.join(", ")));
            }
            _ => {
                for &result in results {
                    if self.declarations.declares(statement, result) {
                        self.declare(result);
                    }
                    passed.push(format!("&{}", self.writer.local(result)));
                }
                self.line(&format!("{name}({});", passed.join(", ")));
            }
        }
    }

    fn return_(&mut self, values: &[Expression]) {
        let values: Vec<String> = values.iter().map(|value| self.writer.expression(value)).collect();
        match &values[..] {
            [] => self.line("return;"),
            [only] => self.line(&format!("return {only};")),
            _ => {
                for (at, value) in values.iter().enumerate() {
                    self.line(&format!("*result{at} = {value};"));
                }
                self.line("return;");
            }
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

    /// One line, or more where it is too long.
    fn line(&mut self, line: &str) {
        let mut indentation = self.depth * 4;
        let mut rest = line;
        while indentation + rest.len() > WIDTH {
            let limit = rest.floor_char_boundary(WIDTH - indentation.min(WIDTH / 2));
            let Some(cut) = rest[..limit].rfind(' ').or_else(|| rest.find(' ')).filter(|&cut| cut > 0) else { break };
            push(&mut self.text, format_args!("{:indentation$}{}\n", "", &rest[..cut]));
            rest = &rest[cut + 1..];
            indentation = (self.depth + 1) * 4;
        }
        push(&mut self.text, format_args!("{:indentation$}{rest}\n", ""));
    }
}
