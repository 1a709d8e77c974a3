//! The unit in which a quantity is shown: that of its dimension, with `rad` for what turns.

use base::Dimension;
use expr::Operator;

use crate::model::Model;
use crate::term::{FrameQuantity, TermId, TermKind};

/// Units of what turns; by their dimensions alone they would be plain numbers and frequencies.
const TURNING: &[(Dimension, &str)] =
    &[(Dimension::NONE, "rad"), (Dimension::FREQUENCY, "rad/s"), (Dimension::ANGULAR_ACCELERATION, "rad/s^2")];

/// The unit of an angle or of its rate.
pub fn turning_unit(dimension: Dimension) -> Option<&'static str> {
    TURNING.iter().find(|row| row.0 == dimension).map(|row| row.1)
}

impl Model {
    /// The unit of each output; nothing for a plain number.
    pub fn output_units(&self) -> Vec<String> {
        let turning = self.turning();
        self.outputs.iter().map(|output| self.unit_among(output.term, &turning)).collect()
    }

    /// The unit of a term; nothing for a plain number.
    pub fn unit_of(&self, term: TermId) -> String {
        self.unit_among(term, &self.turning())
    }

    fn unit_among(&self, term: TermId, turning: &[bool]) -> String {
        let dimension = self.terms.get(term).type_.amount.dimension();
        if let Some(unit) = self.declared_unit(term) {
            return unit.to_string();
        }
        match turning_unit(dimension).filter(|_| turning[term.index()]) {
            Some(unit) => unit.to_string(),
            None if dimension.is_none() => String::new(),
            None => dimension.unit(),
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
        self.turning()[term.index()]
    }

    /// For each term, whether it is an angle, or the rate of one; a term's parts are older than the term.
    fn turning(&self) -> Vec<bool> {
        let mut turning: Vec<bool> = Vec::with_capacity(self.terms.len());
        for at in 0..self.terms.len() {
            let of = |part: &TermId| turning[part.index()];
            let turns = match &self.terms.get(TermId(at as u32)).kind {
                TermKind::Frame(_, quantity) => matches!(
                    quantity,
                    FrameQuantity::Angle | FrameQuantity::Euler | FrameQuantity::Omega | FrameQuantity::Alpha
                ),
                TermKind::Parameter(id) => is_angle(&self.parameters[id.index()].unit.text),
                TermKind::Control(id) => is_angle(&self.controls[id.index()].unit.text),
                TermKind::Apply(operator, arguments) => match operator {
                    Operator::Asin | Operator::Acos | Operator::Atan | Operator::Atan2 => true,
                    Operator::Abs | Operator::Min | Operator::Max => arguments.iter().any(of),
                    _ => false,
                },
                TermKind::Add(a, b) | TermKind::Subtract(a, b) | TermKind::If(_, a, b) => of(a) || of(b),
                TermKind::Negate(a)
                | TermKind::Component(a, _)
                | TermKind::Norm(a)
                | TermKind::InFrame(a, _)
                | TermKind::Derivative(a)
                | TermKind::Call { body: a, .. } => of(a),
                TermKind::Delayed(_, place) => {
                    let signal = self.delays[*place].signal;
                    turning.get(signal.index()).copied().unwrap_or(false)
                }
                _ => false,
            };
            turning.push(turns);
        }
        turning
    }
}

/// `deg`, `rad/s`, `rpm`
fn is_angle(unit: &str) -> bool {
    ["deg", "rad", "rev", "rpm"].iter().any(|angle| unit.starts_with(angle))
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
        assert_eq!(units(&format!("{scene}plot {plotted}")), ["m", "m/s", "J", "", "N*m", "J", "J", "W"]);
    }
}
