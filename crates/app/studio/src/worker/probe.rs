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
    /// Programs for rows in which some prescribed motions were off, as far as they were needed; none where none could be made.
    released: Vec<(Vec<String>, Option<Instance>)>,
}

impl Probes {
    /// The program of some expressions, or what is wrong with the last of them.
    pub fn compile(main: &Instance, expressions: &[String]) -> Result<Probes, Vec<Diagnostic>> {
        let parts: Vec<String> = expressions.iter().flat_map(|list| driver::split_list(list)).collect();
        let options = Options { probes: parts, picture: false, ..main.scene.options().clone() };
        let mut instance = main.variant(&options).map_err(|error| complaints(&error))?;
        let stages = &instance.stages;
        let may_change = !stages.model.modes.is_empty() && !stages.system.signals.is_empty();
        if may_change || stages.program.observes_the_past() {
            let places = Places::of_text(&main.compilation().sources, base::SourceId(0));
            return Err(vec![diagnostic(&of_the_past(expressions), None, &places)]);
        }
        instance.agree_with(main);
        // What follows from the state is sought from where it was; a start that fails will be found again.
        let _ = instance.begin();
        Ok(Probes { expressions: expressions.to_vec(), instance, released: Vec::new() })
    }

    /// How many numbers they add to a row.
    pub fn count(&self) -> usize {
        self.instance.stages.program.outputs.len()
    }

    /// The values at a state of the run, in which these prescribed motions were off; not finite where there is no value.
    pub fn values(&mut self, main: &Instance, row: &[f64], released: &[String]) -> Vec<f64> {
        let count = self.count();
        let nothing = || vec![f64::NAN; count];
        let Some(instance) = self.without(released) else { return nothing() };
        instance.agree_with(main);
        let t = row[0];
        let states = instance.translate(&main.columns, main.states(row));
        let values = instance.simulation.resume(t, &states).and_then(|()| instance.simulation.observe(t));
        values.unwrap_or_else(|_| nothing())
    }

    /// The program in which these prescribed motions are off.
    fn without(&mut self, released: &[String]) -> Option<&mut Instance> {
        if released.is_empty() {
            return Some(&mut self.instance);
        }
        let known = self.released.iter().position(|(known, _)| known == released);
        let at = known.unwrap_or_else(|| {
            let options = Options { released: released.to_vec(), ..self.instance.scene.options().clone() };
            let mut made = self.instance.variant(&options).ok();
            if let Some(made) = &mut made {
                made.agree_with(&self.instance);
                let _ = made.begin();
            }
            self.released.push((released.to_vec(), made));
            self.released.len() - 1
        });
        self.released[at].1.as_mut()
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

/// A probe is computed from recorded states, and a state does not tell what was before it.
fn of_the_past(expressions: &[String]) -> base::Diagnostic {
    let asked = expressions.last().map_or("", String::as_str);
    let message = format!("`{asked}` depends on what was before, and only states are recorded");
    base::Diagnostic::error(model::BAD_DELAY, message)
        .hint(format!("write `plot {asked}` into the scene: a run computes it as it goes, when it still knows"))
}

/// Places are those in the expression itself.
fn complaints(error: &Error) -> Vec<Diagnostic> {
    let complaint = |one: &base::Diagnostic| {
        let source = one.labels.first().map_or_else(Default::default, |label| label.span.source);
        diagnostic(one, None, &Places::of_text(error.sources(), source))
    };
    error.diagnostics().sorted().into_iter().map(complaint).collect()
}
