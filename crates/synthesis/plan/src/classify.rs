//! The stage: redundancy, determinacy, classes.

use base::{Diagnostic, Diagnostics};
use equations::{ConstraintId, ConstraintKind, CoordinateId, Level, System};
use expr::{Differentiator, Expr, SymbolId, Tape};
use rustc_hash::FxHashMap;
use structure::{Incidence, connected_components, decompose, maximum_matching, order_blocks};

use crate::codes;
use crate::generic::{self, Point};
use crate::plan::{Classes, Plan, Start};
use crate::rank::analyse;

/// Decides how the system is solved; reports and refuses what does not determine the motion.
pub fn classify(system: &System, sink: &mut Diagnostics) -> Option<Plan> {
    let points = generic::points(system);
    let redundant = redundant_constraints(system, &points, sink);
    let enforced = |id: &ConstraintId| !redundant.contains(id);
    if !determines_motion(system, &redundant, &points, sink) {
        return None;
    }
    let multipliers = system.constraints.iter().enumerate().filter(|(_, constraint)| constraint.multiplier.is_some());
    let independent = multipliers.filter(|(at, _)| enforced(&ConstraintId(*at as u32))).count();
    let degrees_of_freedom = system.speeds.len().saturating_sub(independent);
    let start = Start {
        chosen_positions: chosen(system, Level::Position, &points),
        chosen_velocities: chosen(system, Level::Velocity, &points),
    };
    Some(Plan { classes: classes(system), redundant, degrees_of_freedom, start })
}

/// Everything is integrated from accelerations; every constraint is differentiated as often as that needs.
fn classes(system: &System) -> Classes {
    let constraints = |kinds: &[ConstraintKind]| {
        let chosen = system.constraints.iter().enumerate().filter(|(_, constraint)| kinds.contains(&constraint.kind));
        chosen.map(|(at, _)| ConstraintId(at as u32)).collect()
    };
    Classes {
        q2: (0..system.coordinates.len()).map(|at| CoordinateId(at as u32)).collect(),
        h2: constraints(&[ConstraintKind::Holonomic, ConstraintKind::Invariant]),
        n2: constraints(&[ConstraintKind::Nonholonomic]),
        ..Classes::default()
    }
}

/// Constraints whose velocity level depends on that of constraints before them, at every generic point.
fn redundant_constraints(system: &System, points: &[Point], sink: &mut Diagnostics) -> Vec<ConstraintId> {
    let forced = system.constraints.iter().enumerate().filter(|(_, constraint)| constraint.multiplier.is_some());
    let ids: Vec<ConstraintId> = forced.map(|(at, _)| ConstraintId(at as u32)).collect();
    let rows: Vec<Expr> = ids.iter().filter_map(|id| system.constraints[id.index()].at(Level::Velocity)).collect();
    let matrix = SparseJacobian::new(system, &rows, &system.speed_symbols());
    let mut redundant = Vec::new();
    for (rows, columns) in connected_components(&matrix.incidence()) {
        let dependent_at =
            |point: &Point| analyse(&matrix.values(&rows, &columns, point), columns.len()).dependent_rows;
        let everywhere =
            points.iter().map(dependent_at).reduce(|a, b| a.into_iter().filter(|row| b.contains(row)).collect());
        redundant.extend(everywhere.unwrap_or_default().into_iter().map(|row| ids[rows[row]]));
    }
    redundant.sort_unstable();
    for id in &redundant {
        let constraint = &system.constraints[id.index()];
        sink.report(
            Diagnostic::notice(
                codes::REDUNDANT_CONSTRAINT,
                format!("`{}` follows from the other constraints", constraint.label),
            )
            .at(constraint.span, "watched, but not enforced a second time"),
        );
    }
    redundant
}

/// Whether accelerations and multipliers follow from the equations of motion and the constraints.
fn determines_motion(system: &System, redundant: &[ConstraintId], points: &[Point], sink: &mut Diagnostics) -> bool {
    let mut rows: Vec<Expr> = system.motion.iter().map(|motion| motion.residual).collect();
    let mut unknowns = system.acceleration_symbols();
    for (id, residual) in system.constraints_at(Level::Acceleration) {
        if let Some(multiplier) = system.constraints[id.index()].multiplier
            && !redundant.contains(&id)
        {
            rows.push(residual);
            unknowns.push(multiplier);
        }
    }
    let matrix = SparseJacobian::new(system, &rows, &unknowns);
    let incidence = matrix.incidence();
    let matching = maximum_matching(&incidence);
    let missing: Vec<usize> = if matching.size() < unknowns.len() {
        decompose(&incidence, &matching).under_columns
    } else {
        let blocks = order_blocks(&incidence, &matching).into_iter();
        blocks.flat_map(|block| undetermined(&matrix, &block.rows, &block.columns, points)).collect()
    };
    if missing.is_empty() {
        return true;
    }
    report_missing(system, &missing, sink);
    false
}

