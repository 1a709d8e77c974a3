//! Whether what a plan aims at can be disturbed by what its rehearsals do not foresee: other plans, and controls that are moved.

use base::Diagnostic;
use equations::{Level, System, Transition};
use expr::{Alike, Demand, Expr, Interval, Point, carry, evaluate};
use simulation::WarningKind;

use super::condition::{Atom, Case, Excluded, Ground, cases};
use super::footprint::{NameSet, footprint, names, same_in, spread};
use super::{Answer, Finding, Survey, reached};
use crate::codes;
use crate::modes::in_mode;
use crate::trouble::strangers;

/// An answer for each plan and each transition that it does not foresee.
pub fn findings(survey: &Survey<'_>) -> Vec<Finding> {
    let transitions = survey.model.transitions.iter().enumerate();
    let plans: Vec<usize> = transitions.filter(|(_, it)| !it.choices.is_empty()).map(|(number, _)| number).collect();
    plans.into_iter().flat_map(|plan| of_plan(survey, plan)).collect()
}

fn of_plan(survey: &Survey<'_>, plan: usize) -> Vec<Finding> {
    let model = survey.model;
    let name = model.transitions[plan].name.trim_end_matches(".begin");
    let concern = Concern::of(survey, plan);
    let mut findings = Vec::new();
    let mut as_it_is = false;
    for (number, other) in model.transitions.iter().enumerate().filter(|(number, _)| *number != plan) {
        // A plan that begins meanwhile, and what follows from it; else a transition that a hand may bring about.
        let own = model.transitions[plan].phases.contains(&number);
        let of_plan = model.transitions.iter().any(|it| !it.choices.is_empty() && it.phases.contains(&number));
        let begins = !other.choices.is_empty();
        let by_hand = !begins && concern.depends_on_controls(survey, number);
        if own || of_plan || !(begins || by_hand) {
            continue;
        }
        let excluded = concern.excludes(survey, number);
        as_it_is |= excluded == Excluded::AsItIs;
        if excluded != Excluded::No {
            continue;
        }
        let both: Vec<usize> = std::iter::once(number).chain(other.phases.iter().copied()).collect();
        let touches = concern.systems(survey).any(|(_, system)| {
            let transitions = system.automaton.transitions.iter().filter(|it| both.contains(&it.number));
            transitions.into_iter().any(|it| concern.is_touched(survey, system, it))
        });
        findings.push(match touches {
            false => Finding::new(Answer::Correct, format!("{} is no concern of {name}", other.name)),
            true if by_hand => {
                let about = format!("{name} may be disturbed by {}, if a control is moved meanwhile", other.name);
                Finding::new(Answer::Unknown, about)
            }
            true => disturbed(survey, plan, number).unwrap_or_else(|| {
                let about = format!("{name} may be disturbed by {}, if that begins meanwhile", other.name);
                Finding::new(Answer::Unknown, about)
            }),
        });
    }
    if !findings.iter().any(|finding| finding.answer != Answer::Correct) {
        let as_it_is = if as_it_is { ", with the parameters as they are" } else { "" };
        let about = format!("nothing that {name} does not foresee disturbs it{as_it_is}");
        findings = vec![Finding::new(Answer::Correct, about)];
    }
    findings
}

/// All that the outcome of a plan depends on while it is under way.
pub struct Concern {
    plan: usize,
    phases: Vec<usize>,
    names: NameSet,
}

impl Concern {
    pub fn of(survey: &Survey<'_>, plan: usize) -> Concern {
        let phases = survey.model.transitions[plan].phases.clone();
        let mut concern = Concern { plan, phases, names: NameSet::new() };
        for (_, system) in concern.systems(survey) {
            for transition in system.automaton.transitions.iter().filter(|it| concern.phases.contains(&it.number)) {
                concern.names.extend(footprint(survey, system, transition).reads);
            }
        }
        loop {
            let before = concern.names.len();
            for (_, system) in concern.systems(survey) {
                let mut names = concern.names.clone();
                spread_motion(system, &mut names);
                // Whatever else happens is foreseen, so what that looks at counts too.
                let foreseen = system.automaton.transitions.iter();
                let foreseen = foreseen.filter(|it| it.choices.is_empty() && !concern.phases.contains(&it.number));
                for other in foreseen.filter(|it| concern.is_touched(survey, system, it)) {
                    names.extend(footprint(survey, system, other).reads);
                }
                concern.names = names;
            }
            if concern.names.len() == before {
                return concern;
            }
        }
    }

    /// The modes in which the plan is under way.
    fn systems<'s>(&self, survey: &'s Survey<'_>) -> impl Iterator<Item = (&'s Vec<usize>, &'s System)> + use<'s> {
        let phases = self.phases.clone();
        survey.systems().filter(move |(_, system)| {
            system.automaton.transitions.iter().any(|transition| phases.contains(&transition.number))
        })
    }

