//! Pacing: when the next frame is due, and how fast the run really is.

use std::collections::VecDeque;
use std::time::Duration;

use host::Instant;

/// Frames in a second.
pub const RATE: f64 = 60.0;

/// Over how long the achieved speed is measured.
const WINDOW: Duration = Duration::from_millis(1000);

pub struct Pace {
    due: Instant,
    /// When which simulated time was reached.
    reached: VecDeque<(Instant, f64)>,
}

impl Pace {
    pub fn new() -> Pace {
        Pace { due: Instant::now(), reached: VecDeque::new() }
    }

    /// Starts anew: the next frame is due now, and nothing is known of the speed.
    pub fn restart(&mut self) {
        *self = Pace::new();
    }

    pub fn wait(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// A frame at this simulated time is done. Time that was lost is lost: a slow run does not hurry afterwards.
    pub fn done(&mut self, t: f64) {
        let now = Instant::now();
        self.due = (self.due + Duration::from_secs_f64(1.0 / RATE)).max(now);
        self.reached.push_back((now, t));
        while self.reached.front().is_some_and(|(then, _)| now - *then > WINDOW) && self.reached.len() > 2 {
            self.reached.pop_front();
        }
    }

    /// Simulated seconds in a second.
    pub fn achieved(&self) -> Option<f64> {
        let ((first, from), (last, to)) = (self.reached.front()?, self.reached.back()?);
        let wall = (*last - *first).as_secs_f64();
        (wall > 0.1).then(|| (to - from) / wall)
    }
}
