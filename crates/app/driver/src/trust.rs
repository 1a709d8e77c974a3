//! Until when the rows of a run through impacts can be trusted.
//!
//! Where an edge strikes a floor, or a ball a ball, what is off before the impact is off by more after it. Laws and instants are as exact as
//! ever, and yet after a dozen impacts nothing may be left of sixteen digits: what a run then shows is one motion of many. No bound on
//! errors tells whether that is so here; a second run does.

use std::ops::ControlFlow;

use base::Diagnostic;
use simulation::{Failure, Run, Simulation, Summary};

use crate::codes;
use crate::failure::number;
use crate::instance::Instance;

/// Fewer impacts than these leave digits of what a tolerance allows: each takes one at most where things clatter, and few others lose any.
// Test: what_clatters_is_told_apart_from_what_bounces
const IMPACTS: usize = 8;
/// The two runs are compared at so many instants at most: a report of when they part needs two digits.
const INSTANTS: usize = 100;
/// Two runs are apart where a state differs by more than this part of the most that it ever is.
const APART: f64 = 1e-3;
/// A state that is always smaller than this part of the largest counts as being that large, because rounding leaves something of nothing.
const LITTLE: f64 = 1e-2;
/// The second run may err by this much more, so that it takes other steps: their difference is about as large as the error of the second.
const COARSER: f64 = 2.0;

/// The states of a run at some of its rows.
pub(crate) struct Course {
    /// One row of so many is kept.
    every: usize,
    seen: usize,
    kept: Vec<(f64, Vec<f64>)>,
}

impl Course {
    /// Nothing where no impact can happen by itself. Steps of a fixed length have their own report.
    pub fn new(instance: &Instance, run: Run) -> Option<Course> {
        let touches = instance.stages().system.contacts.is_some() && instance.contact_steps().is_none();
        let rows = (run.until / run.every).ceil().max(1.0) as usize;
        touches.then(|| Course { every: rows.div_ceil(INSTANTS), seen: 0, kept: Vec::new() })
    }

    /// Looks at a simulation as it was observed.
    pub fn look(&mut self, simulation: &mut Simulation, t: f64) {
        if self.seen.is_multiple_of(self.every) {
            // What cannot be told here is not compared.
            self.kept.extend(simulation.states().ok().map(|states| (t, states)));
        }
        self.seen += 1;
    }

    /// A warning where a second run parts from the first.
    pub fn warning(
        &self,
        instance: &Instance,
        run: Run,
        summary: &Summary,
        progress: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Option<Diagnostic> {
        let impacts: usize = instance.contact_rests().iter().map(|rest| rest.impacts).sum();
        if impacts < IMPACTS {
            return None;
        }
        // A second run that ends with a failure tells nothing of the first.
        let (good, bad) = self.part(instance, run, summary, progress).ok()??;
        let message = format!(
            "what this run shows after t = {} s is one motion of many: a second run, which may err by twice as much, is elsewhere at t = {} s",
            number(good),
            number(bad)
        );
        let span = instance.stages().system.contacts.as_ref()?.pairs.first()?.span;
        let warning =
            Diagnostic::warning(codes::DIGITS_LOST, message).at(span, "its impacts multiply what is off before them");
        Some(
            warning
                .note("laws, energy and gaps are as exact as before; which of the motions comes about hangs on rounding")
                .hint(
                    "trust what happens until then, and after it only what many runs have in common; a tighter `--tolerance` puts it off, but \
                     not by much",
                ),
        )
    }

    /// The last instant at which a second run was where the first was, and the one after it.
    fn part(
        &self,
        instance: &Instance,
        run: Run,
        summary: &Summary,
        mut progress: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Option<(f64, f64)>, Failure> {
        let allowed = self.allowed();
        let mut beside = beside(instance, run)?;
        let mut apart: Option<(f64, f64)> = None;
        let mut before = 0.0;
        for (t, states) in &self.kept {
            while !beside.advance(*t, 1000)? {
                if progress(summary.time).is_break() {
                    return Ok(None);
                }
            }
            beside.observe(*t)?;
            let others = beside.states()?;
            let differs =
                states.iter().zip(&others).zip(&allowed).any(|((one, other), most)| (one - other).abs() > *most);
            // Speeds leap in an impact, so a row between the same impact of both runs would tell them apart; two in succession do not lie.
            match (differs, apart) {
                (true, Some(found)) => return Ok(Some(found)),
                (true, None) => apart = Some((before, *t)),
                (false, _) => apart = None,
            }
            before = *t;
        }
        Ok(apart)
    }

    /// How far apart each state may be.
    fn allowed(&self) -> Vec<f64> {
        let width = self.kept.iter().map(|(_, states)| states.len()).min().unwrap_or(0);
        let peak = |at: usize| self.kept.iter().fold(0.0_f64, |peak, (_, states)| peak.max(states[at].abs()));
        let peaks: Vec<f64> = (0..width).map(peak).collect();
        let least = LITTLE * peaks.iter().fold(0.0_f64, |most, peak| most.max(*peak));
        peaks.into_iter().map(|peak| APART * peak.max(least)).collect()
    }
}

/// Another instance of a run, at a coarser tolerance and, where states are all that a start is made of, a last digit beside it: what flies
/// freely between impacts has no error that a tolerance would allow, but rounding.
fn beside(instance: &Instance, run: Run) -> Result<Instance, Failure> {
    let mut beside = instance.again();
    beside.configure(COARSER * run.tolerance, run.until)?;
    beside.initialize()?;
    if instance.has_modes() || !instance.stages().model.delays.is_empty() {
        return Ok(beside);
    }
    beside.observe(0.0)?;
    let mut states = beside.states()?;
    for (at, state) in states.iter_mut().enumerate() {
        *state *= 1.0 + f64::EPSILON * if at % 2 == 0 { 1.0 } else { -1.0 };
    }
    beside.resume(0.0, &states)?;
    Ok(beside)
}
