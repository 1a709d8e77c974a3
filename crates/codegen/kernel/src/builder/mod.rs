//! Building modules: declare arrays and functions, then define the functions in any order.
//!
//! Names may repeat and hold any characters; the builder makes them unique identifiers.

mod function;
mod join;
mod names;
mod operands;

pub use function::FunctionBuilder;
pub use join::{Frame, Guest, Joiner};
pub use operands::Operands;

use std::sync::Arc;

use crate::{Array, ArrayId, Function, FunctionId, Local, LocalId, Module, Slot, Type, Value};
pub use names::Names;

#[derive(Clone)]
pub struct ModuleBuilder {
    module: Module,
    names: Names,
    defined: Vec<bool>,
}

impl ModuleBuilder {
    pub fn new(name: &str) -> ModuleBuilder {
        let module = Module { name: Names::default().claim(name), arrays: Vec::new(), functions: Vec::new() };
        ModuleBuilder { module, names: Names::default(), defined: Vec::new() }
    }

    /// An array that begins as zeros.
    pub fn array(&mut self, name: &str, element: Type, length: usize, note: &str) -> ArrayId {
        let name = self.names.claim(name);
        self.module.arrays.push(Array { name, element, length, initial: None, slots: Vec::new(), note: note.into() });
        ArrayId { index: self.module.arrays.len() as u32 - 1, element }
    }

    /// A real array that begins as zeros.
    pub fn real_array(&mut self, name: &str, length: usize, note: &str) -> ArrayId {
        self.array(name, Type::Real, length, note)
    }

    /// An integer array that begins as zeros.
    pub fn integer_array(&mut self, name: &str, length: usize, note: &str) -> ArrayId {
        self.array(name, Type::Integer, length, note)
    }

    /// A real array that begins with these values.
    pub fn reals(&mut self, name: &str, values: &[f64], note: &str) -> ArrayId {
        let array = self.array(name, Type::Real, values.len(), note);
        self.set_initial(array, values.iter().map(|&value| Value::Real(value)).collect());
        array
    }

    /// An integer array that begins with these values.
    pub fn integers(&mut self, name: &str, values: &[i64], note: &str) -> ArrayId {
        let array = self.array(name, Type::Integer, values.len(), note);
        self.set_initial(array, values.iter().map(|&value| Value::Integer(value)).collect());
        array
    }

    /// Gives an array its initial values, as many as it has elements.
    pub fn set_initial(&mut self, array: ArrayId, values: Vec<Value>) {
        self.module.arrays[array.index as usize].initial = Some(values);
    }

    /// Gives each element of an array a name and a note.
    pub fn name_slots<'a>(&mut self, array: ArrayId, slots: impl IntoIterator<Item = (&'a str, String)>) {
        let mut names = Names::default();
        let slots = slots.into_iter().map(|(name, note)| Slot { name: names.claim(name), note });
        self.module.arrays[array.index as usize].slots = slots.collect();
    }

    pub fn length(&self, array: ArrayId) -> usize {
        self.module.array(array).length
    }

    /// Makes a function known, so that others can call it; [`define`](ModuleBuilder::define) it before the end.
    pub fn declare(&mut self, name: &str, parameters: &[(&str, Type)], results: &[Type]) -> FunctionId {
        let mut names = Names::default();
        let locals = parameters.iter().map(|&(name, kind)| Local { name: names.claim(name), kind }).collect();
        self.module.functions.push(Arc::new(Function {
            name: self.names.claim(name),
            parameter_count: parameters.len(),
            results: results.to_vec(),
            locals,
            body: Vec::new(),
            note: String::new(),
            rare: false,
        }));
        self.defined.push(false);
        FunctionId(self.module.functions.len() as u32 - 1)
    }

    /// What the function does, in words.
    pub fn describe(&mut self, function: FunctionId, note: &str) {
        Arc::make_mut(&mut self.module.functions[function.0 as usize]).note = note.into();
    }

    /// Whether hardly any step calls the function.
    pub fn set_rare(&mut self, function: FunctionId, rare: bool) {
        Arc::make_mut(&mut self.module.functions[function.0 as usize]).rare = rare;
    }

    /// Writes the body of a declared function.
    ///
    /// # Panics
    /// If the function is defined already.
    #[track_caller]
    pub fn define(&mut self, function: FunctionId, body: impl FnOnce(&mut FunctionBuilder)) {
        let index = function.0 as usize;
        assert!(!self.defined[index], "`{}` is defined twice", self.module.functions[index].name);
        self.defined[index] = true;
        let mut builder = FunctionBuilder::new(self, function);
        body(&mut builder);
        let (locals, statements) = builder.finish();
        let definition = Arc::make_mut(&mut self.module.functions[index]);
        definition.locals = locals;
        definition.body = statements;
    }

    /// Declares and defines a function in one.
    #[track_caller]
    pub fn function(
        &mut self,
        name: &str,
        parameters: &[(&str, Type)],
        results: &[Type],
        body: impl FnOnce(&mut FunctionBuilder),
    ) -> FunctionId {
        let function = self.declare(name, parameters, results);
        self.define(function, body);
        function
    }

    /// The module as built so far.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Drops assignments that nobody reads, in all that is defined so far.
    pub fn remove_unused(&mut self) {
        crate::remove_unused(&mut self.module.functions);
    }

    /// Takes the arrays and functions of another module in place of its own first ones, if these are of the same names and forms: then whatever
    /// speaks of them by their ids can stay. Whether that is so.
    pub fn renew(&mut self, first: &ModuleBuilder) -> bool {
        let (own, new) = (&mut self.module, &first.module);
        let arrays = own.arrays.iter().zip(&new.arrays);
        let functions = own.functions.iter().zip(&new.functions);
        if own.arrays.len() < new.arrays.len()
            || own.functions.len() < new.functions.len()
            || arrays.into_iter().any(|(a, b)| (&a.name, a.element) != (&b.name, b.element))
            || functions.into_iter().any(|(a, b)| a.name != b.name || a.signature() != b.signature())
        {
            return false;
        }
        own.arrays[..new.arrays.len()].clone_from_slice(&new.arrays);
        own.functions[..new.functions.len()].clone_from_slice(&new.functions);
        self.defined[..first.defined.len()].clone_from_slice(&first.defined);
        true
    }

    /// The finished module; [`verify`](crate::verify) tells whether it is a good one.
    ///
    /// # Panics
    /// If a declared function was never defined.
    #[track_caller]
    pub fn finish(self) -> Module {
        for (function, defined) in self.module.functions.iter().zip(&self.defined) {
            assert!(defined, "`{}` is declared but never defined", function.name);
        }
        self.module
    }
}

/// The parameters of a function, in order.
fn parameters(function: &Function) -> Vec<LocalId> {
    function.parameters().collect()
}
