//! Equations that follow from others, such as the last current law of a circuit.
//!
//! Where equations outnumber the quantities they speak of, the gradients of some depend on those of others. Such an equation is left
//! out if it holds where the others do, and contradicts them if it does not.

use base::{Diagnostic, Diagnostics, counted, listed};
use equations::{Equation, GeneralForm, Role, System};
use expr::{Expr, Point, SymbolId, Tape};
use rustc_hash::{FxHashMap, FxHashSet};
use structure::{Incidence, Orders, decompose, maximum_matching};

use super::point;
use crate::codes;
use crate::generic::Manifold;
use crate::sparse::{SparseRow, eliminate};

/// Equations that do not say how things change.
#[derive(Default)]
pub struct SetAside {
    /// Equations between constants only.
    pub statics: Vec<Equation>,
    /// Equations that follow from others.
    pub redundant: Vec<Equation>,
    /// What the equations that are left mention.
    pub mentions: Orders,
}

/// What is being sorted out.
struct Enforced {
    rows: Vec<usize>,
    mentions: Orders,
    redundant: Vec<Equation>,
}

/// For each equation the changing quantities that it mentions, with the highest derivative.
pub fn mentions(form: &GeneralForm) -> Orders {
    let places = form.places();
    let changes = |&(quantity, _): &(usize, usize)| form.quantities[quantity].role != Role::Constant;
    let mentioned =
        |equation: &Equation| form.mentions(&places, equation.residual).into_iter().filter(changes).collect();
    form.equations.iter().map(mentioned).collect()
}

/// Leaves in the form what says how things change. Reports equations that follow from others, and contradictions; for equations in
/// which nothing is open, the reasons are those that what they speak of was found from.
pub fn set_aside(
    system: &System,
    form: &mut GeneralForm,
    (reasons, given): (&FxHashMap<usize, Vec<Equation>>, &[Point]),
    sink: &mut Diagnostics,
) -> Option<SetAside> {
    let mut enforced = Enforced { rows: Vec::new(), mentions: Vec::new(), redundant: Vec::new() };
    let mut statics = Vec::new();
    let places = form.places();
    let point = point::anywhere(system, form, given, 0);
    let mut fine = true;
    for (at, mentions) in mentions(form).into_iter().enumerate() {
        let equation = &form.equations[at];
        if !mentions.is_empty() {
            enforced.rows.push(at);
            enforced.mentions.push(mentions);
        } else if !form.mentions(&places, equation.residual).is_empty() {
            statics.push(equation.clone());
        } else if vanishes(form, equation.residual, &point) {
            enforced.redundant.push(equation.clone());
        } else {
            report_contradiction(equation, reasons.get(&at).map_or(&[][..], |reasons| reasons), sink);
            fine = false;
        }
    }
    fine &= drop_dependent(form, &mut enforced, &point, sink);
    enforced.redundant.iter().for_each(|equation| report_redundant(equation, sink));
    let mut at = 0..;
    form.equations.retain(|_| at.next().is_some_and(|at| enforced.rows.binary_search(&at).is_ok()));
    fine.then_some(SetAside { statics, redundant: enforced.redundant, mentions: enforced.mentions })
}

/// Whether an equation without unknowns holds.
pub fn vanishes(form: &GeneralForm, residual: Expr, point: &Point) -> bool {
    form.arena.is_zero(residual) || Tape::new(&form.arena, &[residual]).run(point)[0].abs() <= 1e-9
}

/// Finds which of the equations that outnumber their quantities depend on others.
fn drop_dependent(form: &GeneralForm, enforced: &mut Enforced, point: &Point, sink: &mut Diagnostics) -> bool {
    let mentioned = enforced.mentions.iter().map(|row| row.iter().map(|&(quantity, _)| quantity).collect());
    let incidence = Incidence::new(form.quantities.len(), mentioned.collect());
    let over = decompose(&incidence, &maximum_matching(&incidence)).over_rows;
    if over.is_empty() {
        return true;
    }
    let residuals: Vec<Expr> = over.iter().map(|&row| form.equations[enforced.rows[row]].residual).collect();
    let symbols: Vec<SymbolId> = symbols_of(form, &residuals);
    let matrix = point::slopes(&form.arena, &residuals, &symbols, point);
    let elimination = eliminate(&matrix, &vec![0; symbols.len()]);
    let combinations: Vec<SparseRow> =
        elimination.dependent_rows.iter().map(|&row| elimination.combination(row)).collect();
    let mut dropped: FxHashSet<usize> = FxHashSet::default();
    let mut fine = true;
    for (row, combination) in chosen(&matrix, combinations) {
        let members: Vec<usize> = combination.iter().map(|&(at, _)| at).collect();
        let factors: Vec<f64> = combination.iter().map(|&(_, factor)| factor).collect();
        let parts: Vec<Expr> = members.iter().map(|&at| residuals[at]).collect();
        if holds(form, &parts, &factors, members.iter().position(|&at| at == row), point) {
            dropped.insert(over[row]);
        } else {
            let mut equations: Vec<Equation> =
                members.iter().map(|&at| form.equations[enforced.rows[over[at]]].clone()).collect();
            if let Some(last) = equations.pop() {
                report_contradiction(&last, &equations, sink);
            }
            fine = false;
        }
    }
    let mut redundant: Vec<usize> = dropped.iter().map(|&row| enforced.rows[row]).collect();
    redundant.sort_unstable();
    enforced.redundant.extend(redundant.into_iter().map(|at| form.equations[at].clone()));
    let (mut row, mut mention) = (0.., 0..);
    enforced.rows.retain(|_| row.next().is_some_and(|at| !dropped.contains(&at)));
    enforced.mentions.retain(|_| mention.next().is_some_and(|at| !dropped.contains(&at)));
    fine
}

