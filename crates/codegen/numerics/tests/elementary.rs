//! The elementary functions against references of multiple precision, in the interpreter and as machine code.
//!
//! A line of tests/elementary/*.txt has the bits of the arguments, the bits of the correctly rounded result, and what is
//! missing from it to the exact result, in ulp; or `=` where the result must be just that one.

use backend_cranelift::{Compiled, Options, compile};
use kernel::{FunctionId, Interpreter, Machine, Memory, Module, ModuleBuilder, Value};
use numerics::elementary::{Elementary, FUNCTIONS, Function};

#[test]
fn errors_are_below_one_ulp() {
    let library = Library::new();
    for &(function, limit, text) in REFERENCES {
        let mut largest = 0.0;
        for point in text.lines().map(Point::parse) {
            let result = library.interpret(function, &point.arguments)[0];
            let error = point.error(result);
            let name = function.row().name;
            assert!(error <= limit, "{name}{:?} = {result:e} is off by {error} ulp", point.arguments);
            largest = f64::max(largest, error);
        }
        println!("{:6} {largest:.3} ulp", function.row().name);
    }
}

/// Each with a bound in ulp. The points are random over all magnitudes, around multiples of π/2, the ends of intervals
/// and of the domain, and where millions of random points had the largest errors. A subnormal result is rounded twice.
const REFERENCES: &[(Function, f64, &str)] = &[
    (Function::Sin, 0.8, include_str!("elementary/sin.txt")),
    (Function::Cos, 0.8, include_str!("elementary/cos.txt")),
    (Function::Tan, 0.8, include_str!("elementary/tan.txt")),
    (Function::Asin, 0.7, include_str!("elementary/asin.txt")),
    (Function::Acos, 0.7, include_str!("elementary/acos.txt")),
    (Function::Atan, 0.7, include_str!("elementary/atan.txt")),
    (Function::Atan2, 0.7, include_str!("elementary/atan2.txt")),
    (Function::Exp, 0.8, include_str!("elementary/exp.txt")),
    (Function::Log, 0.55, include_str!("elementary/log.txt")),
    (Function::Pow, 0.8, include_str!("elementary/pow.txt")),
    (Function::Sinh, 0.8, include_str!("elementary/sinh.txt")),
    (Function::Cosh, 0.7, include_str!("elementary/cosh.txt")),
    (Function::Tanh, 0.8, include_str!("elementary/tanh.txt")),
];

#[test]
fn machine_code_gives_the_same_bits() {
    let library = Library::new();
    let compiled = library.compile();
    for &(function, _, text) in REFERENCES {
        for point in text.lines().map(Point::parse) {
            library.compare(&compiled, function, &point.arguments);
        }
    }
    let mut random = Random(1);
    for row in FUNCTIONS.iter().filter(|row| row.function != Function::QuarterTurns) {
        for _ in 0..8000 {
            library.compare(&compiled, row.function, &random.arguments(row.parameters.len(), Random::any));
            library.compare(&compiled, row.function, &random.arguments(row.parameters.len(), Random::moderate));
        }
    }
}

#[test]
fn sine_and_cosine_are_the_same_together() {
    let library = Library::new();
    let mut random = Random(2);
    for x in std::iter::repeat_with(|| random.moderate()).take(2000) {
        let both = library.interpret(Function::SinCos, &[x]);
        assert_eq!(both[0].to_bits(), library.interpret(Function::Sin, &[x])[0].to_bits(), "sin {x:e}");
        assert_eq!(both[1].to_bits(), library.interpret(Function::Cos, &[x])[0].to_bits(), "cos {x:e}");
    }
}

#[test]
fn symmetries_are_exact() {
    use Function::*;
    let library = Library::new();
    let compiled = library.compile();
    let evaluate = |function: Function, x: f64| library.run(&compiled, function, &[x])[0];
    let mut random = Random(3);
    for _ in 0..3000 {
        for x in [random.moderate(), random.any(), random.fraction()] {
            for odd in [Sin, Tan, Asin, Atan, Sinh, Tanh] {
                let (left, right) = (evaluate(odd, -x), -evaluate(odd, x));
                assert!(same(left, right), "{odd:?}(-{x:e}) = {left:e}, not {right:e}");
            }
            for even in [Cos, Cosh] {
                let (left, right) = (evaluate(even, -x), evaluate(even, x));
                assert!(same(left, right), "{even:?}(-{x:e}) = {left:e}, not {right:e}");
            }
        }
    }
}

