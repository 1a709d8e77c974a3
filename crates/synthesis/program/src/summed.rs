//! What families add up to: bindings that keep the rows as a table, or expressions with every row written out.

use equations::{Family, System};
use expr::{Expr, SymbolId};
use std::sync::Arc;

use crate::narrow::has_sharp_parts;
use crate::program::{Binding, FamilySum, Origin, Summand, SystemRole};
use crate::solved::Solved;
use crate::systems::Systems;

pub enum Summed {
    Kept(Binding),
    Written(Vec<(SymbolId, Expr)>),
}

/// The slopes and the energy of each family of a system. Steps pass over nothing narrow in space, which is looked for in
/// expressions, so rows that may have such parts are written out.
pub fn summed(system: &System, systems: &mut Systems<'_>) -> Vec<Summed> {
    let all = system.families.iter().flat_map(|family| [Summand::Slopes, Summand::Value].map(|of| (family, of)));
    all.map(|(family, of)| {
        let sum = sum(family, of, systems);
        match has_sharp_parts(system, family) {
            false => Summed::Kept(Binding::Sum(sum)),
            true => {
                let values = sum.unrolled(&system.arena);
                Summed::Written(sum.unknowns.into_iter().zip(values).collect())
            }
        }
    })
    .collect()
}

fn sum(family: &Arc<Family>, of: Summand, systems: &mut Systems<'_>) -> FamilySum {
    let origin = Origin { label: family.label.clone(), span: family.span };
    let unknowns: Vec<SymbolId> = match of {
        Summand::Slopes => family.slope_symbols().map(|(_, symbol)| symbol).collect(),
        Summand::Value => vec![family.total],
    };
    let id = systems.add_info(SystemRole::Sums, vec![origin.clone()], vec![origin]);
    FamilySum { id, family: family.clone(), arguments: family.arguments.clone(), of, unknowns }
}

impl Summed {
    /// Makes it known.
    pub fn enter(&self, solved: &mut Solved<'_>) {
        match self {
            Summed::Kept(binding) => solved.body.push(binding.clone()),
            Summed::Written(values) => {
                values.iter().for_each(|&(symbol, value)| solved.known.insert(solved.arena.symbol(symbol), value));
            }
        }
    }
}
