//! How compile and run times grow with the number of equal parts: ladders of resistors and capacitors, chains of hinged blocks, rows of
//! four-bar loops.

use std::time::{Duration, Instant};

use driver::{Options, Run, Simulation};

use crate::stopwatch::milliseconds;

/// Beyond this nobody waits for the next size.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn ladders() {
    println!("## Ladders of n equal parts, from components, in milliseconds\n");
    growth("RC ladder", &[10, 100, 1000, 9000], rc_ladder);
}

pub fn chains() {
    println!("## Chains of n equal parts, from components, in milliseconds\n");
    growth("chain of hinged blocks", &[2, 5, 10, 20, 50, 100, 200], block_chain);
    growth("loops of four bars", &[2, 5, 10, 20, 40], four_bars);
}

fn growth(name: &str, sizes: &[usize], text: fn(usize) -> String) {
    println!(
        "| {name} | states | compile | machine code | simulate 1 s | total | growth |\n|--:|--:|--:|--:|--:|--:|--:|"
    );
    let mut before: Option<(usize, Duration)> = None;
    for &size in sizes {
        let measured = match measure(&text(size)) {
            Ok(measured) => measured,
            Err(failure) => {
                println!("| {size} | | | | | fails: {failure} | |");
                continue;
            }
        };
        let total = measured.compile + measured.machine + measured.run;
        let growth = before.map(|(smaller, earlier)| {
            let times = libm::log(total.as_secs_f64() / earlier.as_secs_f64());
            format!("{:.2}", times / libm::log(size as f64 / smaller as f64))
        });
        let Measured { states, compile, machine, run } = measured;
        let cells = [compile, machine, run, total].map(milliseconds).join(" | ");
        println!("| {size} | {states} | {cells} | {} |", growth.unwrap_or_default());
        before = Some((size, total));
        if total > PATIENCE {
            break;
        }
    }
    println!("\n`growth` is the exponent p of time ~ n^p between one row and the next.\n");
}

struct Measured {
    states: usize,
    compile: Duration,
    machine: Duration,
    run: Duration,
}

/// What it took, or why the run ended early.
///
/// # Panics
/// If the scene has errors.
fn measure(text: &str) -> Result<Measured, String> {
    let start = Instant::now();
    let compilation = driver::compile("parts", text, &Options { tolerance: 1e-6, ..Options::default() });
    let stages = compilation.stages.unwrap_or_else(|| panic!("{:?}", compilation.diagnostics));
    let compile = start.elapsed();
    let start = Instant::now();
    let machine = driver::machine(&stages.module).unwrap_or_else(|error| panic!("{error:?}"));
    let machine_time = start.elapsed();
    let start = Instant::now();
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    let run = Run { until: 1.0, every: 0.1, tolerance: 1e-6 };
    let going = |_: f64, _: &[f64]| std::ops::ControlFlow::Continue(());
    let (_, result) = driver::run(&mut simulation, run, going, |_| std::ops::ControlFlow::Continue(()));
    result.map_err(|failure| driver::describe(&failure, &stages, &simulation).message)?;
    let states = stages.program.integrals.iter().map(|integral| integral.states.len()).sum();
    Ok(Measured { states, compile, machine: machine_time, run: start.elapsed() })
}

/// A source, then n resistors in a row with a capacitor to the ground behind each.
fn rc_ladder(n: usize) -> String {
    format!(
        "scene rc_ladder
         use circuits
         param resistance = 1 [ohm]
         param capacitance = 1 [F]
         ground: node {{ voltage = 0 [V] }}
         for i in 0..{n} {{ n[i]: node }}
         source: voltage_source(n[0], ground) {{ voltage = 1 [V] * sin(1 [rad/s] * t) }}
         for i in 1..{n} {{
           r[i]: resistor(n[i - 1], n[i]) {{ resistance = resistance }}
           c[i]: capacitor(n[i], ground) {{ capacitance = capacitance }}
         }}
         plot n[1].voltage, n[{n}].voltage"
    )
}

/// Parallelograms side by side, of bodies and hinges in space.
fn four_bars(n: usize) -> String {
    let two = include_str!("../../examples/published/four_bars.anz");
    two.replace("0..2", &format!("0..{n}")).replace("1..2", &format!("1..{n}"))
}

/// Blocks hinged corner to corner, the first to the world.
fn block_chain(n: usize) -> String {
    format!(
        "scene block_chain
         use rigid_bodies
         let corner = (0.1, 0.1, 0.5) [m]
         for i in 1..{n} {{
           block[i]: parallelepiped((0.2, 0.2, 1) [m]) {{ density = 1000 [kg/m^3] }}
           initially block[i].orientation == about y 80 [deg]
           initially block[i].velocity == (0, 0, 0) [m/s]
           initially block[i].omega == (0, 0, 0) [rad/s]
         }}
         top: pinned(block[1]) {{ point = corner }}
         for i in 2..{n} {{ hinge[i]: ball_and_socket(block[i - 1], block[i]) {{ point_a = -corner; point_b = corner }} }}
         weight for b in rigid_body
         plot block[{n}].position"
    )
}