/// The symbols of quantities in some expressions, ascending.
fn symbols_of(form: &GeneralForm, exprs: &[Expr]) -> Vec<SymbolId> {
    let places = form.places();
    form.arena.symbols_in(exprs).into_iter().filter(|&symbol| places.get(symbol).is_some()).collect()
}

/// One row of each combination, none twice: the longest, since what depends on everything is the worst to solve for; the last of
/// equals.
fn chosen(matrix: &[SparseRow], mut combinations: Vec<SparseRow>) -> Vec<(usize, SparseRow)> {
    let mut chosen = Vec::new();
    for at in 0..combinations.len() {
        let combination = std::mem::take(&mut combinations[at]);
        let Some(&(row, own)) = combination.iter().max_by_key(|&&(row, _)| (matrix[row].len(), row)) else { continue };
        for other in combinations[at + 1..].iter_mut() {
            let Some(&(_, share)) = other.iter().find(|(member, _)| *member == row) else { continue };
            *other = difference(other, &combination, share / own);
        }
        chosen.push((row, combination));
    }
    chosen
}

/// `a - factor * b`.
fn difference(a: &SparseRow, b: &SparseRow, factor: f64) -> SparseRow {
    let mut sum: std::collections::BTreeMap<usize, f64> = a.iter().copied().collect();
    for &(at, value) in b {
        *sum.entry(at).or_default() -= factor * value;
    }
    sum.into_iter().filter(|(_, value)| value.abs() > 1e-9).collect()
}

/// Whether one of some residuals, whose gradients add up to nothing, vanishes where the others do.
fn holds(form: &GeneralForm, parts: &[Expr], factors: &[f64], own: Option<usize>, point: &Point) -> bool {
    // What residuals leave, beside their terms, where they follow from others; points are on the constraints to about 1e-10.
    const NOTICEABLE: f64 = 1e-7;
    // The largest system that is looked at where it holds; of a larger one the combination itself is looked at.
    const LARGEST: usize = 80;
    let tape = Tape::new(&form.arena, parts);
    let terms: Vec<f64> = tape.run(point).iter().zip(factors).map(|(value, factor)| value * factor).collect();
    let size = terms.iter().fold(1e-3_f64, |size, term| size.max(term.abs()));
    if terms.iter().sum::<f64>().abs() <= NOTICEABLE * size {
        return true;
    }
    let (Some(own), true) = (own, parts.len() <= LARGEST) else { return false };
    let mut there = point.clone();
    let others: Vec<Expr> = parts.iter().enumerate().filter(|(at, _)| *at != own).map(|(_, &part)| part).collect();
    Manifold::new(&form.arena, &others, symbols_of(form, &others), usize::MAX).approach(&mut there);
    let left = tape.run(&there);
    left.iter().all(|value| value.abs() <= NOTICEABLE)
}

pub fn report_redundant(equation: &Equation, sink: &mut Diagnostics) {
    let message = format!("`{}` follows from the other equations", equation.label);
    sink.report(
        Diagnostic::notice(codes::REDUNDANT_CONSTRAINT, message)
            .at(equation.span, "holds by itself, so it is not solved for")
            .hint("nothing needs to be done; if it should say something else, correct it"),
    );
}

/// What is said of an equation that cannot hold beside others. Of many, those that say the same of other things are named.
pub fn report_contradiction(equation: &Equation, others: &[Equation], sink: &mut Diagnostics) {
    const FEW: usize = 4;
    let alike: Vec<&Equation> = others.iter().filter(|other| other.span == equation.span).collect();
    let others: Vec<&Equation> = if alike.is_empty() { others.iter().collect() } else { alike };
    let mut names: Vec<String> = others.iter().take(FEW).map(|other| format!("`{}`", other.label)).collect();
    if others.len() > FEW {
        names.push(counted(others.len() - FEW, "other equation", "other equations"));
    }
    let message = match names.is_empty() {
        true => format!("`{}` cannot hold", equation.label),
        false => format!("`{}` contradicts {}", equation.label, listed(&names)),
    };
    let mut diagnostic = Diagnostic::error(codes::CONTRADICTING_CONSTRAINTS, message)
        .at(equation.span, "leaves a difference, whatever the unknowns are");
    for other in others.iter().take(FEW) {
        diagnostic = diagnostic.at(other.span, format!("`{}`", other.label));
    }
    sink.report(diagnostic.hint("drop one of them, or change a number so that they agree"));
}
