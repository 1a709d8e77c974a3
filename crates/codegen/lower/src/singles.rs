//! Equations for one unknown each that need nothing of one another, as free bodies have: if there are many they are solved as rows of one table.

use expr::{Arena, Expr, Node, SymbolId};
use program::{Binding, LinearSystem, SystemId};
use rustc_hash::FxHashSet;

use crate::emit::Scope;
use crate::lower::Body;
use crate::roll::{FEWEST, Leaf, Row, Target, leaf};
use crate::sums::{LONG, SMALL};

/// An equation: a number times the unknown is the right side.
struct Single {
    system: SystemId,
    unknown: SymbolId,
    coefficient: f64,
    right: Expr,
}

/// Equations that need nothing of one another, and how much there is to compute for them.
pub(crate) struct Singles {
    equations: Vec<Single>,
    nodes: usize,
}

impl Singles {
    /// Those at the beginning of some bindings, up to the first that needs one before it.
    pub fn leading(arena: &Arena, bindings: &[Binding], scope: &Scope) -> Singles {
        let mut equations: Vec<Single> = Vec::new();
        let (mut bound, mut seen): (FxHashSet<SymbolId>, FxHashSet<Expr>) = Default::default();
        for single in bindings.iter().map_while(|binding| single(arena, binding)) {
            // What is known, and what one of those before speaks of, is no unknown of any of them.
            let is_old = |node: Expr| seen.contains(&node) || scope.node(node).is_some();
            let nodes = arena.reachable_until(&[single.right], is_old);
            let needs = |node: &Expr| arena.as_symbol(*node).is_some_and(|symbol| bound.contains(&symbol));
            if nodes.iter().any(needs) {
                break;
            }
            seen.extend(nodes);
            bound.insert(single.unknown);
            equations.push(single);
        }
        Singles { equations, nodes: seen.len() }
    }

    pub fn len(&self) -> usize {
        self.equations.len()
    }

    /// Whether loops are worth it.
    pub fn are_many(&self) -> bool {
        self.equations.len() >= LONG || self.equations.len() >= FEWEST && self.nodes >= SMALL
    }
}

impl Body<'_, '_, '_> {
    pub fn singles(&mut self, Singles { equations, .. }: &Singles, scope: &mut Scope) {
        let systems: Vec<SystemId> = equations.iter().map(|single| single.system).collect();
        self.announce(&systems);
        let equations = self.in_order_of_memory(equations, scope);
        let array = self.f.module().real_array("singles", equations.len(), "unknowns of one equation each");
        let rows: Vec<Row> = equations.iter().map(|single| single.right).enumerate().collect();
        self.store_rows(&Target { array, offset: 0.into() }, &rows, scope);
        let coefficients: Vec<f64> = equations.iter().map(|single| single.coefficient).collect();
        if coefficients.iter().any(|&coefficient| coefficient != 1.0) {
            let divisors = self.f.module().reals("coefficients", &coefficients, "what each unknown is multiplied with");
            self.f.for_each("row", 0, equations.len(), |f, row| f.store(array, row, array.at(row) / divisors.at(row)));
        }
        for (at, single) in equations.iter().enumerate() {
            scope.bind(single.unknown, array.at(at));
        }
    }
}

impl Body<'_, '_, '_> {
    /// Equations in the order in which what they need stands in memory, so that loops over them go straight through it.
    fn in_order_of_memory<'s>(&self, equations: &'s [Single], scope: &Scope) -> Vec<&'s Single> {
        let arena = &self.lowering.program.arena;
        let place = |node: Expr| match leaf(scope, arena.node(node), node) {
            Some(Leaf::Element(array, place)) => Some((array.index, place)),
            _ => None,
        };
        let first = |single: &Single| {
            let nodes = arena.reachable_until(&[single.right], |node| leaf(scope, arena.node(node), node).is_some());
            nodes.into_iter().filter_map(place).min()
        };
        let mut order: Vec<&Single> = equations.iter().collect();
        order.sort_by_cached_key(|single| first(single));
        order
    }
}

fn single(arena: &Arena, binding: &Binding) -> Option<Single> {
    let Binding::Linear(LinearSystem { id, matrix, unknowns, right, .. }) = binding else { return None };
    let (&[(_, _, coefficient)], &[unknown], &[right]) = (&matrix[..], &unknowns[..], &right[..]) else { return None };
    let Node::Number(number) = arena.node(coefficient) else { return None };
    let coefficient = number.value();
    let usable = coefficient.is_finite() && coefficient != 0.0;
    usable.then_some(Single { system: *id, unknown, coefficient, right })
}
