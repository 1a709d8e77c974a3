//! Transitions in scenes with quantities and laws of their own: instants and values in closed form.

use driver::Solver;

use crate::scene::{Scene, Table};

fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance * expected.abs().max(1.0), "{what}: {found}, expected {expected}");
}

/// The instants of a transition.
fn instants(table: &Table, name: &str) -> Vec<f64> {
    table.events.iter().filter(|event| event.name == name).map(|event| event.t).collect()
}

/// Both ways to solve.
fn each(text: &str, test: impl Fn(Scene)) {
    for solver in [Solver::Explicit, Solver::Implicit] {
        test(Scene::new(text).tolerance(1e-10).solver(solver));
    }
}

#[test]
fn a_thermostat_heats_and_cools_exponentially() {
    let text = include_str!("../../../../../examples/thermostat.anz");
    each(text, |scene| {
        let table = scene.probe(&["inside", "used", "heat"]).run(8.0, 8.0);
        // Towards 35 K while it is heated and towards 5 K while it is not, with a time of 10 s.
        let first = 10.0 * (20.0_f64 / 14.0).ln();
        let (up, down) = (10.0 * (16.0_f64 / 14.0).ln(), 10.0 * (16.0_f64 / 14.0).ln());
        let warm = instants(&table, "warm_enough");
        let cold = instants(&table, "too_cold");
        assert_eq!((warm.len(), cold.len()), (2, 2));
        close("first", warm[0], first, 1e-8);
        close("cold", cold[0], first + down, 1e-8);
        close("warm", warm[1], first + down + up, 1e-8);
        close("cold again", cold[1], first + 2.0 * down + up, 1e-8);
        // It has been heated at 120 W until then, twice, and since.
        let last = table.rows.last().expect("a row");
        close("used", last[1], 120.0 * (first + up + 8.0 - cold[1]), 1e-6);
        close("inside", last[0], 35.0 - 16.0 * (-(8.0 - cold[1]) / 10.0).exp(), 1e-8);
    });
}

#[test]
fn a_ball_of_ones_own_bounces_as_a_ball_does() {
    // The momentum is what changes smoothly; the transition speaks of the velocity.
    let text = "
        param e = 0.8
        h: [m] = 1 [m]; v: [m/s]; p: [kg*m/s]
        always h' == v
        always p == 2 [kg] * v
        always p' == -2 [kg] * 9.81 [m/s^2]
        when bounce: h <= 0 and v < 0 { v == -e * pre(v) }
        plot h, v, p";
    each(text, |scene| {
        let table = scene.run(2.0, 2.0);
        let fall = (2.0_f64 / 9.81).sqrt();
        let expected = [fall, fall * (1.0 + 2.0 * 0.8), fall * (1.0 + 2.0 * 0.8 + 2.0 * 0.64)];
        let found = instants(&table, "bounce");
        assert_eq!(found.len(), 3);
        (0..3).for_each(|at| close("bounce", found[at], expected[at], 1e-9));
        let (since, speed) = (2.0 - expected[2], 9.81 * fall * 0.512);
        let last = table.rows.last().expect("a row");
        close("height", last[0], speed * since - 9.81 / 2.0 * since * since, 1e-8);
        close("momentum", last[2], 2.0 * (speed - 9.81 * since), 1e-8);
    });
}

#[test]
fn a_capacitor_is_charged_and_discharged_by_a_lamp() {
    let text = include_str!("../../../../../examples/relaxation_oscillator.anz");
    each(text, |scene| {
        let table = scene.run(4.0, 4.0);
        // Charged towards 100 V in 1 s; discharged through 5 kΩ, with the 1 MΩ beside it.
        let (fed, through) = (100.0, 5e3 * 1e6 / 1.005e6);
        let (low, tau): (f64, f64) = (fed * 5e3 / 1.005e6, through * 1e-6);
        let glow = tau * ((80.0 - low) / (50.0 - low)).ln();
        let first = (100.0_f64 / 20.0).ln();
        let again = (50.0_f64 / 20.0).ln();
        let ignited = instants(&table, "ignite");
        assert_eq!(ignited.len(), 3);
        for (at, &t) in ignited.iter().enumerate() {
            close("ignition", t, first + at as f64 * (glow + again), 1e-7);
        }
        instants(&table, "extinguish").iter().zip(ignited).for_each(|(off, on)| close("glow", off - on, glow, 1e-8));
    });
}

