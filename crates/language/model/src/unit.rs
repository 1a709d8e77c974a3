//! The unit in which a quantity is shown: that of its declaration or of its dimension, with `rad` for what turns and `N*m` for torques.

use base::{Dimension, Unit};
use expr::Operator;

use crate::model::Model;
use crate::reaction::ReactionPart;
use crate::term::{FrameQuantity, Shape, TermId, TermKind};

/// Units of what turns; by their dimensions alone they would be plain numbers and frequencies.
const TURNING: &[(Dimension, &str)] =
    &[(Dimension::NONE, "rad"), (Dimension::FREQUENCY, "rad/s"), (Dimension::ANGULAR_ACCELERATION, "rad/s^2")];

/// The unit of an angle or of its rate.
pub fn turning_unit(dimension: Dimension) -> Option<&'static str> {
    TURNING.iter().find(|row| row.0 == dimension).map(|row| row.1)
}

/// What the dimension of a term does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sense {
    Plain,
    /// An angle, or the rate of one.
    Turning,
    /// It has the dimension of an energy and is none.
    Torque,
}

impl Model {
    /// The unit of each output; nothing for a plain number.
    pub fn output_units(&self) -> Vec<String> {
        let senses = self.senses();
        self.outputs.iter().map(|output| self.unit_among(output.term, &senses)).collect()
    }

    /// The unit of a term; nothing for a plain number.
    pub fn unit_of(&self, term: TermId) -> String {
        self.unit_among(term, &self.senses())
    }

    /// The unit of an answer that nobody asked for in another; `1` for a plain number.
    pub(crate) fn told_unit(&self, term: TermId) -> Unit {
        let unit = Unit::coherent(self.terms.get(term).type_.amount.dimension());
        match self.unit_of(term) {
            text if text.is_empty() => unit,
            text => Unit { text, ..unit },
        }
    }

    fn unit_among(&self, term: TermId, senses: &[Sense]) -> String {
        let dimension = self.terms.get(term).type_.amount.dimension();
        if let Some(unit) = self.declared_unit(term) {
            return unit.to_string();
        }
        match (senses[term.index()], turning_unit(dimension)) {
            (Sense::Turning, Some(unit)) => unit.to_string(),
            (Sense::Torque, _) => "N*m".to_string(),
            _ if dimension.is_none() => String::new(),
            _ => dimension.unit(),
        }
    }

    /// The unit of the declaration behind a quantity or its component.
    fn declared_unit(&self, mut term: TermId) -> Option<&str> {
        loop {
            term = match self.terms.get(term).kind {
                TermKind::Quantity(id) => return self.quantities[id.index()].unit.as_deref(),
                TermKind::Component(whole, _) | TermKind::Norm(whole) | TermKind::Negate(whole) => whole,
                _ => return None,
            }
        }
    }

    /// Whether a term is an angle, or the rate of one.
    pub(crate) fn turns(&self, term: TermId) -> bool {
        self.senses()[term.index()] == Sense::Turning
    }

    /// What each term is beyond its dimension; a term's parts are older than the term.
    fn senses(&self) -> Vec<Sense> {
        let mut senses: Vec<Sense> = Vec::with_capacity(self.terms.len());
        for at in 0..self.terms.len() {
            let term = self.terms.get(TermId(at as u32));
            let sense = self.sense(&term.kind, &senses);
            let has_energy = term.type_.amount.dimension() == Dimension::ENERGY;
            senses.push(match sense {
                // No energy has a direction.
                _ if has_energy && matches!(term.type_.shape, Shape::Vector) => Sense::Torque,
                Sense::Torque if !has_energy => Sense::Plain,
                sense => sense,
            });
        }
        senses
    }

