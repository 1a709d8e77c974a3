//! Forward derivatives of kernel functions: beside every real number stands how it changes along one direction.
//!
//! A function gets a twin that computes what it computes, and the derivatives with it; real arrays that may change get twins that hold theirs.
//! Integers and branches are as they are, so these are derivatives where no branch would be taken otherwise. What is found by
//! iteration has the derivative of its last step: Newton's method at a solution gives the exact one, halvings give none.

use std::collections::BTreeMap;

use crate::{
    ArrayId, Block, Expression, FunctionBuilder, FunctionId, LocalId, ModuleBuilder, Operator, Statement, Term, Type,
    load,
};

/// The twins of arrays and functions.
#[derive(Clone, Debug, Default)]
pub struct Tangents {
    arrays: BTreeMap<u32, ArrayId>,
    functions: BTreeMap<u32, FunctionId>,
}

impl Tangents {
    /// How the elements of an array change; nothing where they do not.
    pub fn array(&self, of: ArrayId) -> Option<ArrayId> {
        self.arrays.get(&of.index).copied()
    }

    /// The function that computes what another does, with derivatives: those of its real parameters follow its parameters, those of its real
    /// results its results.
    ///
    /// # Panics
    /// If it is none of those that were asked for, or that these call.
    pub fn function(&self, of: FunctionId) -> FunctionId {
        self.functions[&of.0]
    }
}

impl ModuleBuilder {
    /// Adds the twins of defined functions, of all that they call, and of the arrays that they change or that change by themselves.
    pub fn tangents(&mut self, functions: &[FunctionId], changing: &[ArrayId]) -> Tangents {
        let order = self.module().reached_from(functions);
        let mut arrays: Vec<ArrayId> = changing.to_vec();
        order.iter().for_each(|&id| stored(&self.module().function(id).body, &mut arrays));
        arrays.retain(|array| array.element == Type::Real);
        arrays.sort_by_key(|array| array.index);
        arrays.dedup();
        let mut twins = Tangents::default();
        for array in arrays {
            let (name, length) = (&self.module().array(array).name, self.length(array));
            let (name, note) = (format!("{name}_slope"), format!("how {name} changes"));
            twins.arrays.insert(array.index, self.real_array(&name, length, &note));
        }
        for id in order {
            let twin = self.twin(id, &twins);
            twins.functions.insert(id.0, twin);
        }
        twins
    }

    /// Needs: the twins of all that it calls.
    fn twin(&mut self, id: FunctionId, twins: &Tangents) -> FunctionId {
        let original = self.module().function(id).clone();
        let parameters: Vec<(String, Type)> =
            original.parameters().map(|it| (original.local(it).name.clone(), it.kind)).collect();
        let slopes = parameters.iter().filter(|(_, kind)| *kind == Type::Real);
        let slopes: Vec<(String, Type)> = slopes.map(|(name, kind)| (format!("{name}_slope"), *kind)).collect();
        let all: Vec<(&str, Type)> =
            parameters.iter().chain(&slopes).map(|(name, kind)| (name.as_str(), *kind)).collect();
        let real_results = original.results.iter().copied().filter(|&kind| kind == Type::Real);
        let results: Vec<Type> = original.results.iter().copied().chain(real_results).collect();
        let twin = self.declare(&format!("{}_slope", original.name), &all, &results);
        self.describe(twin, &format!("{} With derivatives.", original.note));
        self.define(twin, |f| {
            let mut body = Twin { twins, locals: BTreeMap::new(), slopes: BTreeMap::new() };
            let mut next = parameters.len();
            for (at, id) in original.parameters().enumerate() {
                body.locals.insert(id.index, f.parameter(at));
                if id.kind == Type::Real {
                    body.slopes.insert(id.index, f.parameter(next));
                    next += 1;
                }
            }
            for id in original.local_ids().skip(parameters.len()) {
                let name = &original.local(id).name;
                body.locals.insert(id.index, f.local(name, id.kind));
                if id.kind == Type::Real {
                    body.slopes.insert(id.index, f.local(&format!("{name}_slope"), id.kind));
                }
            }
            body.block(f, &original.body);
        });
        twin
    }
}

/// The arrays that a block stores into.
fn stored(block: &Block, found: &mut Vec<ArrayId>) {
    for statement in block {
        if let Statement::Store { array, .. } = statement {
            found.push(*array);
        }
        statement.blocks().for_each(|inner| stored(inner, found));
    }
}

/// The body of a twin while it is written.
struct Twin<'a> {
    twins: &'a Tangents,
    /// Its own locals, and their derivatives, by the original ones.
    locals: BTreeMap<u32, LocalId>,
    slopes: BTreeMap<u32, LocalId>,
}