#[test]
fn a_neuron_fires_at_the_rate_of_the_textbook() {
    let text = include_str!("../../../../../examples/integrate_and_fire.anz");
    // Without tiring, every 2 ms + 20 ms ln(25 / 10).
    let table = Scene::new(text).set("step=0").probe(&["spikes"]).run(1.0, 1.0);
    let period = 2e-3 + 20e-3 * 2.5_f64.ln();
    let fired = instants(&table, "fire");
    assert_eq!(fired.len(), ((1.0 + 2e-3) / period) as usize);
    fired.iter().enumerate().for_each(|(at, &t)| close("spike", t, period * (at + 1) as f64 - 2e-3, 1e-9));
    close("spikes", table.rows.last().expect("a row")[0], fired.len() as f64, 1e-12);
}

#[test]
fn a_sampled_controller_holds_what_it_said() {
    let text = "
        x: [m] = 1 [m]; u: [m/s]; next: [s] = 0 [s]
        always x' == u
        always u' == 0
        always next' == 0
        when sample: t >= next { u == -2 [1/s] * pre(x); next == pre(next) + 0.1 [s] }
        plot x, u";
    each(text, |scene| {
        let table = scene.run(1.05, 1.05);
        let last = table.rows.last().expect("a row");
        close("x", last[0], 0.8_f64.powi(10) * 0.9, 1e-10);
        close("u", last[1], -2.0 * 0.8_f64.powi(10), 1e-10);
        assert_eq!(instants(&table, "sample").len(), 11);
    });
}

const CAPACITORS: &str = "
    v1: [V] = 3 [V]; v2: [V] = 1 [V]; i: [A]
    mode switch: open | closed = open
    always 2 [F] * v1' == -i
    always 1 [F] * v2' == i
    always i == 0 while switch == open
    always v1 == v2 while switch == closed
    when close: switch == open and t >= 1 [s] { switch == closed EFFECTS }
    plot v1, v2";

#[test]
fn charges_flow_together_as_the_transition_says() {
    let text = CAPACITORS.replace("EFFECTS", "; 2 [F] * v1 + 1 [F] * v2 == pre(2 [F] * v1 + 1 [F] * v2)");
    each(&text, |scene| {
        let last = scene.run(2.0, 2.0).rows.pop().expect("a row");
        close("v1", last[0], 7.0 / 3.0, 1e-12);
        close("v2", last[1], 7.0 / 3.0, 1e-12);
    });
    // What else they might do is not for the compiler to choose.
    let silent = Scene::new(&CAPACITORS.replace("EFFECTS", ""));
    assert_eq!(silent.trouble(2.0, 1.0).code.0, "inconsistent-change");
}

#[test]
fn too_little_and_too_much_is_refused() {
    let refused = |effects: &str| {
        let scene = Scene::new(&CAPACITORS.replace("EFFECTS", effects));
        scene.trouble(2.0, 1.0).code.0
    };
    // Nobody says which of the two changes; then both are said twice.
    let between = "; v1 + v2 == pre(v1)";
    let open = CAPACITORS.replace("v1 == v2 while switch == closed", "i == (v1 - v2) / 1 [ohm] while switch == closed");
    assert_eq!(Scene::new(&open.replace("EFFECTS", between)).trouble(2.0, 1.0).code.0, "open-reset");
    assert_eq!(refused("; v1 == 2 [V]; v1 == pre(v1)"), "open-reset");
    assert_eq!(Scene::new(&open.replace("EFFECTS", "; i == 0 [A]")).trouble(2.0, 1.0).code.0, "open-reset");
}

