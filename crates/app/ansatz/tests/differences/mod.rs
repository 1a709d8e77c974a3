//! Derivatives of runs, and differences of runs to compare them with.

use ansatz::{Ensemble, Options, Scene, Span};

/// The rows of a run with some values, and its derivatives by all that is named.
pub fn rows(text: &str, values: &[(&str, f64)], span: Span, by: Option<&[&str]>) -> Vec<Vec<f64>> {
    let options = Options { tolerance: 1e-11, ..Options::default() };
    let scene = Scene::compile("scene", text, &options).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
    let numbers: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let ensemble = Ensemble::new(&scene, &names, &Default::default(), span).unwrap_or_else(|error| panic!("{error}"));
    let ensemble = match by {
        Some(by) => ensemble.with_sensitivities(by).unwrap_or_else(|error| panic!("{error}")),
        None => ensemble,
    };
    let one = ensemble.run(&numbers, &|| true).unwrap_or_else(|error| panic!("{error}"));
    if let Some(error) = one.finished.failure {
        panic!("{error}");
    }
    one.rows
}

/// Compares all derivatives with central differences of runs, but near instants at which something jumps.
pub fn assert_like_differences(text: &str, values: &[(&str, f64)], span: Span, allowed: f64) {
    let by: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
    let found = rows(text, values, span, Some(&by));
    let width = (found[0].len() - 1) / (1 + by.len());
    for (place, (name, value)) in values.iter().enumerate() {
        let step = 1e-5 * value.abs().max(if *value == 0.0 { 1.0 } else { 0.0 });
        let moved = |by: f64| {
            let mut values = values.to_vec();
            values[place].1 += by;
            rows(text, &values, span, None)
        };
        let (below, above) = (moved(-step), moved(step));
        for column in 1..=width {
            let slope = |row: usize| (above[row][column] - below[row][column]) / (2.0 * step);
            // What does not change at all has slopes of nothing but rounding.
            let size = found.iter().map(|row| 1e-4 * row[column].abs()).fold(1e-3, f64::max);
            let size = (0..found.len()).map(|row| slope(row).abs()).fold(size, f64::max);
            for (row, numbers) in found.iter().enumerate() {
                let exact = numbers[column + width * (place + 1)];
                let error = (exact - slope(row)).abs() / size;
                assert!(error < allowed, "{name}, column {column}, t = {}: {exact}, not {}", numbers[0], slope(row));
            }
        }
    }
}
