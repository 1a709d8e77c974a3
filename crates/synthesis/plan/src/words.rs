//! Constraints as the author knows them: by statement, not by component.

use base::Span;
use equations::{ConstraintId, System, split_label};

/// A statement of the scene, with those components of it that are meant.
pub struct Statement {
    pub name: String,
    pub span: Span,
    pub constraints: Vec<ConstraintId>,
    components: Vec<String>,
    /// How many components it has in all.
    all: usize,
}

impl Statement {
    /// `rolls`, or `rolls` (x) if only a part of it is meant.
    pub fn words(&self) -> String {
        if self.components.len() == self.all {
            return format!("`{}`", self.name);
        }
        format!("`{}` ({})", self.name, self.components.join(", "))
    }
}

/// The statements that some constraints are components of, in the order of the scene.
pub fn statements(system: &System, constraints: &[ConstraintId]) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    let mut constraints = constraints.to_vec();
    constraints.sort_unstable();
    constraints.dedup();
    for id in constraints {
        let constraint = &system.constraints[id.index()];
        let (name, component) = split_label(&constraint.label);
        match statements.iter_mut().find(|statement| statement.name == name && statement.span == constraint.span) {
            Some(statement) => {
                statement.constraints.push(id);
                statement.components.push(component.to_string());
            }
            None => statements.push(Statement {
                name: name.to_string(),
                span: constraint.span,
                constraints: vec![id],
                components: vec![component.to_string()],
                all: system.constraints.iter().filter(|other| split_label(&other.label).0 == name).count(),
            }),
        }
    }
    statements
}
