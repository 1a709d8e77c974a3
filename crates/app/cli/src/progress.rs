//! One line on a terminal, for anything that takes longer than a moment.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

pub struct Progress {
    /// What is counted, and to which end.
    what: &'static str,
    until: f64,
    start: Instant,
    last: Instant,
    shown: bool,
    terminal: bool,
    /// When it says next how far it is.
    told: Duration,
    /// What becomes of what is there, if somebody ends it.
    ended: &'static str,
}

/// Nothing is shown before this time has passed, nor more often than this.
const MOMENT: Duration = Duration::from_millis(700);
const OFTEN: Duration = Duration::from_millis(100);
/// After this time people wonder.
const LONG: Duration = Duration::from_secs(5);
const WIDTH: usize = 30;

impl Progress {
    pub fn new(what: &'static str, until: f64) -> Progress {
        let now = Instant::now();
        Progress {
            what,
            until,
            start: now,
            last: now,
            shown: false,
            terminal: std::io::stderr().is_terminal(),
            told: LONG,
            ended: "ends it and keeps what is there",
        }
    }

    /// For what is of no use before its end.
    pub fn whole(self) -> Progress {
        Progress { ended: "ends it", ..self }
    }

    pub fn show(&mut self, t: f64) {
        let now = Instant::now();
        self.tell(t, now - self.start);
        if !self.terminal || now - self.start < MOMENT || now - self.last < OFTEN {
            return;
        }
        self.last = now;
        self.shown = true;
        let part = (t / self.until).clamp(0.0, 1.0);
        let full = (part * WIDTH as f64).ceil() as usize;
        let bar = "█".repeat(full) + &"░".repeat(WIDTH - full);
        let _ = write!(std::io::stderr(), "\r  {bar} {:3.0} %  {} {t:.3}", part * 100.0, self.what);
    }

    /// Says, ever more rarely, how far a long run is and when it would end.
    fn tell(&mut self, t: f64, elapsed: Duration) {
        if !self.terminal || elapsed < self.told {
            return;
        }
        self.told = elapsed.max(self.told) * 4;
        self.clear();
        let left = elapsed.as_secs_f64() * (self.until - t) / t;
        let end =
            if t > 0.0 { format!("at this pace it ends in {}", duration(left)) } else { "no end is in sight".into() };
        let at = crate::table::time_text(t);
        let so_far = duration(elapsed.as_secs_f64());
        crate::render::say(&format!(
            "  {} {at} of {} after {so_far}; {end}; Ctrl-C {}",
            self.what, self.until, self.ended
        ));
    }

    pub fn clear(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

/// `12 s`, `3 minutes`, `5 days`.
fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] =
        [(3.156e7, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (0.0, "s")];
    let (size, unit) = UNITS.into_iter().find(|(size, _)| seconds >= 2.0 * size).unwrap_or(UNITS[4]);
    let count = if size > 0.0 { seconds / size } else { seconds };
    if count < 1e6 { format!("{count:.0} {unit}") } else { format!("{count:.0e} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_are_short_words() {
        assert_eq!(
            [3.2, 150.0, 8000.0, 4e5, 1e9, 1e20].map(duration),
            ["3 s", "2 minutes", "2 hours", "5 days", "32 years", "3e12 years"]
        );
    }
}
