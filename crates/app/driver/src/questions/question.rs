//! One question: every choice of laws is tried in the order of the text, and what it leads to is kept if its assumptions hold there.

use base::Diagnostics;
use expr::{Demand, Expr, Interval, Point, Region, roots};
use model::{AssumptionKind, Model, Question, Standing};

use super::case::{Case, Source, formulate};
use super::contradiction::contradiction;
use super::dead_end::dead_end;
use super::equations::{Reach, contradicted, independent_reach};
use super::local::{Nearby, sensitivity, stability};
use super::{Answer, Answers, Composition, DeadEnd, Table, Told, put_once};
use crate::checks::Case as Margins;

/// More choices of laws than this are not tried.
const MOST_CHOICES: usize = 256;
/// Values of a parameter for which a question is asked, if its author does not say.
const VALUES: usize = 11;
/// What an equality may be off by, and what a bound may be missed by, in SI units: far above rounding, far below what is meant.
const OFF: f64 = 1e-9;

/// All that was found out about one question.
#[derive(Default)]
struct Solved {
    found: Vec<Found>,
    dead_end: Option<DeadEnd>,
    /// Fragments that take part where something was found, or in the first choice if nothing was.
    used: Vec<usize>,
    /// Labels of equations that take part.
    labels: Vec<String>,
    /// How many unknowns these determine, or leave open.
    unknowns: usize,
    /// What was tried, and why it is no answer.
    tried: Vec<String>,
    complete: bool,
}

/// One root, with what is known of it.
struct Found {
    /// The columns of each asked quantity.
    values: Vec<Vec<f64>>,
    along: Vec<(String, f64)>,
    nearby: Nearby,
    /// For each asked quantity the change of its first column by each parameter.
    slopes: Option<Vec<Vec<f64>>>,
    margins: Vec<(Source, f64)>,
}

/// Answers one question, and tells of the laws and assumptions that it took.
pub fn answer(model: &Model, at: usize, parameters: &[f64], out: &mut Answers, sink: &mut Diagnostics) -> Option<()> {
    let question = &model.questions[at];
    let solved = match &question.sweep {
        None => {
            let solved = solve(model, question, parameters, sink)?;
            out.answers.extend(told_answers(model, at, parameters, &solved));
            solved
        }
        Some(sweep) => {
            let mut table = Table {
                asked: question.asked.iter().map(|asked| asked.text.clone()).collect(),
                parameter: model.parameters[sweep.parameter.index()].name.clone(),
                parameter_unit: model.parameters[sweep.parameter.index()].unit.clone(),
                units: question.asked.iter().map(|asked| asked.unit.clone()).collect(),
                rows: Vec::new(),
            };
            let mut last = Solved::default();
            for value in values(sweep) {
                let mut parameters = parameters.to_vec();
                parameters[sweep.parameter.index()] = value;
                last = solve(model, question, &parameters, sink)?;
                table.rows.push((value, told_answers(model, at, &parameters, &last)));
            }
            if table.rows.iter().any(|(_, answers)| !answers.is_empty()) {
                out.tables.push(table);
            }
            last
        }
    };
    if solved.found.is_empty() {
        let dead_end = solved.dead_end.clone().unwrap_or_else(|| no_root(question, &solved));
        if !out.dead_ends.iter().any(|known| known.message == dead_end.message) {
            out.dead_ends.push(dead_end);
        }
    }
    if question.sweep.is_none() {
        let composition = Composition::new(model, &question.text, false, &solved.used, solved.unknowns);
        out.compositions.push(composition);
    }
    tell(model, question, &solved, out);
    Some(())
}

/// The values of a parameter that a question is asked for.
pub fn values(sweep: &model::Sweep) -> Vec<f64> {
    let span = sweep.last - sweep.first;
    let step = sweep.step.map_or(span / (VALUES - 1) as f64, |step| step * span.signum());
    let count = if step == 0.0 { 0 } else { (span / step + 1e-9).floor() as usize };
    (0..=count.min(10_000)).map(|at| sweep.first + step * at as f64).collect()
}