    /// What a term is, as far as its parts tell.
    fn sense(&self, kind: &TermKind, known: &[Sense]) -> Sense {
        let of = |part: &TermId| known.get(part.index()).copied().unwrap_or(Sense::Plain);
        let any = |parts: &[TermId]| parts.iter().map(of).find(|sense| *sense != Sense::Plain).unwrap_or(Sense::Plain);
        // A part of a torque is one; what a torque does along an angle is an energy.
        let scaled = |a: &TermId, b: &TermId| {
            let is_number = of(b) == Sense::Plain && self.terms.get(*b).type_.amount.dimension().is_none();
            if of(a) == Sense::Torque && is_number { Sense::Torque } else { Sense::Plain }
        };
        match kind {
            TermKind::Frame(
                _,
                FrameQuantity::Angle | FrameQuantity::Euler | FrameQuantity::Omega | FrameQuantity::Alpha,
            ) => Sense::Turning,
            TermKind::Parameter(id) => of_unit(&self.parameters[id.index()].unit.text),
            TermKind::Control(id) => of_unit(&self.controls[id.index()].unit.text),
            TermKind::Discrete(id) => of_unit(&self.discrete[id.index()].unit.text),
            TermKind::Quantity(id) => self.quantities[id.index()].unit.as_deref().map_or(Sense::Plain, of_unit),
            TermKind::Reaction(id) if self.reactions[id.index()].part == ReactionPart::Torque => Sense::Torque,
            TermKind::Apply(operator, arguments) => match operator {
                Operator::Asin | Operator::Acos | Operator::Atan | Operator::Atan2 => Sense::Turning,
                Operator::Abs | Operator::Min | Operator::Max => any(arguments),
                _ => Sense::Plain,
            },
            TermKind::Add(a, b) | TermKind::Subtract(a, b) | TermKind::If(_, a, b) => any(&[*a, *b]),
            TermKind::Multiply(a, b) | TermKind::Dot(a, b) => {
                if scaled(a, b) == Sense::Torque {
                    Sense::Torque
                } else {
                    scaled(b, a)
                }
            }
            TermKind::Divide(a, b) => scaled(a, b),
            TermKind::Negate(a)
            | TermKind::Component(a, _)
            | TermKind::Norm(a)
            | TermKind::InFrame(a, _)
            | TermKind::Derivative(a)
            | TermKind::Call { body: a, .. } => of(a),
            TermKind::Delayed(_, place) => of(&self.delays[*place].signal),
            _ => Sense::Plain,
        }
    }
}

/// `deg`, `rad/s`, `rpm`; `N*m`, `kN*cm`
fn of_unit(unit: &str) -> Sense {
    let is_angle = ["deg", "rad", "rev", "rpm"].iter().any(|angle| unit.starts_with(angle));
    match is_angle {
        true => Sense::Turning,
        // What is no torque has lost this again where its dimension is seen.
        false if unit.contains('N') => Sense::Torque,
        false => Sense::Plain,
    }
}

#[cfg(test)]
mod tests {
    use base::{Diagnostics, SourceId};

    /// The units of what a scene plots.
    fn units(text: &str) -> Vec<String> {
        let mut sink = Diagnostics::default();
        let tree = syntax::parse(SourceId(0), text, &mut sink);
        let model = crate::resolve(&tree, &crate::Library::NONE, &[], &mut sink);
        let mut model = model.unwrap_or_else(|| panic!("{sink:#?}"));
        model.print_by_default();
        model.output_units()
    }

    #[test]
    fn what_turns_is_in_radians() {
        let scene =
            "param start = 30 [deg]\nbody b { rotation = about z free; mass = 1 [kg]; inertia = (1, 1, 1) [kg*m^2] }\n";
        let plotted =
            "b.angle - start, -b.angle', b.omega, |b.alpha|, atan2(b.velocity.x, b.velocity.y), b.angle / start";
        assert_eq!(units(&format!("{scene}plot {plotted}")), ["rad", "rad/s", "rad/s", "rad/s^2", "rad", ""]);
    }

    #[test]
    fn what_an_angle_was_is_an_angle() {
        let scene =
            "body b { rotation = about z free; mass = 1 [kg]; inertia = (1, 1, 1) [kg*m^2] }\nhistory b.angle == 0\n";
        let plotted = "b.angle(t - 0.1 [s]), b.angle'(t - 0.1 [s]), b.omega.z * 1 [s]";
        assert_eq!(units(&format!("{scene}plot {plotted}")), ["rad", "rad/s", ""]);
    }

    #[test]
    fn other_quantities_have_the_unit_of_their_dimension_or_of_their_declaration() {
        let scene = "body b { position = free; mass = 1 [kg] }\nkind motor { torque: [N*m]; twist: vec [N*cm]; power: [W] }\nm: motor\n";
        let plotted = "b.x, b.velocity, energy, b.x < 1 [m], m.torque, m.twist.x, 2 * m.torque, m.power";
        assert_eq!(units(&format!("{scene}plot {plotted}")), ["m", "m/s", "J", "", "N*m", "N*m", "N*m", "W"]);
    }
}
