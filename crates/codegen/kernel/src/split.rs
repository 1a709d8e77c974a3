//! Splitting: a very large function becomes several that are called one after the other. Code generators take more than linear
//! time for one function, so the parts together compile far sooner than the whole.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::rename::move_statement;
use crate::unused::remove_unused;
use crate::{
    Array, ArrayId, Block, Expression, Function, FunctionId, Local, LocalId, Module, Statement, Type, Value, load,
};

/// Splits functions that are more than twice as large as the limit (see [`Function::size`]) into parts of about the limit.
///
/// Needs: verified. Gives: smaller functions, and an array for each type through which a function's parts share variables.
/// Keeps: every result and every other cell, bit for bit; the ids of functions and arrays; the verifier's approval.
pub fn split_large(module: &mut Module, limit: usize) {
    let count = module.functions.len();
    for index in 0..count {
        if module.functions[index].size() > 2 * limit {
            let whole = module.functions[index].clone();
            let parts = cut(&whole.body, limit);
            if parts.len() > 1 {
                module.functions[index] = split(module, &whole, &parts).into();
            }
        }
    }
    // What a part assigns for others before it, nobody reads: a way out of a division by zero at the end, for one.
    remove_unused(&mut module.functions[count..]);
}

/// Consecutive statements in parts of about the limit.
fn cut(body: &[Statement], limit: usize) -> Vec<&[Statement]> {
    let (mut parts, mut begin, mut size) = (Vec::new(), 0, 0);
    for (at, statement) in body.iter().enumerate() {
        if size >= limit {
            parts.push(&body[begin..at]);
            (begin, size) = (at, 0);
        }
        size += statement.size();
    }
    parts.push(&body[begin..]);
    parts
}

/// What is left of a function: calls of its parts, which become functions of the module.
fn split(module: &mut Module, whole: &Function, parts: &[&[Statement]]) -> Function {
    let touched: Vec<Vec<LocalId>> = parts.iter().map(|part| locals_of(part)).collect();
    let shared = Shared::declare(module, whole, &touched);
    let mut body: Block = whole.parameters().map(|parameter| shared.store(parameter, parameter)).collect();
    let mut locals: Vec<Local> = whole.locals[..whole.parameter_count].to_vec();
    let mut results = Vec::new();
    let mut last_part: FxHashMap<LocalId, usize> = FxHashMap::default();
    for (number, touched) in touched.iter().enumerate() {
        last_part.extend(touched.iter().map(|&local| (local, number)));
    }
    for (number, part) in parts.iter().enumerate() {
        let function = part_function(module, whole, number, part, &touched[number], &last_part, &shared);
        // The first result says whether the part has returned from the whole.
        let kinds = [Type::Integer].into_iter().chain(whole.results.iter().copied());
        results =
            kinds.enumerate().map(|(at, kind)| new_local(&mut locals, &format!("part{number}_{at}"), kind)).collect();
        body.push(Statement::Call { function, arguments: Vec::new(), results: results.clone() });
        let values: Vec<Expression> = results[1..].iter().map(|&result| result.into()).collect();
        let then = vec![Statement::Return(values)];
        body.push(Statement::If { condition: results[0].into(), then, otherwise: Block::new() });
    }
    let last: Vec<Expression> = results[1..].iter().map(|&result| result.into()).collect();
    body.push(Statement::Return(last));
    let Function { name, parameter_count, results, note, .. } = whole;
    Function {
        name: name.clone(),
        parameter_count: *parameter_count,
        results: results.clone(),
        locals,
        body,
        note: note.clone(),
        rare: whole.rare,
    }
}

/// Variables that more than one part touches, and where they are kept between parts.
struct Shared {
    places: FxHashMap<LocalId, (ArrayId, usize)>,
}