#[test]
fn what_follows_from_constraints_changes_along() {
    // A pendulum of index 3 in coordinates of its own: half of its speed is lost, whichever component the transition speaks of.
    let text = "
        x: [m] = 0.6 [m]; y: [m] = -0.8 [m]; u: [m/s]; w: [m/s]; F: [1/s^2]
        always x' == u
        always y' == w
        always u' == -F * x
        always w' == -F * y - 9.81 [m/s^2]
        always rod: x^2 + y^2 == 1 [m^2]
        mode side: right | left = right
        when hit: side == right and x <= 0.1 [m] { side == left; EFFECT }
        plot x, y, u, w";
    let height = 0.99_f64.sqrt();
    for effect in ["u == -0.5 * pre(u)", "w == -0.5 * pre(w)", "x' == -0.5 * pre(x')"] {
        each(&text.replace("EFFECT", effect), |scene| {
            let when = instants(&scene.run(0.6, 0.6), "hit")[0];
            let last = scene.run(when, when).rows.pop().expect("a row");
            let speed = (2.0 * 9.81 * (height - 0.8)).sqrt();
            close("x", last[0], 0.1, 1e-7);
            close("u", last[2], 0.5 * speed * height, 1e-7);
            close("w", last[3], 0.5 * speed * 0.1, 1e-7);
        });
    }
}

#[test]
fn a_block_sticks_to_a_belt_and_slips() {
    // Stuck until the spring pulls with 2 N; then it swings about where friction holds 1 N, until it is as fast as the belt again.
    let text = "
        x: [m]; friction: [N]
        mode contact: stick | slip
        always 1 [kg] * x'' == friction - 10 [N/m] * x
        always x' == 0.1 [m/s]   while contact == stick
        always friction == 1 [N] while contact == slip
        when break: contact == stick and friction >= 2 [N] { contact == slip }
        when catch: contact == slip and x' >= 0.1 [m/s] and x'' > 0 { contact == stick }
        plot x, x', friction";
    each(text, |scene| {
        let table = scene.run(20.0, 20.0);
        let omega = 10.0_f64.sqrt();
        // About there x is 0.1 m and v 0.1 m/s; until the speed is the same again, it goes through half a round and twice that angle.
        let slip = (std::f64::consts::PI + 2.0 * (1.0 / omega).atan()) / omega;
        let (breaks, catches) = (instants(&table, "break"), instants(&table, "catch"));
        close("first", breaks[0], 2.0, 1e-8);
        // It is caught where it began.
        for (at, &caught) in catches.iter().enumerate() {
            close("caught", caught, 2.0 + slip + at as f64 * (2.0 + slip), 1e-7);
        }
        assert!(catches.len() >= 5);
    });
}

#[test]
fn laws_of_kinds_come_and_go_with_modes() {
    // Equations in kinds and laws take `while` too.
    let text = "
        kind tank {
          level: [m] = 0 [m]
          inflow: [m^3/s]
          overflow: [m^3/s]
          1 [m^2] * level' == inflow - overflow
          inflow == 0.1 [m^3/s]
        }
        a: tank
        mode brim: below | full
        law dry  for x: tank { x.overflow == 0 while brim == below }
        law brim_holds for x: tank { x.level == 0.5 [m] while brim == full }
        when fill: brim == below and a.level >= 0.5 [m] { brim == full }
        plot a.level, a.overflow";
    each(text, |scene| {
        let table = scene.run(8.0, 8.0);
        close("full", instants(&table, "fill")[0], 5.0, 1e-8);
        let last = table.rows.last().expect("a row");
        close("level", last[0], 0.5, 1e-12);
        close("overflow", last[1], 0.1, 1e-9);
    });
}

