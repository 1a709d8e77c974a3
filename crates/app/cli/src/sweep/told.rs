//! What is said of a sweep when it is over: which runs failed, when and why, and what others met.

use super::design::Design;
use super::journal::Kept;
use crate::render;
use crate::table::time_text;

/// More failures are counted, not told.
const FEW: usize = 5;

#[derive(Default)]
pub struct Tally {
    pub failures: usize,
    /// The first of them: the run, how far it got, the code and the message.
    first: Vec<(usize, Option<f64>, [String; 2])>,
    /// For each code how many runs were warned, which was the first, and what was said there.
    warnings: Vec<(String, usize, usize, String)>,
}

impl Tally {
    pub fn count(&mut self, kept: &Kept) {
        if let Some(told) = &kept.failure {
            self.failures += 1;
            if self.first.len() < FEW {
                self.first.push((kept.run, kept.rows.last().map(|row| row[0]), told.clone()));
            }
        }
        for (at, [code, message]) in kept.warnings.iter().enumerate() {
            if kept.warnings[..at].iter().any(|[before, _]| before == code) {
                continue;
            }
            match self.warnings.iter_mut().find(|(known, ..)| known == code) {
                Some((_, count, ..)) => *count += 1,
                None => self.warnings.push((code.clone(), 1, kept.run, message.clone())),
            }
        }
    }

    pub fn tell(&self, design: &Design) {
        for (code, count, run, message) in &self.warnings {
            let runs = base::counted(*count, "run", "runs");
            render::say(&format!("warning[{code}]: in {runs}, first in run {run} ({}): {message}", design.told(*run)));
        }
        if self.failures == 0 {
            return;
        }
        let runs = base::counted(self.failures, "run", "runs");
        render::say(&format!("{runs} of {} failed; the others stand", design.runs));
        for (run, reached, [code, message]) in &self.first {
            let when =
                reached.map_or("before it began".to_string(), |t| format!("after its row at t = {} s", time_text(t)));
            render::say(&format!("  run {run} ({}), {when}: error[{code}]: {message}", design.told(*run)));
        }
        if self.failures > self.first.len() {
            render::say(&format!("  and {} more; the column `failed` has the codes", self.failures - self.first.len()));
        }
    }
}
