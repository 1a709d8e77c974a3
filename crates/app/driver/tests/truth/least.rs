//! Plans that minimize, against problems of optimal control whose answers are known.

use crate::scene::{Scene, assert_near};

/// x'' = u: a position, a velocity and an effort ½∫u² dt, with modes of a plan and what u is in each.
fn pushed(start: [f64; 2], stages: &[&str], plan: &str) -> Scene {
    let [x, v] = start;
    let names: Vec<String> = (0..stages.len()).map(|at| format!("s{at}")).collect();
    let mut text = format!(
        "x: [m] = {x} [m]\nv: [m/s] = {v} [m/s]\nu: [m/s^2]\neffort: [m^2/s^3] = 0\nage: [s] = 0 [s]\n\
         mode stage: {}\nalways x' == v\nalways v' == u\nalways effort' == u^2 / 2\nalways age' == 1\n",
        names.join(" | ")
    );
    for (name, given) in names.iter().zip(stages) {
        text.push_str(&format!("always u == {given} while stage == {name}\n"));
    }
    Scene::new(&format!("{text}{plan}")).default_tolerance()
}

const HURRY: &str = "plan hurry when stage == s0 {\n\
    choose a: [m/s^2] from 0.5 [m/s^2] in [-1, 1] [m/s^2]\n choose b: [m/s^2] from -0.5 [m/s^2] in [-1, 1] [m/s^2]\n\
    choose p: [s] from 1 [s] in [0.01, 20] [s]\n choose q: [s] from 1 [s] in [0.01, 20] [s]\n\
    begin { stage == s1 }\n after p { stage == s2 }\n after q aim x == AIM [m], v == 0 COST { stage == s3 }\n}";

const STAGES: [&str; 4] = ["0", "a", "b", "0"];

/// The fastest way from rest to rest over a distance d with |u| <= 1 is to push for √d and to brake for √d.
#[test]
fn the_fastest_way_pushes_and_brakes_with_all_there_is() {
    for distance in [0.3, 1.0, 7.0_f64, -2.0] {
        let plan = HURRY.replace("AIM", &distance.to_string()).replace("COST", "minimizing p + q");
        let table = pushed([0.0, 0.0], &STAGES, &plan).probe(&["a", "b", "p", "q", "x", "v"]).run(9.0, 9.0);
        let time = distance.abs().sqrt();
        let expected = [("a", distance.signum()), ("b", -distance.signum()), ("p", time), ("q", time)];
        for (name, expected) in expected {
            assert_near(name, table.last(name), expected, 1e-10);
        }
        assert_near("x", table.last("x"), distance, 1e-10);
    }
}

/// Starting with a velocity v0 towards the aim: the first push ends at a time p = √(d + v0²/2) − v0, the second lasts √(d + v0²/2).
#[test]
fn a_moving_start_shifts_the_switching_time() {
    let plan = HURRY.replace("AIM", "3").replace("COST", "minimizing p + q");
    let table = pushed([0.0, 0.8], &STAGES, &plan).probe(&["p", "q"]).run(6.0, 6.0);
    let braking = (3.0_f64 + 0.32).sqrt();
    assert_near("p", table.last("p"), braking - 0.8, 1e-10);
    assert_near("q", table.last("q"), braking, 1e-10);
}

/// Bryson and Denham: from x = 0, x' = 1 to x = 0, x' = −1 in a second, with x <= l = 1/9. The least ½∫u² dt is 4/(9 l) = 4, in three phases of which
/// the first and the last take 3 l.
#[test]
fn an_arch_under_a_ceiling_has_the_effort_of_bryson_and_denham() {
    let plan = "plan arch when stage == s0 {\n\
         choose a: [m/s^2] from -4 [m/s^2]\n choose b: [m/s^3] from 4 [m/s^3]\n\
         choose c: [m/s^2] from -4 [m/s^2]\n choose d: [m/s^3] from 4 [m/s^3]\n\
         choose p: [s] from 0.25 [s] in [0.01, 0.9] [s]\n choose q: [s] from 0.4 [s] in [0.01, 0.9] [s]\n\
         begin { stage == s1 }\n\
         after p aim x == 1 [m] / 9, v == 0, u <= 0 { stage == s2 }\n\
         after q aim c + d * (1 [s] - age) <= 0 { stage == s3 }\n\
         after 1 [s] - p - q aim x == 0, v == -1 [m/s] minimizing effort { stage == s4 }\n}";
    let stages = ["0", "a + b * age", "0", "c + d * (1 [s] - age)", "0"];
    let table = pushed([0.0, 1.0], &stages, plan).probe(&["effort", "x", "v", "p", "q", "a", "b"]).run(1.5, 0.01);
    assert_near("effort", table.last("effort"), 4.0, 1e-9);
    // Where the phases meet, the cost is flat to the third order: the times are known no better than to the cube root of its last places.
    assert_near("p", table.last("p"), 1.0 / 3.0, 1e-4);
    assert_near("q", table.last("q"), 1.0 / 3.0, 1e-4);
    assert_near("a", table.last("a"), -6.0, 1e-6);
    assert_near("b", table.last("b"), 18.0, 1e-5);
    assert!(table.column("x").iter().all(|x| *x <= 1.0 / 9.0 + 1e-9));
}

