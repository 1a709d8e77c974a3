//! Things that pass through each other: shapes that could meet, where nothing is said of contact.

use std::collections::HashSet;

use super::Resolver;
use super::repeat::Statement;
use super::touch::Bearer;
use crate::contact::Touchable;
use crate::model::{Family, FrameId, Model, WORLD};
use crate::term::{TermId, TermKind, Terms};

impl<'t> Resolver<'t, '_> {
    /// Two things that an author may think of as solid. Between things for which something else is stated, a joint, a spring, gravitation, an
    /// impact written by hand, nobody expects it, so these are not looked at.
    pub(super) fn find_passing(&mut self, statements: &[Statement<'t>]) {
        let stated = statements.iter().any(|statement| matches!(statement.item.kind, syntax::ItemKind::Contact(_)));
        if stated || self.shapes.is_empty() || self.sink.has_errors() {
            return;
        }
        // A surface that is wrong, and that nobody uses, is not reported.
        let said = std::mem::take(self.sink);
        let bearers = self.bearers(statements);
        let holding = bearers.and_then(|bearers| Ok((self.holding(&bearers.list)?, bearers.list)));
        *self.sink = said;
        let Ok((holding, bearers)) = holding else { return };
        let known = |surface: usize| self.stated_surfaces.contains(&surface);
        let mut related = Related::of(&self.model);
        let families: Vec<FrameId> = (0..self.model.frames.len()).map(|at| related.root(FrameId(at as u32))).collect();
        let bearers: Vec<&Bearer> = bearers
            .iter()
            .filter(|bearer| !bearer.surface.is_some_and(known) && !related.impacts.contains(&bearer.frame))
            .collect();
        for (at, a) in bearers.iter().enumerate() {
            let family = |it: &Bearer| Some(families[it.frame.index()]).filter(|family| *family != WORLD);
            let meets =
                |b: &&&Bearer| holding.between(a, b).is_none() && (family(a).is_none() || family(a) != family(b));
            if let Some(b) = bearers[at + 1..].iter().find(meets) {
                let touchable = |it: &Bearer| Touchable { name: it.name.clone(), frame: it.frame, span: it.span };
                self.model.passing = Some([touchable(a), touchable(b)]);
                return;
            }
        }
    }
}

/// Frames that have to do with one another: as parent and child, or because something is stated of both.
struct Related {
    /// Of each frame another one that it is related to, itself for the first of a family.
    elder: Vec<FrameId>,
    /// Frames whose velocities transitions change.
    impacts: HashSet<FrameId>,
}

impl Related {
    fn of(model: &Model) -> Related {
        let elder = (0..model.frames.len()).map(|at| FrameId(at as u32)).collect();
        let mut related = Related { elder, impacts: HashSet::new() };
        for at in 1..model.frames.len() {
            related.join(&[FrameId(at as u32), model.frames[at].parent]);
        }
        let mut stated: Vec<(Option<FrameId>, Vec<TermId>)> = Vec::new();
        stated.extend(model.potentials.iter().map(|potential| (None, vec![potential.value])));
        stated.extend(model.families.iter().flat_map(Family::related).map(|terms| (None, terms)));
        stated.extend(model.forces.iter().map(|force| (Some(force.frame), vec![force.value])));
        stated.extend(model.torques.iter().map(|torque| (Some(torque.frame), vec![torque.value])));
        let equations = model.constraints.iter().chain(&model.laws);
        stated.extend(equations.map(|equation| (None, vec![equation.left, equation.right])));
        for (frame, terms) in stated {
            let mut frames = frames_in(&model.terms, &terms);
            frames.extend(frame);
            related.join(&frames);
        }
        for transition in &model.transitions {
            let sides = transition.equations.iter().flat_map(|equation| [equation.left, equation.right]);
            related.impacts.extend(frames_in(&model.terms, &sides.collect::<Vec<_>>()));
        }
        related
    }

    /// The first of a family. The way to it is made shorter, so that long chains cost no more than their length.
    fn root(&mut self, mut frame: FrameId) -> FrameId {
        while self.elder[frame.index()] != frame {
            let elder = self.elder[frame.index()];
            self.elder[frame.index()] = self.elder[elder.index()];
            frame = elder;
        }
        frame
    }

    /// Everything is in the world, which relates nothing.
    fn join(&mut self, frames: &[FrameId]) {
        let mut others = frames.iter().copied().filter(|frame| *frame != WORLD);
        let Some(first) = others.next() else { return };
        let root = self.root(first);
        for other in others {
            let other = self.root(other);
            self.elder[other.index()] = root;
        }
    }
}

/// The frames that some terms speak of.
fn frames_in(terms: &Terms, roots: &[TermId]) -> Vec<FrameId> {
    let mut found = Vec::new();
    for &root in roots {
        terms.find(root, |kind| {
            let frame = match kind {
                TermKind::Frame(frame, _)
                | TermKind::PointOf(frame, _)
                | TermKind::VectorOf(frame, _)
                | TermKind::InFrame(_, frame)
                | TermKind::RelativeTo(_, frame)
                | TermKind::VelocityAt(frame, _) => Some(*frame),
                _ => None,
            };
            found.extend(frame);
            false
        });
    }
    found
}
