//! Joints between links: what they hold, how they move, and what becomes of one that closes a loop.

use std::collections::HashMap;

use roxmltree::Node;

use super::Model;
use super::values::{find, numbers, pose, text, value};
use crate::robot::{Axis, Closing, Motion, Place, Robot, Tie};
use crate::turn::{Turn, Vector, along, size};
use crate::xml::Reader;

pub struct Joint<'a, 'i> {
    pub node: Node<'a, 'i>,
    pub name: &'a str,
    /// Places among the links; none is the world.
    pub parent: Option<usize>,
    pub child: usize,
    /// In the model.
    pub place: Place,
    /// In the child, if it is told there.
    pub own: Option<Place>,
    pub kind: Kind,
    /// Whether something limits, brakes or drives it, which needs its coordinate.
    pub acts: bool,
}

pub enum Kind {
    Fixed,
    Ball,
    Axis(Axis),
    /// Two axes in a row.
    Universal(Axis, Axis),
}

impl<'a, 'i> Model<'a, 'i, '_> {
    pub fn joint(&self, reader: &mut Reader<'_>, node: Node<'a, 'i>, name: &'a str) -> Option<Joint<'a, 'i>> {
        let mut end = |which: &str| -> Option<Option<usize>> {
            let link = text(node, which);
            if link == "world" && which == "parent" {
                return Some(None);
            }
            let found = self.places.link(link);
            if found.is_none() {
                let near = base::nearest(link, self.places.names()).map(|near| format!("did you mean `{near}`?"));
                let message = format!(
                    "the {which} of the joint `{}` is `{}`, which is no link",
                    base::visible(name),
                    base::visible(link)
                );
                reader.unreadable(node, message, &near.unwrap_or_default());
            }
            found.map(Some)
        };
        let (parent, child) = (end("parent")?, end("child")??);
        if parent == Some(child) {
            let message = format!("the joint `{}` holds a link to itself", base::visible(name));
            reader.unreadable(node, message, "name two links, or the `world` as the parent");
            return None;
        }
        reader.children(node, &["pose", "parent", "child", "axis", "axis2", "physics", "sensor"]);
        let place = self.places.of(reader, node)?;
        let is_told_in_child =
            find(node, "pose").and_then(|pose| pose.attribute("relative_to")).unwrap_or("").is_empty();
        let own = if is_told_in_child && text(node, "child") == self.links[child].0 {
            Some(pose(reader, node)?)
        } else {
            None
        };
        let kind = self.kind(reader, node, name, place.turn)?;
        let axes = match &kind {
            Kind::Axis(axis) => vec![axis],
            Kind::Universal(first, second) => vec![first, second],
            Kind::Fixed | Kind::Ball => Vec::new(),
        };
        let acts = axes.iter().any(|axis| axis.acts()) || node.descendants().any(|inside| inside.has_tag_name("mimic"));
        Some(Joint { node, name, parent, child, place, own, kind, acts })
    }

    fn kind(&self, reader: &mut Reader<'_>, node: Node<'a, 'i>, name: &str, turn: Turn) -> Option<Kind> {
        let kind = reader.needed(node, "type")?;
        Some(match kind {
            "fixed" => Kind::Fixed,
            "ball" => Kind::Ball,
            "revolute" | "continuous" | "prismatic" => {
                Kind::Axis(self.axis(reader, node, (name, kind, "axis"), turn)?)
            }
            // The first axis stands in the parent, the second in the child.
            "universal" | "revolute2" => {
                let [first, second] = ["axis", "axis2"].map(|which| self.axis(reader, node, (name, kind, which), turn));
                Kind::Universal(first?, second?)
            }
            other => {
                let message = format!("the joint `{}` has the type `{}`", base::visible(name), base::visible(other));
                let hint = "there are revolute, continuous, prismatic, universal, revolute2, ball and fixed";
                reader.unreadable(node, message, hint);
                return None;
            }
        })
    }

    /// An axis of a joint, in the axes of the joint, which are turned so in the model.
    fn axis(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 'i>,
        (name, kind, which): (&str, &str, &str),
        turn: Turn,
    ) -> Option<Axis> {
        let axis = find(node, which);
        let xyz = axis.and_then(|axis| find(axis, "xyz"));
        let mut direction = match xyz {
            Some(xyz) => numbers(reader, xyz)?,
            None if which == "axis2" => [1.0, 0.0, 0.0],
            None => [0.0, 0.0, 1.0],
        };
        let of_model = axis.is_some_and(|axis| ["true", "1"].contains(&text(axis, "use_parent_model_frame")));
        let frame =
            xyz.and_then(|xyz| xyz.attribute("expressed_in")).unwrap_or(if of_model { "__model__" } else { "" });
        if !frame.is_empty() && frame != name {
            let outer = match frame {
                "__model__" => Turn::NONE,
                _ => self.places.named(reader, node, frame)?.turn,
            };
            direction = turn.inverse().apply(outer.apply(direction));
        }
        if size(direction) == 0.0 {
            let message = format!("an axis of the joint `{}` has no direction", base::visible(name));
            reader.unreadable(node, message, "give it one");
            return None;
        }
        let mut one = Axis::new(kind == "prismatic", direction);
        if let Some(axis) = axis {
            limit(reader, axis, kind, &mut one)?;
        }
        Some(one)
    }
}