fn solve(model: &Model, question: &Question, parameters: &[f64], sink: &mut Diagnostics) -> Option<Solved> {
    let mut solved = Solved { complete: true, ..Solved::default() };
    for mode in choices(model) {
        let mut own = Diagnostics::default();
        let Some(case) = formulate(model, question, parameters, &mode, &mut own) else {
            let why = own.sorted().first().map(|it| it.message.clone()).unwrap_or_default();
            solved.tried.push(format!("{}: {why}", laws_of(model, &mode)));
            if laws_of(model, &mode).is_empty() {
                own.iter().for_each(|it| sink.report(it.clone()));
                return None;
            }
            continue;
        };
        if let Some(found) = contradiction(model, question, &case) {
            sink.report(found);
            return None;
        }
        solve_case(model, question, &case, &mut solved);
    }
    solved.found.sort_by(|a, b| order(a).cmp(&order(b)).then(b.values[0][0].total_cmp(&a.values[0][0])));
    Some(solved)
}

/// Stable answers come first.
fn order(found: &Found) -> u8 {
    match found.nearby {
        Nearby::Rate(rate, _) if rate < 0.0 => 0,
        Nearby::Still => 1,
        Nearby::Unknown(_) => 2,
        Nearby::Rate(..) => 3,
    }
}

