//! Sines and cosines of small multiples of an angle, from those of the angle where these are needed anyway: a product or two instead of a
//! series. Rounding differs in the last digits of one, as it does for the multiple of the angle itself.

use expr::{Arena, Expr, Node, Operator, Substitution};
use rustc_hash::FxHashSet;

use crate::program::{Binding, Function};

/// Beyond this, errors add up and products are no longer few.
const LARGEST: i64 = 8;

/// Needs: nothing. Gives: no sine or cosine of 2 … 8 times an angle whose own sine and cosine the function evaluates. Keeps: all values but
/// for rounding.
pub fn expand_multiple_angles(arena: &Arena, function: &mut Function) {
    let nodes = arena.reachable(&function.expressions());
    let known: FxHashSet<(Operator, Expr)> =
        nodes.iter().filter_map(|&node| Some((circular(arena, node)?, argument(arena, node)?))).collect();
    let mut expanded = Vec::new();
    for &node in &nodes {
        let (Some(operator), Some(angle)) = (circular(arena, node), argument(arena, node)) else { continue };
        let Some((multiple, angle)) = whole_multiple(arena, angle) else { continue };
        if [Operator::Sin, Operator::Cos].iter().all(|&operator| known.contains(&(operator, angle))) {
            let (sine, cosine) = of_multiple(arena, multiple, angle);
            expanded.push((node, if operator == Operator::Sin { sine } else { cosine }));
        }
    }
    if !expanded.is_empty() {
        let mut substitution = Substitution::new(expanded);
        for_each_expression(function, |value| *value = substitution.apply(arena, *value));
    }
}

fn circular(arena: &Arena, node: Expr) -> Option<Operator> {
    match arena.node(node) {
        Node::Apply(operator @ (Operator::Sin | Operator::Cos), _) => Some(*operator),
        _ => None,
    }
}

fn argument(arena: &Arena, node: Expr) -> Option<Expr> {
    match arena.node(node) {
        Node::Apply(_, arguments) => arguments.first().copied(),
        _ => None,
    }
}

fn whole_multiple(arena: &Arena, angle: Expr) -> Option<(i64, Expr)> {
    let Node::Sum(terms, constant) = arena.node(angle) else { return None };
    let [(factor, term)] = &terms[..] else { return None };
    let multiple = factor.value() as i64;
    let whole = multiple as f64 == factor.value() && (2..=LARGEST).contains(&multiple);
    (whole && constant.is_zero()).then_some((multiple, *term))
}

/// Sine and cosine of a multiple, from those of the halves of the multiple.
fn of_multiple(arena: &Arena, multiple: i64, angle: Expr) -> (Expr, Expr) {
    if multiple == 1 {
        return (arena.apply(Operator::Sin, &[angle]), arena.apply(Operator::Cos, &[angle]));
    }
    let (less, more) = (multiple / 2, multiple - multiple / 2);
    let (s1, c1) = of_multiple(arena, less, angle);
    let (s2, c2) = of_multiple(arena, more, angle);
    if less == more {
        let sine = arena.scale(2.0, arena.multiply(s1, c1));
        return (sine, arena.subtract(arena.power(c1, 2), arena.power(s1, 2)));
    }
    let sine = arena.add(arena.multiply(s1, c2), arena.multiply(c1, s2));
    (sine, arena.subtract(arena.multiply(c1, c2), arena.multiply(s1, s2)))
}

fn for_each_expression(function: &mut Function, mut change: impl FnMut(&mut Expr)) {
    for binding in &mut function.body {
        match binding {
            Binding::Linear(system) => {
                system.matrix.iter_mut().for_each(|entry| change(&mut entry.2));
                system.right.iter_mut().for_each(&mut change);
            }
            Binding::Nonlinear(system) => {
                system.jacobian.iter_mut().for_each(|entry| change(&mut entry.2));
                system.residuals.iter_mut().chain(&mut system.seeds).for_each(&mut change);
            }
            Binding::Sum(sum) => sum.arguments.iter_mut().for_each(&mut change),
        }
    }
    function.results.iter_mut().for_each(change);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Group;

    #[test]
    fn multiples_are_made_of_the_angle_only_where_it_is_needed_itself() {
        let arena = Arena::new();
        let symbol = arena.new_symbol("x");
        let x = arena.symbol(symbol);
        let of = |operator: Operator, multiple: f64| arena.apply(operator, &[arena.scale(multiple, x)]);
        let multiples = (2..=8)
            .flat_map(|multiple| [Operator::Sin, Operator::Cos].map(|operator| of(operator, f64::from(multiple))));
        let multiples: Vec<Expr> = multiples.collect();
        let with = |more: &[Expr]| {
            let results = multiples.iter().chain(more).copied().collect();
            let mut function = Function { name: "observe".into(), inputs: Group::default(), body: Vec::new(), results };
            expand_multiple_angles(&arena, &mut function);
            function.results
        };
        assert_eq!(with(&[of(Operator::Sin, 1.0)])[..multiples.len()], multiples);
        let expanded = with(&[of(Operator::Sin, 1.0), of(Operator::Cos, 1.0)]);
        assert!(expanded.iter().zip(&multiples).all(|(after, before)| after != before));
        for value in [-7.3, -0.4, 0.0, 0.1, 1.5, 3.2, 1e3] {
            let point = [(symbol, value)].into_iter().collect();
            for (&after, &before) in expanded.iter().zip(&multiples) {
                let difference = expr::evaluate(&arena, after, &point) - expr::evaluate(&arena, before, &point);
                assert!(difference.abs() <= 8.0 * f64::EPSILON * (1.0 + value.abs()), "at {value}: {difference:e}");
            }
        }
    }
}
