//! Contact, impact and friction, held against closed forms: at the numbers of the examples and at others.

use crate::exact::integrate;
use crate::scene::{Scene, TIGHT, Table, assert_near, assert_same_motion, assert_vectors_near};

const G: f64 = 9.81;

/// The word in a column that has words, row by row.
fn words(table: &Table, column: &str) -> Vec<String> {
    let at = table.columns.iter().position(|name| name == column).unwrap_or_else(|| panic!("no column `{column}`"));
    let words = table.words[at].as_ref().expect("a column of words");
    table.rows.iter().map(|row| words[row[at] as usize].clone()).collect()
}

fn last_word(table: &Table, column: &str) -> String {
    words(table, column).pop().expect("a run has rows")
}

/// Height and speed of what falls from a height, or is thrown up with a speed, and bounces; at rest where infinitely many bounces are over.
fn bounce(height: f64, speed: f64, restitution: f64, t: f64) -> (f64, f64) {
    let (mut height, mut speed, mut left) = (height, speed, t);
    loop {
        let flight = (speed + (speed * speed + 2.0 * G * height).sqrt()) / G;
        if left < flight {
            return (height + speed * left - 0.5 * G * left * left, speed - G * left);
        }
        left -= flight;
        (height, speed) = (0.0, restitution * (G * flight - speed));
        if speed < 1e-12 {
            return (0.0, 0.0);
        }
    }
}

#[test]
fn balls_bounce_to_their_rest() {
    let state = "contact(ball, floor).state";
    for (height, restitution) in [(1.0, 0.0), (0.3, 0.5), (2.0, 0.7), (0.05, 0.9), (1.0, 1.0)] {
        let scene =
            Scene::example("dropped_ball").set(format!("height={height}")).set(format!("restitution={restitution}"));
        let table = scene.probe(&["ball.position.z", "ball.velocity.z", state]).run(4.0, 0.173);
        let rest = (2.0 * height / G).sqrt() * (1.0 + restitution) / (1.0 - restitution);
        for (row, &t) in table.times.iter().enumerate() {
            let (z, v) = bounce(height, 0.0, restitution, t);
            let what = format!("from {height} m with {restitution} at t = {t}");
            assert_near(&what, table.rows[row][0], 0.1 + z, 1e-9);
            assert_near(&what, table.rows[row][1], v, 1e-8);
            assert_eq!(words(&table, state)[row], if t > rest { "sticking" } else { "open" }, "{what}");
        }
    }
}

#[test]
fn sliding_balls_come_to_roll() {
    for ([vx, wx, wy, wz], friction) in
        [([3.0, 0.0, 0.0, 0.0], 0.2), ([2.0, 5.0, -20.0, 3.0], 0.15), ([-1.0, -30.0, 40.0, -2.0], 0.6)]
    {
        let scene = Scene::example("sliding_ball").set(format!("speed={vx}")).set(format!("friction={friction}"));
        let scene = [("wx", wx), ("wy", wy), ("wz", wz)]
            .iter()
            .fold(scene, |scene, (name, w)| scene.set(format!("{name}={w}")));
        let state = "contact(ball, floor).state";
        let table = scene.probe(&["ball.position", "ball.velocity", "ball.omega", state]).run(2.0, 0.1);
        // The slip of the lowest point, which friction ends without turning it.
        let slip: [f64; 2] = [vx - 0.1 * wy, 0.1 * wx];
        let size = slip[0].hypot(slip[1]);
        let end = 2.0 * size / (7.0 * friction * G);
        for (row, &t) in table.times.iter().enumerate() {
            let during = t.min(end);
            let push = [0, 1].map(|k| -friction * G * slip[k] / size);
            let v = [vx + push[0] * during, push[1] * during];
            let at = |k: usize, v0: f64| v0 * during + 0.5 * push[k] * during * during + v[k] * (t - during);
            let what = format!("at t = {t}");
            assert_vectors_near(&what, table.vectors("ball.position")[row], [at(0, vx), at(1, 0.0), 0.1], 1e-11);
            assert_vectors_near(&what, table.vectors("ball.velocity")[row], [v[0], v[1], 0.0], 1e-11);
            let omega = [wx + 25.0 * push[1] * during, wy - 25.0 * push[0] * during, wz];
            assert_vectors_near(&what, table.vectors("ball.omega")[row], omega, 1e-10);
            assert_eq!(words(&table, state)[row], if t < end { "sliding" } else { "sticking" }, "{what}");
        }
    }
}

#[test]
fn spin_and_speed_are_exchanged_in_a_bounce() {
    for (friction, restitution, spin) in [(0.3, 0.8, -40.0), (0.1, 0.8, -40.0), (0.05, 0.5, 100.0), (0.9, 0.2, 70.0)] {
        let scene = Scene::example("spin_bounce").set(format!("friction={friction}")).set(format!("spin={spin}"));
        let scene = scene.set(format!("restitution={restitution}")).set("height=0.5");
        let table = scene.probe(&["ball.velocity", "ball.omega"]).at(0.35);
        let down = (2.0 * G * 0.45).sqrt();
        let slip: f64 = 2.0 - 0.05 * spin;
        let push = slip.signum() * (friction * (1.0 + restitution) * down).min(slip.abs() * 2.0 / 7.0);
        let up = restitution * down - G * (0.35 - down / G);
        assert_vectors_near("velocity", table.last_vector("ball.velocity"), [2.0 - push, 0.0, up], 1e-10);
        assert_vectors_near("spin", table.last_vector("ball.omega"), [0.0, spin + 50.0 * push, 0.0], 1e-9);
    }
}

/// A block that slides flat and turns comes to rest, all of its corners at once; without turning, after v²/(2 μ g).
#[test]
fn a_block_slides_to_a_stop() {
    let block = |turn: f64, spin: f64| {
        Scene::new(&format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
             body b: box(0.3 [m], 0.4 [m], 0.25 [m]) mass 1 [kg] {{ position = free((0, 0, 0.125) [m]); rotation = free(about z {turn} [deg]) }}\n\
             initially b.position == (0, 0, 0.125) [m]\ninitially b.velocity == (0.3, 0.4, 0) [m/s]\n\
             initially b.omega == (0, 0, {spin}) [rad/s]\ncontact all {{ friction = 0.6 }}"
        ))
        .probe(&["b.position", "b.velocity", "b.omega", "contact(b, floor).state", "contact(floor, b).force"])
    };
    for (turn, spin) in [(0.0, 0.0), (20.0, 0.0), (0.0, 1e-4), (45.0, -1.0), (10.0, 20.0)] {
        let table = block(turn, spin).at(1.0);
        let what = format!("turned by {turn}, spinning with {spin}");
        assert_eq!(last_word(&table, "contact(b, floor).state"), "sticking", "{what}");
        assert_vectors_near(&what, table.last_vector("b.velocity"), [0.0; 3], 1e-12);
        assert_vectors_near(&what, table.last_vector("b.omega"), [0.0; 3], 1e-12);
        assert_vectors_near(&what, table.last_vector("contact(floor, b).force"), [0.0, 0.0, G], 1e-10);
        if spin == 0.0 {
            let way = 0.25 / (2.0 * 0.6 * G);
            assert_vectors_near(&what, table.last_vector("b.position"), [0.6 * way, 0.8 * way, 0.125], 1e-11);
        }
    }
}

