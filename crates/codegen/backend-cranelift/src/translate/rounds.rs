//! Two rounds of a loop at once, where no round needs what another one stores: each operation of both is one instruction on two numbers.
//!
//! Each number is rounded by itself, so the bits are those of one round after the other.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use kernel::{ArrayId, Block, Expression, Function, LocalId, Operator, Statement, Type};

use super::Translator;
use super::expression::Place;

/// Where every processor has instructions on two numbers.
const IS_HERE: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
/// Loops that are known to be shorter stay as they are.
const FEWEST_ROUNDS: i64 = 4;

/// How often each local of a function is read.
pub(super) struct Reads(Vec<usize>);

impl Reads {
    pub fn of(function: &Function) -> Reads {
        let mut reads = Reads(vec![0; function.locals.len()]);
        reads.block(&function.body);
        reads
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            statement.expressions().for_each(|expression| self.expression(expression));
            statement.blocks().for_each(|inner| self.block(inner));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        if let Expression::Local(local) = expression {
            self.0[local.index as usize] += 1;
        }
        expression.children().iter().for_each(|child| self.expression(child));
    }
}

/// A loop of which two rounds may be done at once.
pub(super) struct Rounds<'b> {
    variable: LocalId,
    body: &'b Block,
    /// The locals that each round sets for itself.
    own: BTreeSet<u32>,
    /// Where each round stores.
    stored: BTreeMap<u32, &'b Expression>,
}

impl<'b> Rounds<'b> {
    pub fn new(variable: LocalId, [from, to]: [&Expression; 2], body: &'b Block, reads: &Reads) -> Option<Rounds<'b>> {
        let is_short = from.as_integer().zip(to.as_integer()).is_some_and(|(from, to)| to - from < FEWEST_ROUNDS);
        if !IS_HERE || is_short {
            return None;
        }
        let mut rounds = Rounds { variable, body, own: BTreeSet::new(), stored: BTreeMap::new() };
        for statement in body {
            match statement {
                Statement::Assign(local, _) if local.kind == Type::Real => drop(rounds.own.insert(local.index)),
                Statement::Store { array, index, .. } if array.element == Type::Real => {
                    // Whatever is known of one place in an array must be known of all in it.
                    let known = *rounds.stored.entry(array.index).or_insert(index);
                    (known == index && rounds.stride(index)? != 0).then_some(())?;
                }
                Statement::Note(_) => {}
                _ => return None,
            }
        }
        let mut set = BTreeSet::new();
        for statement in body {
            match statement {
                Statement::Assign(local, value) => {
                    rounds.allows(value, &set).then_some(())?;
                    set.insert(local.index);
                }
                Statement::Store { value, .. } => rounds.allows(value, &set).then_some(())?,
                _ => {}
            }
        }
        let mut inside = Reads(vec![0; reads.0.len()]);
        inside.block(body);
        let stays = |&local: &u32| inside.0[local as usize] == reads.0[local as usize];
        (!rounds.stored.is_empty() && rounds.own.iter().all(stays)).then_some(rounds)
    }

    /// Whether a number is computed in the same way in each round, from what no other round sets; some locals are set before it.
    fn allows(&self, value: &Expression, set: &BTreeSet<u32>) -> bool {
        match value {
            Expression::Constant(_) => value.kind() == Type::Real,
            Expression::Local(local) => {
                local.kind == Type::Real && (set.contains(&local.index) || !self.own.contains(&local.index))
            }
            Expression::Load { array, index } => {
                let same = self.stored.get(&array.index).is_none_or(|&stored| *stored == **index);
                array.element == Type::Real && is_whole(index) && same
            }
            Expression::Apply { operator, operands } => {
                use Operator::*;
                let is_simple = matches!(
                    operator,
                    RealAdd | RealSubtract | RealMultiply | RealDivide | RealNegate | RealAbsolute | RealSquareRoot
                );
                is_simple && operands.iter().all(|operand| self.allows(operand, set))
            }
        }
    }

    /// By how much an index grows from round to round; none if that is not known.
    fn stride(&self, index: &Expression) -> Option<i64> {
        match index {
            Expression::Constant(value) => value.as_integer().map(|_| 0),
            Expression::Local(local) => (local.kind == Type::Integer).then_some(i64::from(*local == self.variable)),
            Expression::Load { .. } => None,
            Expression::Apply { operator, operands } => match (operator, &operands[..]) {
                (Operator::IntegerAdd, [a, b]) => self.stride(a)?.checked_add(self.stride(b)?),
                (Operator::IntegerSubtract, [a, b]) => self.stride(a)?.checked_sub(self.stride(b)?),
                (Operator::IntegerMultiply, [a, b]) => match (a.as_integer(), b.as_integer()) {
                    (_, Some(factor)) => self.stride(a)?.checked_mul(factor),
                    (Some(factor), _) => self.stride(b)?.checked_mul(factor),
                    _ => (self.stride(a)? == 0 && self.stride(b)? == 0).then_some(0),
                },
                _ => None,
            },
        }
    }
}

/// Whether an index is made of whole numbers alone.
fn is_whole(index: &Expression) -> bool {
    index.kind() == Type::Integer && index.children().iter().all(is_whole)
}

impl Translator<'_> {
    /// Does rounds two by two, as long as there are two; gives the round that is left to begin with.
    pub(super) fn two_by_two(&mut self, rounds: &Rounds<'_>, from: Value, to: Value) -> Value {
        let (start, end) = (self.builder.create_block(), self.builder.create_block());
        let last = self.builder.ins().iadd_imm_s(to, -1);
        self.define(rounds.variable, from);
        self.branch_if_less(from, last, start, end);
        self.enter(start);
        let round = self.builder.use_var(self.locals[rounds.variable.index as usize]);
        let mut own = BTreeMap::new();
        for statement in rounds.body {
            match statement {
                Statement::Assign(local, value) => {
                    let value = self.two(rounds, round, value, &own);
                    own.insert(local.index, value);
                }
                Statement::Store { array, index, value } => {
                    let value = self.two(rounds, round, value, &own);
                    self.store_two(rounds, round, (*array, index), value);
                }
                _ => {}
            }
        }
        let next = self.builder.ins().iadd_imm_s(round, 2);
        self.define(rounds.variable, next);
        self.branch_if_less(next, last, start, end);
        self.builder.seal_block(start);
        self.enter(end);
        self.builder.seal_block(end);
        self.builder.use_var(self.locals[rounds.variable.index as usize])
    }