    /// Whether a transition cannot happen while the plan is under way.
    fn excludes(&self, survey: &Survey<'_>, number: usize) -> Excluded {
        let found = self.systems(survey).filter_map(|(_, system)| {
            let it = system.automaton.transitions.iter().find(|it| it.number == number)?;
            let cases = cases(&system.arena, it.guard);
            Some(cases.map_or(Excluded::No, |cases| Ground::new(system).excludes_all(&cases)))
        });
        found.min().unwrap_or(Excluded::Always)
    }

    fn depends_on_controls(&self, survey: &Survey<'_>, number: usize) -> bool {
        self.systems(survey).any(|(_, system)| {
            let found = system.automaton.transitions.iter().find(|it| it.number == number);
            let symbols = found.map(|it| system.arena.symbols_in(&[it.guard])).unwrap_or_default();
            system.controls.iter().any(|control| symbols.contains(&control.symbol))
        })
    }

    /// Whether a transition changes anything that the outcome depends on: states, or the laws that they follow.
    pub fn is_touched(&self, survey: &Survey<'_>, system: &System, by: &Transition) -> bool {
        if !footprint(survey, system, by).writes.is_disjoint(&self.names) {
            return true;
        }
        let before = mode_of(system);
        let changed: Vec<usize> = (0..before.len()).filter(|&at| before[at] != by.target[at]).collect();
        let own = [(survey.system(&before), survey.system(&by.target))];
        // What it sets may last until the plan is under way.
        let later = self.systems(survey).filter(|(mode, _)| changed.iter().all(|&at| mode[at] == before[at]));
        let later = later.map(|(mode, system)| {
            let mut then = mode.clone();
            changed.iter().for_each(|&at| then[at] = by.target[at]);
            (Some(system), survey.system(&then))
        });
        !changed.is_empty()
            && own.into_iter().chain(later).any(|pair| match pair {
                // A mode that is never reached disturbs nothing.
                (Some(one), Some(other)) => !self.goes_alike(survey, one, other),
                _ => false,
            })
    }

    fn goes_alike(&self, survey: &Survey<'_>, one: &System, other: &System) -> bool {
        let own = |it: &&Transition| self.phases.contains(&it.number) || it.number == self.plan;
        let mut ours = one.automaton.transitions.iter().filter(own);
        ours.all(|it| same_in(survey, it.number, one, other)) && self.moves_alike(one, other)
    }

    /// Whether what the plan depends on follows the same laws in two modes.
    fn moves_alike(&self, one: &System, other: &System) -> bool {
        let mut alike = Alike::new(&one.arena, &other.arena);
        let of = |system: &System, rows: Vec<Expr>| -> Vec<((), Expr)> {
            let fixed = fixed(system);
            let concerned = |row: &Expr| names(system, &[*row]).difference(&fixed).any(|it| self.names.contains(it));
            rows.into_iter().filter(concerned).map(|row| ((), row)).collect()
        };
        let motion = |system: &System| of(system, system.motion.iter().map(|row| row.residual).collect());
        let kept = |system: &System| of(system, constraints(system));
        let laws = |system: &System| of(system, system.laws.iter().map(|law| law.residual).collect());
        alike.are_all(&motion(one), &motion(other))
            && alike.are_all(&kept(one), &kept(other))
            && alike.are_all(&laws(one), &laws(other))
    }
}

/// A constraint at all of its levels.
fn constraints(system: &System) -> Vec<Expr> {
    let levels = [Level::Position, Level::Velocity, Level::Acceleration];
    levels.into_iter().flat_map(|level| system.constraints_at(level)).map(|(_, residual)| residual).collect()
}

/// Adds whatever moves together with what is there. Numbers that stay fixed tie nothing together.
fn spread_motion(system: &System, all: &mut NameSet) {
    let arena = &system.arena;
    let fixed = fixed(system);
    let motion = system.motion.iter().map(|row| row.residual).chain(constraints(system));
    let motion = motion.chain(system.laws.iter().map(|law| law.residual));
    let motion: Vec<NameSet> = motion.map(|row| names(system, &[row])).collect();
    let rates = system.coordinates.iter().map(|it| names(system, &[arena.symbol(it.symbol), it.rate]));
    let speeds =
        system.speeds.iter().map(|it| names(system, &[arena.symbol(it.symbol), arena.symbol(it.acceleration)]));
    // x' moves x.
    let primed = motion
        .iter()
        .flatten()
        .filter_map(|name| Some(NameSet::from([name.clone(), name.strip_suffix('\'')?.to_string()])));
    let primed: Vec<NameSet> = primed.collect();
    let whole: Vec<NameSet> = motion.into_iter().chain(rates).chain(speeds).chain(primed).collect();
    let moving: Vec<NameSet> = whole.iter().map(|tie| tie.difference(&fixed).cloned().collect()).collect();
    spread(all, &moving);
    for (tie, moving) in whole.iter().zip(&moving) {
        if !moving.is_disjoint(all) {
            all.extend(tie.iter().cloned());
        }
    }
}