#[test]
fn blocks_before_a_wall_count_the_digits_of_pi() {
    let ratios = [
        (1.0, 3.0, None),
        (100.0, 31.0, Some((0.998857595563118, 0.477860208205887))),
        (1e4, 314.0, Some((0.999998559562978, 0.169731316195054))),
        (1e6, 3141.0, Some((0.999999917460531, 0.406299066323258))),
    ];
    for (ratio, count, speeds) in ratios {
        let impacts = "contact(big, small).impacts + contact(small, wall).impacts";
        let scene = Scene::example("billiard").set(format!("ratio={ratio}"));
        // The last one is late where the digits that follow are small.
        let table = scene.probe(&["big.velocity.x", "small.velocity.x", impacts]).at(12.0);
        assert_eq!(table.rows[1][2], count, "for a ratio of {ratio}");
        if let Some((big, small)) = speeds {
            assert_near("the big one", table.rows[1][0], big, 1e-10);
            assert_near("the small one", table.rows[1][1], small, 1e-8);
        }
    }
}

#[test]
fn blocks_tip_over_an_edge() {
    // Half height, speed, friction; when it is free, and how fast it turns then. Both ways: no force is left, or the corner slides off.
    for (half_height, speed, friction, free, rate, error) in [
        (0.05, 0.3, 0.0, 0.5 + 0.20821005226297, 6.33868339472918, 1e-9),
        (0.05, 0.5, 0.0, 0.3 + 0.17532674754130, 5.66898727490704, 1e-9),
        (0.05, 1.0, 0.0, 0.15 + 0.10754007543064, 3.63068677191586, 1e-9),
        (0.1, 0.5, 0.0, 0.3 + 0.21368071393487, 5.53522404307681, 1e-9),
        (0.05, 0.5, 0.05, 0.567203097, 6.567999, 1e-6),
    ] {
        let scene =
            Scene::example("tipping_block").set(format!("half_height={half_height}")).set(format!("speed={speed}"));
        let scene = scene.set(format!("friction={friction}")).probe(&["block.omega", "contact(block, table).state"]);
        let before = scene.at(free - 1e-4);
        assert_eq!(last_word(&before, "contact(block, table).state"), "sliding", "at {speed} m/s");
        let after = scene.at(free + 1e-4);
        assert_eq!(last_word(&after, "contact(block, table).state"), "open", "at {speed} m/s");
        assert_vectors_near("it turns", after.last_vector("block.omega"), [0.0, rate, 0.0], error);
    }
    let state = "contact(block, table).state";
    let rough = |friction: f64, t: f64| {
        let scene = Scene::example("tipping_block").set(format!("friction={friction}"));
        let table = scene.probe(&["block.omega.y", "block.position.x", state]).at(t);
        (last_word(&table, state), table.last("block.omega.y"), table.last("block.position.x"))
    };
    // Its slip ends on the edge, about which it goes on turning.
    assert_eq!(rough(0.08, 0.566).0, "sliding");
    let (word, rate, _) = rough(0.08, 0.568);
    assert!(word == "sticking" && rate > 1.0, "{word} {rate}");
    // It stops before the edge.
    let (word, rate, x) = rough(0.09, 0.6);
    assert_eq!(word, "sticking");
    assert_near("it does not tip", rate, 0.0, 1e-12);
    assert_near("where it stops", x, 0.25 / (2.0 * 0.09 * G) - 0.15, 1e-10);
}

#[test]
fn ladders_leave_the_wall() {
    for (angle, length, t) in [(10.0_f64, 1.0_f64, 0.7), (30.0, 1.0, 0.45), (20.0, 2.0, 0.75)] {
        let scene = Scene::example("ladder").set(format!("angle={angle}")).set(format!("length={length}"));
        let probes = ["ladder.velocity", "ladder.omega", "contact(ladder, wall).state", "contact(ladder, floor).state"];
        let table = scene.probe(&probes).at(t);
        assert_eq!(last_word(&table, "contact(ladder, wall).state"), "open");
        assert_eq!(last_word(&table, "contact(ladder, floor).state"), "sliding");
        // From 3 g / L (cos a − cos θ) = θ'², where the wall's force ends at cos θ = 2/3 cos a.
        let expected = (G * length).sqrt() * angle.to_radians().cos().powf(1.5) / 3.0;
        assert_near("its speed along the floor", table.last("ladder.velocity.x"), expected, 1e-10);
    }
}

#[test]
fn cradles_pass_impulses_on() {
    let speeds = |table: &Table| table.rows.last().expect("a run has rows").clone();
    let three = ["ball1.velocity.x", "ball2.velocity.x", "ball3.velocity.x"];
    for (restitution, expected) in [(0.9, [0.047625, 0.049875, 0.9025]), (0.5, [0.203125, 0.234375, 0.5625])] {
        let table = Scene::example("cradle").set(format!("restitution={restitution}")).probe(&three).at(1.0);
        assert_vectors_near("one by one", speeds(&table).try_into().expect("three"), expected, 1e-14);
        let table = Scene::example("cradle_together").set(format!("restitution={restitution}")).probe(&three).at(1.0);
        let share = (1.0 + restitution) / 3.0;
        assert_vectors_near(
            "together",
            speeds(&table).try_into().expect("three"),
            [1.0 - 2.0 * share, share, share],
            1e-14,
        );
    }
    let five = ["ball1.velocity.x", "ball2.velocity.x", "ball3.velocity.x", "ball4.velocity.x", "ball5.velocity.x"];
    for moving in 1..5 {
        let table = Scene::example("cradle_5").set(format!("moving={moving}")).probe(&five).at(1.0);
        let expected: Vec<f64> = (0..5).map(|ball| if ball >= 5 - moving { 1.0 } else { 0.0 }).collect();
        assert_eq!(speeds(&table), expected, "{moving} arrive");
    }
    let table = Scene::example("cradle_5").set("restitution=0.9").probe(&five).at(1.0);
    let expected = [0.04352508203125, 0.04537296484375, 0.047296640625, 0.0492990625, 0.81450625];
    for (found, expected) in speeds(&table).into_iter().zip(expected) {
        assert_near("one of five", found, expected, 1e-14);
    }
}

