//! The pile of `examples/pile.anz` with Rapier in double precision, in steps of 2 ms over four seconds. Prints milliseconds of processor time for each
//! step, the energy that is left in joules, and the deepest penetration in millimetres.

use std::time::Instant;

use rapier3d_f64::prelude::*;

const STEP: f64 = 0.002;
const STEPS: usize = 2000;
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.4;
const RESTITUTION: f64 = 0.1;

/// Centre and half sizes of the tray's boxes.
const WALLS: [([f64; 3], [f64; 3]); 5] = [
    ([0.0, 0.0, -0.05], [0.6, 0.6, 0.05]),
    ([-0.65, 0.0, 0.15], [0.05, 0.6, 0.25]),
    ([0.65, 0.0, 0.15], [0.05, 0.6, 0.25]),
    ([0.0, -0.65, 0.15], [0.7, 0.05, 0.25]),
    ([0.0, 0.65, 0.15], [0.7, 0.05, 0.25]),
];

fn main() {
    let mut world = pile();
    let begin = seconds();
    (0..STEPS).for_each(|_| world.step());
    let each = (seconds() - begin) / STEPS as f64;
    // Looking at penetrations takes time as well, so it has a run of its own.
    let mut world = pile();
    let mut deepest = 0.0_f64;
    for _ in 0..STEPS {
        world.step();
        deepest = deepest.max(depth(&world));
    }
    println!("{:.3} {:.3} {:.3}", each * 1e3, energy(&world), deepest * 1e3);
}

/// What the processor has spent on this thread, where the system tells; else what a clock says.
fn seconds() -> f64 {
    static BEGIN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    spent.map_or_else(|| BEGIN.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

fn pile() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, 0.0, -GRAVITY);
    world.integration_parameters.dt = STEP;
    for (at, half) in WALLS {
        let shape = ColliderBuilder::cuboid(half[0], half[1], half[2]).translation(at.into());
        world.insert_collider(shape.friction(FRICTION).restitution(RESTITUTION), None);
    }
    for i in 0..50 {
        let (layer, column) = ((i / 5) as f64, (i % 5) as f64);
        let x = 0.21 * (column - 2.0) + 0.01 * (layer - 5.0);
        let y = 0.24 * (layer % 4.0) - 0.36;
        let z = 0.2 + 0.2 * layer;
        add(&mut world, [x, y, z], ColliderBuilder::cuboid(0.07, 0.05, 0.06));
        add(&mut world, [x + 0.01, -y, z], ColliderBuilder::ball(0.07));
    }
    world
}

/// A body that never falls asleep, as those of the others do not.
fn add(world: &mut PhysicsWorld, at: [f64; 3], shape: ColliderBuilder) {
    let body = world.insert_body(RigidBodyBuilder::dynamic().translation(at.into()).can_sleep(false));
    world.insert_collider(shape.density(600.0).friction(FRICTION).restitution(RESTITUTION), Some(body));
}

fn energy(world: &PhysicsWorld) -> f64 {
    world.bodies.iter().map(|(_, body)| body.kinetic_energy() + body.mass() * GRAVITY * body.translation().z).sum()
}

fn depth(world: &PhysicsWorld) -> f64 {
    let points = world.contact_pairs().flat_map(|pair| pair.manifolds()).flat_map(|manifold| &manifold.points);
    points.map(|point| -point.dist).fold(0.0, f64::max)
}
