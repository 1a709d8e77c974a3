//! Families of potentials: kept as a template and a table where nobody has to see through their sums, and unrolled elsewhere.

use std::sync::Arc;

use base::Diagnostic;
use equations::{Family, Level, Slot};
use expr::{Bends, Differentiator, Expr, Node, Substitution, SymbolId};
use model::{MOST_STATEMENTS, SceneQuantity, TermId, TermKind};
use rustc_hash::FxHashMap;

use crate::dynamics::Places;
use crate::formulate::{Families, Formulation};

/// The template of a family, before it is known whether it is kept.
struct Template {
    value: Expr,
    /// For each scalar that differs: its stand-in, the side of a row that it is about, and what it is for each member.
    slots: Vec<(SymbolId, usize, Vec<Expr>)>,
}

impl<'a> Formulation<'a> {
    /// Decides which families are kept. None where one that has to be written out has too many rows for that.
    pub fn find_families(&mut self) -> Option<()> {
        let model = self.model;
        if model.families.is_empty() {
            return Some(());
        }
        let may_be_kept = self.options.families == Families::Kept && self.is_plain_mechanics();
        let places = self.position_nodes();
        for family in &model.families {
            let kept = may_be_kept.then(|| self.keep(family, &places)).flatten();
            if kept.is_none() && family.rows.len() > MOST_STATEMENTS {
                self.refuse_writing(family);
                return None;
            }
            self.families.push(kept.map(Arc::new));
        }
        Some(())
    }

    fn refuse_writing(&mut self, family: &model::Family) {
        let rows = family.rows.len();
        let message = format!("`{}` has {rows} rows, which have to be written out one by one here", family.label);
        let reason = "more than the compiler will take";
        self.sink.report(Diagnostic::error(model::TOO_LARGE, message).at(family.span, reason).hint(
            "take fewer things; or leave the rest of the scene to plain mechanics: sums over many rows stay one loop only where \
             they are smooth and no modes, laws or contacts stand beside them",
        ));
    }

    /// Whether nothing but equations of motion, energies and what is recorded speaks of forces and potentials.
    fn is_plain_mechanics(&self) -> bool {
        let model = self.model;
        let alone = model.transitions.is_empty()
            && model.quantities.is_empty()
            && model.laws.is_empty()
            && model.actuators.is_empty()
            && model.delays.is_empty()
            && model.reactions.is_empty()
            && model.contacts.is_none()
            && model.modes.is_empty()
            && model.discrete.is_empty()
            && model.conditions.is_empty()
            && model.questions.is_empty();
        // The energy of all rows is a symbol, which nothing differentiates.
        let sees_through = |kind: &TermKind| {
            matches!(kind, TermKind::Partial(..) | TermKind::Jacobian(..) | TermKind::Derivative(_) | TermKind::Pre(_))
        };
        let is_energy =
            |kind: &TermKind| matches!(kind, TermKind::Scene(SceneQuantity::Energy | SceneQuantity::Potential));
        let kinds = || (0..model.terms.len()).map(|at| &model.terms.get(TermId(at as u32)).kind);
        alone && !(kinds().any(is_energy) && kinds().any(sees_through))
    }