#[test]
fn blows_go_through_hinges() {
    // With the impulse 7 (1 + e)/31; the rods hang downwards, so they turn about −y where their ends go along x.
    for restitution in [1.0, 0.5, 0.1] {
        let probes = ["ball.velocity.x", "upper.omega.y", "lower.omega.y"];
        let table =
            Scene::example("struck_pendulum").set(format!("restitution={restitution}")).probe(&probes).at(0.22 + 1e-9);
        let impulse = 7.0 * (1.0 + restitution) / 31.0;
        assert_near("the ball", table.rows[1][0], 1.0 - impulse, 1e-12);
        assert_near("the upper rod", table.rows[1][1], 6.0 / 7.0 * impulse, 1e-7);
        assert_near("the lower rod", table.rows[1][2], -30.0 / 7.0 * impulse, 1e-7);
    }
}

#[test]
fn rods_are_turned_by_their_impact() {
    for (angle, restitution, height) in [(30.0_f64, 0.5, 0.2), (60.0, 0.9, 0.1), (10.0, 0.0, 0.3), (0.0, 0.6, 0.2)] {
        let scene =
            Scene::example("falling_rod").set(format!("angle={angle}")).set(format!("restitution={restitution}"));
        let scene = scene.set(format!("height={height}")).probe(&["rod.velocity.z", "rod.omega.y"]);
        let (instant, down) = ((2.0 * height / G).sqrt(), (2.0 * G * height).sqrt());
        let table = scene.at(instant + 1e-6);
        let cosine = angle.to_radians().cos();
        // A rod that lies flat is hit at both ends.
        let lever = if angle == 0.0 { 0.0 } else { cosine };
        let impulse = (1.0 + restitution) * down / (1.0 + 3.0 * lever * lever);
        let rate = impulse * 0.5 * lever * 12.0;
        // Without rebound the end stays on the floor, and turns the rod on.
        let error = if restitution == 0.0 { 1e-4 } else { 1e-9 };
        assert_near("its centre", table.rows[1][0], impulse - down - 1e-6 * G, error);
        assert_near("its turning", table.rows[1][1].abs(), rate, error);
    }
}

#[test]
fn slopes_hold_what_is_not_too_steep() {
    let probes = ["block.velocity", "block.omega", "contact(block, plane).state"];
    let slope = |degrees: f64, friction: f64| {
        Scene::example("slope_block").set(format!("slope={degrees}")).set(format!("friction={friction}")).probe(&probes)
    };
    for (degrees, friction) in [(20.0_f64, 0.37), (45.0, 1.01), (0.0, 0.1), (35.0, 0.70)] {
        let table = slope(degrees, friction).set("speed=0").at(1.0);
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let rate = (G * (sine - friction * cosine)).max(0.0);
        let down = [rate * cosine, 0.0, -rate * sine];
        assert_vectors_near(
            &format!("{degrees} degrees, {friction}"),
            table.last_vector("block.velocity"),
            down,
            1e-10,
        );
        assert_vectors_near("it does not turn", table.last_vector("block.omega"), [0.0; 3], 1e-10);
        let expected = if rate > 0.0 || degrees == 0.0 && friction == 0.0 { "sliding" } else { "sticking" };
        assert_eq!(last_word(&table, "contact(block, plane).state"), expected);
    }
    // Pushed across where friction just bears it: v − v_down is kept, so the speed tends to half of what it was, straight down.
    let table = slope(20.0, -1.0).probe(&["|block.velocity|"]).run(3.0, 0.25);
    let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
    for (row, v) in table.vectors("block.velocity").into_iter().enumerate() {
        let down = v[0] * cosine - v[2] * sine;
        assert_near("speed and way down", table.rows[row][7] + down, 2.0, 1e-10);
    }
    // Steep enough for friction to stop it: it sticks.
    let table = slope(20.0, 0.6).at(3.0);
    assert_vectors_near("it stops", table.last_vector("block.velocity"), [0.0; 3], 1e-12);
    assert_eq!(last_word(&table, "contact(block, plane).state"), "sticking");
}

#[test]
fn rocking_blocks_lose_their_share_at_each_landing() {
    for (half_width, half_height, tilt) in [(0.1_f64, 0.4_f64, 0.1), (0.1, 0.3, 0.2), (0.15, 0.25, 0.05)] {
        let scene = Scene::example("rocking_block").set(format!("half_width={half_width}")).set(format!("tilt={tilt}"));
        let impacts = "contact(block, floor).impacts";
        let table = scene.set(format!("half_height={half_height}")).probe(&["energy", impacts]).run(1.5, 0.05);
        let share = 1.0 - 1.5 * half_width * half_width / (half_width * half_width + half_height * half_height);
        let upright = G * half_height;
        let (energies, impacts) = (table.column("energy"), table.column(impacts));
        assert!(*impacts.last().expect("rows") >= 3.0, "{impacts:?}");
        for (energy, landings) in energies.iter().zip(impacts) {
            let expected = (energies[0] - upright) * share.powf(2.0 * landings);
            assert_near(&format!("after {landings} landings"), energy - upright, expected, 1e-10);
        }
    }
    // A squat one stops dead.
    let squat =
        Scene::example("rocking_block").set("half_width=0.4").set("half_height=0.2").probe(&["energy", "block.omega"]);
    let table = squat.at(1.0);
    assert_near("it lies flat", table.last("energy"), 0.2 * G, 1e-12);
    assert_vectors_near("and still", table.last_vector("block.omega"), [0.0; 3], 1e-12);
}

