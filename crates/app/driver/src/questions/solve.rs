//! The search for what answers a question: choices of laws are tried in the order of the text, and what one leads to is kept if all that is
//! assumed holds there. Where no choice leads to anything, the laws that stand first are given up for those behind them.

use base::Diagnostics;
use expr::{Demand, Expr, Interval, Point, Region, Roots, SymbolId, roots};
use model::{AssumptionKind, Model, Question, Standing};

use super::case::{Case, Condition, Source, formulate};
use super::choice::Choices;
use super::contradiction::contradiction;
use super::dead_end::dead_end;
use super::equations::{Contradiction, Reach, contradicted, endless, independent_reach};
use super::local::{Nearby, sensitivity, stability};
use super::text::number;
use super::uses::{Uses, deciding};
use super::{DeadEnd, Told};
use crate::checks::Case as Margins;

/// What an equality may be off by, and what a bound may be missed by, in SI units: far above rounding, far below what is meant.
const OFF: f64 = 1e-9;

/// All that was found out about one question.
#[derive(Default)]
pub struct Solved {
    pub found: Vec<Found>,
    pub dead_end: Option<DeadEnd>,
    /// Why what is held steady cannot be, if it is known to go on changing.
    pub changing: Option<String>,
    /// What takes part in the first choice of laws that was tried.
    first: TakesPart,
    /// What was tried, and why it is no answer.
    pub tried: Vec<Told>,
    pub complete: bool,
    /// Whether there were more choices of laws than were tried.
    pub given_up: bool,
    /// What would answer the question, if laws that stand before those chosen were given up.
    set_aside: Vec<SetAside>,
}

impl Solved {
    /// What takes part where something was found, each choice of laws once; or in the first choice if nothing was.
    pub fn parts(&self) -> Vec<&TakesPart> {
        let mut parts: Vec<&TakesPart> = Vec::new();
        for found in &self.found {
            if !parts.contains(&&found.part) {
                parts.push(&found.part);
            }
        }
        if parts.is_empty() { vec![&self.first] } else { parts }
    }
}

/// The equations of an answer.
#[derive(Clone, Default, PartialEq)]
pub struct TakesPart {
    /// Places among the fragments.
    pub laws: Vec<usize>,
    pub labels: Vec<String>,
    /// How many unknowns the equations determine, or leave open.
    pub unknowns: usize,
}

/// One root, with what is known of it.
pub struct Found {
    /// The columns of each asked quantity.
    pub values: Vec<Vec<f64>>,
    pub along: Vec<(String, f64)>,
    pub nearby: Nearby,
    /// For each asked quantity the change of its first column by each parameter.
    pub slopes: Option<Vec<Vec<f64>>>,
    pub margins: Vec<(Source, f64)>,
    /// What takes part in it.
    pub part: TakesPart,
}

struct SetAside {
    found: Found,
    mode: Vec<usize>,
    /// A law that stands first, and that holds there as well.
    first: usize,
}

/// One question while its choices of laws are tried.
struct Trial<'a> {
    model: &'a Model,
    question: &'a Question,
    uses: Uses,
    choices: Choices,
    solved: Solved,
}

pub fn solve(model: &Model, question: &Question, parameters: &[f64], sink: &mut Diagnostics) -> Option<Solved> {
    let solved = Solved { complete: true, ..Solved::default() };
    let (uses, choices) = (Uses::new(model, question), Choices::new(model));
    let mut trial = Trial { model, question, uses, choices, solved };
    while let Some(mode) = trial.choices.next() {
        let mut own = Diagnostics::default();
        let Some(case) = formulate(model, question, parameters, &mode, &mut own) else {
            let chosen = trial.chosen(&mode);
            if chosen.is_empty() {
                own.iter().for_each(|it| sink.report(it.clone()));
                return None;
            }
            let why = own.sorted().first().map(|it| it.message.clone()).unwrap_or_default();
            trial.note(&chosen, why);
            trial.choices.settle_all(&mode);
            continue;
        };
        if let Some(found) = contradiction(model, question, &case) {
            sink.report(found);
            return None;
        }
        trial.solve_case(&case);
    }
    trial.solved.given_up = trial.choices.is_given_up();
    trial.solved.complete &= !trial.solved.given_up;
    trial.retract();
    let mut solved = trial.solved;
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

/// Equations that determine something, with all that has to hold there.
struct Closed<'c> {
    case: &'c Case,
    reached: &'c Reach,
    conditions: Vec<&'c Condition>,
}

