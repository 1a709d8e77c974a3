//! Functions and statements for all lanes, under masks.
//!
//! `m0` are the lanes that called a function, other masks those that went into a branch or are in a loop. Lanes that have returned are taken
//! out of `live`, lanes that left a loop out of its mask, and both out of the masks around where that happened.

use std::collections::{BTreeSet, HashMap};

use kernel::{Block, Declarations, Expression, FunctionId, LocalId, Module, Statement};

use super::expression::LaneWriter;
use super::{ENTRY, Place, Program, of, scalar, vector};
use crate::expression::Writer;
use crate::memory::push;
use crate::operator::Helper;

/// Larger functions are not copied to where they are called.
const SMALL: usize = 250;

/// The whole function, and the helpers that it needs for what is the same in all lanes.
pub fn definition(program: &Program, id: FunctionId, helpers: &mut BTreeSet<&'static Helper>) -> String {
    let (module, function) = (program.module, program.module.function(id));
    let scalar = Writer { module, usage: program.usage, function, helpers: std::mem::take(helpers) };
    let writer = LaneWriter { program, function: id, scalar, mask: "m0".to_string() };
    let declarations = Declarations::of(function);
    let levels = function.parameters().map(|parameter| (parameter, 0)).collect();
    let returns_early = returns_early(&function.body);
    let mut body = Body {
        writer,
        declarations,
        levels,
        text: String::new(),
        scope: Scope::default(),
        loops: vec![],
        masks: 0,
        returns_early,
    };
    if returns_early {
        body.line("mask live = m0;");
        for (at, &kind) in function.results.iter().enumerate() {
            body.line(&format!("{} r{at} = all_{}(0);", vector(kind), of(kind)));
        }
    }
    body.block(&function.body);
    if returns_early && !matches!(function.body.last(), Some(Statement::Return(_))) {
        body.give_back();
    }
    *helpers = body.writer.scalar.helpers;
    format!("{}\n{{\n{}}}\n\n", signature(program, id), body.text)
}

/// `integers f3_step(const mask m0, record *self, reals x0_t, int64_t x1_count)`. Many results go to places the caller gives.
fn signature(program: &Program, id: FunctionId) -> String {
    let function = program.module.function(id);
    let result = match function.results[..] {
        [only] => vector(only),
        _ => "void",
    };
    let mut parameters = vec!["mask m0".to_string(), "record *self".to_string()];
    parameters.extend(function.parameters().map(|it| {
        let kind = if program.uniform.local(id, it) { scalar(it.kind) } else { vector(it.kind) };
        format!("{kind} {}", function.local(it).name)
    }));
    if function.results.len() > 1 {
        parameters.extend(function.results.iter().enumerate().map(|(at, &kind)| format!("{} *out{at}", vector(kind))));
    }
    let inline = if function.size() <= SMALL { "inline " } else { "" };
    format!("static {inline}{result} {}({})", function.name, parameters.join(", "))
}

/// The function for the world outside.
pub fn entry(module: &Module, id: FunctionId) -> String {
    let function = module.function(id);
    let mut text =
        format!("void {ENTRY}(record *self, int64_t active, const integers *arguments, integers *results)\n{{\n");
    let mut arguments = vec!["mask_of_bits(active)".to_string(), "self".to_string()];
    arguments.extend(function.parameters().enumerate().map(|(at, it)| format!("({})arguments[{at}]", vector(it.kind))));
    for (at, &kind) in function.results.iter().enumerate() {
        push(&mut text, format_args!("    {} r{at};\n", vector(kind)));
    }
    let many = function.results.len() > 1;
    arguments.extend((0..function.results.len()).filter(|_| many).map(|at| format!("&r{at}")));
    let assigned = if function.results.len() == 1 { "r0 = " } else { "" };
    push(&mut text, format_args!("    {assigned}{}({});\n", function.name, arguments.join(", ")));
    for at in 0..function.results.len() {
        push(&mut text, format_args!("    results[{at}] = (integers)r{at};\n"));
    }
    text + "    (void)arguments, (void)results;\n}\n"
}

struct Body<'m> {
    writer: LaneWriter<'m>,
    declarations: Declarations,
    /// Under how many masks each variable was declared.
    levels: HashMap<LocalId, usize>,
    text: String,
    scope: Scope,
    /// The masks of the loops around.
    loops: Vec<String>,
    /// How many masks have names.
    masks: usize,
    returns_early: bool,
}

