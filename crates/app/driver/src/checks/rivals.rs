//! Whether two transitions can hold together and disagree, so that nothing but the order of the text decides.

use std::cell::RefCell;
use std::collections::BTreeMap;

use base::{Diagnostic, Dimension};
use equations::{System, Transition};
use expr::{Expr, Point, SymbolId, evaluate, jacobian};

use super::condition::{Atom, Case, Excluded, Ground, both, cases, scaled};
use super::footprint::{Agree, Footprint, agree, footprint, same_in};
use super::plans::Concern;
use super::witness::{Wanted, find};
use super::{Answer, Finding, Survey, reached};
use simulation::WarningKind;

use crate::codes;
use crate::instance::Instance;
use crate::modes::in_mode;
use crate::trouble::measured;

/// Behind what holds with these parameters only.
const AS_IT_IS: &str = ", with the parameters as they are";

/// An answer for each pair of transitions that a mode has in common.
pub fn findings(survey: &Survey<'_>) -> Vec<Finding> {
    if survey.model.transitions.len() < 2 {
        return Vec::new();
    }
    let mut pairs: BTreeMap<(usize, usize), Finding> = BTreeMap::new();
    let reached = reached::reached(survey);
    let instance = RefCell::new(survey.instance());
    let made = survey.modes.iter().zip(&survey.stages).zip(&reached).filter(|(_, reached)| **reached);
    for ((mode, stages), _) in made {
        let Some(stages) = stages else { continue };
        let system = &stages.system;
        let transitions = &system.automaton.transitions;
        let ground = Ground::new(system);
        let prints: Vec<Footprint> = transitions.iter().map(|it| footprint(survey, system, it)).collect();
        for first in 0..transitions.len() {
            for second in first + 1..transitions.len() {
                // Where a run ends, nothing else happens: that is said, and no matter of order.
                if [first, second].iter().any(|&at| survey.model.transitions[transitions[at].number].stops) {
                    continue;
                }
                let pair = Pair {
                    survey,
                    instance: &instance,
                    mode,
                    ground: &ground,
                    prints: [&prints[first], &prints[second]],
                    both: [&transitions[first], &transitions[second]],
                };
                let key = (transitions[first].number, transitions[second].number);
                let known = pairs.get(&key).map(|finding| finding.answer);
                if known == Some(Answer::Incorrect) {
                    continue;
                }
                let finding = pair.answer();
                let limited = finding.about.ends_with(AS_IT_IS) && known == Some(finding.answer);
                if limited || known.is_none_or(|known| finding.answer < known) {
                    pairs.insert(key, finding);
                }
            }
        }
    }
    pairs.into_values().collect()
}

