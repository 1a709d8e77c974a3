//! One line on a terminal, for anything that takes longer than a moment.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

pub struct Progress {
    until: f64,
    start: Instant,
    last: Instant,
    shown: bool,
    terminal: bool,
}

/// Nothing is shown before this time has passed, nor more often than this.
const MOMENT: Duration = Duration::from_millis(700);
const OFTEN: Duration = Duration::from_millis(100);
const WIDTH: usize = 30;

impl Progress {
    pub fn new(until: f64) -> Progress {
        let now = Instant::now();
        Progress { until, start: now, last: now, shown: false, terminal: std::io::stderr().is_terminal() }
    }

    pub fn show(&mut self, t: f64) {
        let now = Instant::now();
        if !self.terminal || now - self.start < MOMENT || now - self.last < OFTEN {
            return;
        }
        self.last = now;
        self.shown = true;
        let part = (t / self.until).clamp(0.0, 1.0);
        let full = (part * WIDTH as f64).ceil() as usize;
        let bar = "█".repeat(full) + &"░".repeat(WIDTH - full);
        let _ = write!(std::io::stderr(), "\r  {bar} {:3.0} %  t = {t:.3} s", part * 100.0);
    }

    pub fn clear(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}