impl Shared {
    fn declare(module: &mut Module, whole: &Function, touched: &[Vec<LocalId>]) -> Shared {
        let parameters: FxHashSet<LocalId> = whole.parameters().collect();
        let mut parts_of: FxHashMap<LocalId, usize> = FxHashMap::default();
        touched.iter().flatten().for_each(|&local| *parts_of.entry(local).or_default() += 1);
        let crosses =
            |local: &LocalId| parameters.contains(local) || parts_of.get(local).is_some_and(|&parts| parts > 1);
        let crossing: Vec<LocalId> = whole.local_ids().filter(crosses).collect();
        let mut places = FxHashMap::default();
        for kind in [Type::Real, Type::Integer] {
            let of_kind: Vec<LocalId> = crossing.iter().copied().filter(|local| local.kind == kind).collect();
            let array = ArrayId { index: module.arrays.len() as u32, element: kind };
            let name = unique(module, &format!("{}_{kind}_variables", whole.name));
            let note = "variables that the parts of a function share".to_string();
            module.arrays.push(Array {
                name,
                element: kind,
                length: of_kind.len(),
                initial: None,
                slots: Vec::new(),
                note,
            });
            places.extend(of_kind.into_iter().enumerate().map(|(at, local)| (local, (array, at))));
        }
        Shared { places }
    }

    fn store(&self, place: LocalId, value: LocalId) -> Statement {
        let (array, at) = self.places[&place];
        Statement::Store { array, index: at.into(), value: value.into() }
    }
}

/// A part as a function of its own: it fetches what it shares and does not make itself, does its work, and puts back what it has
/// changed and later parts touch.
fn part_function(
    module: &mut Module,
    whole: &Function,
    number: usize,
    part: &[Statement],
    touched: &[LocalId],
    last_part: &FxHashMap<LocalId, usize>,
    shared: &Shared,
) -> FunctionId {
    let mut locals = Vec::new();
    let moved: FxHashMap<LocalId, LocalId> =
        touched.iter().map(|&local| (local, new_local(&mut locals, &whole.local(local).name, local.kind))).collect();
    let crossing: Vec<LocalId> = touched.iter().copied().filter(|local| shared.places.contains_key(local)).collect();
    let (made, changed) = (made_first(part), changed_in(part));
    let mut body: Block = crossing
        .iter()
        .filter(|local| !made.contains(local))
        .map(|local| {
            let (array, at) = shared.places[local];
            Statement::Assign(moved[local], load(array, at))
        })
        .collect();
    body.extend(part.iter().map(|statement| move_statement(statement, &|local| moved[&local])));
    mark_returns(&mut body);
    let returned = matches!(body.last(), Some(Statement::Return(_)));
    if !returned {
        let wanted = crossing.iter().filter(|local| changed.contains(local) && last_part[local] > number);
        body.extend(wanted.map(|&local| shared.store(local, moved[&local])));
        let nothing = whole.results.iter().map(|&kind| Expression::Constant(Value::zero(kind)));
        body.push(Statement::Return([Expression::from(0)].into_iter().chain(nothing).collect()));
    }
    let results = [Type::Integer].into_iter().chain(whole.results.iter().copied()).collect();
    let name = unique(module, &format!("{}_part{}", whole.name, number + 1));
    let note = format!("Part {} of {}.", number + 1, whole.name);
    module.functions.push(Function { name, parameter_count: 0, results, locals, body, note, rare: false }.into());
    FunctionId(module.functions.len() as u32 - 1)
}

/// Every return says that it is one.
fn mark_returns(block: &mut Block) {
    for statement in block {
        if let Statement::Return(values) = statement {
            values.insert(0, 1.into());
        }
        statement.blocks_mut().for_each(mark_returns);
    }
}

/// The variables that get a value before anything else happens to them.
fn made_first(block: &[Statement]) -> FxHashSet<LocalId> {
    let (mut made, mut met) = (FxHashSet::default(), FxHashSet::default());
    for statement in block {
        let given: &[LocalId] = match statement {
            Statement::Assign(local, _) | Statement::Foreign { result: local, .. } => std::slice::from_ref(local),
            Statement::Call { results, .. } => results,
            _ => &[],
        };
        statement.expressions().for_each(|expression| collect_in_expression(expression, &mut met));
        made.extend(given.iter().filter(|local| !met.contains(local)));
        collect_locals(std::slice::from_ref(statement), &mut met);
    }
    made
}

