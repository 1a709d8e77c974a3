//! Prescribed motions that are switched off while it runs: actuators that brought them about exert nothing for them any more.

use ansatz::Options;
use base::Diagnostic;

use super::instance::Instance;

/// The scene without some prescribed motions: a program of its own, which takes over the state, so that the run with all of them is the same as
/// without a studio.
pub struct Released {
    pub labels: Vec<String>,
    pub instance: Instance,
}

impl Released {
    /// Fails where the rest of the scene makes no sense without them.
    pub fn compile(main: &Instance, labels: Vec<String>) -> Result<Released, Diagnostic> {
        let options = Options { released: labels.clone(), ..main.scene.options().clone() };
        match main.variant(&options) {
            Ok(instance) => Ok(Released { labels, instance }),
            Err(error) => {
                let found = error.diagnostics().sorted();
                let first = found.iter().find(|found| found.severity == base::Severity::Error);
                Err(first.map_or_else(|| main.broken(), |first| (*first).clone()))
            }
        }
    }
}
