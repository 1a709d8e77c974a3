//! Divisors that a whole row or column of a linear system shares need not be divided by: a row may be multiplied by what is not zero,
//! and so may an unknown that nobody asks for. The length of a link, for instance, divides all that its constraint says.

use expr::{Arena, Expr, Node};

use crate::program::{Binding, Function, LinearSystem};

/// Needs: nothing. Gives: no divisor that all entries of a row and its right side share, or all of a column whose unknown is used
/// nowhere else. Keeps: the values of all unknowns that are used.
pub fn drop_divisors(arena: &Arena, function: &mut Function) {
    for at in 0..function.body.len() {
        let Binding::Linear(system) = &mut function.body[at] else { continue };
        drop_in_rows(arena, system);
        let mut scaled = scaled_columns(arena, system);
        if scaled.is_empty() {
            continue;
        }
        let mut used = function.results.clone();
        used.extend(function.body[at + 1..].iter().flat_map(Binding::expressions));
        let used = arena.symbols_in(&used);
        let Binding::Linear(system) = &mut function.body[at] else { continue };
        scaled.retain(|(column, _)| used.binary_search(&system.unknowns[*column]).is_err());
        for (place, value) in scaled.into_iter().flat_map(|(_, entries)| entries) {
            system.matrix[place].2 = value;
        }
    }
}

fn drop_in_rows(arena: &Arena, system: &mut LinearSystem) {
    for (row, places) in places(system, |&(row, _, _)| row).into_iter().enumerate() {
        let mut line: Vec<Expr> = places.iter().map(|&at| system.matrix[at].2).collect();
        line.push(system.right[row]);
        drop_shared(arena, &mut line);
        places.iter().zip(&line).for_each(|(&at, &value)| system.matrix[at].2 = value);
        system.right[row] = line[places.len()];
    }
}

/// The columns that share divisors, with the places and the values of their entries without them.
fn scaled_columns(arena: &Arena, system: &LinearSystem) -> Vec<(usize, Vec<(usize, Expr)>)> {
    let mut scaled = Vec::new();
    for (column, places) in places(system, |&(_, column, _)| column).into_iter().enumerate() {
        let mut line: Vec<Expr> = places.iter().map(|&at| system.matrix[at].2).collect();
        if drop_shared(arena, &mut line) {
            scaled.push((column, places.into_iter().zip(line).collect()));
        }
    }
    scaled
}

/// The places of entries in the matrix, by their rows or columns.
fn places(system: &LinearSystem, line: impl Fn(&(usize, usize, Expr)) -> usize) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new(); system.unknowns.len().max(system.right.len())];
    system.matrix.iter().enumerate().for_each(|(at, entry)| places[line(entry)].push(at));
    places
}

/// Leaves the divisors of the first value out of all where all have them, and tells whether there were any.
fn drop_shared(arena: &Arena, values: &mut [Expr]) -> bool {
    let Some(&first) = values.first() else { return false };
    let mut dropped = false;
    for divisor in divisors(arena, first) {
        let without: Option<Vec<Expr>> = values.iter().map(|&value| without(arena, value, divisor)).collect();
        if let Some(without) = without {
            values.copy_from_slice(&without);
            dropped = true;
        }
    }
    dropped
}

/// What a product, or a multiple of one, is divided by.
fn divisors(arena: &Arena, value: Expr) -> Vec<Expr> {
    match arena.node(value) {
        Node::Sum(terms, constant) if terms.len() == 1 && constant.is_zero() => divisors(arena, terms[0].1),
        Node::Product(factors) => factors.iter().filter(|factor| factor.1 < 0).map(|&(base, _)| base).collect(),
        _ => Vec::new(),
    }
}

/// The value times a divisor of its own; nothing where it is not divided by that.
fn without(arena: &Arena, value: Expr, divisor: Expr) -> Option<Expr> {
    match arena.node(value) {
        Node::Number(number) if number.is_zero() => Some(value),
        Node::Sum(terms, constant) if constant.is_zero() => {
            let terms: Option<Vec<_>> =
                terms.iter().map(|&(coefficient, term)| Some((coefficient, without(arena, term, divisor)?))).collect();
            Some(arena.sum(terms?))
        }
        Node::Product(factors) => {
            let mut factors = factors.to_vec();
            if let Some(found) = factors.iter_mut().find(|(base, exponent)| *base == divisor && *exponent < 0) {
                found.1 += 1;
            } else {
                let inside =
                    |&(base, exponent): &(Expr, i32)| (exponent == 1).then(|| without(arena, base, divisor))?;
                let (at, base) = factors.iter().enumerate().find_map(|(at, factor)| Some((at, inside(factor)?)))?;
                factors[at].0 = base;
            }
            Some(arena.product(factors))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Group, SystemId};

    /// x/r + y·l/r = b/r and x·l/r = 1 with an l that nobody asks for: r goes from the first row, and from the column of l.
    #[test]
    fn what_a_row_or_an_idle_column_shares_is_not_divided_by() {
        let arena = Arena::new();
        let [r, x, l, a, b] = ["r", "x", "l", "a", "b"].map(|name| arena.new_symbol(name));
        let [r, a, b] = [r, a, b].map(|symbol| arena.symbol(symbol));
        let over = |value: Expr| arena.divide(value, r);
        let system = LinearSystem {
            id: SystemId(0),
            unknowns: vec![x, l],
            matrix: vec![(0, 0, over(arena.one())), (0, 1, over(a)), (1, 0, a), (1, 1, over(b))],
            right: vec![over(arena.add(a, b)), b],
            pivots: None,
        };
        let mut function = Function {
            name: "derivative".into(),
            inputs: Group::default(),
            body: vec![Binding::Linear(system)],
            results: vec![arena.symbol(x)],
        };
        drop_divisors(&arena, &mut function);
        let Binding::Linear(system) = &function.body[0] else { panic!("a linear system") };
        assert_eq!(system.matrix, vec![(0, 0, arena.one()), (0, 1, a), (1, 0, a), (1, 1, over(b))]);
        assert_eq!(system.right, vec![arena.add(a, b), b]);
        function.body = vec![Binding::Linear(LinearSystem {
            matrix: vec![(0, 0, a), (0, 1, over(a)), (1, 0, b), (1, 1, arena.scale(-2.0, over(b)))],
            right: vec![a, b],
            ..system.clone()
        })];
        let used_elsewhere = function.clone();
        drop_divisors(&arena, &mut function);
        let Binding::Linear(system) = &function.body[0] else { panic!("a linear system") };
        assert_eq!(system.matrix, vec![(0, 0, a), (0, 1, a), (1, 0, b), (1, 1, arena.scale(-2.0, b))]);
        let mut function = Function { results: vec![arena.symbol(l)], ..used_elsewhere };
        let before = function.expressions();
        drop_divisors(&arena, &mut function);
        assert_eq!(function.expressions(), before);
    }
}
