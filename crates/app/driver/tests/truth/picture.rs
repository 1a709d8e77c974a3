//! Pictures and states: what is drawn is where things are, forces are those of the book, and a run goes on from a state as if it
//! had never been interrupted.

use std::sync::Arc;

use driver::{Compiled, Options, Simulation, Stages};

use crate::scene::examples;

fn looked_at(text: &str, options: Options) -> (Arc<Stages>, Arc<Compiled>) {
    let compilation = driver::compile("scene", text, &Options { picture: true, ..options });
    let stages = compilation.stages.unwrap_or_else(|| panic!("{:#?}", compilation.diagnostics));
    let machine = driver::machine(&stages.module).expect("machine code");
    (stages, machine)
}

fn advance(simulation: &mut Simulation, t: f64) -> Vec<f64> {
    while !simulation.advance(t, 1000).expect("a step") {}
    simulation.observe(t).expect("what is printed")
}

fn all_examples() -> Vec<(String, String)> {
    let files = std::fs::read_dir(examples()).expect("the examples").map(|file| file.expect("a file").path());
    let scenes = files.filter(|file| file.extension().is_some_and(|kind| kind == "anz"));
    scenes.map(|file| (file.display().to_string(), std::fs::read_to_string(&file).expect("a scene"))).collect()
}

#[test]
fn frames_are_drawn_where_they_are() {
    for (name, text) in all_examples() {
        let plain = driver::compile("scene", &text, &Options::default()).stages.expect("an example");
        let frames: Vec<String> = plain.model.frames.iter().skip(1).map(|frame| frame.name.clone()).collect();
        if frames.is_empty() {
            continue;
        }
        // Where the point (1, 2, 3) m of each frame is.
        let probes = frames.iter().map(|frame| format!("{frame}.point((1, 2, 3) [m])")).collect();
        let (stages, machine) = looked_at(&text, Options { probes, ..Options::default() });
        let mut simulation = Simulation::new(&stages.module, machine.clone());
        simulation.configure(1e-8, 10.0).expect("numbers");
        simulation.initialize().expect("a start");
        for t in [0.0, 0.3, 0.9] {
            let printed = advance(&mut simulation, t);
            let picture = simulation.picture(t).expect("a picture");
            for ((place, expected), frame) in stages.system.picture.frames.iter().zip(printed.chunks(3)).zip(&frames) {
                let [x, y, z, w, i, j, k]: [f64; 7] = picture[place.pose..place.pose + 7].try_into().expect("a pose");
                let scale = place.scale.map_or([1.0; 3], |at| [picture[at], picture[at + 1], picture[at + 2]]);
                let local = [scale[0], 2.0 * scale[1], 3.0 * scale[2]];
                let turned = rotate([w, i, j, k], local);
                for axis in 0..3 {
                    let drawn = [x, y, z][axis] + turned[axis];
                    assert!(
                        (drawn - expected[axis]).abs() < 1e-9 * (1.0 + expected[axis].abs()),
                        "{name}: {frame} at {t}"
                    );
                }
            }
        }
    }
}

