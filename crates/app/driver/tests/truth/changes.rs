//! Scenes that change, with other numbers than their own, against closed forms.

use std::f64::consts::PI;

use crate::scene::{Scene, Table, assert_near, assert_same_motion, assert_vectors_near};

/// What is asked of the times of transitions at a tight tolerance.
fn allowed(t: f64) -> f64 {
    1e-8 * t.max(1.0)
}

/// An example with some of its parameters set.
fn with(name: &str, parameters: &[(&str, f64)]) -> Scene {
    parameters.iter().fold(Scene::example(name), |scene, (name, value)| scene.set(format!("{name}={value}")))
}

/// The transitions of a run are these.
#[track_caller]
fn assert_events(what: &str, table: &Table, expected: &[(f64, &str)]) {
    let found: Vec<&str> = table.events.iter().map(|event| event.name.as_str()).collect();
    let names: Vec<&str> = expected.iter().map(|(_, name)| *name).collect();
    assert_eq!(found, names, "{what}");
    for (event, (t, name)) in table.events.iter().zip(expected) {
        assert_near(&format!("{what}: `{name}`"), event.t, *t, allowed(*t));
    }
}

/// The value of a mode in each row.
fn words(table: &Table, column: &str) -> Vec<String> {
    let at = table.columns.iter().position(|name| name == column).expect("a column");
    let words = table.words[at].as_ref().expect("a mode");
    table.rows.iter().map(|row| words[row[at] as usize].clone()).collect()
}

/// Each flight lasts `restitution` times as long as the one before, so that all of them end at a finite time.
#[test]
fn a_ball_bounces_and_comes_to_rest_when_it_should() {
    for (height, restitution, g) in
        [(2.5, 0.5, 1.62), (0.3_f64, 0.9_f64, 9.81_f64), (10.0, 0.3, 24.8), (1.0, 0.0, 9.81)]
    {
        let scene = with("bouncing_ball", &[("height", height), ("restitution", restitution), ("g", g)]);
        let first = (2.0 * height / g).sqrt();
        let rest = first * (1.0 + restitution) / (1.0 - restitution);
        let until = rest + 1.0;
        let table = scene.probe(&["ball.position.z", "ball.velocity.z", "motion"]).run(until, until / 8.0);
        let what = format!("height {height}, restitution {restitution}, g {g}");
        let (last, bounces) = table.events.split_last().expect("it comes to rest");
        assert_eq!(last.name, "rest", "{what}");
        assert_near(&what, last.t, rest, allowed(rest));
        let (mut t, mut flight) = (first, 2.0 * first * restitution);
        for bounce in bounces {
            assert_eq!(bounce.name, "bounce", "{what}");
            assert_near(&what, bounce.t, t, allowed(t));
            (t, flight) = (t + flight, flight * restitution);
        }
        assert!(rest - t <= 1e-8, "{what}: {} bounces", bounces.len());
        assert_eq!((table.last("ball.position.z"), table.last("ball.velocity.z")), (0.0, 0.0), "{what}");
        assert_eq!(words(&table, "motion").last().map(String::as_str), Some("resting"), "{what}");
    }
}

/// What was learnt of lengths is not forgotten at a bounce: a flight is one step, where one that grows from a guess would be ten.
#[test]
fn a_bounce_keeps_the_length_of_steps() {
    let table = Scene::example("bouncing_ball").probe(&["ball.position.z"]).run(10.0, 10.0);
    let (steps, bounces) = (table.summary.statistics.accepted, table.events.len() as i64);
    assert_eq!(bounces, 101);
    assert!(steps <= 2 * bounces, "{steps} steps");
}

#[test]
fn a_ball_that_loses_nothing_bounces_for_ever() {
    let (height, g) = (2.0_f64, 9.81);
    let table = with("bouncing_ball", &[("height", height), ("restitution", 1.0)]).probe(&["energy"]).run(20.0, 0.5);
    let first = (2.0 * height / g).sqrt();
    let bounces = (0..).map(|n| first * (1.0 + 2.0 * n as f64)).take_while(|t| *t <= 20.0);
    let expected: Vec<(f64, &str)> = bounces.map(|t| (t, "bounce")).collect();
    assert_events("an elastic ball", &table, &expected);
    assert!(table.drift() <= 1e-9, "{:e}", table.drift());
}

