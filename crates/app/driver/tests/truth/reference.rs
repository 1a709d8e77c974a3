//! Every example that has a reference trajectory follows it. The references come from independent solutions in high precision and
//! are good to their last digit; an example is found by its name, so a new one is tested as soon as it is there.

use crate::scene::{Scene, Table, assert_near, example_names, examples};

/// Below this nothing is asked: the momentum of three bodies is zero but for rounding, and so is the spin of a block that slides.
const ROUNDING: f64 = 1e-11;

/// A trajectory from `examples/reference`.
struct Reference {
    columns: Vec<String>,
    times: Vec<f64>,
    rows: Vec<Vec<Cell>>,
    /// The transitions of the run, if it has any.
    events: Option<Vec<(f64, String)>>,
}

enum Cell {
    Number(f64),
    /// The value of a mode.
    Word(String),
}

impl Cell {
    fn number(&self) -> Option<f64> {
        match self {
            Cell::Number(number) => Some(*number),
            Cell::Word(_) => None,
        }
    }
}

fn reference(name: &str) -> Option<Reference> {
    let read =
        |ending: &str| std::fs::read_to_string(examples().join("reference").join(format!("{name}{ending}"))).ok();
    let text = read(".csv")?;
    let mut lines = text.lines();
    let columns = header(lines.next()?).into_iter().skip(1).collect();
    let time = |cell: &str| cell.parse::<f64>().unwrap_or_else(|_| panic!("{name}: `{cell}` is not a time"));
    let cell = |cell: &str| cell.parse().map_or_else(|_| Cell::Word(cell.to_string()), Cell::Number);
    let rows: Vec<(f64, Vec<Cell>)> = lines
        .map(|line| {
            let (first, rest) = line.split_once(',').unwrap_or((line, ""));
            (time(first), rest.split(',').map(cell).collect())
        })
        .collect();
    assert!(rows.len() > 1, "the reference of `{name}` has no rows");
    let events = read(".events.csv").map(|text| {
        let lines = text.lines().skip(1).filter_map(|line| line.split_once(','));
        lines.map(|(t, name)| (time(t), name.to_string())).collect()
    });
    let (times, rows) = rows.into_iter().unzip();
    Some(Reference { columns, times, rows, events })
}

/// The names of columns; those with commas stand in quotes.
fn header(line: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => names.push(String::new()),
            _ => names.last_mut().expect("there is one").push(letter),
        }
    }
    names
}

impl Reference {
    /// The quantities that a user would ask for: a vector once, not component by component.
    fn probes(&self) -> Vec<String> {
        let mut probes = Vec::new();
        let mut rest = self.columns.as_slice();
        while let Some(first) = rest.first() {
            let whole = first.rsplit_once('.').and_then(|(base, _)| {
                let parts: [&[&str]; 2] = [&["w", "x", "y", "z"], &["x", "y", "z"]];
                let fits = |parts: &&&[&str]| {
                    parts.iter().enumerate().all(|(at, part)| rest.get(at) == Some(&format!("{base}.{part}")))
                };
                parts.iter().find(fits).map(|parts| (base.to_string(), parts.len()))
            });
            let (probe, width) = whole.unwrap_or((first.clone(), 1));
            probes.push(probe);
            rest = &rest[width..];
        }
        probes
    }

    /// The size of a column; that of the whole vector for a component, which may be zero but for rounding.
    fn size(&self, column: usize) -> f64 {
        let vector = |name: &str| name.rsplit_once('.').map(|(whole, _)| whole.to_string());
        let own = vector(&self.columns[column]);
        let alike = |at: &usize| *at == column || own.is_some() && vector(&self.columns[*at]) == own;
        let columns: Vec<usize> = (0..self.columns.len()).filter(alike).collect();
        let values = self.rows.iter().flat_map(|row| columns.iter().filter_map(|&at| row[at].number()));
        values.fold(0.0, |size, value| size.max(value.abs()))
    }

    fn energy_is_constant(&self) -> bool {
        let Some(at) = self.columns.iter().position(|column| column == "energy") else { return false };
        let energies: Vec<f64> = self.rows.iter().filter_map(|row| row[at].number()).collect();
        energies.iter().all(|energy| (energy - energies[0]).abs() <= 1e-12 * self.size(at))
    }