    /// The family as the system keeps it; none if its sums are more than slopes by places of frames.
    fn keep(&mut self, family: &model::Family, places: &Places) -> Option<Family> {
        let arena = self.arena;
        let Template { value, slots } = self.template(family);
        let is_smooth = |node: &Expr| match arena.node(*node) {
            Node::Apply(operator, _) => operator.row().bends == Bends::Smooth,
            _ => true,
        };
        let own: Vec<SymbolId> = slots.iter().map(|&(symbol, ..)| symbol).collect();
        let settings: Vec<SymbolId> = self.parameters.iter().map(|parameter| parameter.symbol).collect();
        let is_setting = |symbol: &SymbolId| settings.contains(symbol);
        let is_known = |symbol: &SymbolId| own.contains(symbol) || is_setting(symbol);
        if !arena.reachable(&[value]).iter().all(is_smooth) || !arena.symbols_in(&[value]).iter().all(is_known) {
            return None;
        }
        let mut place_of: FxHashMap<Expr, u32> = FxHashMap::default();
        let mut arguments: Vec<Expr> = Vec::new();
        let mut kept = Vec::with_capacity(slots.len());
        for (symbol, side, column) in slots {
            let column = column.into_iter().map(|part| {
                let next = arguments.len() as u32;
                *place_of.entry(part).or_insert_with(|| {
                    arguments.push(part);
                    next
                })
            });
            kept.push(Slot { symbol, side, column: column.collect(), slope: None });
        }
        let moves: Vec<bool> = arguments.iter().map(|argument| places.contains_key(argument)).collect();
        let still: Vec<Expr> = arguments.iter().zip(&moves).filter(|(_, moves)| !**moves).map(|(it, _)| *it).collect();
        if !arena.symbols_in(&still).iter().all(is_setting) {
            return None;
        }
        for slot in kept.iter_mut().filter(|slot| slot.column.iter().any(|&at| moves[at as usize])) {
            let slope = Differentiator::by(arena, arena.symbol(slot.symbol)).derivative(arena, value);
            slot.slope = Some(slope);
        }
        let slope = |(&argument, moves): (&Expr, bool)| {
            let by = arena.as_symbol(argument).map_or("a place", |symbol| arena.symbol_name(symbol));
            moves.then(|| arena.new_symbol(&format!("∂{}/∂{by}", family.label)))
        };
        let slopes = arguments.iter().zip(moves).map(slope).collect();
        let total = arena.new_symbol(&family.label);
        let (label, span, rows) = (family.label.clone(), family.span, family.rows);
        Some(Family { label, span, rows, arguments, slots: kept, value, total, slopes })
    }

    /// The value of one row, with symbols for what differs from row to row.
    fn template(&mut self, family: &model::Family) -> Template {
        let arena = self.arena;
        let mut slots = Vec::new();
        for slot in &family.slots {
            let columns: Vec<Vec<Expr>> = {
                let mut columns: Vec<Vec<Expr>> = Vec::new();
                for &term in &slot.column {
                    for (at, (_, part)) in self.meaning(term).parts().into_iter().enumerate() {
                        columns.resize_with(columns.len().max(at + 1), Vec::new);
                        columns[at].push(part);
                    }
                }
                columns
            };
            let mut columns = columns.into_iter();
            let stand_in = self.meaning(slot.column[0]).map(|part| {
                let column = columns.next().unwrap_or_default();
                // What is the same in all rows stands in the template itself, unless it moves.
                if column.iter().all(|&other| other == part) && self.level_of(part).is_none() {
                    return part;
                }
                let symbol = arena.new_symbol("of row");
                slots.push((symbol, slot.side, column));
                arena.symbol(symbol)
            });
            self.bounds.insert(slot.bound, stand_in);
        }
        // What the template is made of means nothing elsewhere.
        let (bending, known) = (self.bending.len(), std::mem::take(&mut self.meanings));
        let value = self.scalar(family.value).expr;
        self.bending.truncate(bending);
        self.meanings = known;
        Template { value, slots }
    }

    /// What an expression speaks of at most, if it speaks of motion at all.
    fn level_of(&self, expr: Expr) -> Option<Level> {
        self.arena.symbols_in(&[expr]).iter().filter_map(|symbol| self.levels.get(symbol).copied()).max()
    }

    /// The values of all potentials that are not kept as families, with the words and the place of each.
    pub fn written_potentials(&mut self) -> Vec<(String, Expr, base::Span)> {
        let model = self.model;
        let mut all = Vec::with_capacity(model.potentials.len());
        for potential in &model.potentials {
            all.push((potential.label.clone(), self.scalar(potential.value).expr, potential.span));
        }
        for (at, family) in model.families.iter().enumerate() {
            if self.families.get(at).is_none_or(|kept| kept.is_none()) {
                let rows = self.unrolled(family).into_iter();
                all.extend(rows.map(|value| (family.label.clone(), value, family.span)));
            }
        }
        all
    }

    /// The value of each row of a family, written out.
    fn unrolled(&mut self, family: &model::Family) -> Vec<Expr> {
        let arena = self.arena;
        let Template { value, slots } = self.template(family);
        let row = |sides: [usize; 2]| {
            let pairs = slots.iter().map(|(symbol, side, column)| (arena.symbol(*symbol), column[sides[*side]]));
            Substitution::new(pairs).apply(arena, value)
        };
        family.rows.iter().map(row).collect()
    }

    /// The families that are kept.
    pub fn kept_families(&self) -> Vec<Arc<Family>> {
        self.families.iter().flatten().cloned().collect()
    }
}
