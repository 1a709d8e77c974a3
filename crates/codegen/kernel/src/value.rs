//! The two types of the kernel and their values; each value fills one cell of 64 bits.

use std::fmt;
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// IEEE 754 double precision.
    Real,
    /// 64-bit two's complement; also the type of truth values, where zero is false and everything else true.
    Integer,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Real => "real",
            Type::Integer => "integer",
        })
    }
}

/// A constant, an argument, a result or the initial content of a cell. Compares by bits, so `-0.0 != 0.0`.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Real(f64),
    Integer(i64),
}

impl Value {
    pub fn zero(of: Type) -> Value {
        Value::from_cell(0, of)
    }

    pub fn kind(self) -> Type {
        match self {
            Value::Real(_) => Type::Real,
            Value::Integer(_) => Type::Integer,
        }
    }

    /// The bits as they stand in memory.
    pub fn cell(self) -> u64 {
        match self {
            Value::Real(value) => value.to_bits(),
            Value::Integer(value) => value as u64,
        }
    }

    pub fn from_cell(cell: u64, kind: Type) -> Value {
        match kind {
            Type::Real => Value::Real(f64::from_bits(cell)),
            Type::Integer => Value::Integer(cell as i64),
        }
    }

    /// `None` for an integer.
    pub fn as_real(self) -> Option<f64> {
        match self {
            Value::Real(value) => Some(value),
            Value::Integer(_) => None,
        }
    }

    /// `None` for a real.
    pub fn as_integer(self) -> Option<i64> {
        match self {
            Value::Real(_) => None,
            Value::Integer(value) => Some(value),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.kind() == other.kind() && self.cell() == other.cell()
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        self.cell().hash(state);
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Real(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Integer(value)
    }
}