fn rotate([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let first = cross([x, y, z], v);
    let second = cross([x, y, z], first);
    std::array::from_fn(|at| v[at] + 2.0 * (w * first[at] + second[at]))
}

const PENDULUM: &str = "scene pendulum
gravity 10 [m/s^2]
param l = 2 [m]
frame swing { rotation = about x free }
body bob in swing { position = (0, 0, -l); mass = 3 [kg] }
initially swing.angle == 0
initially der(swing.angle) == 1.5 [rad/s]
show rod(from: swing, to: bob, radius: l / 100)
fn path(a) = (0, l * sin(a), -l * cos(a))
show curve(path, from: 0, to: pi, radius: 1 [cm])
camera at (1, 2, 3) [m] looking at bob
trace bob.point((0, 0, 1) [m])
";

/// At the lowest point the rod pulls with m (g + ω² l), and the weight with m g.
#[test]
fn forces_are_those_of_the_book() {
    let (stages, machine) = looked_at(PENDULUM, Options::default());
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    simulation.initialize().expect("a start");
    advance(&mut simulation, 0.0);
    let picture = simulation.picture(0.0).expect("a picture");
    let seen = &stages.system.picture;
    let vectors = seen.frames[1].vectors.expect("a body");
    let expected = [0.0, 3.0, 0.0, 0.0, 0.0, -30.0, 0.0, 0.0, 3.0 * (10.0 + 1.5 * 1.5 * 2.0)];
    for (found, expected) in picture[vectors..vectors + 9].iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    let rod = seen.figures[0];
    assert_eq!(picture[rod.sizes..rod.sizes + rod.count], [0.0, 0.0, 0.0, 0.0, 0.0, -2.0, 0.02]);
    let [at, target] = seen.cameras[0];
    assert_eq!((&picture[at..at + 3], &picture[target..target + 3]), (&[1.0, 2.0, 3.0][..], &[0.0, 0.0, -2.0][..]));
    assert_eq!(picture[seen.traces[0]..seen.traces[0] + 3], [0.0, 0.0, -1.0]);
    assert_eq!(seen.centre.map(|at| picture[at + 2]), Some(-2.0));
    let curve = simulation.curves(0.0).expect("a curve");
    for (at, point) in curve.chunks(3).enumerate() {
        let angle = std::f64::consts::PI * at as f64 / 256.0;
        assert!((point[1] - 2.0 * angle.sin()).abs() < 1e-12 && (point[2] + 2.0 * angle.cos()).abs() < 1e-12);
    }
    assert_eq!(curve.len(), 3 * 257);
}

/// What is zero on a surface, at every point of its grid, in the coordinates of its own frame and with the present parameters.
#[test]
fn surfaces_are_sampled_around_their_frame() {
    let text = "scene egg\nparam a = 2 [m]\nbody egg { position = (5 [m], 6 [m], free); mass = 1 [kg] }\n\
        surface hull in egg: (x / a)^2 + (y / (1 [m]))^2 == 1 - z / (4 [m])\nshow surface(hull, size: 3 [m])\n\
        surface floor: z == 1 [m]\nshow surface(floor, 2 * a)\n";
    let (stages, machine) = looked_at(text, Options::default());
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    simulation.set_parameter(0, 1.5);
    simulation.initialize().expect("a start");
    let row = advance(&mut simulation, 0.0);
    assert!(!row.is_empty());
    let picture = simulation.picture(0.0).expect("a picture");
    assert_eq!(stages.system.picture.surfaces.iter().map(|it| picture[it.place]).collect::<Vec<_>>(), [3.0, 3.0]);
    let values = simulation.surfaces(0.0).expect("surfaces");
    let edge = kernel::protocol::SURFACE_POINTS;
    let [hull, floor] = [0, 1].map(|at| &values[at * edge.pow(3)..][..edge.pow(3)]);
    let along = |place: usize| 3.0 * (place as f64 / (edge - 1) as f64 - 0.5);
    for point in 0..edge.pow(3) {
        let [x, y, z] = [point / edge.pow(2), point / edge % edge, point % edge].map(along);
        assert!((hull[point] - ((x / 1.5).powi(2) + y * y - 1.0 + z / 4.0)).abs() < 1e-12, "hull at {x} {y} {z}");
        assert!((floor[point] - (z - 1.0)).abs() < 1e-12, "floor at {z}");
    }
    assert_eq!(values.len(), 2 * edge.pow(3));
}

/// What is taken out at some time and put back goes on as it would have.
#[test]
fn a_run_goes_on_from_its_state() {
    for (name, text) in all_examples() {
        let (stages, machine) = looked_at(&text, Options::default());
        let mut simulation = Simulation::new(&stages.module, machine.clone());
        simulation.configure(1e-10, 10.0).expect("numbers");
        simulation.initialize().expect("a start");
        advance(&mut simulation, 0.4);
        let states = simulation.states().expect("a state");
        let expected = advance(&mut simulation, 0.6);
        simulation.resume(0.4, &states).expect("a state that was there");
        let again = advance(&mut simulation, 0.4);
        assert_eq!(again.len(), expected.len());
        for (was, is) in states.iter().zip(simulation.states().expect("a state")) {
            assert!((was - is).abs() <= 1e-9 * (1.0 + was.abs()), "{name}: {was} {is}");
        }
        for (expected, found) in expected.iter().zip(advance(&mut simulation, 0.6)) {
            assert!((expected - found).abs() < 1e-5 * (1.0 + expected.abs()), "{name}: {expected} {found}");
        }
    }
}

/// A hand with no strength changes nothing; one with strength pulls as a spring does.
#[test]
fn a_hand_is_a_spring() {
    let text = "scene ball\nbody ball { position = free; mass = 2 [kg] }\n";
    let options = Options { hand: Some(model::FrameId(1)), ..Options::default() };
    let (stages, machine) = looked_at(text, options);
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    simulation.initialize().expect("a start");
    assert_eq!(advance(&mut simulation, 1.0)[..3], [0.0; 3]);
    // m x'' = -k (x - a): x = a (1 - cos(ω t)), ω² = k / m.
    for (at, value) in [8.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0].into_iter().enumerate() {
        simulation.set_control(at, value);
    }
    simulation.initialize().expect("a start");
    for t in [0.5, 1.0, 2.5] {
        let position = advance(&mut simulation, t);
        for (found, a) in position.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - a * (1.0 - (2.0 * t).cos())).abs() < 1e-6, "{found} at {t}");
        }
    }
}