#[test]
fn a_function_is_written_once() {
    let mut module = ModuleBuilder::new("once");
    let mut elementary = Elementary::new();
    for (place, row) in FUNCTIONS.iter().enumerate() {
        assert_eq!(place, row.function as usize);
        let id = elementary.function(&mut module, row.function);
        assert_eq!(id, elementary.function(&mut module, row.function));
    }
    let module = module.finish();
    assert_eq!(module.functions.len(), FUNCTIONS.len());
    assert_eq!(kernel::verify(&module), Ok(()));
}

/// A line of a reference file.
struct Point {
    arguments: Vec<f64>,
    rounded: f64,
    /// `None` if the result must be `rounded`.
    missing: Option<f64>,
}

impl Point {
    fn parse(line: &str) -> Point {
        let real = |bits: &str| match bits {
            "nan" => f64::NAN,
            bits => f64::from_bits(u64::from_str_radix(bits, 16).expect("bits in hexadecimal")),
        };
        let [arguments @ .., rounded, missing] = &*line.split(' ').collect::<Vec<_>>() else { panic!("{line}") };
        let missing = if *missing == "=" { None } else { Some(missing.parse().expect("a number")) };
        Point { arguments: arguments.iter().map(|bits| real(bits)).collect(), rounded: real(rounded), missing }
    }

    /// In ulp.
    fn error(&self, result: f64) -> f64 {
        let steps = result.to_bits().wrapping_sub(self.rounded.to_bits()) as i64 as f64 * self.rounded.signum();
        match self.missing {
            Some(missing) => (steps - missing).abs(),
            None if same(result, self.rounded) => 0.0,
            None => f64::INFINITY,
        }
    }
}

/// Equal in bits, or both not a number.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// A module with all functions.
struct Library {
    module: Module,
    ids: Vec<FunctionId>,
}

impl Library {
    fn new() -> Library {
        let mut module = ModuleBuilder::new("library");
        let mut elementary = Elementary::new();
        let ids = FUNCTIONS.iter().map(|row| elementary.function(&mut module, row.function)).collect();
        Library { module: module.finish(), ids }
    }

    fn compile(&self) -> Compiled {
        compile(&self.module, &Options::default()).expect("a good module")
    }

    fn interpret(&self, function: Function, arguments: &[f64]) -> Vec<f64> {
        self.run(&Interpreter::new(&self.module), function, arguments)
    }

    fn run(&self, machine: &dyn Machine, function: Function, arguments: &[f64]) -> Vec<f64> {
        let arguments: Vec<Value> = arguments.iter().map(|&argument| argument.into()).collect();
        let mut memory: Memory = self.module.initial_memory();
        let results = machine.call(self.ids[function as usize], &arguments, &mut memory).expect("a result");
        results.into_iter().map(|result| result.as_real().expect("a real")).collect()
    }

    fn compare(&self, compiled: &Compiled, function: Function, arguments: &[f64]) {
        let expected = self.interpret(function, arguments);
        let found = self.run(compiled, function, arguments);
        let equal = expected.iter().zip(&found).all(|(&expected, &found)| same(expected, found));
        assert!(equal, "{}{arguments:?}: {found:?}, not {expected:?}", function.row().name);
    }
}

/// The xorshift generator of Marsaglia.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545f4914f6cdd1d)
    }

    /// Any bits at all.
    fn any(&mut self) -> f64 {
        f64::from_bits(self.bits())
    }

    /// Between -1 and 1.
    fn fraction(&mut self) -> f64 {
        (self.bits() as i64 as f64) / 9.3e18
    }

    /// Magnitudes from 2⁻³⁰ to 2³⁰.
    fn moderate(&mut self) -> f64 {
        let exponent = 1023 - 30 + self.bits() % 60;
        let sign_and_fraction = self.bits() & !(0x7ff << 52);
        f64::from_bits(sign_and_fraction | (exponent << 52))
    }

    fn arguments(&mut self, count: usize, draw: fn(&mut Random) -> f64) -> Vec<f64> {
        std::iter::repeat_with(|| draw(self)).take(count).collect()
    }
}
