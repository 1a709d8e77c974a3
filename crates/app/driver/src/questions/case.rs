//! One choice of laws: the mode of the model in which these hold, and its equations with all that is given put in.

use base::Diagnostics;
use equations::System;
use expr::{Expr, Interval, Point, Region, Substitution, SymbolId};
use model::{AssumptionKind, Model, Output, Question, TermId};
use rustc_hash::FxHashMap;

use super::equations::{Row, rows};
use crate::checks::{Case as Margins, cases};
use crate::delays;

/// A condition that has to hold.
pub struct Condition {
    pub source: Source,
    /// One of these lists of inequalities holds; nothing if it is made of something else.
    pub cases: Option<Vec<Margins>>,
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A law, by its place among the fragments.
    Law(usize),
    /// The scene, by the place among its assumptions.
    Scene(usize),
    /// The question, by the place among what it gives.
    Question(usize),
}

pub struct Case {
    pub system: System,
    /// Of the mode: the value of each mode variable.
    pub mode: Vec<usize>,
    /// All equations, with numbers for what is given, and rates of what is steady held at zero.
    pub rows: Vec<Row>,
    /// The same with parameters and rates as symbols.
    pub open_rows: Vec<Row>,
    /// Columns of what is asked, with parameters as symbols.
    pub asked: Vec<Vec<Expr>>,
    pub conditions: Vec<Condition>,
    /// Values of parameters and controls.
    pub given: Point,
    /// What each unknown can be.
    pub ranges: Region,
    /// Rates that are held at zero, with what they are the rates of.
    pub steady: Vec<(SymbolId, SymbolId)>,
}

/// The equations of a model with one choice of laws.
pub fn formulate(
    model: &Model,
    question: &Question,
    parameters: &[f64],
    mode: &[usize],
    sink: &mut Diagnostics,
) -> Option<Case> {
    let mut model = model.clone();
    let layout = Layout::new(&mut model, question);
    let options = mechanics::Options { mode: Some(mode.to_vec()), ..Default::default() };
    let system = mechanics::formulate(&model, options, sink)?;
    let arena = system.arena.clone();
    let columns = |at: usize| -> Vec<Expr> { system.outputs[at].columns.iter().map(|(_, value)| *value).collect() };
    let mut given = Point::default();
    let symbols = system.parameters.iter().map(|it| it.symbol);
    given.extend(symbols.zip(parameters.iter().copied()));
    given.extend(system.controls.iter().map(|control| (control.symbol, control.default)));
    let held =
        |name: &str| layout.steady.iter().any(|thing| name.strip_prefix(thing).is_some_and(|it| it.starts_with('.')));
    let mut open_rows = rows(&system);
    for &(left, right, given) in &layout.equations {
        for (left, right) in columns(left).into_iter().zip(columns(right)) {
            let residual = arena.subtract(left, right);
            open_rows.push(Row { label: question.given[given].name.clone(), residual });
        }
    }
    let mut now = delays::steady(&system, open_rows.iter().map(|row| row.residual), held);
    open_rows.iter_mut().for_each(|row| row.residual = now.apply(&arena, row.residual));
    let steady = super::equations::steady(&system, &open_rows, held);
    let numbers = given.iter().map(|(&symbol, &value)| (arena.symbol(symbol), arena.number(value)));
    let zeros = steady.iter().map(|&(rate, _)| (arena.symbol(rate), arena.zero()));
    let mut put = Substitution::new(numbers.chain(zeros));
    let rows = open_rows.iter().map(|row| Row { residual: put.apply(&arena, row.residual), ..row.clone() }).collect();
    let condition = |&(at, source): &(usize, Source)| {
        let condition = columns(at).first().map(|&it| put_once(&arena, &given, it));
        Condition { source, cases: condition.and_then(|condition| cases(&arena, condition)) }
    };
    let conditions = layout.conditions.iter().map(condition).collect();
    let asked = (0..question.asked.len()).map(columns).collect();
    let ranges = ranges(&model, &system);
    Some(Case { mode: mode.to_vec(), rows, open_rows, asked, conditions, given, ranges, steady, system })
}

fn put_once(arena: &expr::Arena, given: &Point, expr: Expr) -> Expr {
    let numbers = given.iter().map(|(&symbol, &value)| (arena.symbol(symbol), arena.number(value)));
    Substitution::new(numbers).apply(arena, expr)
}

/// Which output of the model stands for what.
#[derive(Default)]
struct Layout {
    /// Both sides of each equation that the question gives, and which that is.
    equations: Vec<(usize, usize, usize)>,
    conditions: Vec<(usize, Source)>,
    steady: Vec<String>,
}

impl Layout {
    /// What is asked comes first, then all that has to be looked at.
    fn new(model: &mut Model, question: &Question) -> Layout {
        let mut layout = Layout::default();
        let mut outputs: Vec<Output> = Vec::new();
        let mut add = |term: TermId| {
            outputs.push(Output { name: String::new(), term });
            outputs.len() - 1
        };
        question.asked.iter().for_each(|asked| {
            add(asked.term);
        });
        let own = question.given.iter().enumerate().map(|(at, it)| (it, Source::Question(at)));
        let scene = model.assumptions.iter().enumerate().map(|(at, it)| (it, Source::Scene(at)));
        for (assumption, source) in own.chain(scene) {
            match (&assumption.kind, source) {
                (AssumptionKind::Condition(term), _) => layout.conditions.push((add(*term), source)),
                (AssumptionKind::Equation([left, right]), Source::Question(at)) => {
                    layout.equations.push((add(*left), add(*right), at));
                }
                (AssumptionKind::Steady(thing), _) => layout.steady.push(thing.clone()),
                // Equations of the scene are laws of the model.
                _ => {}
            }
        }
        for (at, fragment) in model.fragments.iter().enumerate() {
            if let Some(condition) = &fragment.assumption {
                layout.conditions.push((add(condition.term), Source::Law(at)));
            }
        }
        model.outputs = outputs;
        layout
    }
}

/// What the declarations of quantities say of their values.
fn ranges(model: &Model, system: &System) -> Region {
    let declared: FxHashMap<&str, (f64, f64)> =
        model.quantities.iter().filter_map(|it| Some((it.name.as_str(), it.range?))).collect();
    let range = |variable: &equations::Variable| {
        let (low, high) = declared.get(variable.name.as_str())?;
        Some((variable.symbol, Interval::new(*low, *high)))
    };
    system.variables.iter().filter_map(range).collect()
}
