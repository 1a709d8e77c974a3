//! Numerical values of expressions, for decisions made at compile time (ranks, zero tests) and for tests.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::arena::Node;
use crate::{Arena, Curve, Expr, Operator, SymbolId};

/// Values of symbols. Those that are missing count as NaN, so that none is missing unnoticed.
pub type Point = FxHashMap<SymbolId, f64>;

/// The value of one expression.
pub fn evaluate(arena: &Arena, expr: Expr, point: &Point) -> f64 {
    Tape::new(arena, &[expr]).run(point)[0]
}

/// Some expressions in the order of their evaluation, to be evaluated at many points.
pub struct Tape {
    steps: Vec<Step>,
    roots: Vec<usize>,
}

enum Step {
    Number(f64),
    Symbol(SymbolId),
    Sum(Vec<(f64, usize)>, f64),
    Product(Vec<(usize, i32)>),
    Apply(fn(&[f64]) -> f64, Vec<usize>),
    Place(Arc<Curve>, usize),
    Cell(Arc<Curve>, [usize; 2]),
    Past([usize; 3]),
    Foreign,
}

impl Tape {
    pub fn new(arena: &Arena, roots: &[Expr]) -> Tape {
        let order = arena.reachable(roots);
        let place: FxHashMap<Expr, usize> = order.iter().enumerate().map(|(at, &expr)| (expr, at)).collect();
        let step = |expr: &Expr| match arena.node(*expr) {
            Node::Number(number) => Step::Number(number.value()),
            Node::Symbol(symbol) => Step::Symbol(*symbol),
            Node::Sum(terms, constant) => {
                Step::Sum(terms.iter().map(|(c, term)| (c.value(), place[term])).collect(), constant.value())
            }
            Node::Product(factors) => Step::Product(factors.iter().map(|(base, e)| (place[base], *e)).collect()),
            Node::Apply(Operator::Place, arguments) => Step::Place(arena.curve_of(arguments[0]), place[&arguments[1]]),
            Node::Apply(Operator::Cell, arguments) => {
                Step::Cell(arena.curve_of(arguments[0]), [place[&arguments[1]], place[&arguments[2]]])
            }
            Node::Apply(Operator::Past, arguments) => Step::Past([0, 1, 2].map(|at| place[&arguments[at]])),
            Node::Apply(Operator::Foreign, _) => Step::Foreign,
            Node::Apply(operator, arguments) => {
                Step::Apply(operator.row().value, arguments.iter().map(|argument| place[argument]).collect())
            }
        };
        Tape { steps: order.iter().map(step).collect(), roots: roots.iter().map(|root| place[root]).collect() }
    }

    /// The values of the roots, in their order.
    pub fn run(&self, point: &Point) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match step {
                Step::Number(value) => *value,
                Step::Symbol(symbol) => point.get(symbol).copied().unwrap_or(f64::NAN),
                Step::Sum(terms, constant) => terms.iter().map(|&(c, at)| c * values[at]).sum::<f64>() + constant,
                Step::Product(factors) => factors.iter().map(|&(at, e)| whole_power(values[at], e)).product(),
                Step::Place(curve, x) => curve.place(values[*x]),
                Step::Cell(curve, [part, index]) => curve.cell(values[*part], values[*index]),
                // What was is not known here; any smooth function is as generic as another.
                Step::Past([signal, order, time]) => {
                    let turned = values[*order] * std::f64::consts::FRAC_PI_2;
                    libm::sin(1.7 * values[*signal] + 0.4 + values[*time] + turned)
                }
                // Functions of others are not called to decide on a program: their code runs when that does. A stand-in would pass for a value.
                Step::Foreign => f64::NAN,
                Step::Apply(value, arguments) => {
                    let mut inputs = [0.0; 3];
                    for (input, &at) in inputs.iter_mut().zip(arguments) {
                        *input = values[at];
                    }
                    value(&inputs[..arguments.len()])
                }
            };
            values.push(value);
        }
        self.roots.iter().map(|&root| values[root]).collect()
    }
}

/// A power by repeated squaring. (`f64::powi` may give other bits elsewhere.)
pub fn whole_power(base: f64, exponent: i32) -> f64 {
    let (mut power, mut square, mut rest) = (1.0, base, exponent.unsigned_abs());
    while rest > 0 {
        if rest & 1 == 1 {
            power *= square;
        }
        square *= square;
        rest >>= 1;
    }
    if exponent < 0 { 1.0 / power } else { power }
}