impl Twin<'_> {
    fn block(&self, f: &mut FunctionBuilder, block: &Block) {
        block.iter().for_each(|statement| self.statement(f, statement));
    }

    /// Derivatives are found before the numbers that they are of are changed.
    fn statement(&self, f: &mut FunctionBuilder, statement: &Statement) {
        let inner = |f: &mut FunctionBuilder, block: &Block| f.block(|f| self.block(f, block));
        match statement {
            Statement::Assign(local, value) => {
                if local.kind == Type::Real {
                    f.assign(self.slopes[&local.index], self.slope(value).unwrap_or_else(zero));
                }
                f.assign(self.locals[&local.index], self.own(value));
            }
            Statement::Store { array, index, value } => {
                if let Some(twin) = self.twins.array(*array) {
                    f.store(twin, self.own(index), self.slope(value).unwrap_or_else(zero));
                }
                f.store(*array, self.own(index), self.own(value));
            }
            Statement::If { condition, then, otherwise } => {
                let (then, otherwise) = (inner(f, then), inner(f, otherwise));
                f.push(Statement::If { condition: self.own(condition), then, otherwise });
            }
            Statement::Switch { index, cases, otherwise } => {
                let cases = cases.iter().map(|case| inner(f, case)).collect();
                let otherwise = inner(f, otherwise);
                f.push(Statement::Switch { index: self.own(index), cases, otherwise });
            }
            Statement::While { condition, body } => {
                let body = inner(f, body);
                f.push(Statement::While { condition: self.own(condition), body });
            }
            Statement::For { variable, from, to, body } => {
                let (from, to, body) = (self.own(from), self.own(to), inner(f, body));
                f.push(Statement::For { variable: self.locals[&variable.index], from, to, body });
            }
            Statement::Call { function, arguments, results } => self.call(f, *function, arguments, results),
            Statement::Foreign { arguments, result } => {
                // How a function that others wrote changes is not known here; a number that is none cannot pass for an answer.
                f.assign(self.slopes[&result.index], Expression::from(f64::NAN));
                let arguments = arguments.iter().map(|it| self.own(it)).collect();
                f.push(Statement::Foreign { arguments, result: self.locals[&result.index] });
            }
            Statement::Return(values) => {
                let own = values.iter().map(|value| self.own(value));
                f.push(Statement::Return(own.chain(self.slopes_of(values)).collect()));
            }
            Statement::Break | Statement::Note(_) => f.push(statement.clone()),
        }
    }

    fn call(&self, f: &mut FunctionBuilder, function: FunctionId, arguments: &[Expression], results: &[LocalId]) {
        let arguments = arguments.iter().map(|it| self.own(it)).chain(self.slopes_of(arguments)).collect();
        let slopes = results.iter().filter(|it| it.kind == Type::Real).map(|it| self.slopes[&it.index]);
        let results = results.iter().map(|it| self.locals[&it.index]).chain(slopes).collect();
        f.push(Statement::Call { function: self.twins.function(function), arguments, results });
    }

    /// The derivatives of those values that are real.
    fn slopes_of<'e>(&'e self, values: &'e [Expression]) -> impl Iterator<Item = Expression> + 'e {
        let real = values.iter().filter(|value| value.kind() == Type::Real);
        real.map(|value| self.slope(value).unwrap_or_else(zero))
    }

    /// An expression in the locals of the twin.
    fn own(&self, expression: &Expression) -> Expression {
        match expression {
            Expression::Constant(value) => (*value).into(),
            Expression::Local(local) => self.locals[&local.index].into(),
            Expression::Load { array, index } => load(*array, self.own(index)),
            Expression::Apply { operator, operands } => {
                let operands = operands.iter().map(|operand| self.own(operand)).collect();
                Expression::Apply { operator: *operator, operands }
            }
        }
    }

    /// How a real expression changes; nothing where it does not.
    fn slope(&self, expression: &Expression) -> Option<Expression> {
        match expression {
            Expression::Constant(_) => None,
            Expression::Local(local) => self.slopes.get(&local.index).map(|&slope| slope.into()),
            Expression::Load { array, index } => Some(load(self.twins.array(*array)?, self.own(index))),
            Expression::Apply { operator, operands } => self.slope_of(*operator, operands),
        }
    }

    fn slope_of(&self, operator: Operator, operands: &[Expression]) -> Option<Expression> {
        let own = |at: usize| self.own(&operands[at]);
        let slope = |at: usize| self.slope(&operands[at]);
        let either = |condition: Expression, first: usize, second: usize| match (slope(first), slope(second)) {
            (None, None) => None,
            (a, b) => Some(condition.select(a.unwrap_or_else(zero), b.unwrap_or_else(zero))),
        };
        match operator {
            Operator::RealNegate => slope(0).map(|a| -a),
            Operator::RealAbsolute => slope(0).map(|a| own(0).lt(0.0).select(-a.clone(), a)),
            // At zero a root has no derivative; a length that is zero does not turn what it is a part of.
            Operator::RealSquareRoot => slope(0).map(|a| own(0).gt(0.0).select(a / (own(0).sqrt() * 2.0), 0.0)),
            Operator::RealAdd => sum(slope(0), slope(1)),
            Operator::RealSubtract => sum(slope(0), slope(1).map(|b| -b)),
            Operator::RealMultiply => sum(slope(0).map(|a| a * own(1)), slope(1).map(|b| own(0) * b)),
            Operator::RealDivide => {
                let change = sum(slope(0), slope(1).map(|b| -(own(0) / own(1) * b)));
                change.map(|change| change / own(1))
            }
            Operator::RealCopySign => {
                slope(0).map(|a| a * Expression::from(1.0).copysign(own(0)) * Expression::from(1.0).copysign(own(1)))
            }
            Operator::RealMinimum => either(own(0).lt(own(1)), 0, 1),
            Operator::RealMaximum => either(own(0).gt(own(1)), 0, 1),
            Operator::RealSelect => either(own(0), 1, 2),
            // All others give whole numbers, or numbers made of them.
            _ => None,
        }
    }
}

fn sum(a: Option<Expression>, b: Option<Expression>) -> Option<Expression> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}

fn zero() -> Expression {
    Expression::from(0.0)
}