/// Every choice between laws of one phenomenon, those that stand first first; modes of the author's own stay as they start.
pub fn choices(model: &Model) -> Vec<Vec<usize>> {
    let mut all = vec![model.modes.iter().map(|mode| mode.start).collect::<Vec<usize>>()];
    for mode in 0..model.modes.len() {
        let laws = model.fragments.iter().filter_map(|fragment| match fragment.standing {
            Standing::Chosen(of, value) if of.index() == mode => Some(value),
            _ => None,
        });
        let laws: Vec<usize> = laws.collect();
        if laws.is_empty() {
            continue;
        }
        let with = |begun: &Vec<usize>| {
            let put = |&value: &usize| {
                let mut longer = begun.clone();
                longer[mode] = value;
                longer
            };
            laws.iter().map(put).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
        all.truncate(MOST_CHOICES);
    }
    all
}

/// The laws that a mode chooses, in words.
fn laws_of(model: &Model, mode: &[usize]) -> String {
    let chosen = model.fragments.iter().filter(|fragment| match fragment.standing {
        Standing::Chosen(of, value) => mode[of.index()] == value,
        _ => false,
    });
    chosen.map(|fragment| fragment.name.clone()).collect::<Vec<_>>().join(", ")
}

fn solve_case(model: &Model, question: &Question, case: &Case, solved: &mut Solved) {
    let arena = &case.system.arena;
    let asked: Vec<Expr> = case.asked.iter().flatten().copied().collect();
    let rates: Vec<_> = case.steady.iter().map(|&(rate, _)| rate).collect();
    let fixed = |symbol| case.given.contains_key(&symbol) || rates.contains(&symbol);
    let reached = independent_reach(arena, &case.rows, &asked, &fixed);
    let laws = laws_of(model, &case.mode);
    if let Some(why) = contradicted(arena, &case.rows, &fixed, &case.ranges) {
        solved.tried.push(if laws.is_empty() { why } else { format!("{laws}: {why}") });
        return;
    }
    let labels = reached.rows.iter().chain(&reached.extra).map(|&row| case.rows[row].label.clone());
    let labels: Vec<String> = labels.collect();
    let used = used_fragments(model, &case.mode, &labels);
    if solved.used.is_empty() && solved.found.is_empty() {
        (solved.used, solved.labels, solved.unknowns) = (used.clone(), labels.clone(), reached.unknowns.len());
    }
    if reached.open > 0 || reached.unknowns.contains(&case.system.time) {
        let found = dead_end(model, question, case, &reached);
        solved.tried.push(format!("{laws}: {}", found.message));
        solved.dead_end.get_or_insert(found);
        return;
    }
    let conditions: Vec<_> = case.conditions.iter().filter(|it| concerns(it.source, &used)).collect();
    let demands: Vec<Demand> = conditions
        .iter()
        .filter_map(|it| it.cases.as_ref().filter(|cases| cases.len() == 1))
        .flat_map(|cases| &cases[0])
        .map(|atom| (atom.margin, Interval::NOT_NEGATIVE))
        .collect();
    let rows: Vec<Expr> = reached.rows.iter().map(|&row| case.rows[row].residual).collect();
    let extra = reached.extra.iter().map(|&row| (case.rows[row].residual, Interval::point(0.0)));
    let demands: Vec<Demand> = demands.into_iter().chain(extra).collect();
    let region: Region =
        case.ranges.iter().filter(|(symbol, _)| reached.unknowns.contains(symbol)).map(|(&a, &b)| (a, b)).collect();
    let all = roots(arena, &rows, &reached.unknowns, &demands, &region);
    solved.complete &= all.complete;
    let mut found_here = false;
    for root in all.points {
        let mut point: Point = reached.unknowns.iter().copied().zip(root).collect();
        point.extend(rates.iter().map(|&rate| (rate, 0.0)));
        if let Some(found) = checked(model, case, &reached, &conditions, point, &laws, solved) {
            if !found_here && solved.found.is_empty() {
                (solved.used, solved.labels, solved.unknowns) = (used.clone(), labels.clone(), reached.unknowns.len());
            }
            found_here = true;
            solved.found.push(found);
        }
    }
    if !found_here && !laws.is_empty() {
        solved.tried.push(format!("{laws}: no value satisfies all equations, ranges and assumptions"));
    }
}

/// A root, if all that is assumed holds there.
fn checked(
    model: &Model,
    case: &Case,
    reached: &Reach,
    conditions: &[&super::case::Condition],
    point: Point,
    laws: &str,
    solved: &mut Solved,
) -> Option<Found> {
    let arena = &case.system.arena;
    let value = |expr: Expr| expr::evaluate(arena, expr, &point);
    for &row in &reached.extra {
        let off = value(case.rows[row].residual);
        if off.abs() > OFF {
            solved.tried.push(format!("{laws}: `{}` is off by {off:e} there", case.rows[row].label));
            return None;
        }
    }
    let mut margins = Vec::new();
    for condition in conditions {
        let Some(cases) = &condition.cases else { continue };
        let margin = margin(cases, &value);
        if margin < -OFF || (margin <= 0.0 && is_strict(cases)) {
            solved.tried.push(format!("{laws}: {} fails there by {:e}", words(model, condition.source), -margin));
            return None;
        }
        if margin.is_finite() {
            margins.push((condition.source, margin));
        }
    }
    if let Some(first) = holds_first(model, case, &value) {
        solved.tried.push(format!("{laws}: `{first}` holds there, and stands first"));
        return None;
    }
    let mut whole = point;
    whole.extend(case.given.iter().map(|(&symbol, &value)| (symbol, value)));
    let values = case.asked.iter().map(|columns| columns.iter().map(|&it| expr::evaluate(arena, it, &whole)).collect());
    let first: Vec<Expr> = case.asked.iter().map(|columns| columns[0]).collect();
    let along = reached.unknowns.iter().map(|&symbol| (arena.symbol_name(symbol).to_string(), whole[&symbol]));
    Some(Found {
        values: values.collect(),
        along: along.collect(),
        nearby: stability(case, reached, &whole),
        slopes: sensitivity(case, reached, &whole, &first),
        margins,
    })
}

/// A law that stands before one of those chosen, and whose assumption holds too.
fn holds_first(model: &Model, case: &Case, value: &dyn Fn(Expr) -> f64) -> Option<String> {
    let earlier = case.conditions.iter().filter_map(|condition| {
        let Source::Law(at) = condition.source else { return None };
        let Standing::Chosen(mode, place) = model.fragments[at].standing else { return None };
        let cases = condition.cases.as_ref().filter(|_| place < case.mode[mode.index()])?;
        (margin(cases, value) > OFF).then(|| model.fragments[at].name.clone())
    });
    earlier.into_iter().next()
}

/// How far a condition is from failing: of the case that holds best, the inequality that holds least.
fn margin(cases: &[Margins], value: &dyn Fn(Expr) -> f64) -> f64 {
    let least = |case: &Margins| case.iter().map(|atom| value(atom.margin)).fold(f64::INFINITY, f64::min);
    cases.iter().map(least).fold(f64::NEG_INFINITY, f64::max)
}

fn is_strict(cases: &[Margins]) -> bool {
    cases.iter().all(|case| case.iter().any(|atom| atom.strict))
}

/// Whether a condition matters where some laws are used.
fn concerns(source: Source, used: &[usize]) -> bool {
    match source {
        Source::Law(at) => used.contains(&at),
        Source::Scene(_) | Source::Question(_) => true,
    }
}

/// Laws whose equations take part, or that add to sums of things of which the equations speak.
fn used_fragments(model: &Model, mode: &[usize], labels: &[String]) -> Vec<usize> {
    let speaks = |owner: &str| {
        labels.iter().any(|label| {
            label
                .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']')))
                .any(|word| word == owner || word.strip_prefix(owner).is_some_and(|rest| rest.starts_with('.')))
        })
    };
    let is_used = |fragment: &model::Fragment| {
        let stands = match fragment.standing {
            Standing::Holds => true,
            Standing::Chosen(of, value) => mode[of.index()] == value,
            Standing::Left(_) => false,
        };
        let states = labels.iter().any(|label| label.starts_with(&fragment.name));
        let adds =
            fragment.adds_to.iter().any(|total| speaks(total.rsplit_once('.').map_or(total, |(owner, _)| owner)));
        stands && (states || adds)
    };
    (0..model.fragments.len()).filter(|&at| is_used(&model.fragments[at])).collect()
}

