//! How the time from text to kernel grows with the text, for families of scenes: stage by stage, and the exponent from one size to the next.

use std::fmt::Write;
use std::time::Duration;

use driver::Options;

use crate::stopwatch::milliseconds;
use crate::trees::plane;

type Family = (&'static str, [usize; 3], fn(usize) -> String);

const FAMILIES: &[Family] = &[
    ("chain of links in the plane", [128, 512, 2048], plane),
    ("bodies hinged in space", [100, 400, 1600], hinged),
    ("bodies joined in space", [60, 250, 1000], joined),
    ("bodies that all attract one another", [40, 80, 160], attracting),
    ("springs between n × n bodies", [20, 40, 80], lattice),
];

pub fn table() {
    println!("## Growth: milliseconds of each stage\n");
    for &(name, sizes, text) in FAMILIES {
        let mut before: Option<(usize, Duration)> = None;
        for size in sizes {
            let compilation = driver::compile("family", &text(size), &Options::default());
            assert!(compilation.stages.is_some(), "{name}, {size}: {:?}", compilation.diagnostics);
            let times = compilation.timing;
            if before.is_none() {
                let stages: Vec<&str> = times.iter().map(|timing| timing.stage).collect();
                println!(
                    "| {name} | {} | all | exponent |\n|--:|{}--:|--:|",
                    stages.join(" | "),
                    "--:|".repeat(stages.len())
                );
            }
            let all: Duration = times.iter().map(|timing| timing.time).sum();
            let exponent = before.map_or(String::new(), |(smaller, shorter)| {
                let (time, size) = (all.as_secs_f64() / shorter.as_secs_f64(), size as f64 / smaller as f64);
                format!("{:.2}", libm::log(time) / libm::log(size))
            });
            let stages: Vec<String> = times.iter().map(|timing| milliseconds(timing.time)).collect();
            println!("| {size} | {} | {} | {exponent} |", stages.join(" | "), milliseconds(all));
            before = Some((size, all));
        }
        println!();
    }
}

/// A chain of free bodies, each held to the one before it by an equation between their ends.
fn hinged(n: usize) -> String {
    bodies(n, |i| match i {
        1 => "always b[1].point(-0.5 [m], 0, 0) == (0, 0, 0) [m]".to_string(),
        _ => format!("always b[{i}].point(-0.5 [m], 0, 0) == b[{}].point(0.5 [m], 0, 0)", i - 1),
    })
}

fn joined(n: usize) -> String {
    let hinge = "with revolute(axis: (0, 1, 0))";
    bodies(n, |i| match i {
        1 => format!("join hinge1: world to b[1].point(-0.5 [m], 0, 0) {hinge}"),
        _ => format!("join hinge{i}: b[{}].point(0.5 [m], 0, 0) to b[{i}].point(-0.5 [m], 0, 0) {hinge}", i - 1),
    })
}

/// Free bodies in a row, each with what ties it to the one before.
fn bodies(n: usize, tie: impl Fn(usize) -> String) -> String {
    let mut text = "scene row\nuse mechanics\ngravity 9.81 [m/s^2]\n".to_string();
    for i in 1..=n {
        let x = i as f64 - 0.5;
        let inertia = "inertia = (0.1, 0.2, 0.2) [kg*m^2]";
        let _ = writeln!(
            text,
            "body b[{i}] {{ position = (free({x} [m]), free, free); rotation = free; mass = 1 [kg]; {inertia} }}"
        );
        let _ = writeln!(text, "{}", tie(i));
    }
    text + "plot b[1].position.z\n"
}

fn attracting(n: usize) -> String {
    let mut text = "scene attracting\n".to_string();
    for i in 1..=n {
        let angle = i as f64;
        let (x, y) = (angle * libm::cos(angle), angle * libm::sin(angle));
        let _ = writeln!(text, "body b[{i}] {{ position = (free({x} [m]), free({y} [m]), free); mass = 1 [kg] }}");
    }
    text.push_str("potential for pairs (a, b) in bodies = -1 [J*m] / |a.position - b.position|\n");
    text + "plot b[1].position.x\n"
}

pub fn lattice(n: usize) -> String {
    format!(
        "scene lattice
         for i in 1..{n} {{ for j in 1..{n} {{
           body b[i, j] {{ position = (free(i * 1 [m]), free(j * 1 [m]), 0); mass = 1 [kg] }}
         }} }}
         for i in 2..{n} {{ for j in 1..{n} {{
           potential = 10 [N/m] * (|b[i, j].position - b[i - 1, j].position| - 0.9 [m])^2
         }} }}
         for i in 1..{n} {{ for j in 2..{n} {{
           potential = 10 [N/m] * (|b[i, j].position - b[i, j - 1].position| - 0.9 [m])^2
         }} }}
         plot b[1, 1].position.x"
    )
}
