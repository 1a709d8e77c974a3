//! Definitions that rest on one another, many times over, on the small stack of a test.

use std::fmt::Write;

use driver::{Options, Simulation, Stage, compile, explain, machine};

#[test]
fn ten_thousand_definitions_rest_on_one_another() {
    const DEEP: usize = 10_000;
    let mut text = "body b { position = (free(1 [m]), 0, 0); mass = 1 [kg] }\nlet x0 = b.x / 1 [m]\n".to_string();
    for at in 0..DEEP {
        writeln!(text, "let x{} = sin(x{at}) + x{at} / 3", at + 1).expect("a text");
    }
    writeln!(text, "force on b = (-x{DEEP} * 1 [N], 0, 0)").expect("a text");
    let compilation = compile("deep", &text, &Options::default());
    let stages = compilation.stages.as_ref().expect("no errors");
    let machine = machine(&stages.module).expect("machine code");
    assert_eq!(Simulation::new(&stages.module, machine.clone()).initialize(), Ok(()));
    for stage in [Stage::Model, Stage::Equations, Stage::Program, Stage::Kernel] {
        assert!(!explain(&compilation, stages, Some(stage)).is_empty());
    }
}

/// Parts of a scene that have nothing to do with one another have integrators of their own only as long as they are few of a make: the code
/// does not grow with a crowd, and whoever falls farther has no say in how precisely another falls.
#[test]
fn four_hundred_free_bodies_fall() {
    let text =
        "gravity 9.81 [m/s^2]\nfor i in 1..400 { body b[i] { position = (0, 0, free(i * 1 [m])); mass = 1 [kg] } }";
    let compilation = compile("free", text, &Options::default());
    let stages = compilation.stages.as_ref().expect("no errors");
    let [integral] = &stages.program.integrals[..] else { panic!("not one integral") };
    assert_eq!(integral.crowd, [(0..400).collect::<Vec<_>>(), (0..400).collect()].concat());
    let machine = machine(&stages.module).expect("machine code");
    assert_eq!(Simulation::new(&stages.module, machine).initialize(), Ok(()));
}
