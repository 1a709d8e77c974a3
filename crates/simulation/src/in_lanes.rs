//! Runs side by side: each is begun and looked at by itself, and all take their steps together, each with its own step size, events and end.

use std::sync::Arc;

use kernel::{Lanes, LanesOf, Memory, protocol};

use crate::run::{Course, Row, Run, STEPS_BETWEEN_CALLS, Summary};
use crate::simulation::{Failure, Linked, Simulation};

/// Who goes on a run: a simulation that has its values and was not begun, and whoever wants its rows.
pub trait Traveller {
    fn simulation(&mut self) -> &mut Simulation;

    /// Gets each row; the simulation is as it was observed.
    fn row(&mut self, t: f64, values: &[f64]);
}

/// A program whose `advance` is there for several memories at a time.
#[derive(Clone)]
pub struct SideBySide {
    pub linked: Arc<Linked>,
    pub lanes: Arc<dyn LanesOf>,
}

/// So many trial steps are taken together before lanes whose runs have arrived get others: few, since the others wait for them.
const STEPS: i64 = 10;

/// Takes travellers to the ends of their runs, as many at a time as there are lanes, and gives a lane the next as soon as its run has ended. Each
/// has the bits that it has by itself. Those whose programs come to differ, since they reach a mode that nobody has reached before, go on alone. Where
/// `go_on` says no, those on their way get nowhere.
pub fn run_in_lanes<T: Traveller>(
    program: &SideBySide,
    run: Run,
    next: &mut dyn FnMut() -> Option<T>,
    done: &mut dyn FnMut(T, Summary, Result<(), Failure>),
    go_on: &dyn Fn() -> bool,
) {
    let mut side = Side { linked: &program.linked, lanes: program.lanes.clone().lanes(), run, go_on, done };
    let mut seats: Vec<Option<Seat<T>>> = (0..program.lanes.width()).map(|_| None).collect();
    loop {
        for (lane, seat) in seats.iter_mut().enumerate() {
            while seat.is_none() {
                let Some(traveller) = next() else { break };
                *seat = side.begin(lane, traveller);
            }
        }
        let taken = (0..seats.len()).filter(|&lane| seats[lane].is_some()).fold(0, |bits, lane| bits | 1 << lane);
        if taken == 0 || !go_on() {
            return;
        }
        side.lanes.call(taken);
        for (lane, place) in seats.iter_mut().enumerate() {
            *place = place.take().and_then(|seat| side.go_on_with(lane, seat));
        }
    }
}

/// A run that has a lane.
struct Seat<T> {
    traveller: T,
    course: Course,
    /// Trial steps since a run by itself would have been called again.
    steps: i64,
}

impl<T> Seat<T> {
    /// Whether it is time to see how the run gets on, as often as for a run by itself.
    fn is_due(&mut self) -> bool {
        self.steps = (self.steps + STEPS) % STEPS_BETWEEN_CALLS;
        self.steps == 0 && self.course.is_to_be_judged()
    }
}

struct Side<'s, T> {
    linked: &'s Arc<Linked>,
    lanes: Box<dyn Lanes>,
    run: Run,
    go_on: &'s dyn Fn() -> bool,
    done: &'s mut dyn FnMut(T, Summary, Result<(), Failure>),
}

impl<T: Traveller> Side<'_, T> {
    fn begin(&mut self, lane: usize, traveller: T) -> Option<Seat<T>> {
        let mut seat = Seat { traveller, course: Course::new(self.run), steps: 0 };
        match seat.course.begin(seat.traveller.simulation()) {
            Ok(()) => self.sit(lane, seat),
            Err(failure) => self.end(seat, Err(failure)),
        }
    }

    /// Gives a run its lane, on the way to its next row, unless it is there.
    fn sit(&mut self, lane: usize, mut seat: Seat<T>) -> Option<Seat<T>> {
        if !Arc::ptr_eq(&seat.traveller.simulation().linked, self.linked) {
            return self.alone(seat);
        }
        loop {
            let Some(target) = seat.course.target() else { return self.end(seat, Ok(())) };
            match seat.traveller.simulation().advance(target, 0) {
                Err(failure) => return self.end(seat, Err(failure)),
                Ok(true) => seat = self.arrive(seat)?,
                Ok(false) => {
                    let nothing = Memory::from_cells(Vec::new());
                    self.lanes.put(lane, std::mem::replace(&mut seat.traveller.simulation().memory, nothing));
                    self.lanes.set_argument(lane, 0, target.into());
                    self.lanes.set_argument(lane, 1, STEPS.into());
                    return Some(seat);
                }
            }
        }
    }

    /// What became of a run in a call; it keeps its lane while it is on its way.
    fn go_on_with(&mut self, lane: usize, mut seat: Seat<T>) -> Option<Seat<T>> {
        let status = self.lanes.result(lane, 0).as_integer();
        let is_due = seat.is_due();
        if status == Some(protocol::UNFINISHED) && !is_due && self.has_room(lane, &mut seat) {
            return Some(seat);
        }
        let simulation = seat.traveller.simulation();
        simulation.memory = self.lanes.take(lane).expect("a run with a lane has its memory there");
        let status = simulation.judge(status);
        let result = match simulation.advanced(status) {
            Ok(Some(true)) => return self.arrive(seat).and_then(|seat| self.sit(lane, seat)),
            Ok(Some(false)) if is_due => seat.course.judge(simulation),
            Ok(_) => Ok(()),
            Err(failure) => Err(failure),
        };
        match result {
            Ok(()) => self.sit(lane, seat),
            Err(failure) => self.end(seat, Err(failure)),
        }
    }

    /// Whether the program can keep the transitions of another call beside those that nobody took over yet: one call makes half as many as there are
    /// places, or one more.
    fn has_room(&mut self, lane: usize, seat: &mut Seat<T>) -> bool {
        let Some(cells) = &self.linked.cells.changing else { return true };
        let happened = self.lanes.cell(lane, cells.event_count) as usize;
        happened - seat.traveller.simulation().events.len() < protocol::EVENTS / 2 - 1
    }

    /// Takes the row that a run has come to; none if that was its last.
    fn arrive(&mut self, mut seat: Seat<T>) -> Option<Seat<T>> {
        seat.steps = 0;
        let simulation = seat.traveller.simulation();
        match seat.course.arrive(simulation) {
            Err(failure) => self.end(seat, Err(failure)),
            Ok(Row { t, values, is_last }) => {
                seat.traveller.row(t, &values);
                if !is_last {
                    return Some(seat);
                }
                let result = seat.traveller.simulation().end(t);
                self.end(seat, result)
            }
        }
    }

    fn end(&mut self, mut seat: Seat<T>, result: Result<(), Failure>) -> Option<Seat<T>> {
        let summary = seat.course.summary_of(seat.traveller.simulation());
        (self.done)(seat.traveller, summary, result);
        None
    }

    /// Takes a run to its end without the others.
    fn alone(&mut self, mut seat: Seat<T>) -> Option<Seat<T>> {
        while let Some(target) = seat.course.target() {
            let simulation = seat.traveller.simulation();
            let result = simulation.advance(target, STEPS_BETWEEN_CALLS).and_then(|arrived| match arrived {
                true => Ok(true),
                false if seat.course.is_to_be_judged() => seat.course.judge(simulation).map(|()| false),
                false => Ok(false),
            });
            match result {
                Err(failure) => return self.end(seat, Err(failure)),
                Ok(true) => seat = self.arrive(seat)?,
                Ok(false) if (self.go_on)() => {}
                Ok(false) => return None,
            }
        }
        self.end(seat, Ok(()))
    }
}