#[test]
fn blocks_in_a_row_pass_a_push_on() {
    let table = Scene::new(
        "gravity 9.81 [m/s^2]\nsurface floor: z == 0\nlet masses = 1\n\
         for i in 1..3 {\n  body b[i]: box(0.2 [m], 0.2 [m], 0.2 [m]) mass i * 1 [kg] { position = free((0.2 * i, 0, 0.1) [m]) }\n\
         initially b[i].position == (0.2 * i, 0, 0.1) [m]\n}\n\
         force on b1 = (12 [N], 0 [N], 0 [N])\ncontact all",
    )
    .probe(&["b1.velocity", "b3.velocity", "contact(b1, b2).force", "contact(b2, b3).force"])
    .at(1.0);
    for (what, expected) in
        [("b1.velocity", 2.0), ("b3.velocity", 2.0), ("contact(b1, b2).force", 10.0), ("contact(b2, b3).force", 6.0)]
    {
        assert_vectors_near(what, table.last_vector(what), [expected, 0.0, 0.0], 1e-9);
    }
}

/// A table that moves steadily is at rest in its own frame; one that moves along drives what lies on it until it rolls with it.
#[test]
fn tables_that_move_take_things_along() {
    let table = Scene::new(
        "gravity 9.81 [m/s^2]\nframe lift { position = (0, 0, 0.7 [m/s] * t); shape = box(2 [m], 2 [m], 0.2 [m]) }\n\
         body ball: sphere(0.1 [m]) mass 2 [kg] { position = free((0, 0, 1) [m]) }\n\
         initially ball.position == (0, 0, 1) [m]\ncontact all { restitution = 0.6; friction = 0.2 }",
    )
    .probe(&["ball.position.z", "ball.velocity.z", "contact(ball, lift).state"])
    .run(3.0, 0.11);
    for (row, &t) in table.times.iter().enumerate() {
        let (z, v) = bounce(0.8, -0.7, 0.6, t);
        assert_near(&format!("at t = {t}"), table.rows[row][0], 0.2 + z + 0.7 * t, 1e-9);
        assert_near(&format!("at t = {t}"), table.rows[row][1], v + 0.7, 1e-8);
    }
    assert_eq!(last_word(&table, "contact(ball, lift).state"), "sticking");
    let table = Scene::new(
        "gravity 9.81 [m/s^2]\nframe belt { position = (1.4 [m/s] * t, 0, -0.1 [m]); shape = box(20 [m], 2 [m], 0.2 [m]) }\n\
         body ball: sphere(0.1 [m]) mass 2 [kg] { position = free((0, 0, 0.1) [m]) }\n\
         initially ball.position == (0, 0, 0.1) [m]\ncontact all { friction = 0.2 }",
    )
    .probe(&["ball.velocity", "ball.omega"])
    .at(1.0);
    assert_vectors_near("it rolls", table.last_vector("ball.velocity"), [0.4, 0.0, 0.0], 1e-11);
    assert_vectors_near("backwards", table.last_vector("ball.omega"), [0.0, -10.0, 0.0], 1e-10);
}

#[test]
fn a_ball_rests_between_two_others() {
    // Centres at ±0.15 and the ball's above them, all of radius 0.1: the forces lean by 0.15 against 0.2.
    let scene = |friction: f64, restitution: f64| {
        Scene::new(&format!(
            "gravity 9.81 [m/s^2]\nlet up = sqrt(0.04 - 0.0225) * 1 [m]\n\
             frame left {{ position = (-0.15, 0, 0) [m]; shape = sphere(0.1 [m]) }}\nframe right {{ position = (0.15, 0, 0) [m]; shape = sphere(0.1 [m]) }}\n\
             body ball: sphere(0.1 [m]) mass 1 [kg] {{ position = free((0, 0, 2 * up)) }}\n\
             initially ball.position == (0, 0, up + 0.1 [m])\ncontact all {{ friction = {friction}; restitution = {restitution} }}"
        ))
        .probe(&["ball.position", "contact(left, ball).force", "contact(right, ball).force"])
    };
    let up = 0.0175_f64.sqrt();
    for (friction, restitution) in [(0.0, 0.0), (0.3, 0.0)] {
        let table = scene(friction, restitution).at(1.0);
        assert_vectors_near("the ball", table.last_vector("ball.position"), [0.0, 0.0, up], 1e-10);
        let (left, right) =
            (table.last_vector("contact(left, ball).force"), table.last_vector("contact(right, ball).force"));
        assert_near("its weight", left[2] + right[2], G, 1e-9);
        assert_near("from both sides", left[0] + right[0], 0.0, 1e-9);
        if friction == 0.0 {
            assert_near("leaning", left[0] / left[2], 0.15 / up, 1e-9);
        }
    }
}

/// The lower ball turns round at the floor, and throws the upper one: (3 M − m)/(M + m) of the speed.
#[test]
fn a_ball_dropped_on_a_ball_is_thrown_high() {
    for (below, above) in [(4.0, 1.0), (10.0, 1.0)] {
        let table = Scene::new(&format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
             body lower: sphere(0.1 [m]) mass {below} [kg] {{ position = free((0, 0, 1.1) [m]) }}\n\
             body upper: sphere(0.05 [m]) mass {above} [kg] {{ position = free((0, 0, 1.25) [m]) }}\n\
             initially lower.position == (0, 0, 1.1) [m]\ninitially upper.position == (0, 0, 1.25) [m]\ncontact all {{ restitution = 1 }}"
        ))
        .probe(&["lower.velocity", "upper.velocity"])
        .at((2.0 / G).sqrt() + 0.01);
        let down = (2.0 * G).sqrt();
        let speed = |share: f64| share / (below + above) * down - 0.01 * G;
        assert_vectors_near(
            "upper",
            table.last_vector("upper.velocity"),
            [0.0, 0.0, speed(3.0 * below - above)],
            1e-10,
        );
        assert_vectors_near(
            "lower",
            table.last_vector("lower.velocity"),
            [0.0, 0.0, speed(below - 3.0 * above)],
            1e-10,
        );
    }
}

/// Without friction a ball follows the edge of a table until cos θ = (v² + 2 g r)/(3 g r), and is free from there.
#[test]
fn a_ball_slides_over_an_edge() {
    let speed = 0.5_f64;
    let table = Scene::new(
        "gravity 9.81 [m/s^2]\nframe table { position = (-1, 0, -0.25) [m]; shape = box(2 [m], 1 [m], 0.5 [m]) }\n\
         body ball: sphere(0.1 [m]) mass 1 [kg] { position = free((-0.1, 0, 0.1) [m]) }\n\
         initially ball.position == (-0.1, 0, 0.1) [m]\ninitially ball.velocity == (0.5, 0, 0) [m/s]\ncontact all",
    )
    .probe(&["ball.velocity", "ball.position", "contact(ball, table).state", "energy"])
    .at(0.5);
    let cosine = (speed * speed + 2.0 * G * 0.1) / (3.0 * G * 0.1);
    assert_eq!(last_word(&table, "contact(ball, table).state"), "open");
    assert_near("along x", table.last("ball.velocity.x"), (G * 0.1 * cosine).sqrt() * cosine, 1e-10);
    assert_near("its energy", table.last("energy"), 0.1 * G + 0.5 * speed * speed, 1e-10);
}