#[test]
fn frames_and_laws_change_together() {
    // A motor turns a drum; when its supply is cut the coil carries nothing, and the drum goes on evenly.
    let text = "
        use motors
        body drum in world { rotation = about x free; mass = 1 [kg]; inertia = (0.02, 1, 1) [kg*m^2] }
        ground: node { voltage = 0 [V] }
        supply: node
        battery: two_terminal(supply, ground)
        motor: dc_motor(supply, ground) { resistance = 2 [ohm]; inductance = 1 [mH]; constant = 0.5 [N*m/A] }
        law coupling { motor.angle == drum.angle }
        torque on drum = motor.torque * (1, 0, 0)
        initially motor.current == 0 [A]
        mode switch: closed | open
        always battery.drop == 12 [V] while switch == closed
        always battery.current == 0 [A] while switch == open
        when cut: switch == closed and drum.angle >= 2 { switch == open; motor.current == 0 [A]; keep all }
        plot drum.angle, drum.omega.x, motor.current";
    each(text, |scene| {
        let table = scene.run(1.0, 0.25);
        let cut = instants(&table, "cut")[0];
        let last = table.rows.last().expect("a row");
        // From then on it turns evenly.
        close("angle", last[0], 2.0 + last[1] * (1.0 - cut), 1e-7);
        close("current", last[2], 0.0, 1e-12);
        // Until then L i + R q + k φ = V t and J ω = k q, where q has flown.
        let just_before = scene.run(cut - 1e-6, cut - 1e-6).rows.pop().expect("a row");
        let flown = 0.02 * just_before[1] / 0.5;
        close("balance", 1e-3 * just_before[2] + 2.0 * flown + 0.5 * just_before[0], 12.0 * (cut - 1e-6), 1e-7);
        close("speed is kept", just_before[1], last[1], 1e-4);
    });
}

#[test]
fn sequences_and_claims_speak_of_own_quantities() {
    let text = "
        x: [m] = 0 [m]
        mode drive: still | going | back
        always x' == (if drive == going then 2 [m/s] else if drive == back then -1 [m/s] else 0 [m/s])
        sequence trip when drive == still and t >= 1 [s] and t < 2 [s] {
          begin { drive == going }
          until x >= at(begin, x) + 3 [m] { drive == back }
          after 0.5 [s] { drive == still; x == at(1, x) - 1 [m] }
        }
        claim bounded: always x <= 3.001 [m]
        plot x";
    each(text, |scene| {
        let table = scene.run(4.0, 4.0);
        let times: Vec<f64> = table.events.iter().map(|event| event.t).collect();
        [1.0, 2.5, 3.0].iter().zip(&times).for_each(|(&expected, &t)| close("event", t, expected, 1e-9));
        close("x", table.rows.last().expect("a row")[0], 2.0, 1e-9);
    });
    let refuted = Scene::new(&text.replace("3.001", "2.9"));
    assert_eq!(refuted.trouble(4.0, 1.0).code.0, "claim-refuted");
}

#[test]
fn a_plan_chooses_the_voltage_that_charges_a_capacitor() {
    // It discharges from 1 V for a second, then is charged for two, with a time of one second.
    let text = "
        u: [V] = 1 [V]; i: [A]; source: [V]
        mode state: rest | charging | over
        always loop: source == 1 [kohm] * i + u
        always store: 1 [mF] * u' == i
        always off: source == 0 while state == rest
        always charges: source == volts while state == charging
        always insulates: i == 0 while state == over
        plan charge when state == rest and t >= 1 [s] {
          choose volts: [V] from 1 [V]
          begin { state == charging }
          after 2 [s] aim u == goal { state == over }
        }
        param goal = 5 [V]
        plot volts, u, i, source";
    each(text, |scene| {
        for goal in [5.0, -3.0] {
            let table = scene.clone().set(format!("goal={goal}")).run(4.0, 4.0);
            let last = table.rows.last().expect("a row");
            close("volts", last[0], (goal - (-3.0_f64).exp()) / (1.0 - (-2.0_f64).exp()), 1e-9);
            close("u", last[1], goal, 1e-8);
            close("i", last[2], 0.0, 1e-8);
            close("end", instants(&table, "charge.1")[0], 3.0, 1e-12);
        }
    });
}

