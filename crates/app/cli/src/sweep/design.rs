//! Which values the runs of a sweep have: a grid, random points, a Latin hypercube, or those of a file.

use ansatz::Adjustable;
use base::{Diagnostic, Random};
use driver::{BAD_SETTING, Stages, ends_of_range, split_list};

/// How the values of a sweep are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every combination; what is named last varies fastest.
    Grid,
    /// Each run by itself, evenly between the ends.
    Random,
    /// As many layers as runs in each parameter, and one run in each layer.
    Latin,
}

/// What was asked for.
pub struct Wanted<'a> {
    pub kind: Kind,
    pub vary: &'a [String],
    pub runs: Option<usize>,
    pub seed: u64,
}

/// The values of each run, as counts of the declared units.
pub struct Design {
    pub varied: Vec<Adjustable>,
    values: Values,
    pub runs: usize,
}

enum Values {
    Grid(Vec<Vec<f64>>),
    Listed(Vec<Vec<f64>>),
}

/// More runs have no end, and their numbers no place in memory.
const MOST_RUNS: usize = 1 << 32;

impl Design {
    pub fn new(wanted: &Wanted<'_>, stages: &Stages) -> Result<Design, Diagnostic> {
        let axes = wanted.vary.iter().map(|text| Axis::read(text, stages)).collect::<Result<Vec<_>, _>>()?;
        if let Some(twice) = (1..axes.len()).find(|&at| axes[..at].iter().any(|it| it.one.name == axes[at].one.name)) {
            let message = format!("`{}` varies twice", axes[twice].one.name);
            return Err(Diagnostic::error(BAD_SETTING, message).hint("drop one `--vary`"));
        }
        match wanted.kind {
            Kind::Grid => grid(axes, wanted.runs),
            Kind::Random | Kind::Latin => drawn(axes, wanted),
        }
    }

