//! What is assumed of the start because the scene does not say it.

use crate::pipeline::{SCENE, Stages};

/// More of them are only counted.
const FEW: usize = 6;

/// What the author left open about the start, in short: `x = 0, y = 0`.
pub fn told_assumptions(stages: &Stages) -> Option<String> {
    let lines = assumptions(stages);
    let shown = lines.iter().take(FEW).cloned().collect::<Vec<_>>().join(", ");
    match lines.len() {
        0 => None,
        count if count > FEW => Some(format!("{shown}, and {} more (`ansatz explain --stage plan`)", count - FEW)),
        _ => Some(shown),
    }
}

/// Starts that nothing gives, or only the default of a theory.
pub fn assumptions(stages: &Stages) -> Vec<String> {
    let (start, model) = (&stages.plan.start, &stages.model);
    let given = |name: &str| {
        let owns = |whole: &str| name.strip_prefix(whole).is_some_and(|part| part.is_empty() || part.starts_with('.'));
        let quantity = model.quantities.iter().find(|quantity| owns(&quantity.name));
        quantity.and_then(|quantity| quantity.start).is_some_and(|start| model.terms.get(start).span.source == SCENE)
    };
    let open: Vec<_> = start.assumed.iter().filter(|row| !(row.stated && given(&row.name))).collect();
    plan::assumptions(&stages.plan.laws.form.arena, &open)
}