/// Numbers that stay fixed between transitions, and the time.
fn fixed(system: &System) -> NameSet {
    let symbols = system.parameters.iter().map(|it| it.symbol).chain(system.controls.iter().map(|it| it.symbol));
    let symbols = symbols.chain(system.automaton.discrete.iter().map(|it| it.symbol)).chain([system.time]);
    let fixed: Vec<Expr> = symbols.map(|symbol| system.arena.symbol(symbol)).collect();
    names(system, &fixed)
}

/// The mode that a system was formulated for.
fn mode_of(system: &System) -> Vec<usize> {
    system.automaton.modes.iter().map(|mode| mode.value).collect()
}

/// That another plan certainly begins while a plan is under way, if that can be shown: from wherever the plan begins, or from the mode
/// in which the scene starts.
fn disturbed(survey: &Survey<'_>, plan: usize, other: usize) -> Option<Finding> {
    let begins = survey.systems().filter_map(|(mode, system)| {
        let begin = system.automaton.transitions.iter().find(|it| it.number == plan)?;
        Some((mode, system, begin))
    });
    let found: Vec<(&Vec<usize>, Option<When>)> =
        begins.map(|(mode, system, begin)| (mode, certain(survey, (system, begin), other))).collect();
    let always = found.iter().all(|(_, when)| when.is_some());
    let (mode, when) = found.iter().find(|(mode, when)| when.is_some() && (always || **mode == survey.modes[0]))?;
    let when = when.as_ref()?;
    if !is_missed(survey, plan, other) {
        return None;
    }
    let (own, by) = (&survey.model.transitions[plan], &survey.model.transitions[other]);
    let (name, by_name) = (own.name.trim_end_matches(".begin"), by.name.trim_end_matches(".begin"));
    let message = format!("`{name}` is disturbed: `{by_name}` begins before it has reached what it aims at");
    let mut diagnostic = Diagnostic::warning(codes::PLAN_DISTURBED, message)
        .at(own.span, "chosen without knowing of it")
        .at(by.span, when.words());
    if !always {
        diagnostic = diagnostic.note(format!("if `{name}` begins {}", in_mode(survey.model, mode)));
    }
    let hint = format!("let the condition of `{by_name}` wait for the end of `{name}`, or let both be one plan");
    let about = format!("{name} is disturbed by {by_name}: {}", when.words());
    Some(Finding::incorrect(about, diagnostic.hint(hint)))
}

/// Whether in a run from the start a plan misses its aims after another has begun. That another begins is no proof that it does harm.
fn is_missed(survey: &Survey<'_>, plan: usize, other: usize) -> bool {
    // Seconds, and steps: a plan that nobody has disturbed by then is taken to be left alone.
    const LONG: f64 = 1000.0;
    const STEPS: i64 = 20_000;
    let Some(mut instance) = survey.instance() else { return false };
    if instance.configure(survey.options.tolerance, LONG).is_err() || instance.initialize().is_err() {
        return false;
    }
    let last = survey.model.transitions[plan].phases.last();
    for _ in 0..STEPS {
        for warning in instance.warnings() {
            if let WarningKind::Disturbed { plan: it, events } = warning.kind
                && it == plan
            {
                return strangers(&survey.model.transitions[plan], plan, &instance.events[..events]).contains(&other);
            }
        }
        if instance.events.iter().any(|event| Some(&event.number) == last)
            || !matches!(instance.advance(LONG, 1), Ok(false))
        {
            return false;
        }
    }
    false
}

/// When another plan begins.
enum When {
    AtOnce,
    /// At the latest when this phase, counted from one, ends.
    Before(usize),
}

impl When {
    fn words(&self) -> String {
        match self {
            When::AtOnce => "it begins at once, for its condition holds where the other has just begun".to_string(),
            When::Before(phase) => format!("its condition holds at the end of phase {phase} at the latest"),
        }
    }
}

