//! A smaller text with the same defect.

use std::time::{Duration, Instant};

use super::mutation::tokens;
use super::trial::{Outcome, Worker};

const PATIENCE: Duration = Duration::from_secs(20);

/// Leaves out lines, then tokens, as long as the same goes wrong.
pub fn minimize(text: &str, defect: &str, worker: &mut Worker) -> String {
    let end = Instant::now() + PATIENCE;
    let mut broken = |text: &str| matches!(worker.attempt(text), Outcome::Broken(other) if other == defect);
    let lines = text.split_inclusive('\n').map(str::to_string).collect();
    let fewer_lines = shrink(lines, end, &mut broken).concat();
    shrink(tokens(&fewer_lines), end, &mut broken).concat()
}

/// Leaves out stretches of parts, long ones first (Zeller and Hildebrandt 2002, without complements).
fn shrink(mut parts: Vec<String>, end: Instant, broken: &mut impl FnMut(&str) -> bool) -> Vec<String> {
    let mut length = parts.len() / 2;
    while length > 0 {
        let mut at = 0;
        let mut shrunk = false;
        while at < parts.len() && Instant::now() < end {
            let mut fewer = parts.clone();
            fewer.drain(at..(at + length).min(parts.len()));
            if broken(&fewer.concat()) {
                parts = fewer;
                shrunk = true;
            } else {
                at += length;
            }
        }
        if !shrunk || length > 1 {
            length /= 2;
        }
    }
    parts
}
