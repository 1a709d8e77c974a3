//! Elementary functions, written in the kernel language: every machine computes the same bits, none calls its own `sin`.
//!
//! Each file explains one family: how the argument is reduced to a short interval, the polynomial there, and how large
//! the error becomes. Errors are in units in the last place (ulp) of the result; tests/elementary.rs measures them
//! against references of multiple precision. All polynomials are minimax in the relative error of the whole function,
//! found by the Remez exchange in 300-bit arithmetic; each coefficient in turn was rounded to a double, from the lowest
//! power on, and those after it were fitted again.
//!
//! ```
//! use kernel::{Interpreter, Machine, ModuleBuilder};
//! use numerics::elementary::{Elementary, Function};
//!
//! let mut module = ModuleBuilder::new("example");
//! let mut elementary = Elementary::new();
//! let sine = elementary.function(&mut module, Function::Sin);
//! let module = module.finish();
//! let result = Interpreter::new(&module).call_real(sine, &[1.0.into()], &mut module.initial_memory());
//! assert_eq!(result, Ok(0.8414709848078965));
//! ```

mod trigonometric;

mod arcsine;
mod arctangent;

mod exponential;

mod hyperbolic;

mod logarithm;

mod power;

mod quarter_turns;
pub use quarter_turns::ROUNDING_SHIFT;

mod double_double;
mod polynomial;

mod fixed_point;

use kernel::Type::{self, Integer, Real};
use kernel::{FunctionBuilder, FunctionId, ModuleBuilder};

/// The elementary functions of one module: each is written into the module when it is first asked for.
#[derive(Default)]
pub struct Elementary {
    functions: [Option<FunctionId>; FUNCTIONS.len()],
    tables: Tables,
}

impl Elementary {
    pub fn new() -> Elementary {
        Elementary::default()
    }

    /// The function in this module, which must be the same one at every call.
    pub fn function(&mut self, module: &mut ModuleBuilder, function: Function) -> FunctionId {
        let place = function as usize;
        if let Some(known) = self.functions[place] {
            return known;
        }
        let row = function.row();
        let parameters: Vec<(&str, Type)> = row.parameters.iter().map(|&name| (name, Real)).collect();
        let declared = module.declare(row.name, &parameters, row.results);
        self.functions[place] = Some(declared);
        module.describe(declared, row.note);
        module.define(declared, |f| (row.define)(self, f));
        declared
    }
}

/// A row of the table of functions. All parameters are real.
pub struct Row {
    pub function: Function,
    pub name: &'static str,
    pub parameters: &'static [&'static str],
    pub results: &'static [Type],
    /// What the function does, in words.
    pub note: &'static str,
    define: fn(&mut Elementary, &mut FunctionBuilder),
}

macro_rules! functions {
    ($($name:ident $text:literal($($parameter:ident),+) -> [$($result:ident),+] $define:path, $note:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function { $(#[doc = $note] $name),+ }

        /// Every function, in the order of [`Function`].
        pub static FUNCTIONS: &[Row] = &[$(Row {
            function: Function::$name,
            name: $text,
            parameters: &[$(stringify!($parameter)),+],
            results: &[$($result),+],
            note: $note,
            define: $define,
        }),+];
    };
}

functions! {
    SinCos       "sincos"(x)        -> [Real, Real] trigonometric::sincos, "The sine and the cosine; x in radians.";
    Sin          "sin"(x)           -> [Real] trigonometric::sin, "The sine; x in radians.";
    Cos          "cos"(x)           -> [Real] trigonometric::cos, "The cosine; x in radians.";
    Tan          "tan"(x)           -> [Real] trigonometric::tan, "The tangent; x in radians.";
    Asin         "asin"(x)          -> [Real] arcsine::asin, "The arc sine, from -π/2 to π/2.";
    Acos         "acos"(x)          -> [Real] arcsine::acos, "The arc cosine, from 0 to π.";
    Atan         "atan"(x)          -> [Real] arctangent::atan, "The arc tangent, from -π/2 to π/2.";
    Atan2        "atan2"(y, x)      -> [Real] arctangent::atan2, "The angle of (x, y), from -π to π.";
    Exp          "exp"(x)           -> [Real] exponential::exp, "The exponential function.";
    Log          "log"(x)           -> [Real] logarithm::log, "The natural logarithm.";
    Pow          "pow"(x, y)        -> [Real] power::pow, "x to the power y.";
    Sinh         "sinh"(x)          -> [Real] hyperbolic::sinh, "The hyperbolic sine.";
    Cosh         "cosh"(x)          -> [Real] hyperbolic::cosh, "The hyperbolic cosine.";
    Tanh         "tanh"(x)          -> [Real] hyperbolic::tanh, "The hyperbolic tangent.";
    QuarterTurns "quarter_turns"(x) -> [Integer, Real, Real] quarter_turns::reduce_large,
        "For |x| ≥ 1: the quarter turns (π/2) nearest to x, modulo 4, and the rest of x as the sum of two reals.";
}

impl Function {
    pub fn named(name: &str) -> Option<Function> {
        FUNCTIONS.iter().find(|row| row.name == name).map(|row| row.function)
    }

    pub fn row(self) -> &'static Row {
        &FUNCTIONS[self as usize]
    }
}

/// The constant arrays that are in the module so far.
#[derive(Default)]
struct Tables {
    two_over_pi: Option<kernel::ArrayId>,
    arctangent: Option<arctangent::Table>,
    logarithm: Option<logarithm::Table>,
}
