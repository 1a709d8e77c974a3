//! The plan of a system with physics of its own: algebraic and differential equations of any structural index.
//!
//! Every equation is differentiated as often as the highest derivatives need it (Pantelides 1988; Pryce 2001). All lower derivatives
//! are states; equations that were differentiated stay as constraints, onto which the states are moved after every step. So no
//! choice among the states is made, and none has to be changed on the way.

mod cancelled;
mod determined;
mod entry;
mod leading;
mod orders;
mod point;
mod print;
mod redundant;
mod start;

use base::{Diagnostics, Span};
use equations::{Equation, GeneralForm, Role, System, eliminate_known, general_form};
use expr::{Expr, SymbolId};
use structure::Orders;

pub use entry::EntryPlan;
pub use print::assumptions;
pub(crate) use print::print as print_general;
pub use start::{Assumed, StartBlock, StartPlan};

use crate::classify::enforced_constraints;
use crate::plan::{Classes, Plan, Start};

/// Names of quantities that nothing determines, to hints about laws that would.
pub type Candidates<'c> = &'c dyn Fn(&[String]) -> Vec<String>;

pub struct GeneralPlan {
    pub form: GeneralForm,
    /// For each quantity, the derivative that the equations are solved for. Constants have none and count as zero.
    pub orders: Vec<usize>,
    /// The equations that are enforced.
    pub rows: Vec<PlannedRow>,
    /// The highest derivatives, in the order in which they can be found.
    pub blocks: Vec<LeadingBlock>,
    /// Derivatives higher than that which are asked for, in the order in which they can be found.
    pub further: Vec<Further>,
    /// Equations that follow from others.
    pub redundant: Vec<Equation>,
    pub start: StartPlan,
    /// What holds after each transition that leads into this mode.
    pub entries: Vec<EntryPlan>,
    /// The same where nothing happened, so that a run can go on from what is handed over.
    pub again: Option<EntryPlan>,
}

/// An equation and its derivatives; the last is solved for highest derivatives, the others are constraints on the states.
#[derive(Clone, Debug)]
pub struct PlannedRow {
    pub label: String,
    pub span: Span,
    pub levels: Vec<Expr>,
}

/// Rows that are solved together for the highest derivatives of as many quantities.
#[derive(Clone, Debug)]
pub struct LeadingBlock {
    pub rows: Vec<usize>,
    pub quantities: Vec<usize>,
    pub linear: bool,
}

/// A block differentiated once more, or several times: linear in derivatives that are higher by as much.
#[derive(Clone, Debug)]
pub struct Further {
    pub block: usize,
    pub times: usize,
    pub residuals: Vec<Expr>,
}

impl PlannedRow {
    /// How often it is differentiated.
    pub fn times(&self) -> usize {
        self.levels.len() - 1
    }

    pub fn leading(&self) -> Expr {
        self.levels[self.times()]
    }
}

impl GeneralPlan {
    /// The symbol of the highest derivative of a quantity, or of a higher one.
    pub fn leading(&self, quantity: usize, further: usize) -> Option<SymbolId> {
        self.form.quantities[quantity].at(self.orders[quantity] + further)
    }

    /// Quantities that change.
    pub fn changing(&self) -> impl Iterator<Item = usize> {
        let quantities = self.form.quantities.iter().enumerate();
        quantities.filter(|(_, quantity)| quantity.role != Role::Constant).map(|(at, _)| at)
    }

    /// The constraints on the states, in the order in which they are satisfied, each with the states that are moved for it.
    pub fn constraints(&self) -> Vec<(Vec<Equation>, Vec<SymbolId>)> {
        point::levels(&self.form, &self.orders, &self.rows)
    }

    /// How many numbers can be chosen freely at an instant.
    pub fn degrees_of_freedom(&self) -> usize {
        let orders: usize = self.changing().map(|quantity| self.orders[quantity]).sum();
        orders.saturating_sub(self.rows.iter().map(PlannedRow::times).sum())
    }
}

/// The plan of a system that has variables or laws of its own, or nothing if they do not determine what happens.
pub fn plan_general(system: &System, candidates: Candidates<'_>, sink: &mut Diagnostics) -> Option<Plan> {
    let redundant_constraints = enforced_constraints(system, sink)?;
    let mut form = general_form(system, &redundant_constraints);
    let inputs: Vec<SymbolId> =
        std::iter::once(system.time).chain(system.controls.iter().map(|control| control.symbol)).collect();
    let reasons = eliminate_known(&mut form, &inputs);
    let mut aside = redundant::set_aside(system, &mut form, &reasons, sink)?;
    let is_determined = |form: &GeneralForm, mentions: &Orders, sink: &mut Diagnostics| {
        determined::is_determined(system, form, mentions, candidates, sink)
    };
    is_determined(&form, &aside.mentions, sink).then_some(())?;
    let replaced = form.replaced.len();
    let mut differentiated = orders::differentiated(&mut form, &aside.mentions);
    if form.replaced.len() > replaced {
        // Where definitions were put in their places, quantities may have cancelled.
        if cancelled::set_aside(system, &mut form, &mut aside.redundant, sink)? {
            let mentions = redundant::mentions(&form);
            differentiated = orders::differentiated(&mut form, &mentions);
        }
        is_determined(&form, &redundant::mentions(&form), sink).then_some(())?;
    }
    let (orders, rows) = differentiated?;
    let further = leading::wanted(system, &form);
    let (blocks, further, slopes) = leading::blocks(&mut form, &orders, &rows, further);
    let points = point::points(system, &form, &orders, &rows);
    leading::is_regular(&form, &rows, (&blocks, &slopes), &points, sink).then_some(())?;
    let (start, redundant) = (StartPlan::default(), aside.redundant);
    let mut general =
        GeneralPlan { form, orders, rows, blocks, further, redundant, start, entries: Vec::new(), again: None };
    general.start = start::start(system, &general, aside.statics, (&points, candidates), sink)?;
    general.entries = entry::entries(system, &general, &points, sink)?;
    general.again = entry::again(system, &general, &points);
    Some(Plan {
        classes: Classes::default(),
        redundant: redundant_constraints,
        degrees_of_freedom: general.degrees_of_freedom(),
        start: Start::default(),
        points,
        general: Some(general),
    })
}