#[test]
fn round_things_come_to_rest_on_their_sides_and_ends() {
    for (solid, turn, height) in [
        ("capsule(0.1 [m], 0.4 [m])", 70.0, 0.1),
        ("cylinder(0.1 [m], 0.4 [m])", 80.0, 0.1),
        ("cylinder(0.2 [m], 0.1 [m])", 0.0, 0.05),
        ("cylinder(0.2 [m], 0.1 [m])", 10.0, 0.05),
        ("cone(0.2 [m], 0.2 [m])", 10.0, 0.05),
        ("capsule(0.1 [m], 0.4 [m])", 90.0, 0.1),
    ] {
        for (restitution, friction) in [(0.0, 0.3), (0.3, 0.0), (0.3, 0.5)] {
            let table = Scene::new(&format!(
                "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
                 body b: {solid} mass 1 [kg] {{ position = free((0, 0, 0.5) [m]); rotation = free(about y {turn} [deg]) }}\n\
                 initially b.position == (0, 0, 0.5) [m]\ncontact all {{ restitution = {restitution}; friction = {friction} }}"
            ))
            .probe(&["b.position", "contact(b, floor).gap"])
            .at(4.0);
            let what = format!("{solid} from {turn} degrees, {restitution}, {friction}");
            assert_near(&what, table.last("b.position.z"), height, 1e-9);
            assert_near(&what, table.last("contact(b, floor).gap"), 0.0, 1e-9);
        }
    }
}

/// Without friction or restitution a box lies across an edge of another and slides on: an edge lies down on a face, corners come and go. It never
/// sinks in.
#[test]
fn boxes_slide_over_one_another() {
    let table = Scene::new(
        "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         body b: box(0.375 [m], 0.231 [m], 0.343 [m]) mass 0.63 [kg] { position = free((-0.385, 0.487, 1.3) [m]); rotation = free(about (-0.08, 0.69, -0.46) -110 [deg]) }\n\
         initially b.position == (-0.385, 0.487, 1.3) [m]\ninitially b.velocity == (1.43, -0.33, 1.41) [m/s]\n\
         initially b.omega == (2.09, -1.27, -0.52) [rad/s]\n\
         frame arm { position = (0, 0, 0.7) [m]; rotation = about y free(30.1 [deg]) }\ninitially arm.angle == 30.1 [deg]\n\
         body gate in arm { position = (0.9, 0, 0) [m]; shape = box(0.3 [m], 0.4 [m], 0.2 [m]); mass = 1.5 [kg] }\ncontact all",
    )
    .probe(&["contact(b, gate).gap", "contact(b, floor).gap", "contact(gate, floor).gap"])
    .tolerance(1e-11)
    .run(0.78, 0.001);
    for (t, gaps) in table.times.iter().zip(&table.rows) {
        assert!(gaps.iter().all(|&gap| gap > -1e-10), "at {t}: {gaps:?}");
    }
}

/// A face falls past an edge, which lies down on it, first with one end, then with the other. Where the edge crosses one of the face's own, it
/// is parallel to the face but for 1e-10, and its other end must not be forgotten.
#[test]
fn edges_lie_down_on_faces() {
    let table = Scene::new(
        "gravity 9.81 [m/s^2]\nframe table { position = (0.2, 0, 0.2) [m]; shape = box(0.7 [m], 0.6 [m], 0.4 [m]) }\n\
         body b: box(0.253 [m], 0.366 [m], 0.177 [m]) mass 1.83 [kg] { position = free((-0.173, -0.087, 0.98914) [m]); rotation = free(about (-0.12, -0.08, 0.77) 8.8 [deg]) }\n\
         initially b.position == (-0.173, -0.087, 0.98914) [m]\ninitially b.velocity == (1.0, 1.32, -0.82) [m/s]\n\
         initially b.omega == (3.6, -2.95, 4.36) [rad/s]\ncontact all { restitution = 0; friction = 0.5 }",
    )
    .probe(&["contact(b, table).gap", "energy"])
    .tolerance(1e-11)
    .run(0.36, 0.0005);
    let mut least = f64::INFINITY;
    for (t, row) in table.times.iter().zip(&table.rows) {
        assert!(row[0] > -1e-10 && row[1] < least + 1e-10, "at {t}: {row:?}");
        least = row[1];
    }
}

/// Bricks that stand out too far fall, turned against one another by very little at first: nothing sinks in, and energy only falls.
#[test]
fn stacks_fall() {
    let gaps: Vec<String> = (1..4).map(|i| format!("contact(brick{i}, brick{}).gap", i + 1)).collect();
    let mut probes: Vec<&str> = gaps.iter().map(String::as_str).collect();
    probes.extend(["contact(brick4, table).gap", "energy", "brick1.position.z"]);
    let scene = Scene::example("overhang").set("share=1.05").probe(&probes).default_tolerance();
    let table = scene.run(2.0, 0.02);
    for (t, row) in table.times.iter().zip(&table.rows) {
        assert!(row[..4].iter().all(|&gap| gap > -2e-8), "at {t}: {row:?}");
        assert!(row[4] < 19.62 + 1e-7, "at {t}: {row:?}");
    }
    assert!(table.last("brick1.position.z") < -1.0, "it falls");
}

/// At the end of balance a stack falls as well, through hops that no gap shows: each impact of a brick lets another one hop, and that ends.
#[test]
fn stacks_fall_by_a_millionth() {
    let scene = Scene::example("overhang").set("share=1.000001").probe(&["brick1.position.z"]).tolerance(1e-9);
    assert!(scene.run(4.5, 0.5).last("brick1.position.z") < -1.0, "it falls");
}

