//! What is kept of each run of a sweep: its last row, all rows, or a few numbers that say what matters.

use ansatz::{Happening, Scene};
use base::Diagnostic;
use driver::{BAD_SETTING, Stages, UNKNOWN_SETTING, ends_of_range, split_list};

use crate::record;
use crate::table::{Column, Kind};

/// What is kept of each run, and in which columns.
pub enum Layout {
    /// Every row, with its time.
    Rows,
    /// One row of these numbers, with the time at which the run ended.
    Numbers(Vec<Number>),
}

/// A number that a run comes down to.
pub struct Number {
    pub column: Column,
    reduction: Reduction,
}

#[derive(Clone, Debug, PartialEq)]
enum Reduction {
    /// Of a recorded number, by its place in a row.
    Last(usize),
    Least(usize),
    Most(usize),
    /// Of a transition, by its name.
    First(String),
    Count(String),
    /// How many rows have a recorded number, by its place, from one value on and below another.
    Between(usize, [f64; 2]),
}

/// Cells of equal width between two values, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cells {
    low: f64,
    high: f64,
    count: usize,
}

/// One word of `--reduce`, as in `max:bob.z`.
pub struct Asked {
    kind: &'static str,
    pub what: String,
    /// Of a histogram.
    cells: Option<Cells>,
}

/// What can be asked of rows, and of transitions.
const OF_ROWS: [&str; 4] = ["min", "max", "last", HISTOGRAM];
const HISTOGRAM: &str = "histogram";
const OF_EVENTS: [&str; 2] = ["first", "count"];

impl Asked {
    /// All that is asked for; reductions of rows say what has to be recorded.
    pub fn read(texts: &[String]) -> Result<Vec<Asked>, Diagnostic> {
        let bad = |text: &str| {
            let message = format!("`--reduce {text}` is no reduction");
            let hint = "write what and of what: `min:`, `max:` or `last:` and a quantity, `first:` or `count:` and a transition, as in `--reduce max:bob.z,first:bounce`; or `histogram:bob.z=-1..1:20`, for twenty cells between two values in SI units";
            Diagnostic::error(BAD_SETTING, message).hint(hint)
        };
        let read = |text: String| {
            let (kind, what) = text.split_once(':').ok_or_else(|| bad(&text))?;
            let kind =
                OF_ROWS.into_iter().chain(OF_EVENTS).find(|known| *known == kind.trim()).ok_or_else(|| bad(&text))?;
            let (what, cells) = match kind {
                HISTOGRAM => {
                    let (what, cells) = what.rsplit_once('=').ok_or_else(|| bad(&text))?;
                    (what, Some(Cells::read(cells).ok_or_else(|| bad(&text))?))
                }
                _ => (what, None),
            };
            Ok(Asked { kind, what: what.trim().to_string(), cells })
        };
        texts.iter().flat_map(|list| split_list(list)).map(read).collect()
    }

    /// The expression that has to be recorded for it, if any.
    pub fn recorded(&self) -> Option<&str> {
        OF_ROWS.contains(&self.kind).then_some(self.what.as_str())
    }
}

/// Tables have room for more, but nobody looks at that many.
const MOST_CELLS: usize = 10_000;

impl Cells {
    /// `-1..1:20`
    fn read(text: &str) -> Option<Cells> {
        let (range, count) = text.split_once(':')?;
        let [low, high] = ends_of_range(range)?.map(|end| end.trim().parse::<f64>().ok());
        let cells = Cells { low: low?, high: high?, count: count.trim().parse().ok()? };
        let makes_sense = cells.low < cells.high && (cells.high - cells.low).is_finite();
        (makes_sense && (1..=MOST_CELLS).contains(&cells.count)).then_some(cells)
    }

    /// Each cell, from its lower end on; then all that is below the first, and all that is not below the last.
    fn all(self) -> Vec<[f64; 2]> {
        let end = |at: usize| match at {
            0 => self.low,
            at if at == self.count => self.high,
            at => self.low + (self.high - self.low) * (at as f64 / self.count as f64),
        };
        let cells = (0..self.count).map(|at| [end(at), end(at + 1)]);
        cells.chain([[f64::NEG_INFINITY, self.low], [self.high, f64::INFINITY]]).collect()
    }
}

