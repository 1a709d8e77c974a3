//! What people know of a simulation program: the names, units and places of what goes into it and comes out of it. The
//! sample programs that back ends write around a module are made of this.

use crate::executive::AT_ONCE;
use crate::protocol::{FAILURES, STOPPED, Subject};

/// Everything is in the order of the module's arrays; see [`protocol`](crate::protocol).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Interface {
    /// The file that the program was made from.
    pub source: String,
    pub parameters: Vec<Input>,
    pub controls: Vec<Input>,
    /// The columns of a table of results.
    pub outputs: Vec<Output>,
    /// What each integral is about, for messages.
    pub integrals: Vec<String>,
    /// What each system of equations is about, for messages.
    pub systems: Vec<String>,
    /// The tolerance that the method of integration was chosen for.
    pub tolerance: f64,
    /// The modes of a program that has several, and the transitions between them; what it claims.
    pub modes: Vec<Named>,
    pub transitions: Vec<Named>,
    pub claims: Vec<String>,
    /// All coordinates and speeds, for messages about transitions.
    pub variables: Vec<String>,
}

impl Interface {
    /// Whether there are transitions to be told of.
    pub fn is_changing(&self) -> bool {
        !self.modes.is_empty()
    }

    /// A template for programs of one mode and of several: lines between `@changing` or `@plain`, and `@end`, stay in one of them only, and
    /// numbers of the protocol are put in.
    pub fn choose_lines(&self, template: &str) -> String {
        let mut text = String::with_capacity(template.len());
        let mut stays = true;
        for line in template.lines() {
            match line.trim() {
                "@changing" => stays = self.is_changing(),
                "@plain" => stays = !self.is_changing(),
                "@end" => stays = true,
                _ if stays => {
                    text.push_str(line);
                    text.push('\n');
                }
                _ => {}
            }
        }
        text.replace("@STOPPED@", &STOPPED.to_string()).replace("@AT_ONCE@", &format!("{AT_ONCE:e}"))
    }

    /// What may fail in this program: programs of one mode have no transitions and no claims.
    pub fn failures(&self) -> impl Iterator<Item = (i64, &'static str, Subject)> {
        let changing = self.is_changing();
        let named = move |of: Subject| changing || !matches!(of, Subject::Transition | Subject::Claim);
        FAILURES.into_iter().filter(move |&(_, _, of)| named(of))
    }
}

/// One of several things that a program counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Its name in a program.
    pub identifier: String,
    /// Its name in the scene.
    pub name: String,
    /// What it is, in words.
    pub note: String,
}

/// A number that people can set.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    pub name: String,
    /// The unit in which people give it; `1` for plain numbers.
    pub unit: String,
    /// One of this unit in SI units.
    pub scale: f64,
    /// In SI units.
    pub default: f64,
    /// Allowed values, in SI units.
    pub range: Option<(f64, f64)>,
    /// What it is, in words.
    pub note: String,
}

/// A number that people look at, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub name: String,
    /// Nothing for a plain number.
    pub unit: String,
    /// What its values are called, where they are not numbers.
    pub words: Option<Vec<String>>,
}

impl Output {
    /// The head of its column in a table: its name and its unit.
    pub fn head(&self) -> String {
        if self.unit.is_empty() { self.name.clone() } else { format!("{} [{}]", self.name, self.unit) }
    }
}