/// When a ball in one dimension meets its walls, and with which, by formulas alone.
fn impacts(mut x: f64, mut v: f64, a: f64, (low, high): (f64, f64), restitution: f64, until: f64) -> Vec<(f64, bool)> {
    let mut found = Vec::new();
    let mut now = 0.0;
    loop {
        // The earliest time at which x + v t + a t²/2 reaches a wall, going towards it.
        let mut next: Option<(f64, bool)> = None;
        for (wall, is_high) in [(low, false), (high, true)] {
            let roots = if a == 0.0 {
                vec![(wall - x) / v]
            } else {
                let root = (v * v + 2.0 * a * (wall - x)).sqrt();
                vec![(-v + root) / a, (-v - root) / a]
            };
            for t in roots {
                let outwards = if is_high { v + a * t > 0.0 } else { v + a * t < 0.0 };
                if t > -1e-12 && outwards && next.is_none_or(|(other, _)| t < other) {
                    next = Some((t.max(0.0), is_high));
                }
            }
        }
        let Some((t, is_high)) = next else { return found };
        now += t;
        if now > until {
            return found;
        }
        found.push((now, is_high));
        (x, v) = (if is_high { high } else { low }, -restitution * (v + a * t));
    }
}

/// Smooth walls act along each axis by itself.
#[test]
fn a_ball_in_a_smooth_box_meets_each_wall_when_it_should() {
    let (half, radius, restitution, g, until) = (1.3, 0.25, 0.85, 3.7, 7.0);
    let start = [(-0.3, 2.2, 0.0), (0.5, -1.7, 0.0), (0.1, 3.1, -g)];
    let parameters = [
        ("half", half),
        ("radius", radius),
        ("restitution", restitution),
        ("g", g),
        ("x", start[0].0),
        ("y", start[1].0),
        ("z", start[2].0),
        ("vx", start[0].1),
        ("vy", start[1].1),
        ("vz", start[2].1),
        ("wx", 1.0),
        ("wz", -2.0),
    ];
    let table = with("ball_in_box_smooth", &parameters).probe(&["ball.omega"]).run(until, 0.5);
    let walls = (radius - half, half - radius);
    let names = [["low_x", "high_x"], ["low_y", "high_y"], ["low_z", "high_z"]];
    let mut expected = Vec::new();
    for (axis, (x, v, a)) in start.into_iter().enumerate() {
        let met = impacts(x, v, a, walls, restitution, until);
        expected.extend(met.into_iter().map(|(t, high)| (t, names[axis][usize::from(high)])));
    }
    expected.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert!(expected.len() > 10, "{expected:?}");
    assert_events("the smooth box", &table, &expected);
    table.vectors("ball.omega").into_iter().for_each(|omega| {
        assert_vectors_near("the spin", omega, [1.0, 5.0, -2.0], 1e-12);
    });
}

#[test]
fn an_elastic_ball_in_a_smooth_box_keeps_its_energy() {
    let table = with("ball_in_box_smooth", &[("restitution", 1.0)]).probe(&["energy"]).run(10.0, 0.25);
    assert!(table.events.len() > 30, "{}", table.events.len());
    let size = table.size_of_energy();
    let energies = table.column("energy");
    energies.iter().for_each(|energy| assert_near("the energy", *energy, energies[0], 1e-9 * size));
}

/// An impact with Coulomb friction, as the catalogue defines it: the slip, and what limits the tangential impulse.
#[test]
fn a_wall_that_grips_changes_the_spin() {
    // It flies along x only, without gravity, turning about z: the wall at high x grips or slips.
    for (friction, spin) in [(0.05_f64, 20.0_f64), (5.0, 20.0), (0.3, -4.0)] {
        let (radius, restitution, v) = (0.1, 0.9, 3.0);
        let parameters =
            [("g", 0.0), ("friction", friction), ("vy", 0.0), ("vz", 0.0), ("wy", 0.0), ("wz", spin), ("x", 0.0)];
        let table = with("ball_in_box", &parameters).probe(&["ball.velocity", "ball.omega"]).at(0.4);
        assert_events("one wall", &table, &[(0.9 / v, "high_x")]);
        // The contact point is at +radius along x; omega × r = (0, spin·radius, 0).
        let slip = spin * radius;
        let impulse = -slip.signum() * (friction * (1.0 + restitution) * v).min(2.0 / 7.0 * slip.abs());
        let omega = spin + radius * impulse / (0.4 * radius * radius);
        assert_vectors_near("velocity", table.last_vector("ball.velocity"), [-restitution * v, impulse, 0.0], 1e-10);
        assert_vectors_near("spin", table.last_vector("ball.omega"), [0.0, 0.0, omega], 1e-9);
    }
}