fn words(model: &Model, source: Source) -> String {
    match source {
        Source::Law(at) => {
            let fragment = &model.fragments[at];
            let text = fragment.assumption.as_ref().map_or("", |it| it.text.as_str());
            format!("`{text}`, which {} assumes,", fragment.name)
        }
        Source::Scene(at) => format!("the assumption `{}`", model.assumptions[at].name),
        Source::Question(_) => "what is given".to_string(),
    }
}

/// Nothing satisfies all of it.
fn no_root(question: &Question, solved: &Solved) -> DeadEnd {
    let mut message =
        format!("no value of `{}` satisfies the equations within the ranges of their quantities", question.text);
    for tried in &solved.tried {
        message.push_str("; tried ");
        message.push_str(tried);
    }
    let suggestions =
        vec![(String::new(), "widen a range, or do without an assumption: `ansatz ask … --without NAME`".to_string())];
    DeadEnd {
        asked: question.text.clone(),
        message,
        unknowns: Vec::new(),
        equations: solved.labels.clone(),
        suggestions,
        span: question.span,
    }
}

/// One answer for each asked quantity and each root.
fn told_answers(model: &Model, at: usize, parameters: &[f64], solved: &Solved) -> Vec<Answer> {
    let question = &model.questions[at];
    let mut answers = Vec::new();
    for (place, asked) in question.asked.iter().enumerate() {
        for found in &solved.found {
            let (stable, rate, undecided) = match &found.nearby {
                Nearby::Rate(rate, _) if *rate != 0.0 => (Some(*rate < 0.0), Some(*rate), None),
                Nearby::Rate(..) => (None, Some(0.0), Some("to first order it neither grows nor decays".to_string())),
                Nearby::Still => (None, None, Some("nothing of it changes in time".to_string())),
                Nearby::Unknown(why) => (None, None, Some(why.clone())),
            };
            let value = &found.values[place];
            let relative = |(parameter, slope): (&model::Parameter, f64)| {
                let at = model.parameters.iter().position(|it| it.name == parameter.name).unwrap_or(0);
                (parameter.name.clone(), slope * parameters[at] / value[0])
            };
            let slopes = found.slopes.as_ref().map(|slopes| slopes[place].clone()).unwrap_or_default();
            let sensitivity =
                model.parameters.iter().zip(slopes).map(relative).filter(|(_, it)| *it != 0.0 && it.is_finite());
            answers.push(Answer {
                asked: asked.text.clone(),
                value: value.clone(),
                unit: base::Unit::coherent(asked.unit.dimension).text,
                told: asked.unit.clone(),
                stable,
                undecided,
                rate,
                moves_alone: matches!(&found.nearby, Nearby::Rate(_, Some(state)) if *state == asked.text),
                reached: None,
                instant: None,
                along: found.along.iter().filter(|(name, _)| *name != asked.text).cloned().collect(),
                sensitivity: sensitivity.collect(),
                complete: solved.complete,
                question: at,
            });
        }
    }
    answers
}

