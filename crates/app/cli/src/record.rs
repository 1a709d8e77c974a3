//! What becomes of the rows of a run: a table, or a drawing if nobody asks for a table.

use std::io;

use driver::Stages;

use crate::arguments::RunArguments;
use crate::plot::{Recording, Style};
use crate::render;
use crate::table::Table;

pub enum Record {
    Table(Table),
    Drawing(Recording),
}

impl Record {
    pub fn create(arguments: &RunArguments, stages: &Stages) -> io::Result<Record> {
        let columns: Vec<String> = stages.program.outputs.iter().map(|output| output.name.clone()).collect();
        if let Some(output) = &arguments.output {
            let mut table = Table::create(output)?;
            table.header(&columns)?;
            return Ok(Record::Table(table));
        }
        let mut drawing = Recording::new(columns);
        if arguments.probe.is_empty() {
            plotted_against(stages).into_iter().for_each(|(column, other)| drawing.draw_against(column, other));
        }
        Ok(Record::Drawing(drawing))
    }

    pub fn row(&mut self, t: f64, values: &[f64]) -> io::Result<()> {
        match self {
            Record::Table(table) => table.row(t, values),
            Record::Drawing(drawing) => {
                drawing.row(t, values);
                Ok(())
            }
        }
    }

    /// Keeps or shows what there is, however the run ended.
    pub fn close(self) -> io::Result<()> {
        match self {
            Record::Table(table) => table.finish(),
            Record::Drawing(drawing) => {
                render::print_out(&drawing.draw(Style::of_terminal()));
                Ok(())
            }
        }
    }
}

/// The columns that the scene plots against others.
fn plotted_against(stages: &Stages) -> Vec<(usize, usize)> {
    let mut columns: Vec<&str> = Vec::new();
    for output in &stages.system.outputs {
        columns.extend(output.columns.iter().map(|_| output.name.as_str()));
    }
    let mut pairs = Vec::new();
    for plot in &stages.model.plots {
        let Some(against) = &plot.against else { continue };
        let Some(other) = columns.iter().position(|name| *name == against.name) else { continue };
        let drawn = |name: &str| plot.values.iter().any(|value| value.name == name);
        pairs.extend((0..columns.len()).filter(|&column| drawn(columns[column])).map(|column| (column, other)));
    }
    pairs
}