/// Two transitions of a mode, in the order of the text.
struct Pair<'p> {
    survey: &'p Survey<'p>,
    /// In which states are tried.
    instance: &'p RefCell<Option<Instance>>,
    mode: &'p [usize],
    ground: &'p Ground<'p>,
    prints: [&'p Footprint; 2],
    both: [&'p Transition; 2],
}

impl Pair<'_> {
    fn answer(&self) -> Finding {
        let [first, second] = self.both;
        let system = self.ground.system;
        let names = format!("{} and {}", first.name, second.name);
        let correct = |about: String| Finding::new(Answer::Correct, about);
        let as_it_is = |is: bool| if is { AS_IT_IS } else { "" };
        if self.commute() {
            return correct(format!("{names} are no concern of one another"));
        }
        let cases = self.both.map(|it| cases(&system.arena, it.guard));
        if let [Some(a), Some(b)] = &cases {
            let excluded = self.ground.excludes_all(&both(a, b));
            if excluded != Excluded::No {
                return correct(format!("{names} exclude one another{}", as_it_is(excluded == Excluded::AsItIs)));
            }
        }
        let agree = agree(self.survey, system, first, second);
        if agree != Agree::No {
            return correct(format!("{names} leave the same{}", as_it_is(agree == Agree::AsItIs)));
        }
        let [Some(a), Some(b)] = cases else { return self.unknown(&names, false) };
        let shared =
            a.iter().any(|a| b.iter().any(|b| !self.shared(a, b).is_empty() || (a.is_empty() && b.is_empty())));
        let witness = a.iter().flat_map(|a| b.iter().map(move |b| (a, b))).find_map(|(a, b)| self.witness(a, b));
        match witness {
            Some(state) => self.incorrect(&names, &state),
            None => self.unknown(&names, !shared),
        }
    }

    /// Whether neither looks at what the other changes, so that both happen, and their order does not matter.
    fn commute(&self) -> bool {
        let [first, second] = self.both;
        let [a, b] = self.prints;
        let sets = self.both.map(|it| &self.survey.model.transitions[it.number].modes);
        let torn =
            sets[0].iter().any(|(mode, value)| sets[1].iter().any(|(other, then)| mode == other && value != then));
        let apart = |a: &Footprint, b: &Footprint| a.writes.is_disjoint(&b.reads) && a.writes.is_disjoint(&b.writes);
        let stays = |one: &Transition, other: &Transition| {
            let own = self.ground.system;
            one.target == self.mode
                || self.survey.system(&one.target).is_some_and(|next| same_in(self.survey, other.number, own, next))
        };
        // What a plan chooses depends on more than the present.
        let planned = |one: &Transition, other: &Transition| {
            let system = self.ground.system;
            one.choices.is_empty() || !Concern::of(self.survey, one.number).is_touched(self.survey, system, other)
        };
        !torn
            && apart(a, b)
            && apart(b, a)
            && stays(first, second)
            && stays(second, first)
            && planned(first, second)
            && planned(second, first)
    }

    /// Margins that both have, so that both begin to hold where one of them passes zero.
    fn shared(&self, a: &Case, b: &Case) -> Vec<Expr> {
        let arena = &self.ground.system.arena;
        let normal = |atom: &Atom| scaled(arena, atom.margin);
        let common = a.iter().filter(|atom| b.iter().any(|other| normal(atom) == normal(other)));
        common.map(|atom| atom.margin).collect()
    }

    /// A state in which both begin to hold at once, and a run does the first only.
    fn witness(&self, a: &Case, b: &Case) -> Option<Point> {
        const ATTEMPTS: usize = 12;
        let system = self.ground.system;
        let all = [a.clone(), b.clone()].concat();
        let shared = self.shared(a, b);
        let begins: Vec<Option<Expr>> = match shared.is_empty() {
            true if all.is_empty() => vec![None],
            true => return None,
            false => shared.into_iter().map(Some).collect(),
        };
        for begin in begins {
            let own = begin.map(|begin| scaled(&system.arena, begin));
            let rest = all.iter().filter(|atom| Some(scaled(&system.arena, atom.margin)) != own).copied();
            let rest: Case = rest.chain(begin.and_then(|begin| growth(system, begin))).collect();
            for attempt in 0..ATTEMPTS {
                let atoms: Case = rest.iter().copied().chain(self.quiet(attempt)).collect();
                let surfaces: Vec<Expr> = begin.into_iter().collect();
                let wanted = Wanted { zeros: &self.ground.zeros, surfaces: &surfaces, atoms: &atoms };
                if let Some(point) = find(system, &wanted, attempt)
                    && self.is_told(&point, begin.is_some())
                {
                    return Some(point);
                }
            }
        }
        None
    }

    /// Inequalities that keep all other transitions from holding.
    fn quiet(&self, attempt: usize) -> Case {
        let system = self.ground.system;
        let numbers = self.both.map(|it| it.number);
        let others = system.automaton.transitions.iter().filter(|it| !numbers.contains(&it.number));
        let others = others.filter_map(|it| match cases(&system.arena, it.guard)?.as_slice() {
            [case] if !case.is_empty() => {
                let atom = case[attempt % case.len()];
                Some(Atom { margin: system.arena.negate(atom.margin), strict: !atom.strict })
            }
            _ => None,
        });
        others.collect()
    }

    /// Whether in some state both begin to hold, and the second does not hold any more after the first.
    fn is_told(&self, point: &Point, begins: bool) -> bool {
        let [first, second] = self.both;
        let mut instance = self.instance.borrow_mut();
        let Some(instance) = instance.as_mut() else { return false };
        instance.forget_warnings();
        let (t, states) = (point.get(&self.ground.system.time).copied().unwrap_or(0.0), self.states(point));
        if instance.place(t, &states).is_err() {
            return false;
        }
        let Ok(holding) = instance.holding(t) else { return false };
        let begin = |number: usize| holding.iter().any(|&(it, slope)| it == number && (!begins || slope > 0.0));
        if !begin(first.number) || !begin(second.number) {
            return false;
        }
        let next = self.survey.system(&first.target);
        let gone = next.is_some_and(|next| !next.automaton.transitions.iter().any(|it| it.number == second.number));
        if gone && first.target != second.target {
            return true;
        }
        let plans = self.both.iter().any(|it| !it.choices.is_empty());
        !plans
            && instance.resume(t, &states).is_ok()
            && instance.warnings().iter().any(|told| {
                matches!(told.kind, WarningKind::Rivals { happened, missed, .. }
                    if (happened, missed) == (first.number, second.number))
            })
    }

    /// A state as runs take it up: coordinates and speeds, quantities of the author's own, the mode, the discrete variables.
    fn states(&self, point: &Point) -> Vec<f64> {
        let system = self.ground.system;
        let mut known = point.clone();
        for coordinate in &system.coordinates {
            let guess = evaluate(&system.arena, coordinate.guess, point);
            known.entry(coordinate.symbol).or_insert(if guess.is_finite() { guess } else { 0.0 });
        }
        let value = |symbol: SymbolId| known.get(&symbol).copied().unwrap_or(0.0);
        let moving = system.coordinates.iter().map(|it| it.symbol).chain(system.speeds.iter().map(|it| it.symbol));
        let whole = moving.chain(system.automaton.carried.iter().map(|it| it.symbol)).map(value);
        let modes = self.mode.iter().map(|&value| value as f64);
        whole.chain(modes).chain(system.automaton.discrete.iter().map(|it| value(it.symbol))).collect()
    }

    fn incorrect(&self, names: &str, state: &Point) -> Finding {
        let [first, second] = self.both;
        let place = self.place(state);
        let message = format!("`{}` and `{}` can hold together and disagree", first.name, second.name);
        let diagnostic = Diagnostic::warning(codes::RIVAL_TRANSITIONS, message)
            .at(first.span, "this happens: it stands first in the text")
            .at(second.span, "this does not, for it does not hold any more afterwards")
            .note(format!("both begin to hold {place}"))
            .hint("let their conditions exclude one another, or change their order if the other should come first");
        Finding::incorrect(format!("{names} can hold together and disagree, {place}"), diagnostic)
    }

    /// `where ball.position.z = 0 m and ball.velocity.z = -1 m/s, in the mode motion = bouncing`
    fn place(&self, state: &Point) -> String {
        let system = self.ground.system;
        let guards = self.both.map(|it| it.guard);
        let symbols = system.arena.symbols_in(&guards);
        let fixed = |symbol: &&SymbolId| !system.parameters.iter().any(|parameter| parameter.symbol == **symbol);
        let described = symbols.iter().filter(fixed).filter_map(|symbol| {
            let (name, dimension) = described(system, *symbol)?;
            Some(format!("{name} = {}", measured(rounded(*state.get(symbol)?), dimension)))
        });
        let described: Vec<String> = described.collect();
        let mode = in_mode(self.survey.model, self.mode);
        let mode = if self.survey.model.modes.iter().all(|mode| mode.hidden) { String::new() } else { mode };
        match (described.is_empty(), mode.is_empty()) {
            (true, true) => "at once".to_string(),
            (true, false) => mode,
            (false, true) => format!("where {}", base::listed(&described)),
            (false, false) => format!("where {}, {mode}", base::listed(&described)),
        }
    }

    fn unknown(&self, names: &str, by_chance: bool) -> Finding {
        let about = match by_chance {
            true => format!(
                "{names} might hold together if both begin at one instant; then the first in the text happens first"
            ),
            false => format!("{names} might hold together; the first in the text happens first"),
        };
        Finding::new(Answer::Unknown, about)
    }
}

