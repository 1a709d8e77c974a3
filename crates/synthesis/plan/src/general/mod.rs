//! The plan of laws, and of mechanisms that cannot be told apart from them: algebraic and differential equations of any structural index.
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
use equations::{
    ConstraintId, Equation, GeneralForm, Mechanism, Quantity, Role, System, eliminate_known, general_form,
};
use expr::{Expr, Point, SymbolId};
use structure::Orders;

pub use entry::EntryPlan;
pub(crate) use entry::{entries_of_mechanism, entry_rows};
pub use leading::Phase;
pub(crate) use leading::asked;
pub use print::assumptions;
pub(crate) use print::print as print_laws;
pub(crate) use start::start_rows;
pub use start::{Assumed, StartBlock, StartPlan};

use crate::apart::Divided;

/// Names of quantities that nothing determines, to hints about laws that would.
pub type Candidates<'c> = &'c dyn Fn(&[String]) -> Vec<String>;

/// How what laws determine is found. A mechanism that is solved by itself has no part in it.
pub struct LawPlan {
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
    pub phase: Phase,
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

impl LawPlan {
    /// Of a system in which a mechanism is all there is.
    pub fn none(system: &System, whole: &Mechanism, redundant: &[ConstraintId]) -> LawPlan {
        LawPlan {
            form: general_form(system, whole, redundant),
            orders: Vec::new(),
            rows: Vec::new(),
            blocks: Vec::new(),
            further: Vec::new(),
            redundant: Vec::new(),
        }
    }

    /// The symbol of the highest derivative of a quantity, or of a higher one.
    pub fn leading(&self, quantity: usize, further: usize) -> Option<SymbolId> {
        self.form.quantities[quantity].at(self.orders[quantity] + further)
    }

    /// Everything below the highest derivatives, and constants that have to be found.
    pub fn states(&self) -> impl Iterator<Item = (&Quantity, usize)> {
        let quantities = self.form.quantities.iter().zip(&self.orders);
        quantities.flat_map(|(quantity, &order)| {
            let orders = if quantity.role == Role::Constant { 0..1 } else { quantity.first()..order };
            orders.map(move |order| (quantity, order))
        })
    }

    /// The symbols of these, and the coordinates of turns.
    pub fn state_symbols(&self) -> Vec<SymbolId> {
        let turning = self.form.turns.iter().flat_map(|turn| &turn.coordinates).map(|coordinate| coordinate.symbol);
        self.states().filter_map(|(quantity, order)| quantity.at(order)).chain(turning).collect()
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

    /// How many numbers can be chosen freely at the start.
    pub fn free_values(&self) -> usize {
        let orders: usize = self.changing().map(|quantity| self.orders[quantity]).sum();
        orders.saturating_sub(self.rows.iter().map(PlannedRow::times).sum())
    }
}

/// The plan of a system in which a mechanism is solved by itself, or nothing if the laws do not determine what happens.
pub fn plan_laws(
    system: &System,
    (apart, redundant_constraints): (&Mechanism, &[ConstraintId]),
    moved: &[Point],
    candidates: Candidates<'_>,
    sink: &mut Diagnostics,
) -> Option<Divided> {
    let mut form = general_form(system, apart, redundant_constraints);
    let given = point::given(system, apart, moved);
    let inputs = std::iter::once(system.time).chain(system.controls.iter().map(|control| control.symbol));
    let inputs: Vec<SymbolId> = inputs.chain(point::moving(system, &form, apart)).collect();
    let reasons = eliminate_known(&mut form, &inputs);
    let mut aside = redundant::set_aside(system, &mut form, (&reasons, &given), sink)?;
    let is_determined = |form: &GeneralForm, mentions: &Orders, sink: &mut Diagnostics| {
        determined::is_determined(system, form, mentions, candidates, sink)
    };
    is_determined(&form, &aside.mentions, sink).then_some(())?;
    let replaced = form.replaced.len();
    let mut differentiated = orders::differentiated(&mut form, &aside.mentions);
    if form.replaced.len() > replaced {
        // Where definitions were put in their places, quantities may have cancelled.
        if cancelled::set_aside(system, &mut form, (&mut aside.redundant, &given), sink)? {
            let mentions = redundant::mentions(&form);
            differentiated = orders::differentiated(&mut form, &mentions);
        }
        is_determined(&form, &redundant::mentions(&form), sink).then_some(())?;
    }
    let (orders, rows) = differentiated?;
    let further = leading::wanted(system, &form);
    let (mut blocks, further, slopes) = leading::blocks(&mut form, &orders, &rows, further);
    leading::note_phases(system, apart, (&form, &orders), &rows, &mut blocks);
    let points = point::points(system, &form, (&orders, &rows), &given);
    leading::is_regular(&form, &rows, (&blocks, &slopes), &points, sink).then_some(())?;
    let laws = LawPlan { form, orders, rows, blocks, further, redundant: aside.redundant };
    let start =
        start::start(system, (&laws, apart, redundant_constraints), aside.statics, (&points, candidates), sink)?;
    let entries = entry::entries(system, (&laws, apart), &points, sink)?;
    let reenter = entry::reenter(system, (&laws, apart), &points);
    Some(Divided { mechanism: apart.clone(), laws, start, entries, reenter, points })
}