/// The lunar lander of textbooks: h'' = u − 1.5, 0 <= u <= 3, from h = 10, h' = −2. The least fuel is burnt by falling, and by full thrust from
/// t_f/2 + h'/3 on, with t_f = 2 h'/3 + 4/3 √(h'²/2 + 3 h/2).
#[test]
fn a_lander_falls_and_then_brakes_with_all_there_is() {
    let plan = "fuel: [m/s] = 0\nalways fuel' == u + 1.5 [m/s^2]\nplan land when stage == s0 {\n\
         choose a: [m/s^2] from 1 [m/s^2] in [0, 3] [m/s^2]\n choose b: [m/s^2] from 2 [m/s^2] in [0, 3] [m/s^2]\n\
         choose p: [s] from 2 [s] in [0.01, 20] [s]\n choose q: [s] from 2 [s] in [0.01, 20] [s]\n\
         begin { stage == s1 }\n after p { stage == s2 }\n\
         after q aim x == 0, v == 0 minimizing fuel { stage == s3 }\n}";
    let stages = ["-1.5 [m/s^2]", "a - 1.5 [m/s^2]", "b - 1.5 [m/s^2]", "0"];
    let table = pushed([10.0, -2.0], &stages, plan).probe(&["a", "b", "p", "q"]).run(5.0, 5.0);
    let end = -4.0 / 3.0 + 4.0 / 3.0 * 17.0_f64.sqrt();
    let switch = end / 2.0 - 2.0 / 3.0;
    assert_near("no thrust at first", table.last("a"), 0.0, 1e-9);
    assert_near("all thrust at last", table.last("b"), 3.0, 1e-9);
    assert_near("switching time", table.last("p"), switch, 1e-9);
    assert_near("end", table.last("p") + table.last("q"), end, 1e-9);
}

/// Of all throws that reach a place, the slowest has the speed √(g (h + √(h² + d²))), and leaves halfway between the line to it and the vertical. A limit
/// on how steep it may be makes it faster: from v² = g d² / (2 cos² (d tan − h)).
#[test]
fn the_slowest_throw_that_reaches_a_place() {
    let throw = |limit: &str| {
        Scene::new(&format!(
            "gravity 9.81 [m/s^2]\nbody ball {{ position = (free, 0, free); mass = 1 [kg] }}\nmode m: a | b | c\n\
             plan p when m == a {{\n choose along: [m/s] from 5 [m/s]\n choose up: [m/s] from 8 [m/s]\n\
             choose time: [s] from 1 [s] in [0.1, 5] [s]\n\
             begin {{ m == b; ball.velocity == (along, 0 [m/s], up); keep positions }}\n\
             after time aim ball.position.x == 4.2 [m], ball.position.z == 1.05 [m]{limit}\n\
               minimizing along^2 + up^2 {{ m == c; keep all }}\n}}\nlet speed = sqrt(along^2 + up^2)"
        ))
        .default_tolerance()
        .probe(&["speed", "along", "up"])
        .run(0.5, 0.5)
    };
    let (g, d, h) = (9.81_f64, 4.2_f64, 1.05_f64);
    let free = throw("");
    assert_near("speed", free.last("speed"), (g * (h + h.hypot(d))).sqrt(), 1e-9);
    let angle = (h.atan2(d) + std::f64::consts::FRAC_PI_2) / 2.0;
    assert_near("angle", free.last("up").atan2(free.last("along")), angle, 1e-7);
    let flat = throw(", up <= 0.9 * along");
    let (tan, cos) = (0.9_f64, 1.0 / 1.81_f64.sqrt());
    assert_near("speed", flat.last("speed"), (g * d * d / (2.0 * cos * cos * (d * tan - h))).sqrt(), 1e-9);
    // A limit that does not bind changes nothing.
    assert_near("speed", throw(", up <= 9 * along").last("speed"), free.last("speed"), 1e-9);
}

/// A range alone, without a cost: of two angles that hit, the one within it.
#[test]
fn a_range_picks_one_of_two_ways() {
    let throw = |[angle, time]: [f64; 2], range: &str| {
        Scene::new(&format!(
            "gravity 10 [m/s^2]\nbody ball {{ position = (free, 0, free); mass = 1 [kg] }}\nmode m: a | b | c\n\
             plan p when m == a {{\n choose angle: [deg] from {angle} [deg] in {range} [deg]\n choose time: [s] from {time} [s]\n\
             begin {{ m == b; ball.velocity == (10 [m/s]*cos(angle), 0 [m/s], 10 [m/s]*sin(angle)); keep positions }}\n\
             after time aim ball.position.x == 5 [m], ball.position.z == 0 {{ m == c; keep all }}\n}}"
        ))
        .default_tolerance()
        .probe(&["angle"])
    };
    let degree = std::f64::consts::PI / 180.0;
    assert_near("flat", throw([50.0, 1.0], "[5, 45]").run(0.5, 0.5).last("angle"), 15.0 * degree, 1e-10);
    assert_near("steep", throw([70.0, 2.0], "[45, 85]").run(0.5, 0.5).last("angle"), 75.0 * degree, 1e-10);
    let found = throw([50.0, 1.0], "[30, 60]").trouble(1.0, 0.5);
    assert_eq!(found.code.0, "no-plan");
}

/// What falls for ever has no least value, and what cannot be met within a limit is told as any other miss.
#[test]
fn what_has_no_least_or_no_way_is_refused() {
    let text = HURRY.replace("AIM", "1").replace("COST", "minimizing -p").replace(" in [0.01, 20] [s]", "");
    let found = pushed([0.0, 0.0], &STAGES, &text).trouble(3.0, 1.0);
    assert_eq!(found.code.0, "no-plan");
    let text = HURRY.replace("AIM", "1").replace("COST", ", p + q <= 1.5 [s] minimizing p + q").replace(" ,", ",");
    let found = pushed([0.0, 0.0], &STAGES, &text).trouble(3.0, 1.0);
    assert_eq!(found.code.0, "no-plan");
    assert!(found.message.contains("finds no way"), "{found:#?}");
    assert!(found.labels.iter().any(|label| label.text == "`a` = 1 [m/s^2]"), "{found:#?}");
}
