//! No function calls itself, directly or through others; so the depth of the stack is known.

use super::{Fault, Problem};
use crate::{FunctionId, Module};

pub fn check(module: &Module, faults: &mut Vec<Fault>) {
    let callees: Vec<Vec<FunctionId>> = module.functions.iter().map(|function| function.callees()).collect();
    let mut search = Search { callees: &callees, path: Vec::new(), finished: vec![false; callees.len()] };
    for function in module.function_ids() {
        if let Some(cycle) = search.visit(function) {
            let names = cycle.iter().map(|&id| module.function(id).name.clone()).collect();
            return faults.push(Fault::outside(Problem::CallCycle(names)));
        }
    }
}

/// Depth first, remembering the functions between the start and here.
struct Search<'c> {
    callees: &'c [Vec<FunctionId>],
    path: Vec<FunctionId>,
    finished: Vec<bool>,
}

impl Search<'_> {
    fn visit(&mut self, function: FunctionId) -> Option<Vec<FunctionId>> {
        if self.finished[function.0 as usize] {
            return None;
        }
        if let Some(start) = self.path.iter().position(|&caller| caller == function) {
            return Some(self.path[start..].to_vec());
        }
        self.path.push(function);
        let callees = &self.callees[function.0 as usize];
        let cycle = callees.iter().find_map(|&callee| self.visit(callee));
        self.path.pop();
        self.finished[function.0 as usize] = true;
        cycle
    }
}