/// What touches just beyond the end of a straight side has a point there: a cone, an ellipsoid and a box come to rest on one another.
#[test]
fn sides_that_end_are_touched_beyond_them() {
    let scene = Scene::new(
        "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         body b0: box(0.250 [m], 0.264 [m], 0.348 [m]) mass 1.16 [kg] { position = free((-0.151, 0.267, 0.600) [m]); rotation = free(about (0.47, 0.34, -0.08) -66.5 [deg]) }\n\
         initially b0.position == (-0.151, 0.267, 0.600) [m]\n\
         initially b0.velocity == (-1.11, -0.64, -0.85) [m/s]\ninitially b0.omega == (0.02, 0.09, -3.84) [rad/s]\n\
         body b1: ellipsoid(0.235 [m], 0.244 [m], 0.222 [m]) mass 1.33 [kg] { position = free((-0.175, 0.227, 1.500) [m]); rotation = free(about (-0.81, 0.73, -0.10) -41.7 [deg]) }\n\
         initially b1.position == (-0.175, 0.227, 1.500) [m]\n\
         initially b1.velocity == (-1.49, -0.32, 0.70) [m/s]\ninitially b1.omega == (2.23, 2.14, -2.86) [rad/s]\n\
         body b2: cone(0.157 [m], 0.300 [m]) mass 1.76 [kg] { position = free((-0.070, 0.244, 2.400) [m]); rotation = free(about (0.55, -0.30, -0.15) -78.8 [deg]) }\n\
         initially b2.position == (-0.070, 0.244, 2.400) [m]\n\
         initially b2.velocity == (-0.79, -0.51, 0.08) [m/s]\ninitially b2.omega == (3.19, -3.46, 3.47) [rad/s]\n\
         contact all { restitution = 0; friction = 0 }",
    )
    .probe(&["energy", "contact(b0, b2).gap", "contact(b1, b2).gap", "contact(b0, b1).gap"]);
    let table = scene.tolerance(1e-9).run(1.2, 0.02);
    let mut least = f64::INFINITY;
    for (t, row) in table.times.iter().zip(&table.rows) {
        assert!(row[0] < least + 1e-8 && row[1..].iter().all(|&gap| gap > -1e-8), "at {t}: {row:?}");
        least = row[0];
    }
}

/// Bounces of round things end at rest on the floor, and each of them begins where the last has ended: at the top of a hop it is slow, and
/// it comes back all the same.
#[test]
fn round_things_do_not_sink_as_they_bounce() {
    for (solid, turned, velocity, omega, friction) in [
        (
            "ellipsoid(0.239 [m], 0.218 [m], 0.110 [m]) mass 1.28 [kg]",
            "(-0.41, 0.96, 0.57) -145.7",
            "(-1.00, 0.68, -0.13)",
            "(0.05, 0.28, 3.43)",
            0.0,
        ),
        (
            "cone(0.232 [m], 0.338 [m]) mass 0.98 [kg]",
            "(0.03, 0.70, 0.85) 147.5",
            "(-0.01, 1.08, -0.46)",
            "(1.62, -2.32, -4.73)",
            0.3,
        ),
    ] {
        let text = format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
             body b: {solid} {{ position = free((0, 0, 0.6) [m]); rotation = free(about {turned} [deg]) }}\n\
             initially b.position == (0, 0, 0.6) [m]\ninitially b.velocity == {velocity} [m/s]\ninitially b.omega == {omega} [rad/s]\n\
             contact all {{ restitution = 0.5; friction = {friction} }}"
        );
        let table = Scene::new(&text).probe(&["contact(b, floor).gap"]).tolerance(1e-10).run(1.2, 0.02);
        for (t, row) in table.times.iter().zip(&table.rows) {
            assert!(row[0] > -1e-9, "{solid} at {t}: {row:?}");
        }
    }
}

/// Where restitution would add energy to a rod that lands at a slant while it slides, it acts as the largest that adds none: all is kept.
#[test]
fn restitution_with_friction_adds_no_energy() {
    let text = |restitution: f64| {
        format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
             body rod: rod(1 [m]) mass 1 [kg] {{ position = (free, 0, free(1 [m])); rotation = about y free(60 [deg]) }}\n\
             initially rod.position.x == 0 [m]\ninitially rod.position.z == 1 [m]\ninitially rod.angle == 60 [deg]\n\
             initially rod.velocity.x == 6 [m/s]\ninitially rod.velocity.z == -2 [m/s]\n\
             contact rod, floor {{ restitution = {restitution}; friction = 1.2 }}"
        )
    };
    let probes = ["energy", "contact(rod, floor).impacts"];
    let limited = |restitution: f64| {
        let table = Scene::new(&text(restitution)).probe(&probes).run(0.36, 0.01);
        let rows = table.rows.iter().filter(|row| row[1] > 0.0).count();
        assert!(rows > 0 && rows < table.rows.len(), "one impact, or two: {:?}", table.rows);
        let before =
            table.rows.iter().rfind(|row| row[1] == table.last(probes[1]) - 1.0).expect("a row before the last impact");
        table.last("energy") - before[0]
    };
    assert_near("as much as there was", limited(0.9), 0.0, 1e-9);
    assert!(limited(0.8) < -1e-3, "less takes energy away");
}

/// A torque drives a wheel along the floor with τ/r / (m + I/r²); before a smooth wall it stands, and presses against it with τ/r.
#[test]
fn a_driven_wheel_stands_before_a_wall() {
    let scene = Scene::new(
        "gravity 9.81 [m/s^2]\nsurface floor: z == 0\nsurface wall: x == 1 [m]\n\
         body wheel: sphere(0.2 [m]) mass 2 [kg] { position = free((0, 0, 0.2) [m]) }\n\
         initially wheel.position == (0, 0, 0.2) [m]\ntorque on wheel = (0 [N*m], 0.28 [N*m], 0 [N*m])\n\
         contact wheel, floor { friction = 0.5 }\ncontact wheel, wall { restitution = 0 }",
    )
    .probe(&["wheel.velocity", "wheel.omega", "contact(wheel, wall).force"]);
    let table = scene.at(1.0);
    assert_vectors_near("rolling", table.last_vector("wheel.velocity"), [0.5, 0.0, 0.0], 1e-11);
    let table = scene.at(3.0);
    assert_vectors_near("standing", table.last_vector("wheel.velocity"), [0.0; 3], 1e-11);
    assert_vectors_near("not turning", table.last_vector("wheel.omega"), [0.0; 3], 1e-10);
    assert_vectors_near("pressing", table.last_vector("contact(wheel, wall).force"), [1.4, 0.0, 0.0], 1e-9);
}

