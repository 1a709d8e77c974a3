//! Functions that no kernel has: those of libraries that others wrote, which a program calls where it runs.
//!
//! A foreign function takes real numbers and gives one. It is taken to be a function: the same arguments give the same value, however often and in
//! whatever order it is asked; whoever registers one sees to that. So a program with foreign functions can be saved, restored and repeated like any other. What it
//! computes is as good as the library; and such programs stay on the machine that registered them.

use std::sync::{Arc, RwLock};

use crate::{Block, Module, Statement};

/// The arguments behind the first, which says which function is meant.
pub type Foreign = dyn Fn(&[f64]) -> f64 + Send + Sync;

static REGISTERED: RwLock<Vec<Arc<Foreign>>> = RwLock::new(Vec::new());

/// Makes a function known in this process; the number is the first argument of its calls.
pub fn register(function: Arc<Foreign>) -> usize {
    let mut all = REGISTERED.write().unwrap_or_else(|broken| broken.into_inner());
    all.push(function);
    all.len() - 1
}

/// The value of a foreign function; not a number where there is none of that number.
pub fn call(arguments: &[f64]) -> f64 {
    let Some((&number, rest)) = arguments.split_first() else { return f64::NAN };
    let known = REGISTERED.read().unwrap_or_else(|broken| broken.into_inner());
    let function = known.get(number as usize).cloned();
    drop(known);
    function.map_or(f64::NAN, |function| function(rest))
}

/// Whether a program calls such functions.
pub fn is_in(module: &Module) -> bool {
    fn calls(block: &Block) -> bool {
        block.iter().any(|it| matches!(it, Statement::Foreign { .. }) || it.blocks().any(calls))
    }
    module.functions.iter().any(|function| calls(&function.body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Machine, ModuleBuilder, Type::Real, parse, print};

    /// A foreign function of two arguments, in a program that is printed, read again and interpreted.
    #[test]
    fn a_program_calls_what_was_registered() {
        let number = register(Arc::new(|x| x[0] - 2.0 * x[1]));
        let mut module = ModuleBuilder::new("calls");
        let function = module.function("f", &[("x", Real)], &[Real], |f| {
            let [x] = f.parameters();
            let value = f.foreign(vec![(number as f64).into(), x.into(), 3.0.into()]);
            f.return_(value * 10.0);
        });
        let module = module.finish();
        assert_eq!(crate::verify(&module), Ok(()));
        assert!(is_in(&module));
        let read = parse(&print(&module)).expect("what was printed can be read");
        assert_eq!(print(&read), print(&module));
        let result = Interpreter::new(&read).call(function, &[1.0.into()], &mut read.initial_memory());
        assert_eq!(result, Ok(vec![(-50.0).into()]));
        assert!(call(&[1e9, 1.0]).is_nan());
    }
}