impl Layout {
    /// The last row, if nothing else is asked for. The first `probes` of what the scene records were named by `--probe`.
    pub fn new(asked: &[Asked], probes: &[String], scene: &Scene) -> Result<Layout, Diagnostic> {
        let columns = record::columns(scene);
        let last = |(at, column): (usize, &Column)| Number { column: column.clone(), reduction: Reduction::Last(at) };
        if asked.is_empty() {
            return Ok(Layout::Numbers(columns.iter().enumerate().map(last).collect()));
        }
        let places = places(scene.stages());
        let named = |what: &str| -> Vec<usize> {
            places.iter().filter(|(name, _)| name == what).flat_map(|(_, range)| range.clone()).collect()
        };
        let mut numbers: Vec<Number> =
            probes.iter().flat_map(|probe| named(probe)).map(|at| last((at, &columns[at]))).collect();
        for Asked { kind, what, cells } in asked {
            if OF_EVENTS.contains(kind) {
                numbers.push(of_event(kind, what, &scene.transitions())?);
                continue;
            }
            for (at, cells) in named(what).into_iter().filter_map(|at| Some((at, (*cells)?))) {
                numbers.extend(cells.all().into_iter().map(|ends| rows_between(&columns[at].name, at, ends)));
            }
            for at in named(what).into_iter().filter(|_| cells.is_none()) {
                let name = format!("{kind}({})", columns[at].name);
                let reduction = match *kind {
                    "min" => Reduction::Least(at),
                    "max" => Reduction::Most(at),
                    _ => Reduction::Last(at),
                };
                numbers.push(Number { column: Column { name, ..columns[at].clone() }, reduction });
            }
        }
        Ok(Layout::Numbers(numbers))
    }

    /// The columns of what is kept, without those that every table has.
    pub fn columns(&self, scene: &Scene) -> Vec<Column> {
        match self {
            Layout::Rows => record::columns(scene),
            Layout::Numbers(numbers) => numbers.iter().map(|number| number.column.clone()).collect(),
        }
    }

    /// Whether something depends on transitions.
    pub fn needs_events(&self) -> bool {
        let is_event = |it: &Number| matches!(it.reduction, Reduction::First(_) | Reduction::Count(_));
        matches!(self, Layout::Numbers(numbers) if numbers.iter().any(is_event))
    }

    /// What is kept of a run: rows with the time first. What there is none of is not a number.
    pub fn keep(&self, rows: &[Vec<f64>], events: &[Happening]) -> Vec<Vec<f64>> {
        let Layout::Numbers(numbers) = self else { return rows.to_vec() };
        let Some(last) = rows.last() else { return Vec::new() };
        let value = |number: &Number| match &number.reduction {
            Reduction::Last(at) => last[at + 1],
            Reduction::Least(at) => rows.iter().map(|row| row[at + 1]).fold(f64::INFINITY, f64::min),
            Reduction::Most(at) => rows.iter().map(|row| row[at + 1]).fold(f64::NEG_INFINITY, f64::max),
            Reduction::First(name) => events.iter().find(|event| event.name == *name).map_or(f64::NAN, |event| event.t),
            Reduction::Count(name) => events.iter().filter(|event| event.name == *name).count() as f64,
            Reduction::Between(at, [low, high]) => {
                rows.iter().filter(|row| row[at + 1] >= *low && row[at + 1] < *high).count() as f64
            }
        };
        vec![std::iter::once(last[0]).chain(numbers.iter().map(value)).collect()]
    }

    /// What the values of each column are called, where they are not numbers.
    pub fn words(&self, scene: &Scene) -> Vec<record::Words> {
        let words = record::words(scene);
        match self {
            Layout::Rows => words,
            Layout::Numbers(numbers) => {
                let of = |number: &Number| match number.reduction {
                    Reduction::Last(at) | Reduction::Least(at) | Reduction::Most(at) => words[at].clone(),
                    Reduction::First(_) | Reduction::Count(_) | Reduction::Between(..) => None,
                };
                numbers.iter().map(of).collect()
            }
        }
    }
}

/// Where the columns of each recorded expression are in a row.
fn places(stages: &Stages) -> Vec<(String, std::ops::Range<usize>)> {
    let (mut at, mut places) = (0, Vec::new());
    for output in &stages.system.outputs {
        places.push((output.name.clone(), at..at + output.columns.len()));
        at += output.columns.len();
    }
    places
}

/// A cell of a histogram: how many rows are in it.
fn rows_between(of: &str, at: usize, ends: [f64; 2]) -> Number {
    let name = match ends {
        [low, high] if low.is_infinite() => format!("rows({of} < {high})"),
        [low, high] if high.is_infinite() => format!("rows({of} >= {low})"),
        [low, high] => format!("rows({low} <= {of} < {high})"),
    };
    Number { column: Column::new(name, Kind::Number, ""), reduction: Reduction::Between(at, ends) }
}

fn of_event(kind: &str, what: &str, transitions: &[String]) -> Result<Number, Diagnostic> {
    let names: Vec<&str> = transitions.iter().map(String::as_str).collect();
    if !names.contains(&what) {
        let hint = match base::nearest(what, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "declare one: `when NAME: … { … }`".to_string(),
            None => format!("it has {}", names.join(", ")),
        };
        return Err(Diagnostic::error(UNKNOWN_SETTING, format!("the scene has no transition `{what}`")).hint(hint));
    }
    let (unit, reduction) = match kind {
        "first" => ("s", Reduction::First(what.to_string())),
        _ => ("", Reduction::Count(what.to_string())),
    };
    Ok(Number { column: Column::new(format!("{kind}({what})"), Kind::Number, unit), reduction })
}
