//! From a module to text. Real numbers are written in the shortest form that reads back to the same bits.

use crate::{
    Array, ArrayId, Block, Expression, Function, FunctionId, LocalId, Module, Notation, Statement, Type, Value,
};
use std::fmt::{self, Write};

pub fn print(module: &Module) -> String {
    let mut text = format!("module {};\n", module.name);
    for array in &module.arrays {
        text.push('\n');
        print_array(array, &mut text);
    }
    for function in &module.functions {
        text.push('\n');
        text.push_str(&print_function(module, function));
    }
    text
}

pub fn print_function(module: &Module, function: &Function) -> String {
    let mut printer = Printer { module, function, text: String::new(), depth: 0 };
    printer.function();
    printer.text
}

/// The first line of a statement, to point at it.
pub fn print_heading(module: &Module, function: &Function, statement: &Statement) -> String {
    let mut printer = Printer { module, function, text: String::new(), depth: 0 };
    printer.statement(statement);
    printer.text.lines().next().unwrap_or_default().into()
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

fn print_array(array: &Array, text: &mut String) {
    print_documentation(&array.note, text);
    let Array { name, element, length, .. } = array;
    push(text, format_args!("array {name}: {element}[{length}]"));
    if !array.slots.is_empty() {
        text.push_str(" {\n");
        for (at, slot) in array.slots.iter().enumerate() {
            let mut lines = String::new();
            print_documentation(&slot.note, &mut lines);
            let comma = if at + 1 < array.slots.len() { "," } else { "" };
            lines.lines().for_each(|line| push(text, format_args!("    {line}\n")));
            push(text, format_args!("    {}{comma}\n", slot.name));
        }
        text.push('}');
    }
    if let Some(values) = &array.initial {
        push(text, format_args!(" = [{}]", join(values.iter().map(|&value| constant(value)))));
    }
    text.push_str(";\n");
}

fn print_documentation(note: &str, text: &mut String) {
    if !note.is_empty() {
        note.split('\n').for_each(|line| push(text, format_args!("{}\n", comment("///", line))));
    }
}

const INDENTATION: usize = 4;

/// Levels of binding above all infix operators.
const PREFIX_LEVEL: u8 = 8;

struct Printer<'m> {
    module: &'m Module,
    function: &'m Function,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    fn function(&mut self) {
        let function = self.function;
        print_documentation(&function.note, &mut self.text);
        let (parameters, others) = function.locals.split_at(function.parameter_count.min(function.locals.len()));
        let parameters = join(parameters.iter().map(|local| format!("{}: {}", local.name, local.kind)));
        let rare = if function.rare { "rare " } else { "" };
        let results = results(&function.results);
        push(&mut self.text, format_args!("{rare}fn {}({parameters}){results} {{\n", function.name));
        self.depth += 1;
        others.iter().for_each(|local| self.line(format_args!("let {}: {};", local.name, local.kind)));
        self.depth -= 1;
        self.block(&function.body);
        self.line(format_args!("}}"));
    }

    fn block(&mut self, block: &Block) {
        self.depth += 1;
        block.iter().for_each(|statement| self.statement(statement));
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, value) => {
                let (local, value) = (self.local(*local), self.expression(value));
                self.line(format_args!("{local} = {value};"));
            }
            Statement::Store { array, index, value } => {
                let (array, index, value) = (self.array(*array), self.expression(index), self.expression(value));
                self.line(format_args!("{array}[{index}] = {value};"));
            }
            Statement::If { .. } => self.alternatives("", statement),
            Statement::Switch { index, cases, otherwise } => {
                let index = self.expression(index);
                self.line(format_args!("switch {index} {{"));
                self.depth += 1;
                cases.iter().for_each(|case| self.braces(format_args!("case {{"), case));
                if !otherwise.is_empty() {
                    self.braces(format_args!("else {{"), otherwise);
                }
                self.depth -= 1;
                self.line(format_args!("}}"));
            }
            Statement::While { condition, body } => {
                let condition = self.expression(condition);
                self.braces(format_args!("while {condition} {{"), body);
            }
            Statement::For { variable, from, to, body } => {
                let (variable, from, to) = (self.local(*variable), self.expression(from), self.expression(to));
                self.braces(format_args!("for {variable} in {from} .. {to} {{"), body);
            }
            Statement::Break => self.line(format_args!("break;")),
            Statement::Call { function, arguments, results } => {
                let targets = join(results.iter().map(|&result| self.local(result)));
                let equals = if results.is_empty() { "" } else { " = " };
                let (callee, arguments) = (self.callee(*function), self.expressions(arguments));
                self.line(format_args!("{targets}{equals}call {callee}({arguments});"));
            }
            Statement::Foreign { arguments, result } => {
                let (result, arguments) = (self.local(*result), self.expressions(arguments));
                self.line(format_args!("{result} = foreign({arguments});"));
            }
            Statement::Return(values) => {
                let values = self.expressions(values);
                let space = if values.is_empty() { "" } else { " " };
                self.line(format_args!("return{space}{values};"));
            }
            Statement::Note(note) => self.line(format_args!("{}", comment("//", note))),
        }
    }

    /// An `if` with its chain of `else if`; `before` stands on the line of the `if`.
    fn alternatives(&mut self, before: &str, statement: &Statement) {
        let Statement::If { condition, then, otherwise } = statement else { return };
        let condition = self.expression(condition);
        self.line(format_args!("{before}if {condition} {{"));
        self.block(then);
        match otherwise.as_slice() {
            [] => self.line(format_args!("}}")),
            [next @ Statement::If { .. }] => self.alternatives("} else ", next),
            _ => self.braces(format_args!("}} else {{"), otherwise),
        }
    }

    fn braces(&mut self, head: fmt::Arguments, body: &Block) {
        self.line(head);
        self.block(body);
        self.line(format_args!("}}"));
    }

    fn line(&mut self, line: fmt::Arguments) {
        push(&mut self.text, format_args!("{:1$}", "", self.depth * INDENTATION));
        push(&mut self.text, format_args!("{line}\n"));
    }

    fn expressions(&self, expressions: &[Expression]) -> String {
        join(expressions.iter().map(|expression| self.expression(expression)))
    }

    fn expression(&self, expression: &Expression) -> String {
        let mut text = String::new();
        self.write(expression, 0, &mut text);
        text
    }

    /// Writes an expression, in parentheses if it binds less tightly than its surroundings.
    fn write(&self, expression: &Expression, level: u8, text: &mut String) {
        match expression {
            Expression::Constant(value) => text.push_str(&constant(*value)),
            Expression::Local(local) => text.push_str(&self.local(*local)),
            Expression::Load { array, index } => {
                push(text, format_args!("{}[", self.array(*array)));
                self.write(index, 0, text);
                text.push(']');
            }
            Expression::Apply { operator, operands } => match operator.row().notation {
                Notation::Call(name) => push(text, format_args!("{name}({})", self.expressions(operands))),
                Notation::Prefix(symbol) => self.write_prefix(symbol, &operands[0], text),
                Notation::Infix(_, own) if own < level => {
                    text.push('(');
                    self.write(expression, 0, text);
                    text.push(')');
                }
                Notation::Infix(symbol, own) => {
                    self.write(&operands[0], own, text);
                    push(text, format_args!(" {symbol} "));
                    self.write(&operands[1], own + 1, text);
                }
            },
        }
    }

    /// A constant stands in parentheses: `-1.0` is a number, `-(1.0)` an operation.
    fn write_prefix(&self, symbol: &str, operand: &Expression, text: &mut String) {
        text.push_str(symbol);
        match operand {
            Expression::Constant(value) => push(text, format_args!("({})", constant(*value))),
            _ => self.write(operand, PREFIX_LEVEL, text),
        }
    }

    // Ids that lead nowhere are printed too, for the verifier's messages.

    fn local(&self, id: LocalId) -> String {
        self.function.locals.get(id.index as usize).map_or_else(|| format!("?{}", id.index), |it| it.name.clone())
    }

    fn array(&self, id: ArrayId) -> String {
        self.module.arrays.get(id.index as usize).map_or_else(|| format!("?{}", id.index), |it| it.name.clone())
    }

    fn callee(&self, id: FunctionId) -> String {
        self.module.functions.get(id.0 as usize).map_or_else(|| format!("?{}", id.0), |it| it.name.clone())
    }
}

fn results(kinds: &[Type]) -> String {
    match kinds {
        [] => String::new(),
        [only] => format!(" -> {only}"),
        _ => format!(" -> ({})", join(kinds.iter().map(Type::to_string))),
    }
}

/// The bits of what Rust and the text form call `nan`; any other such value shows its bits.
pub const PLAIN_NAN: u64 = 0x7ff8_0000_0000_0000;

fn constant(value: Value) -> String {
    match value {
        Value::Integer(value) => value.to_string(),
        Value::Real(value) if value.to_bits() == PLAIN_NAN => "nan".into(),
        Value::Real(value) if value.is_nan() => format!("nan({:#x})", value.to_bits()),
        Value::Real(value) => format!("{value:?}"),
    }
}

fn comment(mark: &str, text: &str) -> String {
    if text.is_empty() { mark.into() } else { format!("{mark} {text}") }
}

fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn push(text: &mut String, piece: fmt::Arguments) {
    text.write_fmt(piece).expect("writing to a string cannot fail");
}
