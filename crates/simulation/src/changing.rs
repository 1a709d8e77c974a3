//! Programs of modes: which transitions happened, what there is to warn of, and modes that are made when they are first reached.

use std::sync::Arc;

use kernel::{ArrayId, FunctionId, Layout, Memory, Module, protocol};

use crate::simulation::{Failure, FailureKind, Linked, Simulation};

/// Makes the programs of modes when they are first reached.
pub trait Linker: Send + Sync {
    /// A program that has the mode that is wanted too, and the memory of the present one in its form.
    fn link(&mut self, wanted: Wanted<'_>, present: &Arc<Linked>, memory: &Memory) -> Linking;

    /// The name of a transition.
    fn transition(&self, number: usize) -> String;
}

/// Which mode a program needs and does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'v> {
    /// That to which a transition leads, from a mode; both by their places.
    Target { mode: usize, edge: usize },
    /// That in which the plans of a mode are rehearsed.
    Rehearsal { mode: usize },
    /// That in which the mode variables have these values.
    Values(&'v [usize]),
}

/// What became of a mode that is wanted.
pub enum Linking {
    /// The program has it already.
    There,
    Grown(Arc<Linked>, Memory),
    /// It could not be made.
    Failed,
}

/// A transition that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub t: f64,
    pub name: String,
    pub number: usize,
}

/// What a run met that is no reason to end it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warning {
    pub t: f64,
    pub kind: WarningKind,
}

/// Transitions are given by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WarningKind {
    /// Two transitions that held at one instant and lead to different modes or states; the second could not happen any more after the first. It may be
    /// that it would have begun to hold a little later, by rounding.
    Rivals { happened: usize, missed: usize, by_rounding: bool },
    /// A plan that did not reach what it aimed at, because of transitions that its rehearsals did not see; so many had happened by then.
    Disturbed { plan: usize, events: usize },
    /// A phase that was to end before it began: its duration is less than nothing.
    Overdue { begins: usize, duration: f64 },
}

/// What a plan leaves with some choices, and the derivatives of that by each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub left: Vec<f64>,
    pub slopes: Vec<Vec<f64>>,
}

/// Where a search came nearest to what it was for: the choices, where it began, and what they leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest {
    pub choices: Vec<f64>,
    pub seeds: Vec<f64>,
    pub trial: Trial,
}

/// A rehearsal that did not come to its end: with which choices, why (a failure of the protocol, or one of those in `kernel::executive::plans`), and
/// when.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfinished {
    pub choices: Vec<f64>,
    pub why: i64,
    pub t: f64,
}

/// Where the arrays of programs of modes lie.
#[derive(Clone)]
pub(crate) struct ChangingCells {
    mode: usize,
    wanted: Option<usize>,
    pub changing_by: usize,
    pub event_count: usize,
    event_times: usize,
    event_transitions: usize,
    warning_count: usize,
    warning_times: usize,
    warning_kinds: usize,
    warning_transitions: usize,
    warning_values: usize,
    ignored: Option<usize>,
    is_stopped: Option<usize>,
    /// What guards, claims and transitions give.
    values: std::ops::Range<usize>,
    search: Option<SearchCells>,
}

/// Where the search for what a plan chooses stands.
#[derive(Clone)]
struct SearchCells {
    known: usize,
    ended: usize,
    ended_at: usize,
    at: usize,
    value: usize,
    value_slopes: usize,
    tried: usize,
    left: usize,
    slopes: usize,
    left_count: usize,
    /// The most choices of a plan.
    most: usize,
    begun_by: usize,
    seeds: usize,
}

impl ChangingCells {
    /// None in a program of one mode.
    pub fn find(module: &Module, layout: &Layout) -> Option<ChangingCells> {
        let cells = |name: &str| module.find_array(name).map(|array| layout.range(array));
        let first = |name: &str| cells(name).map(|cells| cells.start);
        let search = || {
            Some(SearchCells {
                known: first("search_known")?,
                ended: first("search_ended")?,
                ended_at: first("search_ended_at")?,
                at: first("search_at")?,
                value: first("search_value")?,
                value_slopes: first("search_value_slopes")?,
                tried: first("search_tried")?,
                left: first("search_left")?,
                slopes: first("search_slopes")?,
                left_count: first("search_left_count")?,
                most: cells("search_at")?.len(),
                begun_by: first("plan_begun_by")?,
                seeds: first("plan_seeds")?,
            })
        };
        Some(ChangingCells {
            mode: first(protocol::MODE)?,
            wanted: first(protocol::WANTED),
            changing_by: first(protocol::CHANGING_BY)?,
            event_count: first(protocol::EVENT_COUNT)?,
            event_times: first(protocol::EVENT_TIMES)?,
            event_transitions: first(protocol::EVENT_TRANSITIONS)?,
            warning_count: first(protocol::WARNING_COUNT)?,
            warning_times: first(protocol::WARNING_TIMES)?,
            warning_kinds: first(protocol::WARNING_KINDS)?,
            warning_transitions: first(protocol::WARNING_TRANSITIONS)?,
            warning_values: first(protocol::WARNING_VALUES)?,
            ignored: first(protocol::IGNORED),
            is_stopped: first(protocol::IS_STOPPED),
            values: cells(protocol::CHANGE_VALUES)?,
            search: search(),
        })
    }
}