/// The variables that get a value anywhere in a block.
fn changed_in(block: &[Statement]) -> FxHashSet<LocalId> {
    let mut changed = FxHashSet::default();
    for statement in block {
        match statement {
            Statement::Assign(local, _)
            | Statement::Foreign { result: local, .. }
            | Statement::For { variable: local, .. } => {
                changed.insert(*local);
            }
            Statement::Call { results, .. } => changed.extend(results),
            _ => {}
        }
        statement.blocks().for_each(|inner| changed.extend(changed_in(inner)));
    }
    changed
}

/// The variables that occur in a block, in their order.
fn locals_of(block: &[Statement]) -> Vec<LocalId> {
    let mut found = FxHashSet::default();
    collect_locals(block, &mut found);
    let mut found: Vec<LocalId> = found.into_iter().collect();
    found.sort_unstable_by_key(|local| local.index);
    found
}

fn collect_in_expression(expression: &Expression, found: &mut FxHashSet<LocalId>) {
    if let Expression::Local(local) = expression {
        found.insert(*local);
    }
    expression.children().iter().for_each(|child| collect_in_expression(child, found));
}

fn collect_locals(block: &[Statement], found: &mut FxHashSet<LocalId>) {
    for statement in block {
        match statement {
            Statement::Assign(local, _)
            | Statement::Foreign { result: local, .. }
            | Statement::For { variable: local, .. } => {
                found.insert(*local);
            }
            Statement::Call { results, .. } => found.extend(results),
            _ => {}
        }
        statement.expressions().for_each(|expression| collect_in_expression(expression, found));
        statement.blocks().for_each(|inner| collect_locals(inner, found));
    }
}

/// Names are unique already in the function that is split, and get numbers where the caller adds its own.
fn new_local(locals: &mut Vec<Local>, name: &str, kind: Type) -> LocalId {
    let name = name.to_string();
    locals.push(Local { name, kind });
    LocalId { index: locals.len() as u32 - 1, kind }
}

fn unique(module: &Module, name: &str) -> String {
    let taken = |name: &str| {
        module.arrays.iter().any(|array| array.name == name)
            || module.functions.iter().any(|function| function.name == name)
    };
    let candidates = std::iter::once(name.to_string()).chain((2..).map(|number| format!("{name}_{number}")));
    candidates.into_iter().find(|candidate| !taken(candidate)).expect("numbers do not end")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Machine, generate, verify};

    /// Splitting generated programs changes neither what they return nor the cells they had.
    #[test]
    fn parts_do_what_the_whole_did() {
        let mut split_some = 0;
        for seed in 0..300 {
            let whole = generate::generate(seed);
            let mut parts = whole.clone();
            split_large(&mut parts, 6);
            split_some += usize::from(parts.functions.len() > whole.functions.len());
            assert_eq!(verify(&parts), Ok(()), "seed {seed}\n{}", crate::print(&parts));
            for function in whole.function_ids() {
                let arguments: Vec<Value> =
                    whole.function(function).signature().parameters.iter().map(|&kind| argument(kind)).collect();
                let run = |module: &Module| {
                    let mut memory = module.initial_memory();
                    let result = Interpreter::new(module).step_budget(200_000).call(function, &arguments, &mut memory);
                    (result, memory.cells()[..whole.layout().cells()].to_vec())
                };
                let (expected, found) = (run(&whole), run(&parts));
                if expected.0.is_ok() && found.0.is_ok() {
                    assert_eq!(expected, found, "seed {seed}");
                }
            }
        }
        assert!(split_some > 50, "only {split_some} programs were large enough");
    }

    fn argument(kind: Type) -> Value {
        match kind {
            Type::Real => Value::Real(1.25),
            Type::Integer => Value::Integer(3),
        }
    }
}
