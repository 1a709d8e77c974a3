//! Laws of the algebra, checked at random points: constructors keep values, derivatives are slopes.

#![allow(clippy::disallowed_methods, reason = "what is compared with a tolerance may come from the platform")]

use expr::{Arena, Differentiator, Expr, Number, Operator, Substitution, SymbolId, evaluate, list};
use proptest::prelude::*;

/// A recipe for an expression of three symbols.
#[derive(Clone, Debug)]
enum Recipe {
    Number(i8),
    Symbol(u8),
    Sum(Vec<(i8, Recipe)>),
    Product(Vec<(Recipe, i8)>),
    Apply(u8, Box<Recipe>),
    Atan2(Box<Recipe>, Box<Recipe>),
    Select(Box<Recipe>, Box<Recipe>, Box<Recipe>),
}

const FUNCTIONS: &[Operator] = &[
    Operator::Sin,
    Operator::Cos,
    Operator::Tan,
    Operator::Atan,
    Operator::Sinh,
    Operator::Cosh,
    Operator::Tanh,
    Operator::Exp,
    Operator::Sqrt,
    Operator::Abs,
    Operator::Log,
    Operator::Asin,
    Operator::Acos,
];

fn recipe() -> impl Strategy<Value = Recipe> {
    let leaf = prop_oneof![(-3i8..4).prop_map(Recipe::Number), (0u8..3).prop_map(Recipe::Symbol)];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec((-2i8..3, inner.clone()), 1..4).prop_map(Recipe::Sum),
            prop::collection::vec((inner.clone(), -2i8..3), 1..4).prop_map(Recipe::Product),
            (0..FUNCTIONS.len() as u8, inner.clone()).prop_map(|(f, x)| Recipe::Apply(f, x.into())),
            (inner.clone(), inner.clone()).prop_map(|(y, x)| Recipe::Atan2(y.into(), x.into())),
            (inner.clone(), inner.clone(), inner).prop_map(|(c, x, y)| Recipe::Select(c.into(), x.into(), y.into())),
        ]
    })
}

impl Recipe {
    fn build(&self, arena: &Arena, symbols: &[SymbolId]) -> Expr {
        match self {
            Recipe::Number(n) => arena.number(f64::from(*n)),
            Recipe::Symbol(i) => arena.symbol(symbols[*i as usize]),
            Recipe::Sum(terms) => arena.sum(
                terms.iter().map(|(c, x)| (Number::from(f64::from(*c)), x.build(arena, symbols))).collect::<Vec<_>>(),
            ),
            Recipe::Product(factors) => {
                arena.product(factors.iter().map(|(x, e)| (x.build(arena, symbols), i32::from(*e))).collect::<Vec<_>>())
            }
            Recipe::Apply(f, x) => arena.apply(FUNCTIONS[*f as usize], &[x.build(arena, symbols)]),
            Recipe::Atan2(y, x) => arena.apply(Operator::Atan2, &[y.build(arena, symbols), x.build(arena, symbols)]),
            Recipe::Select(c, x, y) => {
                let condition = arena.apply(Operator::Less, &[c.build(arena, symbols), arena.one()]);
                arena.apply(Operator::Select, &[condition, x.build(arena, symbols), y.build(arena, symbols)])
            }
        }
    }

    /// The value, without any help from the constructors.
    fn value(&self, at: &[f64; 3]) -> f64 {
        match self {
            Recipe::Number(n) => f64::from(*n),
            Recipe::Symbol(i) => at[*i as usize],
            Recipe::Sum(terms) => terms.iter().map(|(c, x)| f64::from(*c) * x.value(at)).sum(),
            Recipe::Product(factors) => factors.iter().map(|(x, e)| x.value(at).powi(i32::from(*e))).product(),
            Recipe::Apply(f, x) => (FUNCTIONS[*f as usize].row().value)(&[x.value(at)]),
            Recipe::Atan2(y, x) => y.value(at).atan2(x.value(at)),
            Recipe::Select(c, x, y) => {
                if c.value(at) < 1.0 {
                    x.value(at)
                } else {
                    y.value(at)
                }
            }
        }
    }