#[test]
fn a_see_saw_balances_and_tips() {
    let scene = |place: f64| {
        Scene::new(&format!(
            "gravity 9.81 [m/s^2]\nframe pivot {{ rotation = about y free }}\n\
             body plank in pivot {{ position = (0, 0, 0); shape = box(2 [m], 0.3 [m], 0.1 [m]); mass = 3 [kg] }}\n\
             body heavy: sphere(0.1 [m]) mass 2 [kg] {{ position = free((-0.4, 0, 0.15) [m]) }}\n\
             body light: sphere(0.1 [m]) mass 1 [kg] {{ position = free(({place}, 0, 0.15) [m]) }}\n\
             initially heavy.position == (-0.4, 0, 0.15) [m]\ninitially light.position == ({place}, 0, 0.15) [m]\n\
             contact all {{ friction = 0.6 }}"
        ))
        .probe(&["pivot.angle", "energy", "contact(plank, light).state", "contact(plank, light).force"])
    };
    let table = scene(0.8).at(0.3);
    assert_near("balanced", table.last("pivot.angle"), 0.0, 1e-9);
    assert_vectors_near("the light one", table.last_vector("contact(plank, light).force"), [0.0, 0.0, G], 1e-8);
    // Nothing is lost while both roll.
    let table = scene(0.5).run(0.5, 0.05);
    assert!(words(&table, "contact(plank, light).state").iter().all(|word| word == "sticking"));
    let energies = table.column("energy");
    for energy in &energies {
        assert_near("energy", *energy, energies[0], 1e-10);
    }
    assert!(table.last("pivot.angle") < -0.1, "it tips to the heavy side: {}", table.last("pivot.angle"));
}

/// The corners of a body in words of the language.
fn hull(corners: &[[f64; 3]]) -> String {
    let corner = |[x, y, z]: &[f64; 3]| format!("({x}, {y}, {z}) [m]");
    format!("hull({})", corners.iter().map(corner).collect::<Vec<_>>().join(", "))
}

/// A regular tetrahedron tips over one of its edges until a face lies on the floor. About an edge a its moment is m a² (1/20 + 1/8), its mass
/// ϱ a³ / (6 √2), and its centre a / (2 √2) away: all these follow from its corners.
#[test]
fn a_tetrahedron_tips_over_its_edge_and_stands_on_a_face() {
    let (a, start) = (0.4_f64, 0.1_f64);
    let height = a / 2.0_f64.sqrt();
    let turned = |[x, y, z]: [f64; 3]| [x * start.cos() + z * start.sin(), y, z * start.cos() - x * start.sin()];
    let corners =
        [[0.0, 0.5 * a, 0.0], [0.0, -0.5 * a, 0.0], [0.5 * a, 0.0, height], [-0.5 * a, 0.0, height]].map(turned);
    let arm = 0.5 * height;
    let [x, y, z] = turned([0.0, 0.0, arm]);
    let scene = Scene::new(&format!(
        "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
         body block: {} density 700 [kg/m^3] {{ position = free; rotation = free }}\n\
         initially block.position == ({x}, {y}, {z}) [m]\ncontact all {{ friction = 10 }}",
        hull(&corners)
    ));
    let probes = ["block.angle", "block.position", "contact(block, floor).force", "contact(block, floor).state"];
    let table = scene.probe(&probes).run(1.2, 0.05);
    let rate = |_, [angle, speed]: [f64; 2]| [speed, G * arm * angle.sin() / (0.175 * a * a)];
    let lies = std::f64::consts::FRAC_PI_2 - (0.5_f64).sqrt().atan();
    for (row, &t) in table.times.iter().enumerate() {
        let [angle, _] = integrate(rate, [start, 0.0], t.max(1e-6));
        let angle = angle.min(lies);
        assert_near(&format!("the angle at {t}"), table.rows[row][0], angle - start, 1e-9);
        let centre = [arm * angle.sin(), 0.0, arm * angle.cos()];
        assert_vectors_near("its edge stays where it is", table.vectors("block.position")[row], centre, 1e-9);
    }
    let weight = 700.0 * a * a * a / (6.0 * 2.0_f64.sqrt()) * G;
    assert_vectors_near("its weight", table.last_vector("contact(block, floor).force"), [0.0, 0.0, -weight], 1e-8);
    assert_eq!(last_word(&table, "contact(block, floor).state"), "sticking");
}

/// A box by its corners, written beside its centre, does what the box does: over the floor, an edge of another thing and a ball.
#[test]
fn a_hull_with_the_corners_of_a_box_moves_as_the_box() {
    let corners: Vec<[f64; 3]> =
        (0..8).map(|k| [0, 1, 2].map(|axis| (f64::from(k >> axis & 1) - 0.5) * [0.3, 0.2, 0.15][axis])).collect();
    let scene = |solid: &str, made: &str| {
        Scene::new(&format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
             frame step {{ position = (0.1, 0, 0.1) [m]; {made} }}\n\
             body ball: sphere(0.1 [m]) mass 0.5 [kg] {{ position = free((0.05, 0.02, 0.9) [m]) }}\n\
             body block: {solid} density 100 [kg/m^3] {{ position = free((0, 0, 0.5) [m]); rotation = free(about (1, 2, 1) 30 [deg]) }}\n\
             initially block.position == (0, 0, 0.5) [m]\ninitially ball.position == (0.05, 0.02, 0.9) [m]\n\
             contact all {{ restitution = 0.2; friction = 0.4 }}"
        ))
        .probe(&["block.position", "block.omega", "ball.position", "energy"])
    };
    let step: Vec<[f64; 3]> =
        (0..8).map(|k| [0, 1, 2].map(|axis| f64::from(k >> axis & 1) * 0.2 + [0.0, -0.1, -0.1][axis])).collect();
    let plain = scene("box(0.3 [m], 0.2 [m], 0.15 [m])", "shape = box(0.2 [m], 0.2 [m], 0.2 [m]) at (0.1, 0, 0) [m]");
    let cornered = scene(&hull(&corners), &format!("shape = {}", hull(&step)));
    assert_same_motion("by its corners", &plain.run(0.6, 0.05), &cornered.run(0.6, 0.05), 1e-6);
}

