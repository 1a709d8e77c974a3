//! Which laws an equation rests on: the one that states it, and those that add to sums of which it speaks.

use model::{AssumptionKind, Model, Question, Standing, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Uses {
    /// Laws by terms that they add to sums.
    added: FxHashMap<TermId, usize>,
    /// Of each statement, by its label.
    of_label: FxHashMap<String, Vec<usize>>,
    /// Of all that moves bodies: their equations of motion speak of every force.
    of_motion: Vec<usize>,
    /// Of what is asked itself.
    of_asked: Vec<usize>,
}

impl Uses {
    pub fn new(model: &Model, question: &Question) -> Uses {
        let additions = model.fragments.iter().enumerate();
        let additions = additions.flat_map(|(at, fragment)| fragment.additions.iter().map(move |&term| (term, at)));
        let mut uses = Uses {
            added: additions.collect(),
            of_label: FxHashMap::default(),
            of_motion: Vec::new(),
            of_asked: Vec::new(),
        };
        let names: FxHashMap<&str, usize> =
            model.fragments.iter().enumerate().map(|(at, fragment)| (fragment.name.as_str(), at)).collect();
        for equation in model.laws.iter().chain(&model.constraints) {
            let stated = statement(&equation.label).into_iter().find_map(|name| names.get(name).copied());
            let found = uses.of_terms(model, [equation.left, equation.right]);
            uses.of_label.entry(equation.label.clone()).or_default().extend(stated.into_iter().chain(found));
        }
        for given in &question.given {
            if let AssumptionKind::Equation(sides) = given.kind {
                let found = uses.of_terms(model, sides);
                uses.of_label.entry(given.name.clone()).or_default().extend(found);
            }
        }
        let acting = model.forces.iter().map(|it| it.value).chain(model.torques.iter().map(|it| it.value));
        uses.of_motion = uses.of_terms(model, acting.chain(model.potentials.iter().map(|it| it.value)));
        uses.of_asked = uses.of_terms(model, question.asked.iter().map(|it| it.term));
        uses
    }

    /// Laws that stand where modes have these values and that some equations rest on, in the order of the text.
    pub fn of_rows(&self, model: &Model, labels: &[String], mode: &[usize]) -> Vec<usize> {
        let own = |label: &String| self.of_label.get(equations::split_label(label).0).unwrap_or(&self.of_motion);
        standing(model, labels.iter().flat_map(own).copied(), mode)
    }

    /// Laws that stand where modes have these values and that what is asked rests on itself.
    pub fn of_asked(&self, model: &Model, mode: &[usize]) -> Vec<usize> {
        standing(model, self.of_asked.iter().copied(), mode)
    }

    /// Laws that stand where modes have these values and that the assumption of a law speaks of.
    pub fn of_assumption(&self, model: &Model, law: usize, mode: &[usize]) -> Vec<usize> {
        let assumed = model.fragments[law].assumption.iter().map(|it| it.term);
        standing(model, self.of_terms(model, assumed), mode)
    }

    /// Laws that add to what some terms are made of, whether they stand or not.
    fn of_terms(&self, model: &Model, terms: impl IntoIterator<Item = TermId>) -> Vec<usize> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut found = Vec::new();
        let mut open: Vec<TermId> = terms.into_iter().collect();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                found.extend(self.added.get(&id));
                open.extend(model.terms.get(id).kind.parts());
            }
        }
        found
    }
}

/// Of some laws those that stand where modes have these values. Where a law does not stand, the one that stands instead is among them, even
/// if it says nothing of what the equation speaks of: that nothing is added to a sum holds only as long as that law does.
fn standing(model: &Model, laws: impl IntoIterator<Item = usize>, mode: &[usize]) -> Vec<usize> {
    let mut found = vec![false; model.fragments.len()];
    let mut phenomena = vec![false; mode.len()];
    for law in laws {
        match model.fragments[law].standing {
            Standing::Holds => found[law] = true,
            Standing::Chosen(of, _) => phenomena[of.index()] = true,
            Standing::Left(_) => {}
        }
    }
    let is_chosen = |at: usize| match model.fragments[at].standing {
        Standing::Chosen(of, value) => phenomena[of.index()] && mode[of.index()] == value,
        _ => false,
    };
    (0..found.len()).filter(|&at| found[at] || is_chosen(at)).collect()
}

/// What may be the name of a law in the label of one of its equations: all of it, or what stands before its own label.
fn statement(label: &str) -> [&str; 3] {
    let things = label.find(')').map_or(label, |end| &label[..=end]);
    let word = label.find([':', '.', ' ']).map_or(label, |end| &label[..end]);
    [label, things, word]
}

/// The modes that decide between some laws.
pub fn deciding(model: &Model, laws: &[usize]) -> Vec<usize> {
    let modes = laws.iter().filter_map(|&at| match model.fragments[at].standing {
        Standing::Chosen(of, _) => Some(of.index()),
        _ => None,
    });
    let mut modes: Vec<usize> = modes.collect();
    modes.sort_unstable();
    modes.dedup();
    modes
}