/// Unknowns of a block that its equations leave open at every generic point.
fn undetermined(matrix: &SparseJacobian, rows: &[usize], columns: &[usize], points: &[Point]) -> Vec<usize> {
    let open_at = |point: &Point| -> Vec<usize> {
        let Some(vector) = analyse(&matrix.values(rows, columns, point), columns.len()).null_vector else {
            return Vec::new();
        };
        let moving = columns.iter().zip(vector).filter(|(_, part)| part.abs() > 1e-6);
        moving.map(|(&column, _)| column).collect()
    };
    let everywhere = points.iter().map(open_at).min_by_key(Vec::len);
    everywhere.unwrap_or_default()
}

fn report_missing(system: &System, missing: &[usize], sink: &mut Diagnostics) {
    let speeds: Vec<&equations::Speed> = missing.iter().filter_map(|&column| system.speeds.get(column)).collect();
    let names: Vec<String> = speeds.iter().map(|speed| format!("`{}`", speed.name.trim_end_matches('\''))).collect();
    if names.is_empty() {
        let message =
            "the constraints are not independent of one another, so the forces that keep them are not determined";
        let constraints =
            missing.iter().filter_map(|&column| system.constraints.get(column.checked_sub(system.speeds.len())?));
        let diagnostic = constraints
            .fold(Diagnostic::error(codes::OVER_DETERMINED, message), |diagnostic, constraint| {
                diagnostic.at(constraint.span, format!("`{}`", constraint.label))
            });
        sink.report(diagnostic.hint("drop one of these constraints"));
        return;
    }
    let message =
        format!("nothing determines how {} {}", list(&names), if names.len() == 1 { "moves" } else { "move" });
    let mut diagnostic = Diagnostic::error(codes::UNDER_DETERMINED, message);
    for speed in &speeds {
        let label =
            format!("`{}` is free, but no mass and no constraint acts on it", speed.name.trim_end_matches('\''));
        diagnostic = diagnostic.at(speed.span, label);
    }
    let note = format!(
        "{} free to move; {} on them",
        count(system.speeds.len(), "coordinate is", "coordinates are"),
        count(system.multiplier_symbols().len(), "constraint acts", "constraints act")
    );
    sink.report(diagnostic.note(note).hint(
        "give the body a mass or an inertia, state what it follows with `always … == …`, or replace `free` by a value",
    ));
}

fn list(names: &[String]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => names.join(""),
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// How many positions or velocities at the start are left to the guesses.
fn chosen(system: &System, level: Level, points: &[Point]) -> usize {
    let mut rows: Vec<Expr> = system.constraints_at(level).into_iter().map(|(_, residual)| residual).collect();
    rows.extend(system.initial.iter().filter(|initial| initial.level == level).map(|initial| initial.residual));
    let unknowns = if level == Level::Position { system.coordinate_symbols() } else { system.speed_symbols() };
    let matrix = SparseJacobian::new(system, &rows, &unknowns);
    let Some(point) = points.first() else { return 0 };
    let open = connected_components(&matrix.incidence()).into_iter().map(|(rows, columns)| {
        let dependent = analyse(&matrix.values(&rows, &columns, point), columns.len()).dependent_rows.len();
        columns.len().saturating_sub(rows.len() - dependent)
    });
    open.sum()
}

/// The derivatives of some rows by some unknowns, where they are not zero.
struct SparseJacobian {
    rows: usize,
    columns: usize,
    entries: FxHashMap<(usize, usize), usize>,
    tape: Tape,
}

impl SparseJacobian {
    fn new(system: &System, rows: &[Expr], unknowns: &[SymbolId]) -> SparseJacobian {
        let arena = &system.arena;
        let (mut entries, mut slopes) = (FxHashMap::default(), Vec::new());
        let occurring: Vec<Vec<SymbolId>> = rows.iter().map(|&row| arena.symbols_in(&[row])).collect();
        for (column, &unknown) in unknowns.iter().enumerate() {
            let mut by = Differentiator::by(arena, arena.symbol(unknown));
            for (row, &residual) in rows.iter().enumerate() {
                if occurring[row].binary_search(&unknown).is_err() {
                    continue;
                }
                let slope = by.derivative(arena, residual);
                if !arena.is_zero(slope) {
                    entries.insert((row, column), slopes.len());
                    slopes.push(slope);
                }
            }
        }
        let tape = Tape::new(arena, &slopes);
        SparseJacobian { rows: rows.len(), columns: unknowns.len(), entries, tape }
    }

    fn incidence(&self) -> Incidence {
        let mut rows = vec![Vec::new(); self.rows];
        self.entries.keys().for_each(|&(row, column)| rows[row].push(column));
        Incidence::new(self.columns, rows)
    }

    fn values(&self, rows: &[usize], columns: &[usize], point: &Point) -> Vec<Vec<f64>> {
        let values = self.tape.run(|symbol| point.get(&symbol).copied().unwrap_or(f64::NAN));
        let entry = |row: usize, column: usize| self.entries.get(&(row, column)).map_or(0.0, |&at| values[at]);
        rows.iter().map(|&row| columns.iter().map(|&column| entry(row, column)).collect()).collect()
    }
}
