//! Which laws a run begins with, and which may take over on the way.
//!
//! Of laws that exclude one another, the first whose assumption can hold at the start does. A law that would leave the equations without a
//! solution never takes over: where it would have to, the run ends and says so.

use base::{Diagnostic, Diagnostics};
use expr::{Demand, Expr, Interval, Point, Region, SymbolId, evaluate, is_impossible};
use model::{ModeId, Model, Output, Standing};

use crate::checks::cases;
use crate::codes;
use crate::pipeline::Options;
use crate::settings::parameter_values;

/// What is known of a start to this is known, relative to one and to itself; and a margin within it is none.
const NARROW: f64 = 1e-12;

/// A phenomenon that several laws describe: its mode, and for each value of it the law.
struct Class {
    mode: ModeId,
    /// Values of the mode, with places among the fragments.
    laws: Vec<(usize, usize)>,
}

/// Chooses the laws at the start, or says why there is none.
pub fn compose(model: &mut Model, options: &Options, sink: &mut Diagnostics) -> Option<()> {
    let classes = classes(model);
    if classes.is_empty() {
        return Some(());
    }
    let starts = at_start(model, options);
    let possible: Vec<bool> = starts.iter().map(|it| it.can_hold).collect();
    for class in &classes {
        begin(model, class, &possible, options, sink)?;
        refuse_undefined(model, class, &starts, sink)?;
        let start = model.modes[class.mode.index()].start;
        for &(value, at) in class.laws.iter().filter(|(value, _)| *value != start) {
            // What holds at the start need not hold where a law takes over later.
            let later = Model { initial: Vec::new(), ..model.clone() };
            let determined = is_determined(model, class.mode, value, options);
            if let Err(why) =
                determined.or_else(|why| is_determined(&later, class.mode, value, options).map_err(|_| why))
            {
                never_takes_over(model, class.mode, value);
                model.fragments[at].standing = Standing::Left(why);
            }
        }
    }
    Some(())
}

fn classes(model: &Model) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for (at, fragment) in model.fragments.iter().enumerate() {
        let Standing::Chosen(mode, value) = fragment.standing else { continue };
        match classes.iter_mut().find(|class| class.mode == mode) {
            Some(class) => class.laws.push((value, at)),
            None => classes.push(Class { mode, laws: vec![(value, at)] }),
        }
    }
    classes
}

/// What is known of a law at the start.
#[derive(Clone, Copy)]
struct AtStart {
    /// Whether its assumption can hold.
    can_hold: bool,
    /// Whether what it says has a value.
    has_value: bool,
}

/// What a law says: what it adds to sums, and the sides of its equations.
fn says(model: &Model, law: &model::Fragment) -> Vec<model::TermId> {
    let own = model.laws.iter().filter(|it| it.label.starts_with(&law.name)).flat_map(|it| [it.left, it.right]);
    law.additions.iter().copied().chain(own).collect()
}

/// A law in force that divides by zero at the start ends every run there; its assumption should have excluded that.
fn refuse_undefined(model: &Model, class: &Class, starts: &[AtStart], sink: &mut Diagnostics) -> Option<()> {
    let start = model.modes[class.mode.index()].start;
    let Some(&(_, at)) = class.laws.iter().find(|(value, _)| *value == start) else { return Some(()) };
    if starts[at].has_value {
        return Some(());
    }
    let fragment = &model.fragments[at];
    let mut diagnostic =
        Diagnostic::error(codes::NO_LAW, format!("what `{}` says has no value at the start", fragment.name))
            .at(fragment.span, "a division by zero, or a root or logarithm of a negative number");
    if let Some(assumed) = &fragment.assumption {
        diagnostic = diagnostic.note(format!("it assumes `{}`, which can hold there", assumed.text));
    }
    sink.report(
        diagnostic.hint("let it assume what it needs, so that another law takes its place there, or start elsewhere"),
    );
    None
}

