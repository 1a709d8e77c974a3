//! The text form: what is printed parses back to the same module, and mistakes are found where they are.

use kernel::generate::generate;
use kernel::{Module, Value, parse, print};
use proptest::prelude::*;

proptest! {
    #[test]
    fn generated_modules_read_back(seed: u64) {
        let module = generate(seed);
        prop_assert_eq!(parse(&print(&module)), Ok(module));
    }

    #[test]
    fn every_real_reads_back(bits: u64) {
        let mut module: Module = parse("module m; array x: real[1] = [0.0];").expect("a module");
        module.arrays[0].initial = Some(vec![Value::Real(f64::from_bits(bits))]);
        prop_assert_eq!(parse(&print(&module)), Ok(module));
    }

    #[test]
    fn parsing_never_panics(text in "[a-z0-9 (){}\\[\\];:,.=<>+*/-]{0,60}") {
        let _ = parse(&format!("module m; array x: real[2]; fn f(a: real) {{ {text}"));
    }
}

const SAMPLE: &str = "\
module sample;

/// state
/// of two
array y: real[2] = [-0.0, 1e-300];

array named: real[2] {
    /// m
    /// line 4
    length,
    mass
} = [1.0, 2.0];

array count: integer[1] = [-9223372036854775808];

/// One of everything.
fn one(t: real, n: integer) -> (real, integer) {
    let i: integer;
    let s: real;
    // begin
    s = -(1.0) - -1.0 * (t + 2.0) - (t - (t - 1.0)) / -t;
    for i in 0 .. n + 1 {
        if i == 3 {
            break;
        } else if (i & 7) == 2 {
            y[i & 1] = select(s < 0.5, s, nan);
        } else {
            while s > -inf {
                s = nan(0xfff8000000000000);
                break;
            }
        }
    }
    call nothing();
    s, n = call two(real(n), ~n << 2 >>> 1);
    return sqrt(s), integer(y[0]) | n ^ 1;
}

fn nothing() {
    return;
}

fn two(a: real, b: integer) -> (real, integer) {
    return a, b;
}
";

#[test]
fn printing_gives_the_text_back() {
    assert_eq!(print(&parse(SAMPLE).unwrap_or_else(|error| panic!("{error}"))), SAMPLE);
}

#[test]
fn mistakes_are_found_where_they_are() {
    let message = |text: &str| parse(text).expect_err("a mistake").to_string();
    assert_eq!(message("modul m;"), "line 1, column 1: expected `module`");
    assert_eq!(message("module m;\nfn f() { x = 1; }"), "line 2, column 10: expected a local");
    assert_eq!(message("module m;\nfn f(x: real) { x = 1.0 }"), "line 2, column 25: expected `;`");
    assert_eq!(message("module m; fn f() { call g(); }"), "line 1, column 25: expected a function");
    assert_eq!(message("module m; fn f() { ä"), "line 1, column 20: expected a token");
    assert_eq!(
        message("module m; fn f(x: real) { x = x + 1; }"),
        "line 1, column 33: expected an operator for [Real, Integer], which `+` is not"
    );
}