    /// Asserts that every value is as near as `allowed(value, size of its column)`.
    fn compare(&self, name: &str, table: &Table, allowed: impl Fn(f64, f64) -> f64) {
        assert_eq!(table.columns, self.columns, "the columns of `{name}`");
        assert_eq!(table.times.len(), self.times.len(), "the rows of `{name}`");
        for (row, &time) in self.times.iter().enumerate() {
            assert_near("a time", table.times[row], time, 1e-12 * time);
            for (at, column) in self.columns.iter().enumerate() {
                let found = table.rows[row][at];
                match &self.rows[row][at] {
                    Cell::Number(expected) => {
                        let error = allowed(*expected, self.size(at)).max(ROUNDING);
                        assert_near(&format!("{name}: `{column}` at t = {time}"), found, *expected, error);
                    }
                    Cell::Word(expected) => {
                        let words =
                            table.words[at].as_ref().unwrap_or_else(|| panic!("{name}: `{column}` has no words"));
                        assert_eq!(&words[found as usize], expected, "{name}: `{column}` at t = {time}");
                    }
                }
            }
        }
    }

    /// The same transitions in the same order, each as near in time as `allowed(its time)`; a reference may tell nothing of them.
    fn compare_events(&self, name: &str, table: &Table, allowed: impl Fn(f64) -> f64) {
        let found = table.events.iter().map(|event| (event.t, event.name.clone())).collect();
        let found = worth_comparing(found);
        let Some(events) = self.events.clone() else { return };
        let expected = worth_comparing(events);
        let names = |events: &[(f64, String)]| -> Vec<String> { events.iter().map(|(_, name)| name.clone()).collect() };
        assert_eq!(names(&found), names(&expected), "the transitions of `{name}`");
        for ((t, transition), (expected, _)) in found.iter().zip(&expected) {
            assert_near(&format!("{name}: when `{transition}` happens"), *t, *expected, allowed(*expected));
        }
    }

    fn run(&self, scene: Scene) -> Table {
        let probes = self.probes();
        let probes: Vec<&str> = probes.iter().map(String::as_str).collect();
        let until = *self.times.last().expect("a reference has rows");
        scene.probe(&probes).run(until, self.times[1])
    }
}

/// Without the bounces of the last millisecond before rest: there are infinitely many.
fn worth_comparing(mut events: Vec<(f64, String)>) -> Vec<(f64, String)> {
    let rest = events.iter().find(|(_, name)| name == "rest").map(|(t, _)| *t);
    events.retain(|(t, name)| name != "bounce" || rest.is_none_or(|rest| *t < rest - 1e-3));
    events
}

/// Every example, whether it has a reference or not; those without are named, so that nobody believes they were compared.
#[test]
fn examples_follow_their_references() {
    let (mut compared, mut without) = (Vec::new(), Vec::new());
    for name in example_names() {
        let Some(reference) = reference(&name) else {
            without.push(name);
            continue;
        };
        let tight = reference.run(Scene::example(&name));
        reference.compare(&name, &tight, |value, size| (1e-6 * value.abs()).max(1e-8 * size));
        // The author's own physics has the author's own energy, which is compared like any other column.
        if reference.energy_is_constant() && tight.size_of_energy() > 0.0 {
            // A transition could do anything to it, and an impact.
            let touches = Scene::example(&name).stages().program.contacts.is_some();
            let known = tight.conserves_energy || touches || !tight.events.is_empty();
            assert!(known, "`{name}` conserves energy, and the compiler should know");
            assert!(tight.drift() <= 1e-9, "`{name}`: energy drifts by {:.1e}", tight.drift());
        }
        reference.compare_events(&name, &tight, |t| 1e-8 * t.max(1.0));
        let default = reference.run(Scene::example(&name).default_tolerance());
        reference.compare(&name, &default, |_, size| 1e-3 * size);
        reference.compare_events(&name, &default, |t| 1e-3 * t.max(1.0));
        compared.push(name);
    }
    println!("compared: {}; without a reference: {}", compared.join(", "), without.join(", "));
    for name in ["pendulum", "double_pendulum", "three_body", "bouncing_ball", "docking_spaceship", "tipping_block"] {
        assert!(compared.iter().any(|other| other == name), "`{name}` was not compared");
    }
}

#[test]
fn vectors_are_asked_for_whole() {
    let columns = "a.x,a.y,a.z,q.w,q.x,q.y,q.z,b.omega.y,energy".split(',').map(str::to_string).collect();
    let reference = Reference { columns, times: Vec::new(), rows: Vec::new(), events: None };
    assert_eq!(reference.probes(), ["a", "q", "b.omega.y", "energy"]);
}
