//! Every local has a value before it is read, every path returns the results, `break` stands in a loop.
//!
//! One walk keeps the set of locals that surely have a value. It remembers in which order they got it, so that a
//! branch is undone by stepping back, and the whole costs little more than one look at each statement.

use super::{Fault, Problem};
use crate::{Block, Expression, Function, LocalId, Module, Statement};

pub fn check(module: &Module, functions: &[&Function], faults: &mut Vec<Fault>) {
    for &function in functions {
        let mut walk = Walk {
            module,
            function,
            assigned: vec![false; function.locals.len()],
            order: Vec::new(),
            reachable: true,
            loops: Vec::new(),
            outside: 0,
            faults,
        };
        function.parameters().for_each(|parameter| walk.assign(parameter));
        walk.block(&function.body);
        if walk.reachable && !function.results.is_empty() {
            faults.push(Fault::of_function(function, Problem::MissingReturn));
        }
    }
}

struct Walk<'m> {
    module: &'m Module,
    function: &'m Function,
    assigned: Vec<bool>,
    /// The assigned locals, in the order of the walk.
    order: Vec<LocalId>,
    /// False after `return` and `break`.
    reachable: bool,
    loops: Vec<Loop>,
    /// How many of these are around the innermost switch, out of which no `break` leads.
    outside: usize,
    faults: &'m mut Vec<Fault>,
}

struct Loop {
    variable: Option<LocalId>,
    /// How many locals were assigned before the loop.
    start: usize,
    /// The locals assigned since, for every `break` that can be reached.
    exits: Vec<Vec<LocalId>>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(local, value) => {
                self.read(value, statement);
                self.write(*local, statement);
            }
            Statement::Store { index, value, .. } => {
                self.read(index, statement);
                self.read(value, statement);
            }
            Statement::If { condition, then, otherwise } => {
                self.read(condition, statement);
                self.alternatives(&[then, otherwise]);
            }
            Statement::Switch { index, cases, otherwise } => {
                self.read(index, statement);
                let outside = std::mem::replace(&mut self.outside, self.loops.len());
                self.alternatives(&cases.iter().chain([otherwise]).collect::<Vec<_>>());
                self.outside = outside;
            }
            Statement::While { condition, body } => {
                self.read(condition, statement);
                let endless = condition.as_integer().is_some_and(|value| value != 0);
                self.repetition(None, body, endless);
            }
            Statement::For { variable, from, to, body } => {
                self.read(from, statement);
                self.read(to, statement);
                if self.assigned[variable.index as usize] {
                    self.report(statement, Problem::LoopVariableAssigned(self.name(*variable)));
                }
                self.repetition(Some(*variable), body, false);
            }
            Statement::Break => self.leave_loop(statement),
            Statement::Call { arguments, results, .. } => {
                arguments.iter().for_each(|argument| self.read(argument, statement));
                results.iter().for_each(|&result| self.write(result, statement));
            }
            Statement::Foreign { arguments, result } => {
                arguments.iter().for_each(|argument| self.read(argument, statement));
                self.write(*result, statement);
            }
            Statement::Return(values) => {
                values.iter().for_each(|value| self.read(value, statement));
                self.reachable = false;
            }
            Statement::Note(_) => (),
        }
    }

    /// Afterwards those locals have a value that got one on each branch from which the end is reached.
    fn alternatives(&mut self, branches: &[&Block]) {
        let (start, reachable) = (self.order.len(), self.reachable);
        let mut ends: Vec<Vec<LocalId>> = Vec::new();
        for branch in branches {
            self.reachable = reachable;
            self.block(branch);
            ends.extend(self.reachable.then(|| self.undo(start)));
            self.undo(start);
        }
        self.join(ends);
    }

    /// A loop may run no round at all, so it gives no local a value, unless it is endless and left by `break`.
    fn repetition(&mut self, variable: Option<LocalId>, body: &Block, endless: bool) {
        let (start, reachable) = (self.order.len(), self.reachable);
        self.loops.push(Loop { variable, start, exits: Vec::new() });
        variable.into_iter().for_each(|variable| self.assign(variable));
        self.block(body);
        self.undo(start);
        let exits = self.loops.pop().expect("the loop just entered").exits;
        if endless {
            self.join(exits);
        } else {
            self.reachable = reachable;
        }
    }

    fn leave_loop(&mut self, statement: &Statement) {
        let inside = self.loops.len() > self.outside;
        match self.loops.last_mut().filter(|_| inside) {
            None => self.report(statement, Problem::BreakOutsideLoop),
            Some(innermost) if self.reachable => innermost.exits.push(self.order[innermost.start..].to_vec()),
            Some(_) => (),
        }
        self.reachable = false;
    }

    /// Continues where several paths meet, given what each has assigned.
    fn join(&mut self, mut ends: Vec<Vec<LocalId>>) {
        self.reachable = !ends.is_empty();
        let start = self.order.len();
        let mut common = ends.pop().unwrap_or_default();
        for end in ends {
            end.into_iter().for_each(|local| self.assign(local));
            common.retain(|local| self.assigned[local.index as usize]);
            self.undo(start);
        }
        common.into_iter().for_each(|local| self.assign(local));
    }

    fn assign(&mut self, local: LocalId) {
        if !std::mem::replace(&mut self.assigned[local.index as usize], true) {
            self.order.push(local);
        }
    }

    /// Forgets the assignments since then, and returns them.
    fn undo(&mut self, start: usize) -> Vec<LocalId> {
        let since = self.order.split_off(start);
        since.iter().for_each(|local| self.assigned[local.index as usize] = false);
        since
    }

    fn write(&mut self, local: LocalId, statement: &Statement) {
        if self.loops.iter().any(|enclosing| enclosing.variable == Some(local)) {
            self.report(statement, Problem::LoopVariableAssigned(self.name(local)));
        }
        self.assign(local);
    }

    fn read(&mut self, expression: &Expression, statement: &Statement) {
        if let Expression::Local(local) = expression
            && self.reachable
            && !self.assigned[local.index as usize]
        {
            self.report(statement, Problem::Unassigned(self.name(*local)));
        }
        expression.children().iter().for_each(|child| self.read(child, statement));
    }

    fn name(&self, local: LocalId) -> String {
        self.function.local(local).name.clone()
    }

    fn report(&mut self, statement: &Statement, problem: Problem) {
        self.faults.push(Fault::at(self.module, self.function, statement, problem));
    }
}