#[test]
fn the_first_step_is_met_as_it_should_be() {
    let (x, z, vx, spin, radius, restitution, friction, g) = (0.2, 1.4, 0.5, -9.0, 0.15, 0.5, 0.2, 9.0);
    let incline = 4.0_f64.to_radians();
    let parameters = [
        ("x", x),
        ("z", z),
        ("vx", vx),
        ("spin", spin),
        ("radius", radius),
        ("restitution", restitution),
        ("friction", friction),
        ("g", g),
        ("incline", 4.0),
    ];
    // (x + vx t) sin + (z − g t²/2) cos = radius
    let (sin, cos) = incline.sin_cos();
    let (a, b, c) = (-0.5 * g * cos, vx * sin, x * sin + z * cos - radius);
    let hit = (-b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    let table = with("ball_on_steps", &parameters).probe(&["ball.velocity", "ball.omega.y"]).at(hit);
    assert_events("the first step", &table, &[(hit, "bounce")]);
    let (up, along) = ([sin, cos], [cos, -sin]);
    let before = [vx, -g * hit];
    let normal = before[0] * up[0] + before[1] * up[1];
    // The contact point lies at −radius·up; omega about y makes it move by omega × r, along the incline by −omega·radius.
    let slip = before[0] * along[0] + before[1] * along[1] - spin * radius;
    let rub = -slip.signum() * (friction * (1.0 + restitution) * normal.abs()).min(2.0 / 7.0 * slip.abs());
    let change = -(1.0 + restitution) * normal;
    let after = [before[0] + change * up[0] + rub * along[0], before[1] + change * up[1] + rub * along[1]];
    let omega = spin - radius * rub / (0.4 * radius * radius);
    let found = table.last_vector("ball.velocity");
    assert_vectors_near("velocity", found, [after[0], 0.0, after[1]], 1e-8);
    assert_near("spin", table.last("ball.omega.y"), omega, 1e-7);
}

/// The ball rolls along the bottom of the first straight as on a plane.
#[test]
fn a_ball_in_a_canal_keeps_its_energy_through_all_surfaces() {
    let (speed, straight) = (3.0, 5.0);
    let scene = with("ball_in_canal", &[("lift", 0.0), ("speed", speed), ("straight", straight), ("radius", 0.2)]);
    let table = scene.probe(&["energy", "surface", "ball.position"]).run(12.0, 0.5);
    assert_eq!(table.events[0].name, "to_north");
    assert_near("the end of the straight", table.events[0].t, 0.5 * straight / speed, allowed(1.0));
    let order = ["to_north", "to_west", "to_south", "to_east"];
    for (at, event) in table.events.iter().enumerate() {
        assert_eq!(event.name, order[at % 4]);
    }
    assert!(table.events.len() >= 5, "{:?}", table.events);
    assert!(table.drift() <= 1e-9, "{:e}", table.drift());
}

/// The canal is its own mirror image, so a ball that starts the other way goes through the mirror images of all places.
#[test]
fn a_ball_in_a_canal_goes_round_either_way() {
    let run = |speed: f64| with("ball_in_canal", &[("speed", speed)]).probe(&["ball.position"]).run(15.0, 0.5);
    let (one, other) = (run(2.0), run(-2.0));
    let mirrored = |name: &str| match name {
        "to_north" => "to_south".to_string(),
        "to_south" => "to_north".to_string(),
        name => name.to_string(),
    };
    assert!(one.events.len() >= 5, "{:?}", one.events);
    assert_eq!(one.events.len(), other.events.len());
    for (event, image) in one.events.iter().zip(&other.events) {
        assert_eq!(mirrored(&event.name), image.name);
        assert_near(&event.name, image.t, event.t, 1e-8);
    }
    for (place, image) in one.vectors("ball.position").into_iter().zip(other.vectors("ball.position")) {
        assert_vectors_near("mirrored", image, [place[0], -place[1], place[2]], 1e-7);
    }
}

/// On the flat, v′ = force − drag·v.
#[test]
fn a_car_turns_right_where_the_road_ends() {
    let (thrust, throttle, drag, speed) = (3.0, 0.7, 0.2, 6.0);
    let terminal = thrust * throttle / drag;
    let x = |t: f64| terminal * t + (speed - terminal) / drag * (1.0 - (-drag * t).exp());
    let v = |t: f64| terminal + (speed - terminal) * (-drag * t).exp();
    let end = (0..50).fold(5.0, |t, _| t - (x(t) - 40.0) / v(t));
    let scene = with("car_on_roads", &[("thrust", thrust), ("drag", drag), ("speed", speed)]);
    let scene =
        scene.input(format!("throttle={throttle}")).input("turn=-1").probe(&["car.position", "car.speed", "road"]);
    let table = scene.run(14.0, 0.5);
    assert_eq!(table.events[0].name, "to_right");
    assert_near("the end of the road", table.events[0].t, end, allowed(end));
    for (row, road) in words(&table, "road").iter().enumerate() {
        let (t, [px, py, pz]) = (table.times[row], table.vectors("car.position")[row]);
        if road == "out" {
            assert_vectors_near("on the way out", [px, py, pz], [x(t), 0.0, 0.0], 1e-8);
            assert_near("its speed", table.column("car.speed")[row], v(t), 1e-8);
        }
        if road == "right" {
            let angle = (px - 40.0).atan2(20.0 + py);
            assert_near("the bend", (px - 40.0).hypot(py + 20.0), 20.0, 1e-8);
            assert_near("the dip", pz, -2.0 * (1.0 - (2.0 * angle).cos()) / 2.0, 1e-8);
        }
    }
    assert!(words(&table, "road").iter().any(|road| road == "right"));
}

/// Without thrust and drag, the speed is what the height says, kinks or not.
#[test]
fn a_coasting_car_keeps_its_energy_around_the_roads() {
    for turn in [1, -1] {
        let scene = with("car_on_roads", &[("thrust", 0.0), ("drag", 0.0), ("speed", 12.0)]);
        let table = scene.input(format!("turn={turn}")).probe(&["car.position", "car.speed"]).run(40.0, 0.5);
        assert!(table.events.len() >= 6, "{:?}", table.events);
        for (row, [_, _, z]) in table.vectors("car.position").into_iter().enumerate() {
            let speed = table.column("car.speed")[row];
            assert_near("the energy", speed * speed / 2.0 + 9.81 * z, 72.0, 1e-8);
        }
    }
}

/// Every phase of the robot's work has a length of its own.
#[test]
fn robots_do_each_thing_in_its_time() {
    let (track, reach, ball) = (6.0_f64, 2.0, 1.4);
    let aim = (reach / (2.0 * track)).asin();
    let phases = [
        ("drive", (ball - 2.0 * aim) / 0.2),
        ("swing", aim),
        ("lower", 1.2),
        ("grasp", 0.3),
        ("lift", 1.2),
        ("swing_back", PI - 2.0 * aim),
        ("lower_behind", 1.2),
        ("release", 0.3),
        ("raise", 1.2),
        ("swing_home", PI - aim),
    ];
    let parameters = [("track", track), ("reach", reach), ("ball_angle", ball)];
    let probes = ["theta", "psi", "alpha", "gamma", "ball.position", "robot"];
    let sequences = with("robot_on_track", &parameters).probe(&probes).run(30.0, 0.7);
    let cycle = with("robot_on_track_phases", &parameters).probe(&probes).run(30.0, 0.7);
    assert_same_motion("sequences and phases", &sequences, &cycle, 1e-8);
    let mut t = 0.0;
    for (at, (name, length)) in phases.iter().enumerate() {
        let [begin, end] = [&sequences.events[2 * at], &sequences.events[2 * at + 1]];
        assert_eq!((&begin.name, &end.name), (&format!("{name}.begin"), &format!("{name}.1")));
        assert_near(name, begin.t, t, allowed(t));
        t += length;
        assert_near(name, end.t, t, allowed(t));
        let phase = &cycle.events[at + 1];
        assert_eq!(phase.name, format!("cycle.{}", at + 1));
        assert_near(name, phase.t, t, allowed(t));
    }
    // The ball was put onto the track again, as far behind the cart as it was ahead.
    let [x, y, z] = sequences.last_vector("ball.position");
    assert_vectors_near("the ball", [x.hypot(y), y.atan2(x), z], [track, ball - 4.0 * aim, 0.0], 1e-7);
}

/// A flight between equal heights, a climb and a descent at constant forces.
#[test]
fn a_stunt_car_chooses_what_the_formulas_say() {
    for (cruise, degrees, ramp, gap, g, start) in [
        (14.0_f64, 20.0_f64, 12.0, 40.0, 3.7, -7.0),
        (11.0, 30.0, 10.0, 5.0, 9.81, -5.0),
        (9.0, 45.0, 8.0, 60.0, 9.81, -3.0),
    ] {
        let what = format!("cruise {cruise}, slope {degrees}, ramp {ramp}, gap {gap}, g {g}");
        let slope = degrees.to_radians();
        let speed = (g * gap / (2.0 * slope).sin()).sqrt();
        let force = g * slope.sin() + (speed * speed - cruise * cruise) / (2.0 * ramp);
        let (climb, flight) = (2.0 * ramp / (cruise + speed), 2.0 * speed * slope.sin() / g);
        let begin = -start / cruise;
        let expected = [
            (begin, "jump.begin"),
            (begin + climb, "jump.1"),
            (begin + climb + flight, "jump.2"),
            (begin + climb + flight, "brake.begin"),
            (begin + 2.0 * climb + flight, "brake.1"),
        ];
        let parameters =
            [("cruise", cruise), ("slope", degrees), ("ramp", ramp), ("gap", gap), ("g", g), ("start_x", start)];
        let scene = with("stunt_track", &parameters).probe(&["thrust", "braking", "car.speed", "stage"]);
        let until = begin + 2.0 * climb + flight + 0.5;
        let table = scene.run(until, until / 64.0);
        assert_events(&what, &table, &expected);
        assert_near(&what, table.last("car.speed"), cruise, 1e-7 * cruise);
        for (row, stage) in words(&table, "stage").iter().enumerate() {
            let [thrust, braking] = ["thrust", "braking"].map(|column| table.column(column)[row]);
            let wanted = [if stage == "climb" { force } else { 0.0 }, if stage == "descent" { force } else { 0.0 }];
            assert_near(&what, thrust, wanted[0], 1e-6 * force.abs());
            assert_near(&what, braking, wanted[1], 1e-6 * force.abs());
        }
    }
}

/// Constant accelerations, by formulas.
#[test]
fn a_spaceship_docks_wherever_it_is_told_to() {
    for (exit_x, exit_v, entry, entry_v, dock_y, leg) in [
        (4.0, 1.0, [-30.0, 80.0], 2.0, 95.0, 7.0),
        (20.0, 3.0, [60.0, 40.0], 1.0, 43.0, 10.0),
        (10.0, 2.2, [75.0, 25.0], 1.1, 32.0, 12.0),
    ] {
        let undocked = 2.0 * exit_x / exit_v;
        let landing = 2.0 * (dock_y - entry[1]) / entry_v;
        let flown = undocked + 3.0 * leg;
        let expected = [
            (0.0, "undock.begin"),
            (undocked, "undock.1"),
            (undocked, "flight.begin"),
            (undocked + leg, "flight.1"),
            (undocked + 2.0 * leg, "flight.2"),
            (flown, "flight.3"),
            (flown, "dock.begin"),
            (flown + landing, "dock.1"),
        ];
        let parameters = [
            ("exit_x", exit_x),
            ("exit_v", exit_v),
            ("entry_x", entry[0]),
            ("entry_y", entry[1]),
            ("entry_v", entry_v),
            ("dock_y", dock_y),
            ("leg", leg),
        ];
        let scene = with("docking_spaceship", &parameters).probe(&["ship.position", "ship.velocity", "stage"]);
        let table = scene.run(flown + landing + 5.0, 0.25);
        assert_events("docking", &table, &expected);
        assert_vectors_near("docked", table.last_vector("ship.position"), [entry[0], dock_y, 0.0], 1e-7);
        assert_vectors_near("docked", table.last_vector("ship.velocity"), [0.0; 3], 0.0);
        // Accelerations a and b of the first and the last leg, from where it arrives and how fast.
        let accelerations = |from: f64, v: f64, to: f64, w: f64| {
            let (sum, rest) = ((w - v) / leg, (to - from - 3.0 * v * leg) / (leg * leg));
            let a = (rest - 0.5 * sum) / 2.0;
            (a, sum - a)
        };
        let along = [accelerations(exit_x, exit_v, entry[0], 0.0), accelerations(0.0, 0.0, entry[1], entry_v)];
        let coasting = [exit_v + along[0].0 * leg, along[1].0 * leg, 0.0];
        for (row, stage) in words(&table, "stage").iter().enumerate() {
            let since = table.times[row] - flown + leg;
            let velocity = match stage.as_str() {
                "coasting" => coasting,
                "decelerating" => [coasting[0] + along[0].1 * since, coasting[1] + along[1].1 * since, 0.0],
                _ => continue,
            };
            assert_vectors_near(stage, table.vectors("ship.velocity")[row], velocity, 1e-7);
        }
    }
}

/// A car that has to stop does so at constant deceleration, waits for the other, and speeds up again.
#[test]
fn cars_stop_wait_and_go_on_as_the_formulas_say() {
    let (v1, v2, start1, start2) = (6.0, 4.0, -18.0, -14.0);
    let (border, halt, zone) = (12.0, 9.0, 4.0);
    let parameters = [("v1", v1), ("v2", v2), ("start1", start1), ("start2", start2)];
    let table = with("traffic_control", &parameters).probe(&["s1", "car1.speed", "car1.state"]).run(8.0, 0.25);
    let decided = (-border - start1) / v1;
    let stopped = decided + 2.0 * (border - halt) / v1;
    let clear = (zone - start2) / v2;
    let cruising = clear + 2.0 * (halt - zone) / v1;
    let expected = [
        (decided, "stop1.begin"),
        (stopped, "stop1.1"),
        (stopped, "wait1.begin"),
        (clear, "wait1.1"),
        (clear, "go1.begin"),
        (cruising, "go1.1"),
    ];
    assert_events("a crossing", &table, &expected);
    for (row, state) in words(&table, "car1.state").iter().enumerate() {
        let (t, s) = (table.times[row], table.column("s1")[row]);
        let (place, speed) = match state.as_str() {
            "cruising" if t < decided => (start1 + v1 * t, v1),
            "cruising" => (-zone + v1 * (t - cruising), v1),
            "braking" => {
                let left = stopped - t;
                let deceleration = v1 * v1 / (2.0 * (border - halt));
                (-halt - deceleration * left * left / 2.0, deceleration * left)
            }
            "waiting" => (-halt, 0.0),
            _ => {
                let acceleration = v1 * v1 / (2.0 * (halt - zone));
                (-halt + acceleration * (t - clear) * (t - clear) / 2.0, acceleration * (t - clear))
            }
        };
        assert_near(&format!("where it is, {state}"), s, place, 1e-8);
        assert_near(&format!("its speed, {state}"), table.column("car1.speed")[row], speed, 1e-8);
    }
}

/// A torpedo is where the other ship is, when its time has come: followed by itself in a scene without plans.
#[test]
fn a_torpedo_meets_its_target() {
    let transit = 0.5;
    let scene = with("dueling_spaceships", &[("range1", 1.3), ("range2", 0.1), ("transit1", transit), ("vy2", 0.75)]);
    let probes = ["ship1.position", "ship2.position", "torpedo1.launch", "torpedo1.state"];
    let first = scene.clone().run(20.0, 1.0).events.first().map(|event| event.t).expect("a launch");
    let at = |t: f64| scene.clone().probe(&probes).at(t);
    let (begin, end) = (at(first), at(first + transit));
    assert_eq!(end.events[1].name, "fire1.1");
    assert_near("the transit", end.events[1].t - end.events[0].t, transit, 1e-10);
    let [p, v] = [begin.last_vector("ship1.position"), begin.last_vector("torpedo1.launch")];
    let vector = |[x, y, z]: [f64; 3], unit: &str| format!("({x:?}, {y:?}, {z:?}) [{unit}]");
    let alone = format!(
        "body torpedo {{ position = free; mass = 1 [kg] }}\npotential = -1 [J*m] / |torpedo.position|\n\
         initially torpedo.position == {}\ninitially torpedo.velocity == {}\n",
        vector(p, "m"),
        vector(v, "m/s")
    );
    let met = Scene::new(&alone).probe(&["torpedo.position"]).at(transit);
    let target = end.last_vector("ship2.position");
    assert_vectors_near("the torpedo", met.last_vector("torpedo.position"), target, 1e-7);
}
