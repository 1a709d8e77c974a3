//! Laws of matchings and decompositions on random graphs, against slow and obvious ones.

use proptest::prelude::*;
use structure::{Incidence, Orders, connected_components, decompose, maximum_matching, order_blocks, reduce_index};

fn incidence() -> impl Strategy<Value = Incidence> {
    (1usize..8, 1usize..8).prop_flat_map(|(rows, columns)| {
        let row = prop::collection::vec(0..columns, 0..4);
        prop::collection::vec(row, rows).prop_map(move |rows| Incidence::new(columns, rows))
    })
}

/// The size of the largest matching, by trying everything.
fn largest(incidence: &Incidence, row: usize, used: &mut Vec<bool>) -> usize {
    if row == incidence.rows() {
        return 0;
    }
    let mut best = largest(incidence, row + 1, used);
    for &column in incidence.row(row) {
        if !used[column] {
            used[column] = true;
            best = best.max(1 + largest(incidence, row + 1, used));
            used[column] = false;
        }
    }
    best
}

fn square_orders() -> impl Strategy<Value = Orders> {
    (1usize..5).prop_flat_map(|n| {
        let row = prop::collection::btree_map(0..n, 0usize..3, 0..=n);
        prop::collection::vec(row.prop_map(|row| row.into_iter().collect::<Vec<_>>()), n)
    })
}

/// Tries all offsets up to a bound; among those that serve, each component must be smallest at once.
fn smallest_offsets(orders: &Orders, bound: usize) -> Option<Vec<usize>> {
    let n = orders.len();
    let all = (0..(bound + 1).pow(n as u32))
        .map(|code| (0..n).map(|i| code / (bound + 1).pow(i as u32) % (bound + 1)).collect::<Vec<_>>());
    let serves = |times: &Vec<usize>| {
        let highest = |column: usize| {
            let reached = orders
                .iter()
                .zip(times)
                .flat_map(|(row, &t)| row.iter().filter(move |entry| entry.0 == column).map(move |entry| entry.1 + t));
            reached.max().unwrap_or(0)
        };
        let leading = |(row, &t): (&Vec<(usize, usize)>, &usize)| {
            row.iter().filter(|entry| entry.1 + t == highest(entry.0)).map(|entry| entry.0).collect()
        };
        let incidence = Incidence::new(n, orders.iter().zip(times).map(leading).collect());
        maximum_matching(&incidence).size() == n
    };
    all.filter(serves).reduce(|a, b| a.into_iter().zip(b).map(|(x, y)| x.min(y)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn matchings_are_valid_and_maximum(incidence in incidence()) {
        let matching = maximum_matching(&incidence);
        for (row, column) in matching.column_of_row.iter().enumerate() {
            if let Some(column) = column {
                prop_assert!(incidence.row(row).contains(column));
                prop_assert_eq!(matching.row_of_column[*column], Some(row));
            }
        }
        prop_assert_eq!(matching.size(), largest(&incidence, 0, &mut vec![false; incidence.columns()]));
    }

    #[test]
    fn decomposition_puts_surplus_where_it_belongs(incidence in incidence()) {
        let matching = maximum_matching(&incidence);
        let parts = decompose(&incidence, &matching);
        let free_rows = matching.column_of_row.iter().filter(|column| column.is_none()).count();
        let free_columns = matching.row_of_column.iter().filter(|row| row.is_none()).count();
        prop_assert_eq!(parts.over_rows.len() - parts.over_columns.len(), free_rows);
        prop_assert_eq!(parts.under_columns.len() - parts.under_rows.len(), free_columns);
        prop_assert_eq!(parts.square_rows.len(), parts.square_columns.len());
        // Over-determined rows know no other columns than over-determined ones.
        for &row in &parts.over_rows {
            prop_assert!(incidence.row(row).iter().all(|column| parts.over_columns.contains(column)));
        }
    }

    #[test]
    fn blocks_are_square_and_ordered(incidence in incidence()) {
        let matching = maximum_matching(&incidence);
        let mut known: Vec<bool> = matching.row_of_column.iter().map(Option::is_none).collect();
        for block in order_blocks(&incidence, &matching) {
            prop_assert_eq!(block.rows.len(), block.columns.len());
            block.columns.iter().for_each(|&column| known[column] = true);
            for &row in &block.rows {
                prop_assert!(incidence.row(row).iter().all(|&column| known[column]));
            }
        }
        prop_assert!(known.into_iter().all(|known| known));
    }

    /// Against the definition: the smallest offsets with which the leading parts have a perfect matching.
    #[test]
    fn offsets_are_the_smallest_that_serve(orders in square_orders()) {
        let n = orders.len();
        match (reduce_index(&vec![0; n], &orders), smallest_offsets(&orders, 4)) {
            (Some(found), Some(expected)) => prop_assert_eq!(found.rows, expected),
            (None, expected) => prop_assert_eq!(expected, None),
            // The search is bounded, the algorithm is not.
            (Some(found), None) => prop_assert!(found.rows.iter().any(|&times| times > 4)),
        }
    }

    #[test]
    fn connected_components_share_nothing(incidence in incidence()) {
        let components = connected_components(&incidence);
        let rows: usize = components.iter().map(|(rows, _)| rows.len()).sum();
        let columns: usize = components.iter().map(|(_, columns)| columns.len()).sum();
        prop_assert_eq!((rows, columns), (incidence.rows(), incidence.columns()));
        for (rows, columns) in &components {
            for &row in rows {
                prop_assert!(incidence.row(row).iter().all(|column| columns.contains(column)));
            }
        }
    }
}