impl Closed<'_> {
    fn roots(&self) -> Roots {
        let case = self.case;
        let inequalities = self.conditions.iter().filter_map(|it| it.cases.as_ref().filter(|cases| cases.len() == 1));
        let inequalities = inequalities.flat_map(|cases| &cases[0]).map(|atom| (atom.margin, Interval::NOT_NEGATIVE));
        let extra = self.reached.extra.iter().map(|&row| (case.rows[row].residual, Interval::point(0.0)));
        let demands: Vec<Demand> = inequalities.chain(extra).collect();
        let rows: Vec<Expr> = self.reached.rows.iter().map(|&row| case.rows[row].residual).collect();
        let is_unknown = |symbol: &SymbolId| self.reached.unknowns.contains(symbol);
        let region: Region = case.ranges.iter().filter(|(it, _)| is_unknown(it)).map(|(&a, &b)| (a, b)).collect();
        roots(&case.system.arena, &rows, &self.reached.unknowns, &demands, &region)
    }

    fn point(&self, root: Vec<f64>) -> Point {
        let mut point: Point = self.reached.unknowns.iter().copied().zip(root).collect();
        point.extend(self.case.steady.iter().map(|&(rate, _)| (rate, 0.0)));
        point
    }

    /// How far each condition is from failing at a root, or what fails there.
    fn margins(&self, model: &Model, point: &Point) -> Result<Vec<(Source, f64)>, String> {
        let value = |expr: Expr| expr::evaluate(&self.case.system.arena, expr, point);
        for &row in &self.reached.extra {
            let off = value(self.case.rows[row].residual);
            if off.abs() > OFF {
                return Err(format!("`{}` is off by {} there", self.case.rows[row].label, number(off)));
            }
        }
        let mut margins = Vec::new();
        for condition in &self.conditions {
            let Some(cases) = &condition.cases else { continue };
            let margin = margin(cases, &value);
            // What is not determined has no value, and is told as not checked.
            if margin < -OFF || (margin <= 0.0 && is_strict(cases)) {
                return Err(format!("{} fails there by {}", words(model, condition.source), number(-margin)));
            }
            if margin.is_finite() {
                margins.push((condition.source, margin));
            }
        }
        Ok(margins)
    }
}