impl Joint<'_, '_> {
    /// How the child moves in the parent; the other way round, the parent in the child, which has the same coordinate about the opposite axis.
    pub fn motions(&self, is_forward: bool) -> Vec<Motion> {
        let seen = |axis: &Axis| {
            let direction = if is_forward { axis.direction } else { axis.direction.map(|part| -part) };
            Motion::Axis(Axis { direction, ..axis.clone() })
        };
        match &self.kind {
            Kind::Fixed => vec![Motion::Fixed],
            Kind::Ball => vec![Motion::Ball],
            Kind::Axis(axis) => vec![seen(axis)],
            Kind::Universal(first, second) if is_forward => vec![seen(first), seen(second)],
            Kind::Universal(first, second) => vec![seen(second), seen(first)],
        }
    }

    /// Gives the joint the axes of its model, where its own axes are along those. In a loop, axes that are parallel in the file have to be so to the last
    /// digit: then it is seen which demands follow from others, and otherwise they would contradict them by rounding.
    pub fn straighten(&mut self, reader: &mut Reader<'_>) {
        let turn = self.place.turn;
        let mut farthest = 0.0_f64;
        let mut straight = |axis: &Axis| {
            let (direction, off) = straight(turn.apply(axis.direction))?;
            farthest = farthest.max(off);
            Some(Axis { direction, ..axis.clone() })
        };
        let kind = match &self.kind {
            Kind::Axis(axis) => straight(axis).map(Kind::Axis),
            Kind::Universal(first, second) => straight(first).zip(straight(second)).map(|(a, b)| Kind::Universal(a, b)),
            Kind::Fixed | Kind::Ball => None,
        };
        if let Some(kind) = kind {
            (self.kind, self.place.turn, self.own) = (kind, Turn::NONE, None);
        }
        if farthest > ROUNDING {
            let message = format!(
                "an axis of `{}` is off a straight one by {farthest:.1e} rad, and is taken for that one",
                self.name
            );
            reader.changed(
                self.node,
                message,
                "it is in a loop, where axes that are nearly parallel would hold it fast",
            );
        }
    }

    /// What holds two parts together that the tree does not. Its coordinate is none of the scene's, so what acts on it is left out, but for damping.
    pub fn closing(
        &self,
        reader: &mut Reader<'_>,
        prefix: &str,
        a: (Option<usize>, Place),
        b: (Option<usize>, Place),
    ) -> Tie {
        let closing = match &self.kind {
            Kind::Fixed => Closing::Weld,
            Kind::Ball => Closing::Ball,
            Kind::Axis(axis) if axis.slides => Closing::Prismatic { axis: axis.direction },
            Kind::Axis(axis) => Closing::Revolute { axis: axis.direction, damping: axis.damping },
            Kind::Universal(first, second) => Closing::Universal { first: first.direction, second: second.direction },
        };
        let is_kept = match &self.kind {
            Kind::Axis(axis) if !axis.slides => !Axis { damping: 0.0, ..axis.clone() }.acts(),
            _ => !self.acts,
        };
        if !is_kept || find(self.node, "axis").is_some_and(|axis| find(axis, "mimic").is_some()) {
            reader.leave_out(self.node, "what limits, brakes or drives a joint that closes a loop");
        }
        Tie::Joined { name: format!("{prefix}{}", self.name), joint: closing, a, b }
    }