/// Where a statement stands.
#[derive(Clone, Default, PartialEq)]
struct Scope {
    /// How many masks are between it and the function.
    level: usize,
    /// What may be left in C once no lane is there any more.
    around: Around,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Around {
    #[default]
    Function,
    Loop,
    Branch,
}

/// How a block may be left before its end.
#[derive(Clone, Copy, Default)]
struct Leaves {
    returns: bool,
    breaks: bool,
}

impl Leaves {
    fn of(block: &Block) -> Leaves {
        let mut leaves = Leaves::default();
        for statement in block {
            match statement {
                Statement::Return(_) => leaves.returns = true,
                Statement::Break => leaves.breaks = true,
                _ => {}
            }
            let is_loop = matches!(statement, Statement::While { .. } | Statement::For { .. });
            for inner in statement.blocks().map(Leaves::of) {
                leaves.returns |= inner.returns;
                leaves.breaks |= inner.breaks && !is_loop;
            }
        }
        leaves
    }

    fn any(self) -> bool {
        self.returns || self.breaks
    }
}

/// Whether it returns anywhere but at its very end.
fn returns_early(body: &Block) -> bool {
    let before = match body.split_last() {
        Some((Statement::Return(_), before)) => before,
        _ => &body[..],
    };
    before.iter().any(|statement| {
        matches!(statement, Statement::Return(_)) || statement.blocks().any(|inner| Leaves::of(inner).returns)
    })
}

impl Body<'_> {
    fn block(&mut self, block: &Block) {
        for statement in block {
            let declared: Vec<LocalId> = self.declarations.before(statement).collect();
            declared.into_iter().for_each(|local| self.declare(local));
            self.statement(statement);
        }
    }

