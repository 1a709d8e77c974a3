//! The choice among rows that depend on one another: the most independent are used, and stay in use until they are not enough.

#![allow(clippy::disallowed_methods, reason = "what is compared with a tolerance may come from the platform")]

mod bench;

use bench::on_every_machine;
use kernel::ModuleBuilder;
use numerics::{RowChoiceProblem, row_choice};

/// Which of three rows in the plane are in use after each of some positions, two at a time: the first two and, turned by an angle, a
/// third.
fn used(angles: &[(f64, f64)]) -> Vec<(bool, Vec<f64>)> {
    let mut module = ModuleBuilder::new("rows");
    let in_use = module.reals("in_use", &[7.0, 1.0, 1.0, 0.0], "behind something else");
    let problem =
        RowChoiceProblem { name: "choice", rows: 3, columns: 2, rank: 2, in_use, first: 1, preferred: &PREFERRED };
    let choice = row_choice(&mut module, &problem);
    on_every_machine(module, |bench| {
        let mut found = Vec::new();
        for &(second, third) in angles {
            // Lengths do not matter.
            let rows = [3.0, 0.0, 1e-3 * second.cos(), 1e-3 * second.sin(), 50.0 * third.cos(), 50.0 * third.sin()];
            bench.set(choice.matrix, &rows);
            let due = bench.call(choice.is_due, []);
            if due != 0 {
                bench.set(choice.matrix, &rows);
                bench.call(choice.choose, []);
            }
            found.push((due != 0, bench.reals(in_use)));
        }
        found
    })
}

const PREFERRED: [bool; 3] = [true, true, false];
const FIRST: [f64; 4] = [7.0, 1.0, 1.0, 0.0];

#[test]
fn rows_stay_in_use_until_they_have_lost_most_of_their_independence() {
    let found = used(&[(1.5, 1.5), (0.2, 1.5), (0.05, 1.5)]);
    let expected = [(false, FIRST), (false, FIRST), (true, [7.0, 1.0, 0.0, 1.0])];
    assert_eq!(found, expected.map(|(due, masks)| (due, masks.to_vec())));
}

#[test]
fn rows_in_use_are_preferred_to_others_that_are_not_much_better() {
    let found = used(&[(1.5, 0.1), (0.05, 0.6)]);
    assert_eq!(found, [(false, FIRST.to_vec()), (true, FIRST.to_vec())]);
    let found = used(&[(1.5, 0.1), (0.05, 1.0)]);
    assert_eq!(found[1], (true, vec![7.0, 1.0, 0.0, 1.0]));
}

#[test]
fn as_many_rows_are_used_where_too_few_are_independent() {
    let found = used(&[(1.5, 1.5), (0.0, 0.0)]);
    assert_eq!(found[1].1.iter().skip(1).sum::<f64>(), 2.0);
}