    /// A joint that goes along with another.
    pub fn follow(&self, reader: &mut Reader<'_>, of_joint: &HashMap<&str, usize>, robot: &mut Robot) {
        let Some(mimic) = find(self.node, "axis").and_then(|axis| find(axis, "mimic")) else { return };
        let leader = mimic.attribute("joint").and_then(|name| of_joint.get(name).copied());
        let Some(&own) = of_joint.get(self.name) else { return };
        let mut number = |name: &str, default: f64| value(reader, find(mimic, name), default);
        let (Some(ratio), Some(offset), Some(zero)) =
            (number("multiplier", 1.0), number("offset", 0.0), number("reference", 0.0))
        else {
            return;
        };
        let is_coupled = leader.is_some_and(|leader| robot.follow(own, leader, ratio, offset - ratio * zero));
        if !is_coupled {
            let message =
                format!("`{}` should follow a joint with one coordinate that moves by itself, and does not", self.name);
            reader.changed(mimic, message, "name a joint that moves by itself: revolute, continuous or prismatic");
        }
    }
}

/// In radians: turns through a chain of a hundred places leave a hundred roundings.
// Test: a_loop_of_sdf_moves_as_its_energy_says
const ROUNDING: f64 = 1e-13;
/// In radians: angles in files are written as 1.5708 or 3.1416, and mean a right one.
// Test: nearly_right_angles_in_a_loop_are_right_ones
const MEANT: f64 = 1e-5;

/// A direction along x, y or z, forwards or backwards, and how far the given one is from that, if it is meant.
fn straight(direction: Vector) -> Option<(Vector, f64)> {
    let at = (0..3).max_by(|&a, &b| direction[a].abs().total_cmp(&direction[b].abs()))?;
    let far = (0..3).filter(|&other| other != at).map(|other| (direction[other] / direction[at]).abs());
    let far = far.fold(0.0, f64::max);
    (far <= MEANT).then(|| (along(at).map(|part| part * direction[at].signum()), far))
}

/// Limits, damping, friction and the spring of an axis. What is beyond 10¹⁶ is how such files write that there is no limit.
fn limit(reader: &mut Reader<'_>, axis: Node<'_, '_>, kind: &str, one: &mut Axis) -> Option<()> {
    const NONE: f64 = 1e16;
    if let Some(limit) = find(axis, "limit") {
        let [lower, upper] =
            [("lower", -NONE), ("upper", NONE)].map(|(name, none)| value(reader, find(limit, name), none));
        let (lower, upper) = (lower?, upper?);
        one.limits = (kind != "continuous" && lower < upper && lower > -NONE && upper < NONE).then_some([lower, upper]);
        if kind != "continuous" && (lower > -NONE) != (upper < NONE) {
            reader.leave_out(limit, "a limit of a joint on one side only");
        }
        let effort = value(reader, find(limit, "effort"), 0.0)?;
        one.effort = (effort > 0.0 && effort < NONE).then_some([-effort, effort]);
    }
    if let Some(dynamics) = find(axis, "dynamics") {
        one.damping = value(reader, find(dynamics, "damping"), 0.0)?.max(0.0);
        one.friction = value(reader, find(dynamics, "friction"), 0.0)?.max(0.0);
        let stiffness = value(reader, find(dynamics, "spring_stiffness"), 0.0)?;
        let rest = value(reader, find(dynamics, "spring_reference"), 0.0)?;
        one.spring = (stiffness > 0.0).then_some([stiffness, rest]);
    }
    Some(())
}
