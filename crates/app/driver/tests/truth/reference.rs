//! Every example that has a reference trajectory follows it. The references come from independent solutions in high precision and
//! are good to their last digit; an example is found by its name, so a new one is tested as soon as it is there.

use crate::scene::{Scene, Table, assert_near, example_names, examples};

/// Below this nothing is asked: the momentum of three bodies is zero but for rounding.
const ROUNDING: f64 = 1e-13;

/// A trajectory from `examples/reference`.
struct Reference {
    columns: Vec<String>,
    times: Vec<f64>,
    rows: Vec<Vec<f64>>,
}

fn reference(name: &str) -> Option<Reference> {
    let text = std::fs::read_to_string(examples().join("reference").join(format!("{name}.csv"))).ok()?;
    let mut lines = text.lines();
    let columns = lines.next()?.split(',').skip(1).map(str::to_string).collect();
    let number = |cell: &str| cell.parse::<f64>().unwrap_or_else(|_| panic!("{name}: `{cell}` is not a number"));
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(number).collect()).collect();
    assert!(rows.len() > 1, "the reference of `{name}` has no rows");
    let times = rows.iter().map(|row| row[0]).collect();
    Some(Reference { columns, times, rows: rows.into_iter().map(|row| row[1..].to_vec()).collect() })
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
        let values = self.rows.iter().flat_map(|row| columns.iter().map(|&at| row[at].abs()));
        values.fold(0.0, f64::max)
    }

    fn energy_is_constant(&self) -> bool {
        let Some(at) = self.columns.iter().position(|column| column == "energy") else { return false };
        let first = self.rows[0][at];
        self.rows.iter().all(|row| (row[at] - first).abs() <= 1e-12 * self.size(at))
    }

    /// Asserts that every value is as near as `allowed(value, size of its column)`.
    fn compare(&self, name: &str, table: &Table, allowed: impl Fn(f64, f64) -> f64) {
        assert_eq!(table.columns, self.columns, "the columns of `{name}`");
        assert_eq!(table.times.len(), self.times.len(), "the rows of `{name}`");
        for (row, &time) in self.times.iter().enumerate() {
            assert_near("a time", table.times[row], time, 1e-12 * time);
            for (at, column) in self.columns.iter().enumerate() {
                let expected = self.rows[row][at];
                let error = allowed(expected, self.size(at)).max(ROUNDING);
                assert_near(&format!("{name}: `{column}` at t = {time}"), table.rows[row][at], expected, error);
            }
        }
    }

    fn run(&self, scene: Scene) -> Table {
        let probes = self.probes();
        let probes: Vec<&str> = probes.iter().map(String::as_str).collect();
        let until = *self.times.last().expect("a reference has rows");
        scene.probe(&probes).run(until, self.times[1])
    }
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
            assert!(tight.conserves_energy, "`{name}` conserves energy, and the compiler should know");
            assert!(tight.drift() <= 1e-9, "`{name}`: energy drifts by {:.1e}", tight.drift());
        }
        let default = reference.run(Scene::example(&name).default_tolerance());
        reference.compare(&name, &default, |_, size| 1e-3 * size);
        compared.push(name);
    }
    println!("compared: {}; without a reference: {}", compared.join(", "), without.join(", "));
    for name in ["pendulum", "double_pendulum", "three_body"] {
        assert!(compared.iter().any(|other| other == name), "`{name}` was not compared");
    }
}

#[test]
fn vectors_are_asked_for_whole() {
    let columns = "a.x,a.y,a.z,q.w,q.x,q.y,q.z,b.omega.y,energy".split(',').map(str::to_string).collect();
    let reference = Reference { columns, times: Vec::new(), rows: Vec::new() };
    assert_eq!(reference.probes(), ["a", "q", "b.omega.y", "energy"]);
}
