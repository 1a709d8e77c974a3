//! Probes: any expressions of the language, computed from what is recorded and from every new row.
//!
//! They have a program of their own, which is given each state and observes it, so that the run itself is not touched.

use ansatz::{Error, Options};

use super::instance::Instance;
use crate::describe::{Places, diagnostic, series};
use crate::protocol::{Diagnostic, Plot};

pub struct Probes {
    pub expressions: Vec<String>,
    instance: Instance,
}

impl Probes {
    /// The program of some expressions, or what is wrong with the last of them.
    pub fn compile(main: &Instance, expressions: &[String]) -> Result<Probes, Vec<Diagnostic>> {
        let parts: Vec<String> = expressions.iter().flat_map(|list| driver::split_list(list)).collect();
        let options = Options { probes: parts, picture: false, ..main.scene.options().clone() };
        let mut instance = main.variant(&options).map_err(|error| complaints(&error))?;
        instance.agree_with(main);
        // What follows from the state is sought from where it was; a start that fails will be found again.
        let _ = instance.begin();
        Ok(Probes { expressions: expressions.to_vec(), instance })
    }

    /// How many numbers they add to a row.
    pub fn count(&self) -> usize {
        self.instance.stages.program.outputs.len()
    }

    /// The values at a state of the run; not finite where there is no value.
    pub fn values(&mut self, main: &Instance, row: &[f64]) -> Vec<f64> {
        self.instance.agree_with(main);
        let t = row[0];
        let states = self.instance.translate(&main.columns, main.states(row));
        let values = self.instance.simulation.resume(t, &states).and_then(|()| self.instance.simulation.observe(t));
        values.unwrap_or_else(|_| vec![f64::NAN; self.count()])
    }

    /// One plot for each expression; its columns come after the first `base` numbers of a row.
    pub fn plots(&self, base: usize) -> Vec<Plot> {
        let stages = &self.instance.stages;
        let mut outputs = stages.model.outputs.iter();
        let plot = |(at, expression): (usize, &String)| {
            let parts = driver::split_list(expression).len();
            Plot {
                id: format!("plot:probe{at}"),
                series: outputs.by_ref().take(parts).flat_map(|output| series(stages, base, output)).collect(),
                against: None,
                probe: true,
                span: None,
            }
        };
        self.expressions.iter().enumerate().map(plot).collect()
    }
}

/// Places are those in the expression itself.
fn complaints(error: &Error) -> Vec<Diagnostic> {
    let complaint = |one: &base::Diagnostic| {
        let source = one.labels.first().map_or_else(Default::default, |label| label.span.source);
        diagnostic(one, None, &Places::of_text(error.sources(), source))
    };
    error.diagnostics().sorted().into_iter().map(complaint).collect()
}
