//! Whether actuators that exert as little as they can at every instant come to exert ever more: a joint is let go to save effort, gathers
//! speed, and has to be caught (Hollerbach and Suh 1986).
//!
//! What actuators exert is part of no state, so the equations that give it are solved once more for each row of a run.

use base::{Diagnostic, Span};
use expr::{Expr, SymbolId, Tape, jacobian};
use model::{Model, TermKind};
use simulation::Simulation;

use crate::blame::sampled_state;
use crate::pipeline::Stages;
use crate::{codes, dense};

/// The sum of squares may grow this much before it is worth a word.
const MUCH: f64 = 10.0;
/// Larger systems are not worth the wait.
const LARGEST: usize = 100;

pub struct EffortWatch<'s> {
    stages: &'s Stages,
    unknowns: Vec<SymbolId>,
    /// Rows that are linear in the unknowns, then their slopes, then what the actuators exert.
    tape: Tape,
    places: Vec<(usize, usize)>,
    span: Span,
    first: Option<f64>,
    most: f64,
    at: f64,
}

impl<'s> EffortWatch<'s> {
    /// Nothing, unless efforts are minimised: then this is what to look for.
    pub fn new(stages: &'s Stages) -> Option<EffortWatch<'s>> {
        let (model, laws, arena) = (&stages.model, &stages.plan.laws, &stages.system.arena);
        let (span, efforts) = minimised(stages).filter(|_| model.modes.is_empty())?;
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
        Some(EffortWatch {
            stages,
            unknowns,
            tape: Tape::new(arena, &exprs),
            places,
            span,
            first: None,
            most: 0.0,
            at: 0.0,
        })
    }

    /// Looks at the state that was observed last.
    pub fn look(&mut self, simulation: &Simulation, time: f64) {
        let mut state = sampled_state(self.stages, simulation, time);
        state.extend(self.unknowns.iter().map(|&unknown| (unknown, 0.0)));
        let n = self.unknowns.len();
        let values = self.tape.run(&state);
        let mut matrix: Vec<Vec<f64>> =
            values[..n].iter().map(|residual| [vec![0.0; n], vec![-residual]].concat()).collect();
        for (&(row, column), slope) in self.places.iter().zip(&values[n..]) {
            matrix[row][column] = *slope;
        }
        state.extend(self.unknowns.iter().copied().zip(dense::solve(matrix)));
        let efforts = self.tape.run(&state).split_off(n + self.places.len());
        let effort: f64 = efforts.iter().map(|effort| effort * effort).sum();
        if !effort.is_finite() {
            return;
        }
        self.first.get_or_insert(effort);
        if effort > self.most {
            (self.most, self.at) = (effort, time);
        }
    }

    pub fn warning(&self) -> Option<Diagnostic> {
        let first = self.first.filter(|&first| first > 0.0 && self.most > MUCH * first)?;
        let message = format!(
            "what the actuators exert has grown: the sum of its squares is {:.0} at the start, and {:.0} at t = {} s",
            first,
            self.most,
            crate::failure::number(self.at)
        );
        Some(
            Diagnostic::warning(codes::WHIPLASH, message)
                .at(self.span, "least at every instant is not least for all of the motion")
                .note("to save effort now a joint is let go; it gathers speed, and has to be caught later")
                .hint("leave `minimizing` out, so that accelerations are least, or add them to the cost"),
        )
    }
}

/// The actuators whose efforts a cost speaks of, and where it does.
fn minimised(stages: &Stages) -> Option<(Span, Vec<SymbolId>)> {
    let model = &stages.model;
    let cost = model
        .prescriptions
        .iter()
        .find(|prescription| prescription.cost.as_ref().is_some_and(|cost| speaks_of_actuators(model, cost.term)))?;
    let span = model.terms.get(cost.cost.as_ref()?.term).span;
    let name = |id: &model::ActuatorId| &model.quantities[model.actuators[id.index()].quantity.index()].name;
    let symbol = |name: &String| stages.system.variables.iter().find(|row| row.name == *name).map(|row| row.symbol);
    Some((span, cost.using.iter().map(name).filter_map(symbol).collect()))
}

fn speaks_of_actuators(model: &Model, term: model::TermId) -> bool {
    let kind = &model.terms.get(term).kind;
    let is_actuator =
        matches!(kind, TermKind::Quantity(id) if model.actuators.iter().any(|actuator| actuator.quantity == *id));
    is_actuator || kind.parts().into_iter().any(|part| speaks_of_actuators(model, part))
}
