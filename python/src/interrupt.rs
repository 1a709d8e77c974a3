//! Ctrl-C: Python notes a signal, and does nothing about it until it is asked.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// So often Python is asked; it costs whatever else Python does at that moment.
const OFTEN: Duration = Duration::from_millis(50);

/// Asks Python now and then whether somebody wants to end this.
pub struct Interrupt {
    asked: Instant,
    pub raised: Option<PyErr>,
}

impl Interrupt {
    pub fn new() -> Interrupt {
        Interrupt { asked: Instant::now(), raised: None }
    }

    /// Whether to go on. The thread must not hold the interpreter.
    pub fn go_on(&mut self) -> bool {
        if self.raised.is_none() && self.asked.elapsed() > OFTEN {
            self.raised = Python::attach(|py| py.check_signals()).err();
            self.asked = Instant::now();
        }
        self.raised.is_none()
    }
}