impl Trial<'_> {
    fn solve_case(&mut self, case: &Case) {
        let arena = &case.system.arena;
        let asked: Vec<Expr> = case.asked.iter().flatten().copied().collect();
        let rates: Vec<_> = case.steady.iter().map(|&(rate, _)| rate).collect();
        let fixed = |symbol| case.given.contains_key(&symbol) || rates.contains(&symbol);
        if let Some(found) = contradicted(arena, &case.rows, &asked, &fixed, &case.ranges) {
            self.contradicts(case, found);
            return;
        }
        let reached = independent_reach(arena, &case.rows, &asked, &fixed);
        let is_open = reached.open > 0 || reached.unknowns.contains(&case.system.time);
        // What contradicts itself elsewhere matters where nothing else explains why too little is said.
        let everything: Vec<Expr> = case.rows.iter().filter(|_| is_open).map(|row| row.residual).collect();
        if let Some(found) = contradicted(arena, &case.rows, &everything, &fixed, &case.ranges).filter(|_| is_open) {
            self.contradicts(case, found);
            return;
        }
        let (reached, laws) = if is_open {
            let laws = self.laws_of(case, &reached);
            (reached, laws)
        } else {
            self.followed(case, &asked, reached, &fixed)
        };
        let labels = self.labels(case, &reached);
        let part = TakesPart { laws: laws.clone(), labels, unknowns: reached.unknowns.len() };
        if self.solved.first.laws.is_empty() {
            self.solved.first = part.clone();
        }
        if is_open {
            // Any other law may say what is missing.
            self.choices.settle_all(&case.mode);
            self.look_for_endless(case, &reached, &fixed);
            let found = dead_end(self.model, self.question, case, &reached);
            self.note(&self.to_choose(&laws), found.message.clone());
            self.solved.dead_end.get_or_insert(found);
            return;
        }
        self.choices.settle(&deciding(self.model, &laws), &case.mode);
        let closed = Closed { case, reached: &reached, conditions: concerning(case, &laws) };
        let all = closed.roots();
        self.solved.complete &= all.complete;
        let (mut any, mut fails) = (false, Vec::new());
        for root in all.points {
            let point = closed.point(root);
            match closed.margins(self.model, &point) {
                Ok(margins) => {
                    any = true;
                    self.keep(&closed, point, margins, &part);
                }
                Err(why) => fails.push(why),
            }
        }
        if any || !self.blame(&closed, &laws, &fixed) {
            if !any && fails.is_empty() {
                fails.push("no value satisfies all equations, ranges and assumptions".to_string());
            }
            let to_choose = self.to_choose(&laws);
            fails.into_iter().for_each(|why| self.note(&to_choose, why));
        }
    }

    /// Follows the equations to what the laws assume that take part, and to what has a rate in them, as far as the equations determine it:
    /// an assumption of which nothing is known cannot be said to hold, and what may move decides whether an answer is stable.
    fn followed(
        &self,
        case: &Case,
        asked: &[Expr],
        reached: Reach,
        fixed: &dyn Fn(SymbolId) -> bool,
    ) -> (Reach, Vec<usize>) {
        let arena = &case.system.arena;
        let (mut wanted, mut laws) = (asked.to_vec(), self.laws_of(case, &reached));
        let (mut reached, mut looked_at) = (reached, Vec::new());
        loop {
            let conditions = concerning(case, &laws).into_iter().filter(|it| !matches!(it.source, Source::Scene(_)));
            let margins = conditions.map(|it| it.cases.iter().flatten().flatten().map(|atom| atom.margin).collect());
            let rows: Vec<Expr> = reached.rows.iter().map(|&row| case.open_rows[row].residual).collect();
            let used = arena.symbols_in(&rows);
            let moving = case.steady.iter().filter(|(rate, _)| used.contains(rate));
            let all: Vec<Vec<Expr>> = margins.chain(moving.map(|&(_, of)| vec![arena.symbol(of)])).collect();
            let Some(next) = all.into_iter().find(|it| !looked_at.contains(it)) else { return (reached, laws) };
            let more: Vec<Expr> = wanted.iter().chain(&next).copied().collect();
            looked_at.push(next);
            let further = independent_reach(arena, &case.rows, &more, fixed);
            if further.open == 0 && !further.unknowns.contains(&case.system.time) {
                (wanted, laws) = (more, self.laws_of(case, &further));
                reached = further;
            }
        }
    }

    /// Laws that some equations and what is asked rest on, in the order of the text.
    fn laws_of(&self, case: &Case, reached: &Reach) -> Vec<usize> {
        let mut laws = self.uses.of_rows(self.model, &self.labels(case, reached), &case.mode);
        laws.extend(self.uses.of_asked(self.model, &case.mode));
        laws.sort_unstable();
        laws.dedup();
        laws
    }

    /// Notes what is to be steady, and goes on changing.
    fn look_for_endless(&mut self, case: &Case, reached: &Reach, fixed: &dyn Fn(SymbolId) -> bool) {
        if self.question.given.iter().any(|it| matches!(it.kind, AssumptionKind::Steady(_))) {
            let found = endless(&case.system, &case.rows, &reached.unknowns, fixed, &case.ranges);
            self.solved.changing = self.solved.changing.take().or(found);
        }
    }

    /// Notes that some laws cannot hold together, whatever is chosen for the others.
    fn contradicts(&mut self, case: &Case, found: Contradiction) {
        let laws = self.uses.of_rows(self.model, &found.labels, &case.mode);
        self.note(&self.to_choose(&laws), found.message);
        self.choices.settle(&deciding(self.model, &laws), &case.mode);
    }

    /// Keeps a root; for later, if a law that stands before those chosen would hold there too.
    fn keep(&mut self, closed: &Closed<'_>, point: Point, margins: Vec<(Source, f64)>, part: &TakesPart) {
        let first = holds_first(self.model, closed.case, &point);
        let found = found_at(closed, point, margins, part);
        match first {
            Some(first) => self.solved.set_aside.push(SetAside { found, mode: closed.case.mode.clone(), first }),
            None => self.solved.found.push(found),
        }
    }

    /// Looks for single laws with which nothing can be satisfied, whatever other laws are chosen; whether there are any.
    fn blame(&mut self, closed: &Closed<'_>, laws: &[usize], fixed: &dyn Fn(SymbolId) -> bool) -> bool {
        let case = closed.case;
        let arena = &case.system.arena;
        let mut any = false;
        for law in self.to_choose(laws) {
            let name = &self.model.fragments[law].name;
            let own = case.rows.iter().filter(|row| row.label.starts_with(name.as_str())).map(|row| row.residual);
            let assumed = case.conditions.iter().filter(|it| it.source == Source::Law(law));
            let margins = assumed.flat_map(|it| it.cases.iter().flatten().flatten()).map(|atom| atom.margin);
            let speaks: Vec<Expr> = own.chain(margins).collect();
            let reached = independent_reach(arena, &case.rows, &speaks, fixed);
            if reached.open > 0 || reached.unknowns.len() >= closed.reached.unknowns.len() {
                continue;
            }
            let labels = self.labels(case, &reached);
            let mut alone = self.uses.of_rows(self.model, &labels, &case.mode);
            alone.extend(self.uses.of_assumption(self.model, law, &case.mode));
            alone.push(law);
            let smaller = Closed { case, reached: &reached, conditions: concerning(case, &alone) };
            let all = smaller.roots();
            let points: Vec<Point> = all.points.into_iter().map(|root| smaller.point(root)).collect();
            let why: Result<Vec<_>, _> =
                points.iter().map(|point| smaller.margins(self.model, point).err().ok_or(())).collect();
            if let (true, Ok(why)) = (all.complete, why) {
                let none = || "no value satisfies its equations, ranges and assumptions".to_string();
                self.note(&[law], why.into_iter().next().unwrap_or_else(none));
                self.choices.settle(&deciding(self.model, &alone), &case.mode);
                any = true;
            }
        }
        any
    }

    /// Where nothing was found, the laws that stand first are given up for those of the first choice that leads to something.
    fn retract(&mut self) {
        if !self.solved.found.is_empty() {
            self.solved.set_aside.clear();
            return;
        }
        let mut set_aside = std::mem::take(&mut self.solved.set_aside).into_iter().peekable();
        let Some(mode) = set_aside.peek().map(|it| it.mode.clone()) else { return };
        for SetAside { found, first, .. } in set_aside.take_while(|it| it.mode == mode) {
            let instead = found.part.laws.iter().find(|&&at| self.same_phenomenon(at, first)).copied().unwrap_or(first);
            let instead = &self.model.fragments[instead].name;
            self.note(&[first], format!("nothing satisfies what is asked with it, so it is given up for `{instead}`"));
            self.solved.found.push(found);
        }
        self.solved.dead_end = None;
    }

    fn same_phenomenon(&self, a: usize, b: usize) -> bool {
        let mode = |at: usize| match self.model.fragments[at].standing {
            Standing::Chosen(mode, _) => Some(mode),
            _ => None,
        };
        mode(a).is_some() && mode(a) == mode(b)
    }

    /// Tells what was tried, and why it is no answer.
    fn note(&mut self, laws: &[usize], why: String) {
        let names: Vec<&str> = laws.iter().map(|&at| self.model.fragments[at].name.as_str()).collect();
        let span = laws.first().map_or(self.question.span, |&at| self.model.fragments[at].span);
        let told = Told::new(names.join(", "), span, why);
        if !self.solved.tried.contains(&told) {
            self.solved.tried.push(told);
        }
    }

    fn labels(&self, case: &Case, reached: &Reach) -> Vec<String> {
        reached.rows.iter().chain(&reached.extra).map(|&row| case.rows[row].label.clone()).collect()
    }

    /// Those of some laws instead of which others could stand.
    fn to_choose(&self, laws: &[usize]) -> Vec<usize> {
        let is_chosen = |at: &usize| matches!(self.model.fragments[*at].standing, Standing::Chosen(..));
        laws.iter().copied().filter(is_chosen).collect()
    }

    /// The laws that the values of modes choose.
    fn chosen(&self, mode: &[usize]) -> Vec<usize> {
        let is_chosen = |at: &usize| match self.model.fragments[*at].standing {
            Standing::Chosen(of, value) => mode[of.index()] == value,
            _ => false,
        };
        (0..self.model.fragments.len()).filter(is_chosen).collect()
    }
}