/// That a margin grows with time, if it depends on positions and time only.
fn growth(system: &System, margin: Expr) -> Option<Atom> {
    let arena = &system.arena;
    let symbols = arena.symbols_in(&[margin]);
    let unmoved = |symbol: &SymbolId| {
        system.parameters.iter().any(|it| it.symbol == *symbol)
            || system.automaton.discrete.iter().any(|it| it.symbol == *symbol)
    };
    let known = |symbol: &SymbolId| {
        *symbol == system.time || unmoved(symbol) || system.coordinates.iter().any(|it| it.symbol == *symbol)
    };
    if !symbols.iter().all(known) {
        return None;
    }
    let mut unknowns: Vec<SymbolId> = system.coordinates.iter().map(|it| it.symbol).collect();
    unknowns.push(system.time);
    let rate = |column: usize| system.coordinates.get(column).map_or(arena.one(), |coordinate| coordinate.rate);
    let parts = jacobian(arena, &[margin], &unknowns).into_iter();
    let margin =
        parts.fold(arena.zero(), |sum, (_, column, slope)| arena.add(sum, arena.multiply(slope, rate(column))));
    arena.as_number(margin).is_none().then_some(Atom { margin, strict: true })
}

/// What the author calls a symbol, and what it measures.
fn described(system: &System, symbol: SymbolId) -> Option<(String, Dimension)> {
    let coordinates = system.coordinates.iter().map(|it| (it.symbol, &it.name, it.dimension));
    let speeds = system.speeds.iter().map(|it| (it.symbol, &it.name, it.dimension));
    let variables = system.variables.iter().map(|it| (it.symbol, &it.name, it.dimension));
    let discrete = system.automaton.discrete.iter().map(|it| (it.symbol, &it.name, it.unit.dimension));
    let mut all = coordinates.chain(speeds).chain(variables).chain(discrete);
    match all.find(|(known, _, _)| *known == symbol) {
        Some((_, name, dimension)) => Some((name.clone(), dimension)),
        None => (symbol == system.time).then(|| ("t".to_string(), Dimension::TIME)),
    }
}

/// A few digits are enough for a place.
fn rounded(value: f64) -> f64 {
    if value.abs() < 1e-9 {
        return 0.0;
    }
    format!("{value:.3e}").parse().unwrap_or(value)
}
