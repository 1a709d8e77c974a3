//! What becomes of the rows of a run: a table, a hash, or a drawing if nobody asks for one of these.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ansatz::{Recorded, Scene, Summary};
use driver::{Hash, Stages};

use crate::arguments::RunArguments;
use crate::plot::{Column, Curve, Recording, Style};
use crate::table::{self, Cell, Kind, Table};
use crate::{figure, whole_file};

/// What the values of a column are called, where they are not numbers.
pub type Words = Option<Vec<String>>;

pub enum Record {
    Table(Table, Vec<Words>),
    Drawing(Recording),
    /// Plots for a file.
    Figure(Recording, PathBuf),
    Hash(Hash),
}

impl Record {
    pub fn create(arguments: &RunArguments, scene: &Scene) -> io::Result<Record> {
        if arguments.hash {
            return Ok(Record::Hash(Hash::default()));
        }
        match &arguments.output {
            Some(output) if ends_with(output, "svg") || ends_with(output, "pdf") => {
                Ok(Record::Figure(recording(arguments, scene), output.clone()))
            }
            Some(output) => {
                let columns = std::iter::once(table::Column::time()).chain(columns(scene)).collect();
                Ok(Record::Table(Table::create(output, columns, arguments.angles.chosen())?, words(scene)))
            }
            None => Ok(Record::Drawing(recording(arguments, scene))),
        }
    }

    /// Whether rows become lines, which want to be smooth.
    pub fn is_drawn(&self) -> bool {
        matches!(self, Record::Drawing(_) | Record::Figure(..))
    }

    pub fn row(&mut self, t: f64, values: &[f64]) -> io::Result<()> {
        match self {
            Record::Table(table, words) => {
                let cells: Vec<Cell> = std::iter::once(Cell::Number(t)).chain(cells(values, words)).collect();
                table.row(&cells)
            }
            Record::Drawing(drawing) | Record::Figure(drawing, _) => {
                drawing.row(t, values);
                Ok(())
            }
            Record::Hash(hash) => {
                hash.row(t, values);
                Ok(())
            }
        }
    }

    /// Keeps or shows what there is, however the run ended.
    pub fn close(self, summary: &Summary) -> io::Result<()> {
        match self {
            Record::Table(table, _) => table.finish(),
            Record::Drawing(drawing) => printed(&drawing.draw(summary.energy_size, Style::of_terminal())),
            Record::Figure(drawing, path) => {
                let page = figure::page(std::slice::from_ref(&drawing), summary.energy_size);
                match ends_with(&path, "pdf") {
                    true => whole_file::replace(&path, &figure::pdf(&page)),
                    false => whole_file::replace(&path, figure::svg(&page).as_bytes()),
                }
            }
            Record::Hash(hash) => printed(&format!("{hash}\n")),
        }
    }
}

fn ends_with(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case(ending))
}

/// Room for what is to be drawn: what the scene plots, or what somebody asks for.
fn recording(arguments: &RunArguments, scene: &Scene) -> Recording {
    let shown = |column: table::Column| Column::shown(column.name, &column.unit, arguments.angles.chosen());
    let columns: Vec<Column> = columns(scene).into_iter().map(shown).collect();
    let mut curves = plotted(scene.stages());
    if curves.is_empty() || !arguments.probe.is_empty() {
        curves = (0..columns.len()).map(|column| Curve { column, against: None }).collect();
    }
    Recording::new(columns, curves)
}

/// A column for each recorded number.
pub fn columns(scene: &Scene) -> Vec<table::Column> {
    let column = |it: Recorded| {
        let kind = if it.words.is_some() { Kind::Word } else { Kind::Number };
        table::Column::new(it.name, kind, it.unit)
    };
    scene.recorded().into_iter().map(column).collect()
}

/// The words of each recorded number.
pub fn words(scene: &Scene) -> Vec<Words> {
    scene.recorded().into_iter().map(|it| it.words).collect()
}

/// Recorded numbers, or what they are called.
pub fn cells<'a>(values: &'a [f64], words: &'a [Words]) -> impl Iterator<Item = Cell> + 'a {
    values.iter().zip(words).map(|(&value, words)| match words.as_ref().and_then(|words| words.get(value as usize)) {
        Some(word) => Cell::Word(word.clone()),
        None => Cell::Number(value),
    })
}

fn printed(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// What the scene plots.
fn plotted(stages: &Stages) -> Vec<Curve> {
    let outputs = &stages.system.outputs;
    let columns: Vec<&str> =
        outputs.iter().flat_map(|output| output.columns.iter().map(|_| output.name.as_str())).collect();
    let mut curves = Vec::new();
    for plot in &stages.model.plots {
        let against = plot.against.as_ref().and_then(|against| columns.iter().position(|name| *name == against.name));
        for value in &plot.values {
            let columns = (0..columns.len()).filter(|&column| columns[column] == value.name);
            curves.extend(columns.map(|column| Curve { column, against }));
        }
    }
    curves
}
