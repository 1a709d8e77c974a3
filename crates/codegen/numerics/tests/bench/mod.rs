//! A bench for templates: the same calls on every machine, which must all leave the same bits in memory.

#![allow(dead_code)] // Each test file uses its own part.

use backend_cranelift::{Options, compile};
use kernel::{ArrayId, FunctionId, Interpreter, Layout, Machine, Memory, Module, ModuleBuilder, Type, Value, verify};

/// One machine with its memory.
pub struct Bench<'m> {
    machine: Box<dyn Machine + 'm>,
    memory: Memory,
    layout: Layout,
}

/// Verifies the module, does the same on each machine, and gives what the interpreter gave.
pub fn on_every_machine<R>(module: ModuleBuilder, scenario: impl Fn(&mut Bench) -> R) -> R {
    let module = module.finish();
    if let Err(faults) = verify(&module) {
        panic!("{}", faults.iter().map(|fault| format!("{fault}\n")).collect::<String>());
    }
    let mut truth = Bench::new(&module, Box::new(Interpreter::new(&module)));
    let result = scenario(&mut truth);
    for machine in compiled(&module) {
        let mut bench = Bench::new(&module, machine);
        scenario(&mut bench);
        assert!(bench.memory == truth.memory, "compiled code left other bits in memory than the interpreter");
    }
    result
}

/// Verifies the module and does it on the compiled machine alone, where the interpreter would take too long.
pub fn on_compiled_code<R>(module: ModuleBuilder, scenario: impl Fn(&mut Bench) -> R) -> R {
    let module = module.finish();
    assert!(verify(&module).is_ok(), "the module has faults");
    let machine = compiled(&module).remove(0);
    scenario(&mut Bench::new(&module, machine))
}

/// Verifies the module and does something on the fastest machine alone, for laws that need many calls.
pub fn on_fastest_machine<R>(module: ModuleBuilder, scenario: impl Fn(&mut Bench) -> R) -> R {
    let module = module.finish();
    if let Err(faults) = verify(&module) {
        panic!("{}", faults.iter().map(|fault| format!("{fault}\n")).collect::<String>());
    }
    let machine = compiled(&module).remove(0);
    scenario(&mut Bench::new(&module, machine))
}

/// The machines that are compared with the interpreter.
fn compiled(module: &Module) -> Vec<Box<dyn Machine>> {
    vec![Box::new(compile(module, &Options::default()).unwrap())]
}

impl<'m> Bench<'m> {
    fn new(module: &Module, machine: Box<dyn Machine + 'm>) -> Bench<'m> {
        Bench { machine, memory: module.initial_memory(), layout: module.layout() }
    }

    /// Calls a function that returns a status.
    #[track_caller]
    pub fn call<const N: usize>(&mut self, function: FunctionId, arguments: [Value; N]) -> i64 {
        self.machine.call_integer(function, &arguments, &mut self.memory).unwrap()
    }

    /// Calls a function without arguments and results.
    pub fn run(&mut self, function: FunctionId) {
        self.machine.call(function, &[], &mut self.memory).unwrap();
    }

    /// Calls a function of real results.
    #[track_caller]
    pub fn reals_of(&mut self, function: FunctionId, arguments: &[Value]) -> Vec<f64> {
        let results = self.machine.call(function, arguments, &mut self.memory).unwrap();
        results.into_iter().map(|value| value.as_real().expect("a real result")).collect()
    }

    pub fn set(&mut self, array: ArrayId, values: &[f64]) {
        let range = self.layout.range(array);
        assert!(array.element == Type::Real && values.len() <= range.len());
        self.memory.set_reals(range.start, values);
    }

    pub fn set_integers(&mut self, array: ArrayId, values: &[i64]) {
        let range = self.layout.range(array);
        assert!(array.element == Type::Integer && values.len() <= range.len());
        values.iter().zip(range).for_each(|(&value, cell)| self.memory.set(cell, value));
    }

    pub fn reals(&self, array: ArrayId) -> Vec<f64> {
        assert_eq!(array.element, Type::Real);
        self.memory.reals(self.layout.range(array)).collect()
    }

    pub fn integers(&self, array: ArrayId) -> Vec<i64> {
        assert_eq!(array.element, Type::Integer);
        self.layout.range(array).map(|cell| self.memory.integer(cell)).collect()
    }

    /// Forgets what is in memory, where it cannot be compared: the bits of what is not a number differ.
    pub fn clear(&mut self) {
        self.memory.cells_mut().fill(0);
    }

    /// The only element of a real array.
    pub fn real(&self, array: ArrayId) -> f64 {
        self.reals(array)[0]
    }

    /// The only element of an integer array.
    pub fn integer(&self, array: ArrayId) -> i64 {
        self.integers(array)[0]
    }
}