    /// Whether a part is so large, so near a jump or so ill defined that rounding decides the value.
    fn is_tame(&self, at: &[f64; 3]) -> bool {
        let tame = |x: &Recipe| x.is_tame(at) && x.value(at).is_finite() && x.value(at).abs() < 1e3;
        match self {
            Recipe::Number(_) | Recipe::Symbol(_) => true,
            Recipe::Sum(terms) => terms.iter().all(|(_, x)| tame(x)),
            Recipe::Product(factors) => factors.iter().all(|(x, e)| tame(x) && (*e >= 0 || x.value(at).abs() > 1e-2)),
            Recipe::Apply(f, x) => {
                let (x_value, inside) = (x.value(at), x.value(at).abs() < 0.98);
                tame(x)
                    && match FUNCTIONS[*f as usize] {
                        Operator::Sqrt | Operator::Log => x_value > 1e-2,
                        Operator::Asin | Operator::Acos => inside,
                        Operator::Tan => x_value.cos().abs() > 0.05,
                        Operator::Abs => x_value.abs() > 1e-2,
                        Operator::Exp | Operator::Sinh | Operator::Cosh => x_value.abs() < 10.0,
                        _ => true,
                    }
            }
            Recipe::Atan2(y, x) => tame(x) && tame(y) && (x.value(at) > 0.05 || y.value(at).abs() > 0.05),
            Recipe::Select(c, x, y) => tame(c) && tame(x) && tame(y) && (c.value(at) - 1.0).abs() > 1e-2,
        }
    }
}

fn point() -> impl Strategy<Value = [f64; 3]> {
    [0.2..2.0f64, -2.0..-0.2f64, 0.1..0.9f64]
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn constructors_keep_the_value(recipe in recipe(), at in point()) {
        prop_assume!(recipe.is_tame(&at));
        let arena = Arena::new();
        let symbols: Vec<SymbolId> = ["x", "y", "z"].iter().map(|name| arena.new_symbol(name)).collect();
        let values = symbols.iter().copied().zip(at).collect();
        let found = evaluate(&arena, recipe.build(&arena, &symbols), &values);
        prop_assert!(close(found, recipe.value(&at), 1e-7), "{found} against {}", recipe.value(&at));
    }

    #[test]
    fn derivatives_are_slopes(recipe in recipe(), at in point(), which in 0usize..3) {
        let step = 1e-5;
        let moved = |by: f64| { let mut moved = at; moved[which] += by; moved };
        prop_assume!([-2.0 * step, -step, 0.0, step, 2.0 * step].iter().all(|&by| recipe.is_tame(&moved(by))));
        let f = |by: f64| recipe.value(&moved(by));
        // Two differences of fourth and second order: where they disagree, the point is too wild to judge.
        let fine = (8.0 * (f(step) - f(-step)) - (f(2.0 * step) - f(-2.0 * step))) / (12.0 * step);
        prop_assume!(close(fine, (f(step) - f(-step)) / (2.0 * step), 1e-5));
        let arena = Arena::new();
        let symbols: Vec<SymbolId> = ["x", "y", "z"].iter().map(|name| arena.new_symbol(name)).collect();
        let values = symbols.iter().copied().zip(at).collect();
        let expr = recipe.build(&arena, &symbols);
        let slope = Differentiator::by(&arena, arena.symbol(symbols[which])).derivative(&arena, expr);
        let slope = evaluate(&arena, slope, &values);
        prop_assert!(close(slope, fine, 1e-4), "{slope} against {fine}");
    }

    #[test]
    fn substitution_is_evaluation_elsewhere(recipe in recipe(), at in point()) {
        let mut there = at;
        there[0] = at[1] * at[1] + 0.3;
        prop_assume!(recipe.is_tame(&there));
        let arena = Arena::new();
        let symbols: Vec<SymbolId> = ["x", "y", "z"].iter().map(|name| arena.new_symbol(name)).collect();
        let replacement = arena.add(arena.power(arena.symbol(symbols[1]), 2), arena.number(0.3));
        let mut elsewhere = Substitution::new([(arena.symbol(symbols[0]), replacement)]);
        let expr = elsewhere.apply(&arena, recipe.build(&arena, &symbols));
        let values = symbols.iter().copied().zip(at).collect();
        prop_assert!(close(evaluate(&arena, expr, &values), recipe.value(&there), 1e-6));
    }
}

fn xyz(arena: &Arena) -> [Expr; 3] {
    ["x", "y", "z"].map(|name| arena.symbol(arena.new_symbol(name)))
}