#[test]
fn a_plan_begins_again_with_what_the_last_one_left() {
    let text = "
        T: [K] = 0 [K]; goal: [K] = 10 [K]; n: real = 0
        mode state: idle | heating
        always T' == heat - T / 2 [s] while state == heating
        always T' == -T / 2 [s] while state == idle
        always goal' == 0
        always n' == 0
        plan warm when state == idle and t >= n * 2 [s] {
          choose heat: [K/s] from 1 [K/s]
          begin { state == heating; n == pre(n) + 1 }
          after 1 [s] aim T == goal { state == idle; goal == 25 [K] - pre(goal) }
        }
        plot T, heat";
    each(text, |scene| {
        let table = scene.run(8.0, 1.0);
        let fallen = (-0.5_f64).exp();
        let mut before = 0.0;
        for round in 0..4 {
            let goal = if round % 2 == 0 { 10.0 } else { 15.0 };
            close("heat", table.rows[2 * round][1], 0.5 * (goal - before * fallen) / (1.0 - fallen), 1e-8);
            close("T", table.rows[2 * round + 1][0], goal, 1e-8);
            before = goal * fallen;
        }
        assert_eq!(instants(&table, "warm.begin").len(), 5);
    });
}

#[test]
fn a_plan_of_two_phases_brings_a_circuit_to_rest() {
    let text = "
        q: [C] = 1 [C]; drive: [V]
        mode state: swinging | first | second | still
        always swing: 1 [H] * q'' + q / 1 [F] == drive
        always drive == 0 while state == swinging or state == still
        always drive == v1 while state == first
        always drive == v2 while state == second
        plan calm when state == swinging and t >= 0.5 [s] {
          choose v1: [V]
          choose v2: [V]
          begin { state == first }
          after 0.7 [s] { state == second }
          after 0.7 [s] aim q == 0, q' == 0 { state == still }
        }
        plot q, q', v1, v2";
    each(text, |scene| {
        let table = scene.run(4.0, 4.0);
        // With c = q − i q′ and e = exp(0.7 i): (1 − e) e v1 + (1 − e) v2 = −c e², where c = exp(0.5 i).
        let (sin, cos) = 0.7_f64.sin_cos();
        let second = (1.0 - cos, -sin);
        let first = (second.0 * cos - second.1 * sin, second.0 * sin + second.1 * cos);
        let right = (-1.9_f64.cos(), -1.9_f64.sin());
        let by = first.0 * second.1 - first.1 * second.0;
        let last = table.rows.last().expect("a row");
        close("v1", last[2], (right.0 * second.1 - right.1 * second.0) / by, 1e-9);
        close("v2", last[3], (first.0 * right.1 - first.1 * right.0) / by, 1e-9);
        close("q", last[0], 0.0, 1e-8);
        close("q'", last[1], 0.0, 1e-8);
    });
}

#[test]
fn a_plan_reckons_with_what_is_found_by_iteration() {
    // w + w³ = s: 2 at the end of the first phase, 0.625 at the beginning of the second, 3 at its end.
    let text = "
        s: real = 0.5; w: real
        mode state: rest | rising | over
        always cubic: w + w^3 == s
        always waits: s' == 0 while state != rising
        always rises: s' == rate while state == rising
        plan climb when state == rest and t >= 1 [s] {
          choose rate: [1/s] from 1 [1/s]
          choose first: real from 1
          begin { state == rising; w == first * pre(w) }
          after 1 [s] aim w == 1 { w == pre(w) / 2 }
          after 1 [s] aim s == 3 { state == over }
        }
        plot rate, first, s";
    each(text, |scene| {
        let table = scene.run(4.0, 4.0);
        let last = table.rows.last().expect("a row");
        let root = |s: f64| (0..60).fold(s, |w: f64, _| w - (w + w * w * w - s) / (1.0 + 3.0 * w * w));
        close("rate", last[0], 2.375, 1e-9);
        close("first", last[1], root(2.0 - 2.375) / root(0.5), 1e-9);
        close("s", last[2], 3.0, 1e-8);
    });
}

