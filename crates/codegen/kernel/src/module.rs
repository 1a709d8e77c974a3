//! A kernel module: fixed arrays, which are all its memory, and functions over them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::{Block, Expression, Memory, Statement, Type, Value};

/// One program. Its functions share the arrays; everything else they know arrives as arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub name: String,
    pub arrays: Vec<Array>,
    /// Modules that grew out of one another share them.
    pub functions: Vec<Arc<Function>>,
}

/// Storage of fixed size. All arrays of a module together form one block of cells, see [`Module::layout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub name: String,
    pub element: Type,
    pub length: usize,
    /// As many values as the array has elements; zero where there are none.
    pub initial: Option<Vec<Value>>,
    /// What each element is; empty where elements have no names.
    pub slots: Vec<Slot>,
    /// What the array holds, in words.
    pub note: String,
}

/// An element of an array that has a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// An identifier, unique in its array.
    pub name: String,
    /// What the element is, in words: its unit, and where it comes from.
    pub note: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    /// The first so many locals are the parameters.
    pub parameter_count: usize,
    pub results: Vec<Type>,
    pub locals: Vec<Local>,
    pub body: Block,
    /// What the function does, in words.
    pub note: String,
    /// Whether hardly any step calls it: a back end may keep it apart from what is fast.
    pub rare: bool,
}

/// A scalar variable of a function. It has no value until it is assigned one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    pub name: String,
    pub kind: Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u32);

/// The place of an array in its module. It carries the element type, so that an expression knows its own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayId {
    pub index: u32,
    pub element: Type,
}

/// The place of a local in its function. It carries the type, so that an expression knows its own type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalId {
    pub index: u32,
    pub kind: Type,
}

impl Module {
    /// The array of that id, which must belong to this module.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.index as usize]
    }

    /// The function of that id, which must belong to this module.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    pub fn array_ids(&self) -> impl Iterator<Item = ArrayId> {
        self.arrays.iter().enumerate().map(|(index, array)| ArrayId { index: index as u32, element: array.element })
    }

    pub fn function_ids(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }

    pub fn find_array(&self, name: &str) -> Option<ArrayId> {
        self.array_ids().find(|&id| self.array(id).name == name)
    }

    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        self.function_ids().find(|&id| self.function(id).name == name)
    }

    /// An order in which every function stands before those that call it.
    pub fn callees_first(&self) -> Vec<FunctionId> {
        fn visit(module: &Module, function: FunctionId, seen: &mut [bool], order: &mut Vec<FunctionId>) {
            if !std::mem::replace(&mut seen[function.0 as usize], true) {
                module.function(function).callees().into_iter().for_each(|callee| visit(module, callee, seen, order));
                order.push(function);
            }
        }
        let (mut seen, mut order) = (vec![false; self.functions.len()], Vec::new());
        self.function_ids().for_each(|function| visit(self, function, &mut seen, &mut order));
        order
    }

    /// The functions that some functions reach, and these, those that are called first.
    pub fn reached_from(&self, entries: &[FunctionId]) -> Vec<FunctionId> {
        let mut reached = vec![false; self.functions.len()];
        entries.iter().for_each(|id| reached[id.0 as usize] = true);
        let order = self.callees_first();
        for &id in order.iter().rev() {
            if reached[id.0 as usize] {
                self.function(id).callees().into_iter().for_each(|callee| reached[callee.0 as usize] = true);
            }
        }
        order.into_iter().filter(|id| reached[id.0 as usize]).collect()
    }

    /// Where each array begins in the block of cells: one after the other, in order of declaration.
    pub fn layout(&self) -> Layout {
        let mut offsets = vec![0];
        for array in &self.arrays {
            offsets.push(offsets[offsets.len() - 1] + array.length);
        }
        Layout { offsets }
    }

    /// A fresh block of cells with the arrays' initial values.
    pub fn initial_memory(&self) -> Memory {
        let mut cells = Vec::with_capacity(self.layout().cells());
        for array in &self.arrays {
            match &array.initial {
                Some(values) => cells.extend(values.iter().map(|value| value.cell())),
                None => cells.extend(std::iter::repeat_n(0, array.length)),
            }
        }
        Memory::from_cells(cells)
    }
}

/// A copy, for those that keep a module of somebody else.
impl From<&Module> for Arc<Module> {
    fn from(module: &Module) -> Self {
        module.clone().into()
    }
}

impl Function {
    /// The local of that id, which must belong to this function.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index as usize]
    }

    pub fn local_ids(&self) -> impl Iterator<Item = LocalId> {
        self.locals.iter().enumerate().map(|(index, local)| LocalId { index: index as u32, kind: local.kind })
    }

    pub fn parameters(&self) -> impl Iterator<Item = LocalId> {
        self.local_ids().take(self.parameter_count)
    }

    /// The number of statements and parts of expressions: a measure of the code to come.
    pub fn size(&self) -> usize {
        self.body.iter().map(Statement::size).sum()
    }

    /// The functions that this one calls, as often as it names them.
    pub fn callees(&self) -> Vec<FunctionId> {
        let mut found = Vec::new();
        self.for_each(&mut |statement| {
            if let Statement::Call { function, .. } = statement {
                found.push(*function);
            }
        });
        found
    }

    /// The arrays that the function itself speaks of, in order.
    pub fn arrays(&self) -> BTreeSet<u32> {
        fn of_expression(expression: &Expression, found: &mut BTreeSet<u32>) {
            if let Expression::Load { array, .. } = expression {
                found.insert(array.index);
            }
            expression.children().iter().for_each(|child| of_expression(child, found));
        }
        let mut found = self.written();
        self.for_each(&mut |statement| statement.expressions().for_each(|it| of_expression(it, &mut found)));
        found
    }

    /// Those of them that it may change.
    pub fn written(&self) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        self.for_each(&mut |statement| {
            if let Statement::Store { array, .. } = statement {
                found.insert(array.index);
            }
        });
        found
    }

    /// Shows all statements, the outer ones first.
    fn for_each<'f>(&'f self, see: &mut impl FnMut(&'f Statement)) {
        fn of_block<'f>(block: &'f Block, see: &mut impl FnMut(&'f Statement)) {
            for statement in block {
                see(statement);
                statement.blocks().for_each(|inner| of_block(inner, see));
            }
        }
        of_block(&self.body, see);
    }

    pub fn signature(&self) -> Signature {
        Signature { parameters: self.parameters().map(|local| local.kind).collect(), results: self.results.clone() }
    }
}

/// The types that go into a function and come out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub parameters: Vec<Type>,
    pub results: Vec<Type>,
}

/// The places of the arrays in the block of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// One more than there are arrays: the last is the end.
    offsets: Vec<usize>,
}

impl Layout {
    /// The size of the block.
    pub fn cells(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    pub fn offset(&self, array: ArrayId) -> usize {
        self.offsets[array.index as usize]
    }

    /// The cells of an array.
    pub fn range(&self, array: ArrayId) -> std::ops::Range<usize> {
        self.offset(array)..self.offsets[array.index as usize + 1]
    }
}