    /// The rows of a table whose first line names what varies.
    pub fn read(name: &str, text: &str, stages: &Stages) -> Result<Design, Diagnostic> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let bad = |line: usize, message: String| {
            let hint = "the first line names parameters, with a unit or without, as in `height [cm]`; the others have a value for each, in that unit, the declared one, or one of its own";
            Diagnostic::error(BAD_SETTING, format!("line {} of `{name}`: {message}", line + 1)).hint(hint)
        };
        let Some((_, head)) = lines.next() else { return Err(bad(0, "there is nothing in it".into())) };
        // `height [cm]`, as our own tables have it, or without a unit.
        let heads = split_list(head.trim_start_matches('\u{feff}'));
        let heads = heads.iter().map(|head| head.trim_matches('"')).map(|head| match head.rsplit_once('[') {
            Some((name, _)) if Adjustable::named(head, stages).is_err() => (name.trim_end(), &head[name.len()..]),
            _ => (head, ""),
        });
        let (names, units): (Vec<&str>, Vec<&str>) = heads.unzip();
        let varied = names.into_iter().map(|name| Adjustable::named(name, stages)).collect::<Result<Vec<_>, _>>()?;
        let mut rows = Vec::new();
        for (at, line) in lines {
            let cells: Vec<&str> = line.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
            if cells.len() != varied.len() {
                return Err(bad(at, format!("it has {} values for {} names", cells.len(), varied.len())));
            }
            let own =
                |cell: &str, unit: &str| if cell.contains('[') { cell.to_string() } else { format!("{cell}{unit}") };
            let counts = varied.iter().zip(cells).zip(&units).map(|((one, cell), unit)| one.count(&own(cell, unit)));
            let row: Result<Vec<f64>, Diagnostic> = counts.collect();
            rows.push(row.map_err(|found| bad(at, found.message.clone()).hint(found.hints.join("; ")))?);
        }
        let runs = rows.len();
        if runs == 0 {
            return Err(bad(0, "no values follow the names".into()));
        }
        Ok(Design { varied, values: Values::Listed(rows), runs })
    }

    /// The values of a run, as `--set` takes them.
    pub fn counts(&self, run: usize) -> Vec<f64> {
        match &self.values {
            Values::Listed(rows) => rows[run].clone(),
            Values::Grid(axes) => {
                let mut rest = run;
                let last_first = axes.iter().rev().map(|axis| {
                    let value = axis[rest % axis.len()];
                    rest /= axis.len();
                    value
                });
                let mut values: Vec<f64> = last_first.collect();
                values.reverse();
                values
            }
        }
    }

    /// The values of a run in SI units.
    pub fn si_values(&self, run: usize) -> Vec<f64> {
        self.varied.iter().zip(self.counts(run)).map(|(one, count)| count * one.unit.scale).collect()
    }

    /// `length=1.5 angle=30`, as `--set` would have them.
    pub fn told(&self, run: usize) -> String {
        let pairs = self.varied.iter().zip(self.counts(run));
        pairs
            .map(|(one, value)| format!("{}={}", one.name, crate::table::value_text(value)))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// One `--vary`.
struct Axis {
    text: String,
    one: Adjustable,
    among: Among,
}

enum Among {
    Listed(Vec<f64>),
    Between { low: f64, high: f64, count: Option<usize> },
}

impl Axis {
    fn read(text: &str, stages: &Stages) -> Result<Axis, Diagnostic> {
        let bad = |message: &str| {
            let hint = "write a range with a count, as in `--vary length=1..2:100` or `--vary 'angle=0..90[deg]:10'`, or a list, as in `--vary length=1,1.5,2`";
            Diagnostic::error(BAD_SETTING, format!("`--vary {text}`: {message}")).hint(hint)
        };
        let (name, values) = text.split_once('=').ok_or_else(|| bad("it has no values"))?;
        let one = Adjustable::named(name.trim(), stages)?;
        let (range, count) = match values.rsplit_once(':') {
            Some((range, count)) => {
                let count = count.trim().parse().ok().filter(|count| *count > 0);
                (range, Some(count.ok_or_else(|| bad("what follows `:` is no count"))?))
            }
            None => (values, None),
        };
        let among = match ends_of_range(range) {
            Some([low, high]) => Among::Between { low: one.count(&low)?, high: one.count(&high)?, count },
            None if count.is_some() => return Err(bad("a count needs a range")),
            None => {
                let list = split_list(values);
                if list.is_empty() {
                    return Err(bad("it has no values"));
                }
                Among::Listed(list.iter().map(|value| one.count(value)).collect::<Result<_, _>>()?)
            }
        };
        Ok(Axis { text: text.to_string(), one, among })
    }
}

fn grid(axes: Vec<Axis>, runs: Option<usize>) -> Result<Design, Diagnostic> {
    if runs.is_some() {
        let message = "a grid has as many runs as it has points";
        let hint = "drop `--runs`, or draw the values: `--design random` or `--design latin`";
        return Err(Diagnostic::error(BAD_SETTING, message).hint(hint));
    }
    let (mut varied, mut values, mut runs) = (Vec::new(), Vec::new(), Some(1_usize));
    for axis in axes {
        let points = match axis.among {
            Among::Listed(list) => list,
            Among::Between { low, high, count: Some(count) } if count <= MOST_RUNS => {
                (0..count).map(|at| between(low, high, at as f64 / (count - 1).max(1) as f64)).collect()
            }
            Among::Between { count: Some(_), .. } => return Err(too_many()),
            Among::Between { count: None, .. } => {
                let message = format!("`--vary {}`: how many values?", axis.text);
                let hint = format!("write `--vary '{}:10'`, or draw them: `--design random --runs 100`", axis.text);
                return Err(Diagnostic::error(BAD_SETTING, message).hint(hint));
            }
        };
        runs = runs.and_then(|runs| runs.checked_mul(points.len())).filter(|runs| *runs <= MOST_RUNS);
        varied.push(axis.one);
        values.push(points);
    }
    Ok(Design { varied, values: Values::Grid(values), runs: runs.ok_or_else(too_many)? })
}

fn too_many() -> Diagnostic {
    let message = format!("these are more than {MOST_RUNS} runs");
    Diagnostic::error(BAD_SETTING, message).hint("take fewer values, or draw them: `--design latin --runs 100000`")
}

/// The ends themselves are exact.
fn between(low: f64, high: f64, share: f64) -> f64 {
    if share == 1.0 { high } else { low + (high - low) * share }
}

fn drawn(axes: Vec<Axis>, wanted: &Wanted<'_>) -> Result<Design, Diagnostic> {
    let runs = wanted.runs.unwrap_or(100);
    if runs == 0 || runs > MOST_RUNS {
        return Err(too_many());
    }
    let mut random = Random::new(wanted.seed);
    let (mut varied, mut rows) = (Vec::new(), vec![Vec::with_capacity(axes.len()); runs]);
    for axis in axes {
        let mut layers: Vec<usize> = (0..runs).collect();
        if wanted.kind == Kind::Latin {
            (1..runs).rev().for_each(|at| layers.swap(at, random.below(at + 1)));
        }
        for (row, layer) in rows.iter_mut().zip(layers) {
            let share = match wanted.kind {
                Kind::Latin => (layer as f64 + random.between(0.0, 1.0)) / runs as f64,
                Kind::Random | Kind::Grid => random.between(0.0, 1.0),
            };
            row.push(match &axis.among {
                Among::Listed(list) => list[((share * list.len() as f64) as usize).min(list.len() - 1)],
                Among::Between { low, high, count: None } => between(*low, *high, share),
                Among::Between { count: Some(count), .. } => {
                    let message = format!("`--vary {}`: values that are drawn have no count of their own", axis.text);
                    let hint = format!("write `--runs {count}`, or drop `--design`");
                    return Err(Diagnostic::error(BAD_SETTING, message).hint(hint));
                }
            });
        }
        varied.push(axis.one);
    }
    Ok(Design { varied, values: Values::Listed(rows), runs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ansatz::{Options, Scene};

    const TEXT: &str =
        "scene s\nparam length = 1 [m]\nparam angle = 60 [deg]\nx: [m] = length\nalways x' == angle * 1 [m/s]";

    fn design(kind: Kind, vary: &[&str], runs: Option<usize>) -> Result<Design, Diagnostic> {
        let scene = Scene::compile("s", TEXT, &Options::default()).expect("it is right");
        let vary: Vec<String> = vary.iter().map(|text| text.to_string()).collect();
        Design::new(&Wanted { kind, vary: &vary, runs, seed: 7 }, scene.stages())
    }

    #[test]
    fn a_grid_has_every_combination_with_exact_ends() {
        let grid = design(Kind::Grid, &["length=1..2:3", "angle=0..1[rev]:2"], None).expect("a grid");
        let values: Vec<Vec<f64>> = (0..grid.runs).map(|run| grid.counts(run)).collect();
        assert_eq!(values, [[1.0, 0.0], [1.0, 360.0], [1.5, 0.0], [1.5, 360.0], [2.0, 0.0], [2.0, 360.0]]);
        let listed = design(Kind::Grid, &["length=150[cm],0.1"], None).expect("a grid");
        assert_eq!([listed.counts(0), listed.counts(1)], [[1.5], [0.1]]);
    }

    #[test]
    fn a_latin_design_has_one_run_in_each_layer_and_random_ones_stay_between_the_ends() {
        let vary = ["length=1..2", "angle=-10..30"];
        let latin = design(Kind::Latin, &vary, Some(50)).expect("a design");
        for axis in 0..2 {
            let (low, width) = [(1.0, 1.0), (-10.0, 40.0)][axis];
            let mut layers: Vec<usize> =
                (0..50).map(|run| ((latin.counts(run)[axis] - low) / width * 50.0) as usize).collect();
            layers.sort_unstable();
            assert_eq!(layers, (0..50).collect::<Vec<_>>());
        }
        let random = design(Kind::Random, &vary, Some(1000)).expect("a design");
        assert!((0..1000).all(|run| (1.0..2.0).contains(&random.counts(run)[0])));
        let mean = (0..1000).map(|run| random.counts(run)[1]).sum::<f64>() / 1000.0;
        assert!((mean - 10.0).abs() < 2.0, "{mean}");
    }

    #[test]
    fn a_table_has_values_by_name_and_what_is_wrong_is_told() {
        let scene = Scene::compile("s", TEXT, &Options::default()).expect("it is right");
        let read = |text: &str| Design::read("v.csv", text, scene.stages());
        let table = read("angle,length\n30,2\n\n1[rev],150 [cm]\n").expect("a table");
        assert_eq!((table.runs, table.counts(0), table.counts(1)), (2, vec![30.0, 2.0], vec![360.0, 1.5]));
        let table = read("\"angle [rev]\",length [cm]\n0.5,200\n90 [deg],1 [m]\n").expect("a table with units");
        assert_eq!((table.counts(0), table.counts(1)), (vec![180.0, 2.0], vec![90.0, 1.0]));
        let wrong = [
            (read("angle,lenght\n1,2").err(), "no parameter `lenght`"),
            (read("angle\n1,2").err(), "line 2"),
            (read("angle\n1[m]").err(), "line 2"),
            (read("").err(), "nothing in it"),
            (design(Kind::Grid, &["length=1..2"], None).err(), "how many values?"),
            (design(Kind::Grid, &["length=1..2:0"], None).err(), "no count"),
            (design(Kind::Grid, &["length"], None).err(), "no values"),
            (design(Kind::Grid, &["length=1", "length=2"], None).err(), "varies twice"),
            (design(Kind::Grid, &["length=1..2:100000", "angle=0..1:100000"], None).err(), "more than"),
            (design(Kind::Grid, &["length=1..2[s]:3"], None).err(), "is not a unit of"),
            (design(Kind::Random, &["length=1..2:3"], None).err(), "no count of their own"),
        ];
        for (found, words) in wrong {
            let found = found.expect(words);
            assert!(found.message.contains(words), "{}", found.message);
        }
    }
}
