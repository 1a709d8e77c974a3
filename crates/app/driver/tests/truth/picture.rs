//! Pictures and states: what is drawn is where things are, forces are those of the book, and a run goes on from a state as if it
//! had never been interrupted.

use std::sync::Arc;

use driver::{Compiled, Options, Simulation, Stages};
use kernel::protocol::CONTACT_POINT;

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
        // Before any mode has to end: no transition happens here.
        for t in [0.0, 0.3, 0.5] {
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
        println!("{name}");
        let (stages, machine) = looked_at(&text, Options::default());
        let mut simulation = Simulation::new(&stages.module, machine.clone());
        simulation.configure(1e-9, 10.0).expect("numbers");
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
        // Sweeps over what touches begin anew, and end elsewhere within what they are asked for.
        if stages.program.contacts.as_ref().is_some_and(|contacts| contacts.steps) {
            continue;
        }
        // Impacts are counted from where a run begins.
        let columns = stages.system.outputs.iter().flat_map(|output| &output.columns);
        let counted: Vec<bool> = columns.map(|(name, _)| name.contains(").im")).collect();
        let found = advance(&mut simulation, 0.6);
        for ((expected, found), _) in expected.iter().zip(found).zip(counted).filter(|(_, counted)| !counted) {
            assert!((expected - found).abs() < 1e-5 * (1.0 + expected.abs()), "{name}: {expected} {found}");
        }
    }
}

/// A crate that stands on a slope touches with its four corners, whose forces bear its weight; in the air it touches nowhere.
#[test]
fn points_of_contact_bear_the_weight() {
    let text = "scene crate
        gravity 10 [m/s^2]
        frame slope { rotation = about y 0.2 [rad] }
        surface floor in slope: z == 0
        body crate in slope { position = free((0, 0, 0.3) [m]); shape = box(0.4 [m], 0.4 [m], 0.2 [m]); mass = 3 [kg] }
        initially crate.position == slope.point((0, 0, 0.3) [m])
        contact crate, floor { friction = 0.5 }
        ";
    let (stages, machine) = looked_at(text, Options::default());
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    simulation.configure(1e-9, 10.0).expect("numbers");
    simulation.initialize().expect("a start");
    let first = stages.system.picture.values.len();
    let points = |simulation: &mut Simulation, t: f64| -> Vec<Vec<f64>> {
        advance(simulation, t);
        let values = simulation.picture(t).expect("a picture");
        values[first..].chunks(CONTACT_POINT).filter(|point| point[0] != 0.0).map(<[f64]>::to_vec).collect()
    };
    assert!(points(&mut simulation, 0.05).is_empty());
    let resting = points(&mut simulation, 1.5);
    assert_eq!(resting.len(), 4);
    let total = |axis: usize| resting.iter().map(|point| point[8 + axis]).sum::<f64>();
    // The floor is the first of the two things, so the force is that on the crate.
    for (found, expected) in (0..3).map(total).zip([0.0, 0.0, 30.0]) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    for point in &resting {
        assert_eq!(point[0], 3.0, "it sticks");
        // On the slope, whose normal is (sin 0.2, 0, cos 0.2).
        let (sine, cosine) = 0.2_f64.sin_cos();
        assert!((sine * point[2] + cosine * point[4]).abs() < 1e-9);
        assert!((point[5] - sine).abs() < 1e-9 && (point[7] - cosine).abs() < 1e-9);
    }
}

/// What touches is seen though nobody shows it: shapes as they are, planes through the foot of the origin, turned to their normal.
#[test]
fn what_touches_is_drawn_where_no_figure_stands_for_it() {
    let text = |more: &str| {
        format!(
            "scene seen
             surface slope: 3 * x == 4 * (1 [m] - z)
             body ball: sphere(10 [cm]) mass 1 [kg] {{ position = free((0, 0, 3) [m]) }}
             frame arm {{ rotation = about z free }}
             body tip in arm {{ position = (5, 0, 0) [m]; shape = rod(1 [m]); mass = 1 [kg] }}
             contact all
             {more}"
        )
    };
    let kinds = |more: &str| -> Vec<&str> {
        let (stages, _) = looked_at(&text(more), Options::default());
        stages.model.picture.figures.iter().map(|figure| figure.row.name).collect()
    };
    assert_eq!(kinds("show sphere(20 [cm]) on ball"), ["sphere", "plane", "cylinder"]);
    assert_eq!(
        kinds("show rod(from: world, to: arm.point((5, 0, 0) [m]), radius: 1 [cm])"),
        ["rod", "plane", "sphere"]
    );
    assert_eq!(kinds("show plane(4 [m])"), ["plane", "sphere", "cylinder"]);
    let (stages, machine) = looked_at(&text("show sphere(20 [cm]) on ball"), Options::default());
    let mut simulation = Simulation::new(&stages.module, machine.clone());
    simulation.initialize().expect("a start");
    simulation.observe(0.0).expect("what is printed");
    let values = simulation.picture(0.0).expect("a picture");
    let plane = &stages.system.picture.figures[1];
    let near = |at: Option<usize>, expected: &[f64]| {
        let at = at.expect("a place");
        let found = &values[at..at + expected.len()];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    };
    // 3 x + 4 z = 4: the normal is (0.6, 0, 0.8), at a distance of 0.8 m; half of its angle to z has the tangent 1/3.
    near(plane.offset, &[0.48, 0.0, 0.64]);
    let size = 10.0_f64.sqrt();
    near(plane.turned, &[3.0 / size, 0.0, 1.0 / size, 0.0]);
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
