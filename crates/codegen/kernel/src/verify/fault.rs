//! What can be wrong with a module, and where.

use crate::{Function, Module, Statement, Type, text};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The function's name, unless the fault lies outside of functions.
    pub function: Option<String>,
    /// The first line of the statement, unless the fault is in none.
    pub statement: Option<String>,
    pub problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    NotAName(String),
    NameTaken(String),
    /// A line break, or another control character, in a note.
    BadNote,
    ParametersWithoutLocals {
        parameters: usize,
        locals: usize,
    },
    InitialLength {
        array: String,
        length: usize,
        values: usize,
    },
    InitialType {
        array: String,
    },
    /// Names for some elements and not for all.
    SlotCount {
        array: String,
        length: usize,
        slots: usize,
    },
    UnknownArray(u32),
    UnknownFunction(u32),
    UnknownLocal(u32),
    /// An id that carries another type than the declaration has.
    WrongId {
        name: String,
        declared: Type,
    },
    WrongType {
        expected: Type,
        found: Type,
    },
    /// Too many or too few operands, arguments or results.
    WrongCount {
        expected: usize,
        found: usize,
    },
    /// An expression with more than [`DEEPEST_EXPRESSION`](crate::DEEPEST_EXPRESSION) levels.
    TooDeep,
    IndexOutOfRange {
        array: String,
        index: i64,
        length: usize,
    },
    /// A local read on a path where it has no value yet.
    Unassigned(String),
    /// A loop variable that is assigned inside its loop, or has a value before it.
    LoopVariableAssigned(String),
    BreakOutsideLoop,
    MissingReturn,
    /// Each calls the next, and the last one the first.
    CallCycle(Vec<String>),
}

impl Fault {
    pub(super) fn outside(problem: Problem) -> Fault {
        Fault { function: None, statement: None, problem }
    }

    pub(super) fn of_function(function: &Function, problem: Problem) -> Fault {
        Fault { function: Some(function.name.clone()), statement: None, problem }
    }

    pub(super) fn at(module: &Module, function: &Function, statement: &Statement, problem: Problem) -> Fault {
        let heading = text::print_heading(module, function, statement);
        Fault { statement: Some(heading), ..Fault::of_function(function, problem) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "in `{function}`: ")?;
        }
        if let Some(statement) = &self.statement {
            write!(f, "`{statement}`: ")?;
        }
        write!(f, "{}", self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NotAName(name) => write!(f, "`{name}` is not a name"),
            Problem::NameTaken(name) => write!(f, "the name `{name}` is used twice"),
            Problem::BadNote => write!(f, "a note is one line without control characters"),
            Problem::ParametersWithoutLocals { parameters, locals } => {
                write!(f, "{parameters} parameters, but only {locals} locals")
            }
            Problem::InitialLength { array, length, values } => {
                write!(f, "array `{array}` has {length} elements and {values} initial values")
            }
            Problem::InitialType { array } => write!(f, "an initial value of array `{array}` has the wrong type"),
            Problem::SlotCount { array, length, slots } => {
                write!(f, "array `{array}` has {length} elements and names for {slots}")
            }
            Problem::UnknownArray(index) => write!(f, "there is no array number {index}"),
            Problem::UnknownFunction(index) => write!(f, "there is no function number {index}"),
            Problem::UnknownLocal(index) => write!(f, "there is no local number {index}"),
            Problem::WrongId { name, declared } => write!(f, "`{name}` is declared {declared}, but not used so"),
            Problem::WrongType { expected, found } => write!(f, "expected {expected}, found {found}"),
            Problem::WrongCount { expected, found } => write!(f, "expected {expected} values, found {found}"),
            Problem::IndexOutOfRange { array, index, length } => {
                write!(f, "index {index} of `{array}`, which has {length} elements")
            }
            Problem::TooDeep => write!(f, "an expression is nested too deeply; give its parts to variables"),
            Problem::Unassigned(local) => write!(f, "`{local}` may have no value yet"),
            Problem::LoopVariableAssigned(local) => write!(f, "the loop variable `{local}` is assigned"),
            Problem::BreakOutsideLoop => write!(f, "there is no loop to break out of"),
            Problem::MissingReturn => write!(f, "the end is reached without returning the results"),
            Problem::CallCycle(names) => write!(f, "functions call one another in a circle: {}", names.join(", ")),
        }
    }
}
