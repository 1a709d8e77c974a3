//! Whether there are as many equations as unknowns, counted where they meet.

use base::{Diagnostic, Diagnostics, counted, listed};
use equations::{GeneralForm, Quantity, Role, System};
use structure::{Incidence, Orders, decompose, maximum_matching};

use super::Candidates;
use crate::codes;

/// Reports quantities that no equation is left for, and equations that no quantity is left for.
pub fn is_determined(
    system: &System,
    form: &GeneralForm,
    mentions: &Orders,
    candidates: Candidates<'_>,
    sink: &mut Diagnostics,
) -> bool {
    let mentioned = mentions.iter().map(|row| row.iter().map(|&(quantity, _)| quantity).collect());
    let incidence = Incidence::new(form.quantities.len(), mentioned.collect());
    let matching = maximum_matching(&incidence);
    let open = |quantity: &usize| form.quantities[*quantity].role != Role::Constant;
    let unmatched: Vec<usize> =
        (0..form.quantities.len()).filter(|&at| matching.row_of_column[at].is_none()).filter(open).collect();
    let decomposition = decompose(&incidence, &matching);
    let excess: Vec<usize> = (0..incidence.rows()).filter(|&row| matching.column_of_row[row].is_none()).collect();
    if unmatched.is_empty() && excess.is_empty() {
        return true;
    }
    let unknowns = form.quantities.iter().filter(|quantity| quantity.role != Role::Constant).count();
    let note = format!(
        "there are {} for {}{}",
        counted(mentions.len(), "equation", "equations"),
        counted(unknowns, "unknown", "unknowns"),
        match form.replaced.len() {
            0 => String::new(),
            known => format!(", besides {known} that are known by other names or beforehand"),
        },
    );
    if !excess.is_empty() {
        report_excess(form, &decomposition.over_rows, excess.len(), &note, sink);
    }
    if !unmatched.is_empty() {
        let under: Vec<usize> = decomposition.under_columns.into_iter().filter(open).collect();
        report_open(system, form, (&unmatched, &under), (&note, candidates), sink);
    }
    false
}

fn report_excess(form: &GeneralForm, rows: &[usize], excess: usize, note: &str, sink: &mut Diagnostics) {
    const FEW: usize = 6;
    let mut names: Vec<String> = rows.iter().take(FEW).map(|&at| format!("`{}`", form.equations[at].label)).collect();
    if rows.len() > FEW {
        names.push(counted(rows.len() - FEW, "other equation", "other equations"));
    }
    let message = format!(
        "{} say more than their unknowns can satisfy: {} too many",
        listed(&names),
        counted(excess, "equation", "equations")
    );
    let mut diagnostic = Diagnostic::error(codes::OVER_DETERMINED, message);
    for &at in rows.iter().take(FEW) {
        let equation = &form.equations[at];
        diagnostic = diagnostic.at(equation.span, format!("`{}`", equation.label));
    }
    sink.report(diagnostic.note(note).hint("drop one of these, or leave a quantity in them open"));
}

/// Where an `always` is meant to say what a quantity of one's own is, and was read as a constraint on a frame.
fn without_a_force(open: &[&Quantity]) -> Option<String> {
    let force = open.iter().find(|quantity| quantity.role == Role::Force)?;
    open.iter().find(|quantity| quantity.role == Role::Variable)?;
    let label = force.name.strip_prefix("λ(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(&force.name);
    let equation = if label.contains("==") { label } else { "…" };
    Some(format!(
        "`always` about a frame is a constraint, which exerts a force of its own; an equation that exerts none is a law: `law reading {{ {equation} }}`"
    ))
}

/// The unmatched are as many as equations are missing, but any others of the open ones could be meant as well.
fn report_open(
    system: &System,
    form: &GeneralForm,
    (unmatched, under): (&[usize], &[usize]),
    (note, candidates): (&str, Candidates<'_>),
    sink: &mut Diagnostics,
) {
    const FEW: usize = 6;
    let named = |list: &[usize]| -> Vec<String> {
        let mut names: Vec<String> =
            list.iter().take(FEW).map(|&at| format!("`{}`", form.quantities[at].name)).collect();
        if list.len() > FEW {
            names.push(format!("{} more", list.len() - FEW));
        }
        names
    };
    let shown = if under.len() <= FEW { under } else { unmatched };
    let message = match shown.len() == unmatched.len() {
        true => format!("nothing determines {}", listed(&named(shown))),
        false => format!(
            "too little determines {}: {} missing",
            listed(&named(shown)),
            counted(unmatched.len(), "equation is", "equations are")
        ),
    };
    let mut diagnostic = Diagnostic::error(codes::UNDER_DETERMINED, message);
    let quantities: Vec<&Quantity> = shown.iter().map(|&at| &form.quantities[at]).collect();
    for (at, quantity) in quantities.iter().take(FEW).enumerate() {
        if quantities[..at].iter().all(|before| before.span != quantity.span) {
            diagnostic = diagnostic.at(quantity.span, format!("`{}` is open", quantity.name));
        }
    }
    diagnostic = diagnostic.note(note);
    if let Some(hint) = without_a_force(&quantities) {
        sink.report(diagnostic.hint(hint));
        return;
    }
    let names: Vec<String> = shown.iter().map(|&at| form.quantities[at].name.clone()).collect();
    let hints = candidates(&names);
    if hints.is_empty() {
        let law = if system.laws.is_empty() { "state" } else { "add a law for it, or state" };
        diagnostic = diagnostic.hint(format!("{law} what it is with `always … == …`, or give it a value"));
    }
    sink.report(hints.into_iter().fold(diagnostic, Diagnostic::hint));
}
