//! Connected and strongly connected components.

use crate::Incidence;

/// Groups of rows and columns that have nothing to do with one another: `(rows, columns)`, ordered by their first row or,
/// for columns in no row, at the end.
pub fn connected_components(incidence: &Incidence) -> Vec<(Vec<usize>, Vec<usize>)> {
    let transposed = incidence.transposed();
    let mut row_seen = vec![false; incidence.rows()];
    let mut column_seen = vec![false; incidence.columns()];
    let mut components = Vec::new();
    for start in 0..incidence.rows() {
        if row_seen[start] {
            continue;
        }
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        let mut open = vec![start];
        row_seen[start] = true;
        while let Some(row) = open.pop() {
            rows.push(row);
            for &column in incidence.row(row) {
                if !std::mem::replace(&mut column_seen[column], true) {
                    columns.push(column);
                    for &next in transposed.row(column) {
                        if !std::mem::replace(&mut row_seen[next], true) {
                            open.push(next);
                        }
                    }
                }
            }
        }
        rows.sort_unstable();
        columns.sort_unstable();
        components.push((rows, columns));
    }
    let lonely = (0..incidence.columns()).filter(|&column| !column_seen[column]);
    components.extend(lonely.map(|column| (Vec::new(), vec![column])));
    components
}

/// Strongly connected components of a directed graph, each after all others that can be reached from it (Tarjan 1972, without
/// recursion).
pub fn strong_components(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = successors.len();
    let mut search =
        Search { index: vec![usize::MAX; n], low: vec![0; n], on_stack: vec![false; n], stack: Vec::new(), next: 0 };
    let mut components = Vec::new();
    for root in 0..n {
        if search.index[root] == usize::MAX {
            search.visit(root, successors, &mut components);
        }
    }
    components
}

struct Search {
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    next: usize,
}

impl Search {
    fn enter(&mut self, node: usize) {
        self.index[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn visit(&mut self, root: usize, successors: &[Vec<usize>], components: &mut Vec<Vec<usize>>) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            if let Some(&next) = successors[node].get(*edge) {
                *edge += 1;
                if self.index[next] == usize::MAX {
                    self.enter(next);
                    path.push((next, 0));
                } else if self.on_stack[next] {
                    self.low[node] = self.low[node].min(self.index[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.index[node] {
                components.push(self.leave(node));
            }
        }
    }

    fn leave(&mut self, root: usize) -> Vec<usize> {
        let mut component = Vec::new();
        while let Some(node) = self.stack.pop() {
            self.on_stack[node] = false;
            component.push(node);
            if node == root {
                break;
            }
        }
        component.sort_unstable();
        component
    }
}