#[test]
fn a_plan_throws_a_body_whose_charge_leaks() {
    let text = "
        body drop { position = (free, 0, 0); mass = 2 [kg] }
        q: [C] = 0 [C]
        mode state: held | loose | over
        always waits: drop.position.x == 0 while state == held
        always leaks: 0.5 [s] * q' == -q
        force on drop = (q * 3 [V/m], 0 [N], 0 [N]) while state == loose
        plan throw when state == held and t >= 1 [s] {
          choose speed: [m/s] from 1 [m/s]
          choose charge: [C] from 1 [C]
          choose time: [s] from 1 [s]
          begin { state == loose; drop.velocity.x == speed; q == charge; keep positions }
          after time aim drop.position.x == 1 [m], drop.velocity.x == 2 [m/s], q == 0.4 [C] { state == over; keep all }
        }
        plot speed, charge, time, drop.position.x, drop.velocity.x, q";
    each(text, |scene| {
        let table = scene.run(1.7, 1.7);
        let last = table.rows.last().expect("a row");
        let (speed, charge, time) = (last[0], last[1], last[2]);
        // What was chosen leads to what was aimed at, by the closed form.
        let fallen = (-time / 0.5_f64).exp();
        close("charge", charge * fallen, 0.4, 1e-9);
        let push = 1.5 * charge * 0.5;
        close("speed", speed + push * (1.0 - fallen), 2.0, 1e-9);
        close("way", speed * time + push * (time - 0.5 * (1.0 - fallen)), 1.0, 1e-9);
        close("end", instants(&table, "throw.1")[0], 1.0 + time, 1e-9);
    });
}

#[test]
fn every_drop_of_a_printer_gets_the_voltage_of_its_closed_form() {
    let text = include_str!("../../../../../examples/ink_jet.anz");
    each(text, |scene| {
        let table = scene.probe(&["voltage", "flight", "goal", "electrode"]).run(3.0, 0.01);
        let (between, beyond): (f64, f64) = (0.4 / 3.0, 0.6 / 3.0);
        let formed = (-0.12_f64 / 0.08).exp();
        let (begun, landed) = (instants(&table, "print.begin"), instants(&table, "print.3"));
        assert_eq!((begun.len(), landed.len()), (7, 6));
        let mut electrode = 0.0;
        for (at, &t) in landed.iter().enumerate() {
            let count = (at + 1) as f64;
            close("landing", t, count * (0.12 + between + beyond), 1e-9);
            // The drop is lifted between the plates, and falls all the way.
            let goal = 0.2 * (count * 40.0_f64.to_radians()).sin();
            let fall = 9.81 / 2.0 * (between + beyond) * (between + beyond);
            let lift = (goal + fall) / (between * (between / 2.0 + beyond));
            let wanted = lift * 0.5e-3 / 20e3 / 100e-12;
            let row = &table.rows[((begun[at] + 0.05) / 0.01) as usize];
            close("voltage", row[0], (wanted - electrode * formed) / (1.0 - formed), 1e-8);
            close("flight", row[1], beyond, 1e-9);
            close("goal", row[2], goal, 1e-12);
            electrode = wanted * (-(between + beyond) / 0.08_f64).exp();
        }
    });
}

#[test]
fn what_the_scene_gives_is_not_assumed() {
    let scene = "reading: [s] = 2 [s]\nalways der(reading) == 1\nlevel: real\nalways der(level) == 1 [1/s]";
    assert_eq!(driver::assumptions(&Scene::new(scene).stages()), ["level = 0"]);
}