/// Whether another plan begins for certain after a plan has begun from some mode.
fn certain(survey: &Survey<'_>, (system, begin): (&System, &Transition), other: usize) -> Option<When> {
    let mut now = begin;
    let mut from = system;
    let mut elapsed = reached::earliest(system, begin.guard);
    for (phase, &end) in begin.phases.iter().enumerate() {
        let next = survey.system(&now.target)?;
        let guard = next.automaton.transitions.iter().find(|it| it.number == other)?;
        if !is_left_alone(survey, next, guard, begin) {
            return None;
        }
        let found = cases(&next.arena, guard.guard)?;
        // What stands first in the text happens first.
        let first = from.automaton.transitions.iter().any(|it| it.number == other && other < begin.number);
        if phase == 0 && !first && found.iter().any(|case| holds_after(from, now, next, case)) {
            return Some(When::AtOnce);
        }
        let name = survey.model.transitions[begin.number].name.trim_end_matches(".begin");
        elapsed += duration(from, now, &format!("{name}.{} due", phase + 1));
        let ended = next.automaton.transitions.iter().find(|it| it.number == end)?;
        if found.iter().any(|case| holds_before(next, ended, elapsed, case)) {
            return Some(When::Before(phase + 1));
        }
        (from, now) = (next, ended);
    }
    None
}

/// Whether nothing but the plan itself can come between, and keep the other from beginning.
fn is_left_alone(survey: &Survey<'_>, system: &System, other: &Transition, plan: &Transition) -> bool {
    let reads = footprint(survey, system, other).reads;
    let mut rest = system.automaton.transitions.iter();
    rest.all(|it| {
        let own = plan.phases.contains(&it.number) || it.number == plan.number || it.number == other.number;
        let next = survey.system(&it.target);
        let same = || next.is_some_and(|next| same_in(survey, other.number, system, next));
        own || (footprint(survey, system, it).writes.is_disjoint(&reads) && same())
    })
}

/// How long a phase lasts at least, after a transition.
fn duration(system: &System, before: &Transition, due: &str) -> f64 {
    let Some((_, ends)) = before.stores.iter().find(|(at, _)| system.automaton.discrete[*at].name == due) else {
        return 0.0;
    };
    let lasts = system.arena.subtract(*ends, system.arena.symbol(system.time));
    let point: Point = system.parameters.iter().map(|it| (it.symbol, it.default)).collect();
    let lasts = evaluate(&system.arena, lasts, &point);
    if lasts.is_finite() { lasts.max(0.0) } else { 0.0 }
}

/// Whether all of a case holds in whichever state a transition leaves.
fn holds_after(system: &System, transition: &Transition, next: &System, case: &Case) -> bool {
    let arena = &system.arena;
    let Some(before) = cases(arena, transition.guard) else { return false };
    let ground = Ground::new(system);
    let positions = equations::settle(arena, &transition.positions).after;
    let velocities = equations::settle(arena, &transition.velocities).after;
    let stands_for = |symbol: expr::SymbolId| {
        let coordinate = next.coordinates.iter().position(|it| it.symbol == symbol).map(|at| positions[at]);
        let speed = || next.speeds.iter().position(|it| it.symbol == symbol).map(|at| velocities[at]);
        let parameter = || {
            let at = next.parameters.iter().position(|it| it.symbol == symbol)?;
            Some(arena.symbol(system.parameters[at].symbol))
        };
        let discrete = || {
            let at = next.automaton.discrete.iter().position(|it| it.symbol == symbol)?;
            let stored = transition.stores.iter().find(|(place, _)| *place == at).map(|&(_, value)| value);
            Some(stored.unwrap_or(arena.symbol(system.automaton.discrete[at].symbol)))
        };
        let time = || (symbol == next.time).then(|| arena.symbol(system.time));
        coordinate.or_else(speed).or_else(parameter).or_else(discrete).or_else(time)
    };
    let certain = |atom: &Atom| {
        let margin = carry(&next.arena, atom.margin, arena, stands_for)?;
        let denied = Atom { margin: arena.negate(margin), strict: !atom.strict };
        Some(before.iter().all(|case| {
            let case: Case = case.iter().copied().chain([denied]).collect();
            ground.excludes(&case, &[]) != Excluded::No
        }))
    };
    case.iter().all(|atom| certain(atom) == Some(true))
}

/// Whether all of a case holds, and with some room, where a phase has reached its aims: then it began to hold before.
fn holds_before(system: &System, end: &Transition, elapsed: f64, case: &Case) -> bool {
    // Seconds: located instants are certain to less.
    const MOMENT: f64 = 1e-9;
    let arena = &system.arena;
    let ground = Ground::new(system);
    let met = end.aims.iter().map(|aim| (aim.residual, Interval::point(0.0)));
    let late = (arena.symbol(system.time), Interval::new(elapsed - MOMENT, f64::INFINITY));
    let facts: Vec<Demand> = met.chain([late]).collect();
    case.iter().all(|atom| {
        let denied = Atom { margin: arena.negate(atom.margin), strict: false };
        ground.excludes(&[denied], &facts) != Excluded::No
    })
}
