//! Whether actuators that exert as little as they can at every instant come to exert ever more: a joint is let go to save effort, gathers
//! speed, and has to be caught (Hollerbach and Suh 1986).
//!
//! What actuators exert is part of no state, so the equations that give it are solved once more for each row of a run.

use std::sync::Arc;

use base::{Diagnostic, Span};
use expr::{Expr, SymbolId, Tape, jacobian};
use model::{Model, TermKind};
use simulation::Simulation;

use crate::blame::sampled_state;
use crate::instance::{Instance, Modes};
use crate::modes::is_changing;
use crate::pipeline::Stages;
use crate::{codes, dense};

/// The sum of squares may grow this much before it is worth a word.
const MUCH: f64 = 10.0;
/// As many sets of limits as are tried before nothing is said of a row.
const MOST_PASSES: usize = 12;
/// Of the unknowns: what is no change.
const SAME: f64 = 1e-6;
/// Larger systems are not worth the wait.
const LARGEST: usize = 100;

pub struct EffortWatch {
    modes: Modes,
    /// Whether the scene has more than one program, each with memory of its own.
    changing: bool,
    /// What gives the efforts in each mode so far; nothing where none are minimised.
    efforts: Vec<(Vec<usize>, Option<Efforts>)>,
    /// The mode of the row before, and the effort where it was entered.
    entered: Option<(usize, f64)>,
    worst: Option<Growth>,
}

/// How much the sum of squares has grown within one mode.
struct Growth {
    first: f64,
    most: f64,
    at: f64,
    span: Span,
}

impl EffortWatch {
    /// Nothing, unless efforts are minimised: then this is what to look for.
    pub fn new(instance: &Instance) -> Option<EffortWatch> {
        let stages = instance.stages();
        let is_there = stages.model.prescriptions.iter().any(|it| minimises(&stages.model, it));
        is_there.then(|| EffortWatch {
            modes: instance.modes(),
            changing: is_changing(&stages),
            efforts: Vec::new(),
            entered: None,
            worst: None,
        })
    }

    /// Looks at the state that was observed last.
    pub fn look(&mut self, simulation: &Simulation, time: f64) {
        let part = self.modes.present(simulation);
        let known = self.efforts.iter().position(|(mode, _)| *mode == part.mode);
        let mode = known.unwrap_or_else(|| {
            self.efforts.push((part.mode.clone(), Efforts::new(&part.stages)));
            self.efforts.len() - 1
        });
        let Some(efforts) = &self.efforts[mode].1 else {
            self.entered = None;
            return;
        };
        let effort = match self.changing {
            true => efforts.squared(&self.modes.alone(simulation), time),
            false => efforts.squared(simulation, time),
        };
        if !effort.is_finite() {
            return;
        }
        let first = self.entered.filter(|(before, _)| *before == mode).map_or(effort, |(_, first)| first);
        self.entered = Some((mode, first));
        let most = self.worst.as_ref().map_or(0.0, |worst| worst.most);
        if first > 0.0 && effort > MUCH * first && effort > most {
            self.worst = Some(Growth { first, most: effort, at: time, span: efforts.span });
        }
    }

    pub fn warning(&self) -> Option<Diagnostic> {
        let Growth { first, most, at, span } = self.worst.as_ref()?;
        let begun = if self.changing && self.efforts.len() > 1 { "where its mode begins" } else { "at the start" };
        let message = format!(
            "what the actuators exert has grown: the sum of its squares is {first:.0} {begun}, and {most:.0} at t = {} s",
            crate::failure::number(*at)
        );
        Some(
            Diagnostic::warning(codes::WHIPLASH, message)
                .at(*span, "least at every instant is not least for all of the motion")
                .note("to save effort now a joint is let go; it gathers speed, and has to be caught later")
                .hint("leave `minimizing` out, so that accelerations are least, or add them to the cost"),
        )
    }
}

/// The equations of one mode that give what its actuators exert.
struct Efforts {
    stages: Arc<Stages>,
    unknowns: Vec<SymbolId>,
    /// Rows that are linear in the unknowns on each side of a limit, then their slopes, then what the actuators exert.
    tape: Tape,
    places: Vec<(usize, usize)>,
    span: Span,
}