impl Simulation {
    /// Takes over the events of a call that began something at an instant, and goes on if that had to wait for a mode.
    pub(crate) fn settle(&mut self, status: Result<i64, Failure>, t: f64) -> Result<(), Failure> {
        self.take_events();
        self.take_contact_events();
        if status? == protocol::MODE_WANTED {
            self.link_wanted()?;
            self.advance(t, 0)?;
        }
        Ok(())
    }

    /// Takes over the transitions that happened since the last time; a program keeps the last of them only.
    pub(crate) fn take_events(&mut self) {
        let Some(cells) = &self.linked.cells.changing else { return };
        let count = self.memory.integer(cells.event_count) as usize;
        for number in self.events.len()..count {
            let place = number & (protocol::EVENTS - 1);
            let t = self.memory.real(cells.event_times + place);
            let number = self.memory.integer(cells.event_transitions + place) as usize;
            let name = self.linker.as_ref().map_or(String::new(), |linker| linker.transition(number));
            self.events.push(Event { t, name, number });
        }
    }

    /// Goes on with the transitions that another run of the same scene has seen.
    pub fn set_events(&mut self, events: &[Event]) {
        self.events = events.to_vec();
        let Some(cells) = &self.linked.cells.changing else { return };
        self.memory.set(cells.event_count, events.len() as i64);
        for (number, event) in events.iter().enumerate() {
            let place = number & (protocol::EVENTS - 1);
            self.memory.set(cells.event_times + place, event.t);
            self.memory.set(cells.event_transitions + place, event.number as i64);
        }
    }

    /// Makes the mode that the program asks for.
    pub(crate) fn link_wanted(&mut self) -> Result<(), Failure> {
        let cells = self.linked.cells.changing.as_ref().and_then(|cells| cells.wanted);
        let Some(first) = cells else { return Err(Failure::new(FailureKind::NoProgram, 0, f64::NAN)) };
        let [mode, edge] = [first, first + 1].map(|cell| self.memory.integer(cell));
        let wanted = match usize::try_from(edge) {
            Ok(edge) => Wanted::Target { mode: mode as usize, edge },
            Err(_) => Wanted::Rehearsal { mode: mode as usize },
        };
        self.link(wanted, f64::NAN)
    }

    /// Makes the mode in which a run is to be resumed, if it is not there, and forgets what happened later.
    pub(crate) fn link_mode_of(&mut self, t: f64, states: &[f64]) -> Result<(), Failure> {
        self.contact_events.retain(|event| event.t <= t);
        if self.linked.cells.changing.is_none() {
            return Ok(());
        }
        let events: Vec<Event> = self.events.iter().filter(|event| event.t <= t).cloned().collect();
        self.set_events(&events);
        let values: Vec<usize> = states.iter().map(|&value| value as usize).collect();
        self.link(Wanted::Values(&values), t)
    }

    fn link(&mut self, wanted: Wanted<'_>, t: f64) -> Result<(), Failure> {
        match self.linker.as_mut().map(|linker| linker.link(wanted, &self.linked, &self.memory)) {
            Some(Linking::Grown(linked, memory)) => {
                (self.linked, self.memory) = (linked, memory);
                Ok(())
            }
            Some(Linking::Failed) => Err(Failure::new(FailureKind::NoProgram, 0, t)),
            Some(Linking::There) | None => Ok(()),
        }
    }

    /// When a `stop` of the scene ended the run, if one did; nothing is known of later times.
    pub fn stopped(&self) -> Option<f64> {
        let cell = self.linked.cells.changing.as_ref()?.is_stopped?;
        self.events.last().filter(|_| self.memory.integer(cell) != 0).map(|event| event.t)
    }

    /// The place of the present mode among those that were made.
    pub fn mode(&self) -> usize {
        self.linked.cells.changing.as_ref().map_or(0, |cells| self.memory.integer(cells.mode) as usize)
    }

    /// What there is to warn of so far.
    pub fn warnings(&self) -> Vec<Warning> {
        let Some(cells) = &self.linked.cells.changing else { return Vec::new() };
        let warning = |at: usize| {
            let number = |which: usize| self.memory.integer(cells.warning_transitions + 2 * at + which) as usize;
            let value = self.memory.real(cells.warning_values + at);
            let kind = match self.memory.integer(cells.warning_kinds + at) {
                protocol::RIVALS => {
                    WarningKind::Rivals { happened: number(0), missed: number(1), by_rounding: value != 0.0 }
                }
                protocol::DISTURBED => WarningKind::Disturbed { plan: number(0), events: value as usize },
                _ => WarningKind::Overdue { begins: number(0), duration: value },
            };
            Warning { t: self.memory.real(cells.warning_times + at), kind }
        };
        (0..self.memory.integer(cells.warning_count) as usize).map(warning).collect()
    }