#[test]
fn like_terms_meet_and_equal_things_are_one_node() {
    let arena = Arena::new();
    let [x, y, _] = xyz(&arena);
    assert_eq!(arena.add(x, y), arena.add(y, x));
    assert_eq!(arena.subtract(arena.add(x, y), x), y);
    assert_eq!(arena.multiply(x, arena.multiply(x, y)), arena.multiply(y, arena.power(x, 2)));
    assert_eq!(arena.multiply(arena.number(0.0), x), arena.zero());
    let circle =
        arena.add(arena.power(arena.apply(Operator::Sin, &[x]), 2), arena.power(arena.apply(Operator::Cos, &[x]), 2));
    assert_eq!(circle, arena.one());
    let scaled = |f| arena.multiply(y, arena.power(arena.apply(f, &[x]), 2));
    assert_eq!(arena.add(scaled(Operator::Sin), scaled(Operator::Cos)), y);
}

#[test]
fn nothing_is_cancelled_that_might_be_zero() {
    let arena = Arena::new();
    let [x, ..] = xyz(&arena);
    assert_ne!(arena.divide(x, x), arena.one());
    let positive = arena.add(arena.one(), arena.power(x, 2));
    assert_eq!(arena.divide(positive, positive), arena.one());
}

#[test]
fn shared_parts_are_printed_once_under_a_name() {
    let arena = Arena::new();
    let [x, y, z] = xyz(&arena);
    let shared = arena.add(arena.multiply(x, y), z);
    let root = arena.subtract(arena.power(shared, 2), arena.divide(x, shared));
    let listing = list(&arena, &[root]);
    assert_eq!(listing.definitions, [("k1".to_string(), "z + x*y".to_string())]);
    assert_eq!(listing.lines, ["k1^2 - x/k1"]);
}

#[test]
fn a_tower_of_powers_stays_small() {
    let arena = Arena::new();
    let [x, y, _] = xyz(&arena);
    let mut tower = x;
    for _ in 0..64 {
        tower = arena.add(arena.multiply(tower, tower), y);
    }
    let mut by_x = Differentiator::by(&arena, x);
    by_x.derivative(&arena, tower);
    assert!(arena.len() < 64 * 8, "{} nodes", arena.len());
}

/// Comparisons of what takes few values hold where they held before they were rewritten, at borders as well.
#[test]
fn conditions_on_few_values_keep_their_meaning() {
    let arena = Arena::new();
    let x = arena.new_symbol("x");
    let few = |operator: Operator| arena.apply(operator, &[arena.symbol(x)]);
    let positive = arena.apply(Operator::Less, &[arena.zero(), arena.symbol(x)]);
    let either = arena.apply(Operator::Select, &[positive, arena.number(1.5), arena.number(-1.0)]);
    let kinds = [few(Operator::Sign), few(Operator::Floor), either];
    let mut checked = 0;
    for (operator, few) in
        [Operator::Less, Operator::LessEqual, Operator::Equal].into_iter().flat_map(|it| kinds.map(|few| (it, few)))
    {
        for (factor, offset) in [(1.0, 0.0), (-1.0, 0.0), (0.1, 0.3), (-3.0, 1.0), (2.0, -0.5)] {
            let side = arena.sum([(Number::from(factor), few), (Number::from(offset), arena.one())]);
            for number in [-2.0, -1.0, -0.5, 0.0, 0.4, 0.6, 1.0, 2.0, 2.5] {
                let pairs = [[side, arena.number(number)], [arena.number(number), side]];
                for (pair, at) in
                    pairs.into_iter().flat_map(|pair| (-16..17).map(move |at| (pair, f64::from(at) * 0.25)))
                {
                    let values = [(x, at)].into_iter().collect();
                    let plain = pair.map(|side| evaluate(&arena, side, &values));
                    let condition = arena.apply(operator, &pair);
                    let found = evaluate(&arena, condition, &values);
                    assert_eq!(
                        found,
                        (operator.row().value)(&plain),
                        "{operator:?} {factor} {offset} {number} at {at}"
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 10_000);
    let floor = few(Operator::Floor);
    let two = arena.apply(Operator::LessEqual, &[arena.number(2.0), arena.symbol(x)]);
    assert_eq!(arena.apply(Operator::Less, &[arena.one(), floor]), two, "a whole number above one is two or more");
    assert_eq!(arena.apply(Operator::Less, &[arena.zero(), few(Operator::Sign)]), positive);
}