    /// Lanes that never come to a value are still mixed with those that do.
    fn declare(&mut self, local: LocalId) {
        self.levels.insert(local, self.scope.level);
        let (name, kind) = (self.writer.local(local), local.kind);
        self.line(&format!("{} {name} = all_{}(0);", vector(kind), of(kind)));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, value) if self.writer.program.uniform.local(self.writer.function, *local) => {
                let (name, value) = (self.writer.local(*local), self.writer.scalar.expression(value));
                self.line(&format!("const {} {name} = {value};", scalar(local.kind)));
            }
            Statement::Assign(local, value) => {
                let value = self.writer.vector(value);
                self.assign(statement, *local, &value);
            }
            Statement::Store { array, index, value } => {
                let (kind, mask) = (of(array.element), self.writer.mask.clone());
                let value = self.writer.vector(value);
                let name = &self.writer.program.module.array(*array).name;
                let line = match self.writer.program.place(*array) {
                    Place::Apart(cell) => {
                        let index = self.writer.vector(index);
                        format!("scatter_apart_{kind}({mask}, self->apart, {cell}, {index}, {value});")
                    }
                    _ if self.writer.is_uniform(index) => {
                        let element = self.writer.element(*array, index);
                        format!("put_{kind}({mask}, &{element}, {value});")
                    }
                    _ => format!("scatter_{kind}({mask}, self->{name}, {}, {value});", self.writer.vector(index)),
                };
                self.line(&line);
            }
            Statement::If { condition, then, otherwise } => self.alternatives(condition, then, otherwise),
            Statement::Switch { index, cases, otherwise } => self.selection(index, cases, otherwise),
            Statement::While { condition, body } => self.repeat(condition, body),
            Statement::For { variable, from, to, body } => self.count(*variable, from, to, body),
            Statement::Break => {
                let (around, mask) = (self.innermost(), self.writer.mask.clone());
                self.line(&format!("{around} = mask_without({around}, {mask});"));
            }
            Statement::Call { function, arguments, results } => self.call(statement, *function, arguments, results),
            Statement::Foreign { .. } => unreachable!("what calls libraries of others stays where it is"),
            Statement::Return(values) => self.return_(values),
            Statement::Note(_) => {}
        }
    }

    fn innermost(&self) -> String {
        self.loops.last().expect("the verifier lets a break stand in loops only").clone()
    }

    /// Gives a variable its value: declared here, or for the lanes that are here.
    fn assign(&mut self, statement: &Statement, local: LocalId, value: &str) {
        let (name, kind) = (self.writer.local(local), local.kind);
        if self.declarations.declares(statement, local) {
            self.levels.insert(local, self.scope.level);
            return self.line(&format!("{} {name} = {value};", vector(kind)));
        }
        // Lanes that are not here now, and were where it was declared, may come back to it, unless they have returned.
        match self.levels.get(&local) == Some(&self.scope.level) {
            true => self.line(&format!("{name} = {value};")),
            false => {
                let mask = self.writer.mask.clone();
                self.line(&format!("{name} = select_{}({mask}, {value}, {name});", of(kind)));
            }
        }
    }

    fn new_mask(&mut self) -> String {
        self.masks += 1;
        format!("m{}", self.masks)
    }

    fn alternatives(&mut self, condition: &Expression, then: &Block, otherwise: &Block) {
        if self.writer.is_uniform(condition) {
            let condition = self.writer.scalar.expression(condition);
            self.line(&format!("if ({condition}) {{"));
            self.same_lanes(then);
            if !otherwise.is_empty() {
                self.line("} else {");
                self.same_lanes(otherwise);
            }
            return self.line("}");
        }
        let condition = self.writer.mask(condition);
        let (outer, [holds, then_mask, other_mask]) = (self.writer.mask.clone(), [(); 3].map(|()| self.new_mask()));
        self.line(&format!("const mask {holds} = {condition};"));
        self.line(&format!("mask {then_mask} = {outer} & {holds};"));
        if !otherwise.is_empty() {
            self.line(&format!("mask {other_mask} = mask_without({outer}, {holds});"));
        }
        self.branch(&then_mask, then);
        if !otherwise.is_empty() {
            self.branch(&other_mask, otherwise);
        }
    }

    /// A block that all lanes go into, or none.
    fn same_lanes(&mut self, block: &Block) {
        let scope = self.scope.clone();
        self.scope.around = Around::Branch;
        self.block(block);
        self.scope = scope;
        self.forget(Leaves::of(block));
    }

    /// A block that some lanes go into.
    fn branch(&mut self, mask: &str, block: &Block) {
        if block.iter().all(|statement| matches!(statement, Statement::Note(_))) {
            return;
        }
        self.line(&format!("if (any({mask})) {{"));
        self.under(mask, Around::Branch, block);
        self.forget(Leaves::of(block));
        self.line("}");
    }

    fn under(&mut self, mask: &str, around: Around, block: &Block) {
        let (scope, outer) = (self.scope.clone(), std::mem::replace(&mut self.writer.mask, mask.to_string()));
        self.scope = Scope { level: scope.level + 1, around };
        self.block(block);
        (self.scope, self.writer.mask) = (scope, outer);
    }

    /// Takes lanes that left a block out of the present mask.
    fn forget(&mut self, leaves: Leaves) {
        if !leaves.any() {
            return;
        }
        let mut masks = vec![self.writer.mask.clone()];
        masks.extend(leaves.returns.then(|| "live".to_string()));
        masks.extend(leaves.breaks.then(|| self.innermost()));
        self.line(&format!("{} = {};", masks[0], masks.join(" & ")));
        match self.scope.around {
            Around::Function => {
                self.line("if (!any(live)) {");
                self.give_back();
                self.line("}");
            }
            Around::Loop => {
                let around = self.innermost();
                if leaves.returns {
                    self.line(&format!("{around} = {around} & live;"));
                }
                self.line(&format!("if (!any({around})) break;"));
            }
            Around::Branch => {}
        }
    }

    fn selection(&mut self, index: &Expression, cases: &[Block], otherwise: &Block) {
        let outer = self.writer.mask.clone();
        let (number, rest) = (self.new_mask(), self.new_mask());
        let value = self.writer.vector(index);
        self.line(&format!("const integers {number}_index = {value};"));
        self.line(&format!("mask {rest} = {outer};"));
        let masks: Vec<String> = cases.iter().map(|_| self.new_mask()).collect();
        // Which lanes go where is known before any of them has left.
        for (at, mask) in masks.iter().enumerate() {
            self.line(&format!("mask {mask} = {outer} & integer_equals({number}_index, all_integer({at}));"));
            self.line(&format!("{rest} = mask_without({rest}, {mask});"));
        }
        for (mask, case) in masks.iter().zip(cases) {
            self.branch(mask, case);
        }
        self.branch(&rest, otherwise);
    }

    fn repeat(&mut self, condition: &Expression, body: &Block) {
        let (outer, inside, mask) = (self.writer.mask.clone(), self.new_mask(), self.new_mask());
        self.line(&format!("mask {inside} = {outer};"));
        self.line("for (;;) {");
        self.writer.mask.clone_from(&inside);
        let condition = self.writer.mask(condition);
        self.writer.mask = outer;
        self.line(&format!("{inside} = {inside} & {condition};"));
        self.round(&inside, &mask, body);
    }

    /// The end of the count is computed once.
    fn count(&mut self, variable: LocalId, from: &Expression, to: &Expression, body: &Block) {
        let name = self.writer.local(variable);
        let leaves = Leaves::of(body);
        if self.writer.program.uniform.local(self.writer.function, variable) {
            let [from, to] = [from, to].map(|end| self.writer.scalar.expression(end));
            let head =
                format!("for (int64_t {name} = {from}, end_of_{name} = {to}; {name} < end_of_{name}; {name}++) {{");
            if !leaves.any() {
                self.line(&head);
                let scope = self.scope.clone();
                self.scope.around = Around::Branch;
                self.block(body);
                self.scope = scope;
                return self.line("}");
            }
            let (outer, inside, mask) = (self.writer.mask.clone(), self.new_mask(), self.new_mask());
            self.line(&format!("mask {inside} = {outer};"));
            self.line(&head);
            return self.round(&inside, &mask, body);
        }
        let (outer, inside, mask) = (self.writer.mask.clone(), self.new_mask(), self.new_mask());
        let [from, to] = [from, to].map(|end| self.writer.vector(end));
        self.line(&format!("mask {inside} = {outer};"));
        self.line(&format!("const integers end_of_{name} = {to};"));
        self.levels.insert(variable, self.scope.level + 1);
        self.line(&format!("for (integers {name} = {from};; {name} += 1) {{"));
        self.line(&format!("{inside} = {inside} & integer_less({name}, end_of_{name});"));
        self.round(&inside, &mask, body);
    }

    /// One round of a loop, for the lanes that are still in it, and its end.
    fn round(&mut self, inside: &str, mask: &str, body: &Block) {
        let leaves = Leaves::of(body);
        self.line(&format!("if (!any({inside})) break;"));
        self.line(&format!("mask {mask} = {inside};"));
        self.loops.push(inside.to_string());
        self.under(mask, Around::Loop, body);
        self.loops.pop();
        if leaves.returns {
            self.line(&format!("{inside} = {inside} & live;"));
        }
        self.line("}");
        self.forget(Leaves { returns: leaves.returns, breaks: false });
    }

    fn call(&mut self, statement: &Statement, function: FunctionId, arguments: &[Expression], results: &[LocalId]) {
        let callee = self.writer.program.module.function(function);
        let mut passed = vec![self.writer.mask.clone(), "self".to_string()];
        for (argument, parameter) in arguments.iter().zip(callee.parameters()) {
            passed.push(match self.writer.program.uniform.local(function, parameter) {
                true => self.writer.scalar.expression(argument),
                false => self.writer.vector(argument),
            });
        }
        match results {
            [] => self.line(&format!("{}({});", callee.name, passed.join(", "))),
            [only] => {
                let value = format!("{}({})", callee.name, passed.join(", "));
                if self.declarations.is_needed(*only) {
                    self.assign(statement, *only, &value);
                } else {
                    self.line(&format!("{value};"));
                }
            }
            _ => {
                let given: Vec<String> = results.iter().map(|_| self.new_mask()).collect();
                for (result, name) in results.iter().zip(&given) {
                    self.line(&format!("{} {name}_given;", vector(result.kind)));
                    passed.push(format!("&{name}_given"));
                }
                self.line(&format!("{}({});", callee.name, passed.join(", ")));
                for (&result, name) in
                    results.iter().zip(&given).filter(|(it, _)| self.declarations.is_needed(**it)).collect::<Vec<_>>()
                {
                    self.assign(statement, result, &format!("{name}_given"));
                }
            }
        }
    }

    fn return_(&mut self, values: &[Expression]) {
        let values: Vec<String> = values.iter().map(|value| self.writer.vector(value)).collect();
        if !self.returns_early {
            return match &values[..] {
                [] => self.line("return;"),
                [only] => self.line(&format!("return {only};")),
                _ => {
                    // All are computed before one is given: places of a caller may be one another's.
                    for (at, value) in values.iter().enumerate() {
                        self.line(&format!("*out{at} = {value};"));
                    }
                    self.line("return;");
                }
            };
        }
        let mask = self.writer.mask.clone();
        let kinds = self.writer.program.module.function(self.writer.function).results.clone();
        for (at, (value, kind)) in values.iter().zip(kinds).enumerate() {
            self.line(&format!("r{at} = select_{}({mask}, {value}, r{at});", of(kind)));
        }
        match self.scope {
            Scope { level: 0, around: Around::Function } => self.give_back(),
            _ => self.line(&format!("live = mask_without(live, {mask});")),
        }
    }

    /// The results of all lanes.
    fn give_back(&mut self) {
        match self.writer.program.module.function(self.writer.function).results.len() {
            0 => self.line("return;"),
            1 => self.line("return r0;"),
            many => {
                for at in 0..many {
                    self.line(&format!("*out{at} = r{at};"));
                }
                self.line("return;");
            }
        }
    }

    fn line(&mut self, line: &str) {
        push(&mut self.text, format_args!("{line}\n"));
    }
}