/// Lists the laws and assumptions of a question, each once.
fn tell(model: &Model, question: &Question, solved: &Solved, out: &mut Answers) {
    let least = |source: Source| {
        let of = |found: &Found| found.margins.iter().find(|(it, _)| *it == source).map(|(_, margin)| *margin);
        solved.found.iter().filter_map(of).reduce(f64::min)
    };
    for (at, fragment) in model.fragments.iter().enumerate() {
        let told = |reason: String| Told::new(fragment.name.clone(), fragment.span, reason);
        if solved.used.contains(&at) {
            let margin = least(Source::Law(at));
            out.tell_law(told(format!("`{}` follows from it", question.text)));
            if let Some(condition) = &fragment.assumption {
                let name = format!("{}, for {}", condition.text, fragment.name);
                let reason = match margin {
                    Some(_) => "checked at every answer".to_string(),
                    None => "not checked, since there is no answer".to_string(),
                };
                put_once(&mut out.assumptions, Told { margin, ..Told::new(name, fragment.span, reason) });
            }
            continue;
        }
        let reason = match &fragment.standing {
            Standing::Left(reason) => reason.clone(),
            Standing::Chosen(of, _) => {
                let rival = solved.used.iter().find(
                    |&&used| matches!(model.fragments[used].standing, Standing::Chosen(other, _) if other == *of),
                );
                let assumes =
                    fragment.assumption.as_ref().map_or(String::new(), |it| format!("it assumes `{}`", it.text));
                match rival {
                    Some(&rival) => format!("{assumes}, which fails where `{}` holds", model.fragments[rival].name),
                    None => format!("nothing that is asked depends on it; {assumes}"),
                }
            }
            Standing::Holds => "nothing that is asked depends on it".to_string(),
        };
        out.tell_unused(told(reason));
    }
    let own = question.given.iter().enumerate().map(|(at, it)| (it, Source::Question(at)));
    let scene = model.assumptions.iter().enumerate().map(|(at, it)| (it, Source::Scene(at)));
    for (assumption, source) in own.chain(scene) {
        let margin = least(source);
        let reason = match &assumption.kind {
            AssumptionKind::Equation(_) => "one of the equations".to_string(),
            AssumptionKind::Condition(_) if margin.is_some() => "checked at every answer".to_string(),
            AssumptionKind::Condition(_) => "not checked, since there is no answer".to_string(),
            AssumptionKind::Steady(thing) => format!("rates of `{thing}` are zero"),
            AssumptionKind::Choice => "laws speak of it".to_string(),
        };
        let of_scene = matches!(source, Source::Scene(_));
        let told = Told { margin, of_scene, ..Told::new(assumption.name.clone(), assumption.span, reason) };
        put_once(&mut out.assumptions, told);
    }
    for tried in &solved.tried {
        let note = format!("tried {tried}");
        if !solved.found.is_empty() && question.sweep.is_none() && !out.notes.contains(&note) {
            out.notes.push(note);
        }
    }
}