/// A ball rolls down inside of nothing: on a fixed one it slips and leaves, as the textbook's equations say at other numbers too.
#[test]
fn balls_roll_off_spheres() {
    for (friction, angle) in [(0.0, 0.2), (0.6, 0.1)] {
        let scene = Scene::example("ball_off_sphere").set(format!("friction={friction}")).set(format!("angle={angle}"));
        let probes = ["ball.position", "ball.velocity", "contact(ball, dome).state", "energy"];
        let table = scene.probe(&probes).run(1.5, 0.05);
        let states = words(&table, "contact(ball, dome).state");
        for (row, &t) in table.times.iter().enumerate() {
            let [x, _, z] = table.vectors("ball.position")[row];
            if states[row] == "sticking" {
                // Rolling: θ'' = g sin θ / (1.4 · 1.1).
                let [theta, _] = integrate(|_, [a, w]| [w, G * a.sin() / 1.54], [angle, 0.0], t.max(1e-6));
                assert_near(&format!("rolling at {t}"), x.atan2(z), theta, 1e-10);
            }
            if friction == 0.0 && states[row] == "sliding" {
                let [theta, _] = integrate(|_, [a, w]| [w, G * a.sin() / 1.1], [angle, 0.0], t.max(1e-6));
                assert_near(&format!("sliding at {t}"), x.atan2(z), theta, 1e-10);
            }
        }
        assert_eq!(states.last().map(String::as_str), Some("open"));
        if friction == 0.0 {
            let cosine = 2.0 / 3.0 * f64::cos(angle);
            let speed = (G * 1.1 * cosine).sqrt() * cosine;
            assert_near("its speed along x", table.last("ball.velocity.x"), speed, 1e-10);
        }
    }
}

/// Things that tumble over one another, in a room that may be turned about the vertical, and with names in either order.
fn tumbling(turn: f64, first: &str, second: &str) -> Scene {
    let ball = |name: &str| {
        format!(
            "body {name} in room: sphere(0.12 [m]) mass 0.7 [kg] {{ position = free((0.1, 0.05, 0.9) [m]); rotation = free }}\n\
             initially {name}.position == room.point((0.1, 0.05, 0.9) [m])\ninitially {name}.omega == room.vector((3, -2, 1) [rad/s])\n"
        )
    };
    let block = |name: &str| {
        format!(
            "body {name} in room: box(0.3 [m], 0.2 [m], 0.15 [m]) mass 1.2 [kg] {{ position = free((0, 0, 0.4) [m]); rotation = free(about (1, 2, 1) 30 [deg]) }}\n\
             initially {name}.position == room.point((0, 0, 0.4) [m])\ninitially {name}.velocity == room.vector((0.4, -0.2, 0) [m/s])\n"
        )
    };
    let bodies = if first < second { ball(first) + &block(second) } else { block(second) + &ball(first) };
    Scene::new(&format!(
        "gravity 9.81 [m/s^2]\nsurface floor: z == 0\nframe room {{ rotation = about z {turn} [deg] }}\n{bodies}\
         contact all {{ restitution = 0.3; friction = 0.4 }}"
    ))
    .probe(&[
        &format!("{first}.position relative to room"),
        &format!("{second}.position relative to room"),
        "energy",
    ])
}

#[test]
fn contact_does_not_depend_on_direction_or_names() {
    let plain = tumbling(0.0, "a", "b").run(0.8, 0.05);
    assert_same_motion("turned by 37 degrees", &plain, &tumbling(37.0, "a", "b").run(0.8, 0.05), 1e-5);
    let mut other = tumbling(0.0, "b", "a").run(0.8, 0.05);
    other.columns = plain.columns.clone();
    assert_same_motion("with names exchanged", &plain, &other, 1e-5);
}

#[test]
fn what_is_printed_does_not_change_the_motion() {
    let last = |every: f64| tumbling(0.0, "a", "b").run(0.8, every).rows.pop().expect("rows");
    let bits = |row: Vec<f64>| row.into_iter().map(f64::to_bits).collect::<Vec<u64>>();
    let seldom = bits(last(0.8));
    assert_eq!(bits(last(0.05)), seldom);
    assert_eq!(bits(last(0.0037)), seldom);
}

/// A run that is saved while things slide and rest goes on from there bit for bit, whatever was done in between.
#[test]
fn a_run_goes_on_from_where_it_was_saved() {
    let scene = tumbling(0.0, "a", "b");
    let instance = driver::Instance::new(&scene.compile(), &scene.options, None);
    let mut simulation = instance.unwrap_or_else(|found| panic!("{found:#?}"));
    simulation.configure(TIGHT, 0.8).expect("numbers");
    simulation.initialize().expect("a start");
    let advance = |simulation: &mut driver::Instance, t: f64| {
        while !simulation.advance(t, 1000).expect("a step") {}
        simulation.observe(t).expect("what is printed").into_iter().map(f64::to_bits).collect::<Vec<u64>>()
    };
    let mut saved = Vec::new();
    for k in 0..8 {
        advance(&mut simulation, 0.1 * f64::from(k));
        saved.push(simulation.save());
    }
    let end = advance(&mut simulation, 0.8);
    for moment in saved {
        simulation.restore(&moment);
        assert_eq!(advance(&mut simulation, 0.8), end);
    }
}

/// A guard that begins to hold at the very instant of an impact holds there, although the ball goes up at once; and the impact happens.
#[test]
fn a_transition_may_be_at_an_impact() {
    for guard in ["contact(ball, floor).gap <= 0", "ball.position.z <= 10 [cm]"] {
        let scene = Scene::new(&format!(
            "gravity 9.81 [m/s^2]\nsurface floor: z == 0\n\
             body ball: sphere(10 [cm]) mass 1 [kg] {{ position = (0, 0, free(1.1 [m])) }}\n\
             initially ball.position.z == 1.1 [m]\ncontact all {{ restitution = 0.7 }}\n\
             hits: [1] = 0\nalways hits' == 0 [1/s]\n\
             when hit: {guard} and ball.velocity.z < 0 {{ hits == pre(hits) + 1; keep all }}"
        ));
        let table = scene.tolerance(TIGHT).probe(&["hits", "contact(ball, floor).impacts", "ball.position.z"]).at(2.0);
        let fall = (2.0 / 9.81_f64).sqrt();
        // The bounces that begin within two seconds, each 0.7 times as long as the one before.
        let begin = |bounce: i32| fall * (1.0 + 2.0 * (0.7 - 0.7_f64.powi(bounce + 1)) / 0.3);
        let bounces = (0..).take_while(|&bounce| begin(bounce) < 2.0).count();
        assert_eq!(table.last("hits"), bounces as f64, "{guard}");
        assert_eq!(table.last("contact(ball, floor).impacts"), bounces as f64, "{guard}");
        let (since, speed) = (2.0 - begin(bounces as i32 - 1), 0.7_f64.powi(bounces as i32) * 9.81 * fall);
        assert_near(guard, table.last("ball.position.z"), 0.1 + speed * since - 9.81 * since * since / 2.0, 1e-9);
    }
}
