//! Tables of answers: drawn in the terminal, as a figure, or written for other programs.

use std::io;
use std::path::{Path, PathBuf};

use driver::{FoundAnswer as Answer, Table};

use crate::angles::Angles;
use crate::plot::{Column, Curve, Recording, Style};
use crate::table::{self, Cell, Kind};
use crate::{figure, render, whole_file};

/// Fewer values than this are read faster than drawn.
const FEWEST: usize = 3;

/// One panel for each number that is asked for, over the parameter.
pub fn drawn(table: &Table, style: Style) -> String {
    if table.rows.len() < FEWEST {
        return String::new();
    }
    let panels: String = recordings(table).iter().map(|it| it.draw(0.0, style)).collect();
    if panels.is_empty() { panels } else { format!("\n{panels}") }
}

/// As a figure, or by the ending of the name as a table; of several tables each but the first goes to a file of its own.
pub fn write(tables: &[Table], output: &Path) -> io::Result<()> {
    let is = |ending: &str| output.extension().is_some_and(|kind| kind.eq_ignore_ascii_case(ending));
    if is("svg") || is("pdf") {
        let recordings: Vec<Recording> = tables.iter().flat_map(recordings).collect();
        let page = figure::page(&recordings, 0.0);
        return match is("pdf") {
            true => whole_file::replace(output, &figure::pdf(&page)),
            false => whole_file::replace(output, figure::svg(&page).as_bytes()),
        };
    }
    for (at, table) in tables.iter().enumerate() {
        let file = numbered(output, at);
        write_one(table, &file)?;
        if at > 0 {
            render::say(&format!("  `{} for {}` is in {}", table.asked.join(", "), table.parameter, file.display()));
        }
    }
    Ok(())
}

/// `polar.csv`, `polar-2.csv`; standard output takes all.
fn numbered(output: &Path, at: usize) -> PathBuf {
    if at == 0 || output == Path::new("-") {
        return output.to_path_buf();
    }
    let part = |part: Option<&std::ffi::OsStr>| part.map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let ending = part(output.extension());
    let name = format!("{}-{}", part(output.file_stem()), at + 1);
    output.with_file_name(if ending.is_empty() { name } else { format!("{name}.{ending}") })
}

/// A row for each answer, in the units that are told.
fn write_one(found: &Table, file: &Path) -> io::Result<()> {
    let curves = found.curves();
    let named = |name: &str, unit: &base::Unit| {
        table::Column::new(name, Kind::Number, if unit.text == "1" { "" } else { &unit.text })
    };
    let mut columns = vec![named(&found.parameter, &found.parameter_unit)];
    columns.extend(curves.iter().map(|curve| named(&curve.asked, &curve.unit)));
    columns.extend(["stable", "reached"].map(|name| table::Column::new(name, Kind::Word, "")));
    // In the units that are told.
    let mut out = table::Table::create(file, columns, Angles::Radians)?;
    for (at, answers) in &found.rows {
        let at = found.parameter_unit.count(*at);
        let of_asked: Vec<Vec<&Answer>> =
            (0..found.asked.len()).map(|place| found.of_asked(answers, place).collect()).collect();
        for root in 0..of_asked.first().map_or(0, Vec::len) {
            let found: Vec<&Answer> = of_asked.iter().filter_map(|answers| answers.get(root).copied()).collect();
            let values = found.iter().flat_map(|it| it.value.iter().map(|value| Cell::Number(it.told.count(*value))));
            let mut cells: Vec<Cell> = std::iter::once(Cell::Number(at)).chain(values).collect();
            cells.extend([found[0].stable, found[0].reached].map(word));
            out.row(&cells)?;
        }
    }
    out.finish()
}

fn word(known: Option<bool>) -> Cell {
    known.map_or(Cell::Nothing, |it| Cell::Word(if it { "yes" } else { "no" }.to_string()))
}

/// What is drawn: lines where answers stay, points where they are unstable or have no neighbours.
fn recordings(table: &Table) -> Vec<Recording> {
    let named =
        |name: &str, unit: &base::Unit| Column::new(name.to_string(), if unit.text == "1" { "" } else { &unit.text });
    let mut recordings = Vec::new();
    for curve in table.curves() {
        let columns = vec![named(&table.parameter, &table.parameter_unit), named(&curve.asked, &curve.unit)];
        let mut recording = Recording::new(columns, vec![Curve { column: 1, against: Some(0) }]);
        for piece in &curve.pieces {
            let is_point = piece.is_unstable() || piece.points.len() == 1;
            for &(x, y) in &piece.points {
                if is_point { recording.point(x, &[x, y]) } else { recording.row(x, &[x, y]) }
            }
            // Pieces are not joined.
            recording.row(f64::NAN, &[f64::NAN, f64::NAN]);
        }
        if curve.pieces.iter().any(|piece| piece.is_unstable()) {
            recording.note = "points: unstable".to_string();
        }
        recordings.push(recording);
    }
    recordings
}