    /// The values of an expression in two rounds.
    fn two(&mut self, rounds: &Rounds<'_>, round: Value, value: &Expression, own: &BTreeMap<u32, Value>) -> Value {
        match value {
            Expression::Local(local) if own.contains_key(&local.index) => own[&local.index],
            Expression::Constant(_) | Expression::Local(_) => {
                let value = self.expression(value);
                self.builder.ins().splat(types::F64X2, value)
            }
            Expression::Load { array, index } => match rounds.stride(index) {
                Some(0) => {
                    let value = self.expression(value);
                    self.builder.ins().splat(types::F64X2, value)
                }
                Some(1) => {
                    let Place { flags, address, offset } = self.place(*array, index);
                    self.builder.ins().load(types::F64X2, unaligned(flags), address, offset)
                }
                _ => {
                    let [first, second] = self.in_two_rounds(rounds, round, |it| it.expression(value));
                    let both = self.builder.ins().splat(types::F64X2, first);
                    self.builder.ins().insertlane(both, second, 1)
                }
            },
            Expression::Apply { operator, operands } => {
                let values: Vec<Value> = operands.iter().map(|operand| self.two(rounds, round, operand, own)).collect();
                self.apply_to_values(*operator, &values)
            }
        }
    }

    fn store_two(&mut self, rounds: &Rounds<'_>, round: Value, (array, index): (ArrayId, &Expression), value: Value) {
        if rounds.stride(index) == Some(1) {
            let Place { flags, address, offset } = self.place(array, index);
            self.builder.ins().store(unaligned(flags), value, address, offset);
            return;
        }
        let places = self.in_two_rounds(rounds, round, |it| it.place(array, index));
        for (lane, Place { flags, address, offset }) in (0..).zip(places) {
            let value = self.builder.ins().extractlane(value, lane);
            self.builder.ins().store(flags, value, address, offset);
        }
    }

    /// Does something for a round and for the next one.
    fn in_two_rounds<T>(&mut self, rounds: &Rounds<'_>, round: Value, mut work: impl FnMut(&mut Self) -> T) -> [T; 2] {
        let first = work(self);
        let next = self.builder.ins().iadd_imm_s(round, 1);
        self.define(rounds.variable, next);
        let second = work(self);
        self.define(rounds.variable, round);
        [first, second]
    }
}

/// Pairs of numbers begin at any of them.
fn unaligned(flags: MemFlagsData) -> MemFlagsData {
    let plain = MemFlagsData::new().with_notrap().with_alias_region(flags.alias_region());
    if flags.readonly() { plain.with_readonly() } else { plain }
}