/// For each fragment, what is known of it at the start.
// Long: what is known at the start by values, then by bounds; both need the same system and its points.
fn at_start(model: &Model, options: &Options) -> Vec<AtStart> {
    let mut scratch = Diagnostics::default();
    let mut model = model.clone();
    let assumed: Vec<Option<model::TermId>> =
        model.fragments.iter().map(|it| it.assumption.as_ref().map(|it| it.term)).collect();
    let said: Vec<Vec<model::TermId>> = model.fragments.iter().map(|it| says(&model, it)).collect();
    let outputs = assumed.iter().flatten().chain(said.iter().flatten());
    model.outputs = outputs.map(|&term| Output { name: String::new(), term }).collect();
    let parameters = parameter_values(&options.tried_with, &model, &mut scratch);
    let system = mechanics::formulate(&model, mechanics::Options::default(), &mut scratch);
    let (Some(parameters), Some(system)) = (parameters, system) else {
        return vec![AtStart { can_hold: true, has_value: true }; assumed.len()];
    };
    let arena = &system.arena;
    let mut region: Region = Region::default();
    region.insert(system.time, Interval::point(0.0));
    for (parameter, value) in system.parameters.iter().zip(parameters) {
        region.insert(parameter.symbol, Interval::point(value));
    }
    let points = |region: &Region, expr: Expr| -> Option<f64> {
        let symbols = arena.symbols_in(&[expr]);
        let middle = |symbol: &SymbolId| {
            let Interval { low, high } = *region.get(symbol)?;
            (high - low <= NARROW * (1.0 + low.abs())).then_some((*symbol, low + 0.5 * (high - low)))
        };
        let point: Option<Point> = symbols.iter().map(middle).collect();
        Some(evaluate(arena, expr, &point?))
    };
    let start: Vec<Demand> = system.initial.iter().map(|it| (it.residual, Interval::point(0.0))).collect();
    let at_start = expr::contract(arena, &start, &region).unwrap_or_default();
    let positive = Interval::new(f64::from_bits(1), f64::INFINITY);
    let mut outputs = system.outputs.iter();
    let mut can_hold = |_| {
        let condition = outputs.next().and_then(|output| output.columns.first()).map(|(_, value)| *value);
        let Some(cases) = condition.and_then(|condition| cases(arena, condition)) else { return true };
        cases.iter().any(|case| {
            // Where the start is known, values tell more than bounds, which never exclude a zero.
            let known: Option<Vec<f64>> = case.iter().map(|atom| points(&at_start, atom.margin)).collect();
            if let Some(known) = known {
                return case.iter().zip(known).all(
                    |(atom, margin)| {
                        if atom.strict { margin > NARROW } else { margin >= -NARROW }
                    },
                );
            }
            let atoms = case.iter().map(|it| (it.margin, if it.strict { positive } else { Interval::NOT_NEGATIVE }));
            let demands: Vec<Demand> = atoms.chain(start.iter().copied()).collect();
            !is_impossible(arena, &demands, &region)
        })
    };
    let can_hold: Vec<bool> = assumed.into_iter().map(|term| term.is_none_or(&mut can_hold)).collect();
    // What is not known at the start may be anything: only where no value of it helps, there is none.
    let has_value = |expr: Expr| {
        [0.731, 1.193].into_iter().any(|guess| {
            let symbols = arena.symbols_in(&[expr]);
            let value = |symbol: &SymbolId| match at_start.get(symbol) {
                Some(Interval { low, high }) if high - low <= NARROW * (1.0 + low.abs()) => low + 0.5 * (high - low),
                _ => guess,
            };
            let point: Point = symbols.iter().map(|symbol| (*symbol, value(symbol))).collect();
            evaluate(arena, expr, &point).is_finite()
        })
    };
    let starts = can_hold.into_iter().zip(said).map(|(can_hold, said)| {
        let columns = outputs.by_ref().take(said.len()).flat_map(|output| &output.columns);
        AtStart { can_hold, has_value: columns.fold(true, |all, (_, value)| all & has_value(*value)) }
    });
    starts.collect()
}

fn begin(model: &mut Model, class: &Class, possible: &[bool], options: &Options, sink: &mut Diagnostics) -> Option<()> {
    let mut reasons: Vec<String> = Vec::new();
    let mut first = None;
    for &(value, at) in &class.laws {
        let fragment = &model.fragments[at];
        if !possible[at] {
            let text = fragment.assumption.as_ref().map_or("", |it| it.text.as_str());
            reasons.push(format!("`{}` assumes `{text}`, which does not hold at the start", fragment.name));
            continue;
        }
        let name = fragment.name.clone();
        match is_determined(model, class.mode, value, options) {
            Ok(()) => {
                model.modes[class.mode.index()].start = value;
                return Some(());
            }
            Err(why) => reasons.push(format!("`{name}` may hold, but then {why}")),
        }
        first.get_or_insert(value);
    }
    let excluded = class.laws.iter().any(|(_, at)| !possible[*at]);
    if let (Some(first), false) = (first, excluded) {
        // Nothing speaks against the first; what is wrong with the scene is said where its equations are planned.
        model.modes[class.mode.index()].start = first;
        return Some(());
    }
    let span = model.fragments[class.laws[0].1].span;
    let mut diagnostic =
        Diagnostic::error(codes::NO_LAW, format!("no {} holds at the start", model.modes[class.mode.index()].name))
            .at(span, "of the laws that describe this, none applies");
    for reason in reasons {
        diagnostic = diagnostic.note(reason);
    }
    sink.report(diagnostic.hint("start elsewhere, or state a law for this: `law … instead of … assuming … { … }`"));
    None
}

/// Whether the equations determine everything while a law is in force; if not, why.
fn is_determined(model: &Model, mode: ModeId, value: usize, options: &Options) -> Result<(), String> {
    let mut scratch = Diagnostics::default();
    let mut values: Vec<usize> = model.modes.iter().map(|mode| mode.start).collect();
    values[mode.index()] = value;
    let choice = mechanics::Options { rotations: options.rotations, mode: Some(values), ..Default::default() };
    let planned = mechanics::formulate(model, choice, &mut scratch)
        .is_some_and(|system| plan::classify_with(&system, &|_| Vec::new(), &mut scratch).is_some());
    if planned && !scratch.has_errors() {
        return Ok(());
    }
    let found = scratch.sorted();
    Err(found.first().map_or_else(|| "the equations cannot be solved".to_string(), |it| it.message.clone()))
}

/// Where a law would have to take over that leaves the equations without a solution, the run ends.
fn never_takes_over(model: &mut Model, mode: ModeId, value: usize) {
    let fragments = &model.fragments;
    for transition in model.transitions.iter_mut().filter(|it| it.modes.contains(&(mode, value))) {
        transition.modes.clear();
        transition.stops = true;
        let before =
            transition.name.split(" instead of ").nth(1).and_then(|name| fragments.iter().find(|it| it.name == name));
        if let Some((before, assumed)) = before.and_then(|it| Some((it, it.assumption.as_ref()?))) {
            transition.name = format!("{} of {} fails", assumed.text, before.name);
        }
    }
}