    pub fn forget_warnings(&mut self) {
        if let Some(cells) = &self.linked.cells.changing {
            self.memory.set(cells.warning_count, 0_i64);
        }
    }

    /// Whether a claim is watched from the next start on.
    pub fn watch(&mut self, claim: usize, watched: bool) {
        if let Some(ignored) = self.linked.cells.changing.as_ref().and_then(|cells| cells.ignored) {
            self.memory.set(ignored + claim, i64::from(!watched));
        }
    }

    /// What the last call of the executive left there: margins of guards, what conditions compare.
    pub fn change_values(&self) -> Vec<f64> {
        let cells = self.linked.cells.changing.as_ref().map_or(0..0, |cells| cells.values.clone());
        self.memory.reals(cells).collect()
    }

    /// For each of so many transitions of the present mode whether its guard holds at a time within the last step, and how fast its margin grows.
    pub fn guards(&mut self, t: f64, count: usize) -> Result<Vec<(bool, f64)>, Failure> {
        let Some(look) = self.linked.entries.look else { return Ok(Vec::new()) };
        self.finish(look, &[t.into()])?;
        let values = self.change_values();
        Ok(values.chunks(3).take(count).map(|guard| (guard[2] != 0.0, guard[1])).collect())
    }

    /// Where the last step of the present mode ended; none in a program without modes.
    pub fn step_end(&mut self) -> Option<f64> {
        let function = self.linked.entries.step_end?;
        self.linked.machine.call_real(function, &[], &mut self.memory).ok()
    }

    /// What the aims of a plan would leave with some choices if it began now, with a transition of the present mode; none if its phases do not come to
    /// their ends.
    pub fn try_plan(&mut self, edge: usize, t: f64, choices: &[f64]) -> Result<Option<Trial>, Failure> {
        loop {
            let (Some(rehearse), Some(search)) = (self.linked.entries.rehearse, self.search()) else { return Ok(None) };
            self.memory.set_reals(search.tried, choices);
            let function: FunctionId = rehearse;
            match self.call(function, &[(edge as i64).into(), t.into()])? {
                protocol::MODE_WANTED => self.link_wanted()?,
                protocol::DONE => {
                    let count = self.memory.integer(search.left_count) as usize;
                    return Ok(Some(self.trial(&search, (search.left, search.slopes), (count, choices.len()))));
                }
                _ => return Ok(None),
            }
        }
    }

    /// Where the plan that a transition begins came nearest to what it aims at; none if its phases never came to their ends.
    pub fn nearest(&self, number: usize, choices: usize, goals: usize) -> Option<Nearest> {
        let search = self.search().filter(|search| self.memory.integer(search.known) != 0)?;
        let plan = self.memory.integer(search.begun_by + number) as usize;
        let reals = |first: usize| self.memory.reals(first..first + choices).collect::<Vec<f64>>();
        Some(Nearest {
            choices: reals(search.at),
            seeds: reals(search.seeds + plan * search.most),
            trial: self.trial(&search, (search.value, search.value_slopes), (goals, choices)),
        })
    }

    /// What was tried last for a plan, if that did not come to its end.
    pub fn unfinished(&self, choices: usize) -> Option<Unfinished> {
        let search = self.search()?;
        let why = self.memory.integer(search.ended);
        (why != protocol::DONE).then(|| Unfinished {
            choices: self.memory.reals(search.tried..search.tried + choices).collect(),
            why,
            t: self.memory.real(search.ended_at),
        })
    }

    fn search(&self) -> Option<SearchCells> {
        self.linked.cells.changing.as_ref()?.search.clone()
    }

    fn trial(&self, search: &SearchCells, (left, slopes): (usize, usize), (aims, choices): (usize, usize)) -> Trial {
        let slope = |aim: usize, choice: usize| self.memory.real(slopes + aim * search.most + choice);
        Trial {
            left: self.memory.reals(left..left + aims).collect(),
            slopes: (0..choices).map(|choice| (0..aims).map(|aim| slope(aim, choice)).collect()).collect(),
        }
    }

    /// One mode of this program by itself, as it is: `names` gives what an array of the mode's module may be called here, of which the first of its form
    /// is the one. It can be looked at, not run.
    pub fn of_mode(&self, module: &Module, names: impl Fn(&str) -> Vec<String>) -> Simulation {
        let whole = &self.linked.module;
        let (from, to) = (whole.layout(), module.layout());
        let mut seen = Simulation::new(module, self.linked.machine.clone());
        for id in module.array_ids() {
            let array = module.array(id);
            let is_it = |known: &ArrayId| {
                let known = whole.array(*known);
                (known.element, known.length, &known.initial) == (array.element, array.length, &array.initial)
            };
            let candidates = names(&array.name);
            let framed = candidates.iter().filter_map(|name| whole.find_array(name)).find(is_it);
            let Some(known) = framed.or_else(|| whole.find_array(&array.name)) else { continue };
            for (from, to) in from.range(known).zip(to.range(id)) {
                seen.memory.cells_mut()[to] = self.memory.cells()[from];
            }
        }
        seen
    }
}