impl Efforts {
    /// Nothing, unless efforts are minimised in this mode.
    fn new(stages: &Arc<Stages>) -> Option<Efforts> {
        let (laws, arena) = (&stages.plan.laws, &stages.system.arena);
        let (span, efforts) = minimised(stages)?;
        let quantities = laws.blocks.iter().flat_map(|block| &block.quantities);
        let unknowns: Vec<SymbolId> = quantities.filter_map(|&quantity| laws.leading(quantity, 0)).collect();
        let rows: Vec<Expr> =
            laws.blocks.iter().flat_map(|block| &block.rows).map(|&row| laws.rows[row].leading()).collect();
        if rows.len() != unknowns.len() || rows.len() > LARGEST {
            return None;
        }
        let entries = jacobian(arena, &rows, &unknowns);
        let places = entries.iter().map(|&(row, column, _)| (row, column)).collect();
        let mut replacement = laws.form.replacement();
        let mut exprs = rows;
        exprs.extend(entries.iter().map(|&(_, _, slope)| slope));
        exprs.extend(efforts.into_iter().map(|effort| replacement.apply(arena, arena.symbol(effort))));
        Some(Efforts { stages: stages.clone(), unknowns, tape: Tape::new(arena, &exprs), places, span })
    }

    /// The sum of squares of what the actuators exert, where a simulation of this mode was observed last; not finite where it was not found.
    fn squared(&self, simulation: &Simulation, time: f64) -> f64 {
        let mut state = sampled_state(&self.stages, simulation, time);
        let n = self.unknowns.len();
        let mut found = vec![0.0; n];
        // Without limits the second pass changes nothing; with limits, each finds on which sides of them the unknowns are.
        for _ in 0..MOST_PASSES {
            state.extend(self.unknowns.iter().copied().zip(found.iter().copied()));
            let values = self.tape.run(&state);
            let mut matrix: Vec<Vec<f64>> =
                values[..n].iter().map(|residual| [vec![0.0; n], vec![-residual]].concat()).collect();
            for (&(row, column), slope) in self.places.iter().zip(&values[n..]) {
                matrix[row][column] = *slope;
            }
            let change = dense::solve(matrix);
            found.iter_mut().zip(&change).for_each(|(found, change)| *found += change);
            let size = |of: &[f64]| of.iter().fold(0.0_f64, |size, part| size.max(part.abs()));
            if size(&change) <= SAME * size(&found) {
                let efforts = self.tape.run(&state).split_off(n + self.places.len());
                return efforts.iter().map(|effort| effort * effort).sum();
            }
        }
        f64::NAN
    }
}

/// The actuators whose efforts a cost speaks of, and where it does.
fn minimised(stages: &Stages) -> Option<(Span, Vec<SymbolId>)> {
    let model = &stages.model;
    let is_there = |label: &str| stages.system.laws.iter().any(|law| law.label.starts_with(label));
    // In this mode, and with a choice left.
    let chosen = |cost: &model::Cost| is_there(&format!("least {}", cost.label));
    let cost = model.prescriptions.iter().find(|it| minimises(model, it) && it.cost.as_ref().is_some_and(chosen))?;
    let span = model.terms.get(cost.cost.as_ref()?.term).span;
    let name = |id: &model::ActuatorId| &model.quantities[model.actuators[id.index()].quantity.index()].name;
    let symbol = |name: &String| stages.system.variables.iter().find(|row| row.name == *name).map(|row| row.symbol);
    Some((span, cost.using.iter().map(name).filter_map(symbol).collect()))
}

fn minimises(model: &Model, prescription: &model::Prescription) -> bool {
    prescription.cost.as_ref().is_some_and(|cost| speaks_of_actuators(model, cost.term))
}

fn speaks_of_actuators(model: &Model, term: model::TermId) -> bool {
    let kind = &model.terms.get(term).kind;
    let is_actuator =
        matches!(kind, TermKind::Quantity(id) if model.actuators.iter().any(|actuator| actuator.quantity == *id));
    is_actuator || kind.parts().into_iter().any(|part| speaks_of_actuators(model, part))
}
