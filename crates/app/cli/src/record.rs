//! What becomes of the rows of a run: a table, a hash, or a drawing if nobody asks for one of these.

use std::io::{self, Write};

use driver::{Hash, Stages, Summary};

use crate::arguments::RunArguments;
use crate::plot::{Column, Curve, Recording, Style};
use crate::table::{Table, Words};

pub enum Record {
    Table(Table, Vec<Words>),
    Drawing(Recording),
    Hash(Hash),
}

impl Record {
    pub fn create(arguments: &RunArguments, stages: &Stages) -> io::Result<Record> {
        let names = || stages.system.outputs.iter().flat_map(|output| &output.columns).map(|(name, _)| name.clone());
        if arguments.hash {
            return Ok(Record::Hash(Hash::default()));
        }
        if let Some(output) = &arguments.output {
            let mut table = Table::create(output)?;
            table.header(&names().collect::<Vec<String>>())?;
            let outputs = stages.system.outputs.iter();
            let words = outputs.flat_map(|output| output.columns.iter().map(|_| output.words.clone())).collect();
            return Ok(Record::Table(table, words));
        }
        let outputs = stages.system.outputs.iter().zip(stages.model.output_units());
        let units = outputs.flat_map(|(output, unit)| output.columns.iter().map(move |_| unit.clone()));
        let columns: Vec<Column> = names().zip(units).map(|(name, unit)| Column { name, unit }).collect();
        let mut curves = plotted(stages);
        if curves.is_empty() || !arguments.probe.is_empty() {
            curves = (0..columns.len()).map(|column| Curve { column, against: None }).collect();
        }
        Ok(Record::Drawing(Recording::new(columns, curves)))
    }

    pub fn row(&mut self, t: f64, values: &[f64]) -> io::Result<()> {
        match self {
            Record::Table(table, words) => table.row(t, values, words),
            Record::Drawing(drawing) => {
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
            Record::Hash(hash) => printed(&format!("{hash}\n")),
        }
    }
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