/// Conditions that matter where some laws are used: theirs, and those of the scene and of the question.
fn concerning<'c>(case: &'c Case, laws: &[usize]) -> Vec<&'c Condition> {
    let concerns = |it: &&Condition| match it.source {
        Source::Law(at) => laws.contains(&at),
        Source::Scene(_) | Source::Question(_) => true,
    };
    case.conditions.iter().filter(concerns).collect()
}

/// What is known at a root.
fn found_at(closed: &Closed<'_>, point: Point, margins: Vec<(Source, f64)>, part: &TakesPart) -> Found {
    let Closed { case, reached, .. } = closed;
    let arena = &case.system.arena;
    let mut whole = point;
    whole.extend(case.given.iter().map(|(&symbol, &value)| (symbol, value)));
    let values = case.asked.iter().map(|columns| columns.iter().map(|&it| expr::evaluate(arena, it, &whole)).collect());
    let first: Vec<Expr> = case.asked.iter().map(|columns| columns[0]).collect();
    let along = reached.unknowns.iter().map(|&symbol| (arena.symbol_name(symbol).to_string(), whole[&symbol]));
    Found {
        values: values.collect(),
        along: along.collect(),
        nearby: stability(case, reached, &whole),
        slopes: sensitivity(case, reached, &whole, &first),
        margins,
        part: part.clone(),
    }
}

/// A law that stands before one of those chosen, and whose assumption holds too.
fn holds_first(model: &Model, case: &Case, point: &Point) -> Option<usize> {
    let value = |expr: Expr| expr::evaluate(&case.system.arena, expr, point);
    let mut earlier = case.conditions.iter().filter_map(|condition| {
        let Source::Law(at) = condition.source else { return None };
        let Standing::Chosen(mode, place) = model.fragments[at].standing else { return None };
        let cases = condition.cases.as_ref().filter(|_| place < case.mode[mode.index()])?;
        (margin(cases, &value) > OFF).then_some(at)
    });
    earlier.next()
}

/// How far a condition is from failing: of the case that holds best, the inequality that holds least.
fn margin(cases: &[Margins], value: &dyn Fn(Expr) -> f64) -> f64 {
    let least = |case: &Margins| case.iter().map(|atom| value(atom.margin)).fold(f64::INFINITY, f64::min);
    cases.iter().map(least).fold(f64::NEG_INFINITY, f64::max)
}

fn is_strict(cases: &[Margins]) -> bool {
    cases.iter().all(|case| case.iter().any(|atom| atom.strict))
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
