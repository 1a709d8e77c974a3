//! Motors, and what holds parts together besides the tree.

use roxmltree::Node;

use super::Mjcf;
use crate::robot::{Closing, Motion, Place, Tie};
use crate::turn::plus;
use crate::xml::Reader;

impl<'a> Mjcf<'a> {
    pub fn actuators(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>) {
        for motor in reader.children(node, &["motor"]) {
            let part = motor.attribute("joint").and_then(|joint| self.joints.get(joint).copied());
            let gear =
                self.attributes.list(reader, motor, "gear").and_then(|list| list.first().copied()).unwrap_or(1.0);
            let range = self.attributes.numbers::<2>(reader, motor, "ctrlrange");
            let effort = range.map_or([f64::NEG_INFINITY, f64::INFINITY], |range| range.map(|end| end * gear));
            let effort = [effort[0].min(effort[1]), effort[0].max(effort[1])];
            match part.map(|part| &mut self.robot.parts[part].motion) {
                Some(Motion::Axis(axis)) if axis.effort.is_none() => axis.effort = Some(effort),
                _ => reader.leave_out(motor, "a `<motor>` that drives no joint of its own with one coordinate"),
            }
        }
    }

    pub fn equalities(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>) {
        for tie in reader.children(node, &["connect", "weld", "joint"]) {
            let known = match tie.tag_name().name() {
                "connect" => self.connect(reader, tie),
                "weld" => self.weld(tie),
                _ => self.coupled(reader, tie),
            };
            match known {
                Some(tie) => self.robot.ties.push(tie),
                None => reader.leave_out(
                    tie,
                    format!("`<{}>` in `<equality>` of things without such a meaning here", tie.tag_name().name()),
                ),
            }
        }
    }

    /// A point of one body that is a point of another, or of the world, where both are at first.
    fn connect(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>) -> Option<Tie> {
        let a = *self.bodies.get(node.attribute("body1")?)?;
        let anchor = reader.vector(node, "anchor")?;
        let b = match node.attribute("body2") {
            Some(body) => Some(*self.bodies.get(body)?),
            None => None,
        };
        let (of_a, of_b) = (self.robot.at_start(Some(a)), self.robot.at_start(b));
        let point = plus(of_a.position, of_a.turn.apply(anchor));
        let there = of_b.turn.inverse().apply(crate::turn::minus(point, of_b.position));
        Some(Tie::Meets { a, point_a: anchor, b, point_b: there })
    }

    /// Two bodies as one, as they stand at first; where the file tells how they should stand instead, it has no such meaning here.
    fn weld(&self, node: Node<'a, '_>) -> Option<Tie> {
        let a = *self.bodies.get(node.attribute("body1")?)?;
        let b = match node.attribute("body2") {
            Some(body) => Some(*self.bodies.get(body)?),
            None => None,
        };
        if node.attribute("relpose").is_some() {
            return None;
        }
        let [of_a, of_b] = [Some(a), b].map(|part| self.robot.at_start(part));
        let back = of_b.turn.inverse();
        let position = back.apply(crate::turn::minus(of_a.position, of_b.position));
        let there = Place { position, turn: back.then(of_a.turn) };
        let name = node.attribute("name").unwrap_or("weld").to_string();
        Some(Tie::Joined { name, joint: Closing::Weld, a: (Some(a), Place::HERE), b: (b, there) })
    }

    /// One joint as a linear function of another.
    fn coupled(&mut self, reader: &mut Reader<'_>, node: Node<'a, '_>) -> Option<Tie> {
        let a = *self.joints.get(node.attribute("joint1")?)?;
        let list = reader.list(node, "polycoef").unwrap_or(vec![0.0, 1.0]);
        let of = |at: usize| list.get(at).copied().unwrap_or(0.0);
        if (2..list.len()).any(|at| of(at) != 0.0) {
            return None;
        }
        let leader = match node.attribute("joint2") {
            Some(joint) => Some((*self.joints.get(joint)?, of(1))),
            None => None,
        };
        let moves = |at: usize| matches!(self.robot.parts[at].motion, Motion::Axis(_));
        let both = moves(a) && leader.is_none_or(|(leader, _)| moves(leader));
        both.then_some(Tie::Coupled { a, offset: of(0), leader })
    }
}
