//! Examples of contact at values that no example has. What a formula gives is computed here; the rest was integrated apart from the product, each phase
//! by its own textbook equations with a method of order 8 at 2e-14, and its events found as roots.

use std::f64::consts::PI;

use crate::scene::{Scene, TIGHT, assert_near};

const G: f64 = 9.81;

/// An example, what is set in it, a time, what is true then, and a state of contact.
type Known = (&'static str, &'static str, f64, &'static [(&'static str, f64)], (&'static str, &'static str));

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    // Balls roll, slip and leave.
    ("ball_off_sphere", "dome_radius=2 radius=0.3 angle=0.25 friction=0.15 g=9.81", 1.159, &[("ball.position.x", 1.8956827351062708), ("ball.position.z", 1.302891628194221), ("ball.velocity.x", 2.2743451903258296), ("ball.velocity.z", -3.269900379406223), ("ball.omega.y", 7.689305350646069)], ("contact(ball, dome).state", "open")),
    ("ball_off_sphere", "dome_radius=0.5 radius=0.5 angle=0.02 friction=0.8 g=9.81", 1.77, &[("ball.position.x", 0.8761316179039496), ("ball.position.z", 0.4850281633603873), ("ball.velocity.x", 1.4531428632185872), ("ball.velocity.z", -2.451473519761155), ("ball.omega.y", 4.443379367741013)], ("contact(ball, dome).state", "open")),
    ("ball_off_sphere", "dome_radius=0.7 radius=0.05 angle=0.6 friction=0.2 g=20", 0.266, &[("ball.position.x", 0.6495993132655438), ("ball.position.z", 0.374889634113259), ("ball.velocity.x", 1.4728826061137155), ("ball.velocity.z", -2.5408283404076064), ("ball.omega.y", 30.877258749659237)], ("contact(ball, dome).state", "open")),
    // Blocks tip over an edge, stick there, slip again, and leave by their force or by their corner.
    ("tipping_block", "half_length=0.13 half_height=0.04 speed=0.7 friction=0.1 start=0.2 g=9.81", 0.665, &[("block.position.x", 0.08038585820868786), ("block.position.z", -0.04015116000453363), ("block.velocity.x", 0.3601814548140261), ("block.velocity.z", -1.116108589283315), ("block.omega.y", 6.098367396429953)], ("contact(block, table).state", "open")),
    ("tipping_block", "half_length=0.1 half_height=0.15 speed=0.4 friction=0.03 start=0.11 g=9.81", 0.672, &[("block.position.x", 0.15919722425481816), ("block.position.z", 0.035231781874680346), ("block.velocity.x", 0.656083679751908), ("block.velocity.z", -1.294428611141118), ("block.omega.y", 4.568556901811901)], ("contact(block, table).state", "open")),
    ("tipping_block", "half_length=0.2 half_height=0.03 speed=1.6 friction=0.2 start=0.19 g=9.81", 0.328, &[("block.position.x", 0.250993285895134), ("block.position.z", -0.06795512191890447), ("block.velocity.x", 1.2425041563395947), ("block.velocity.z", -1.326910039311476), ("block.omega.y", 2.904067056874558)], ("contact(block, table).state", "open")),
    ("tipping_block", "half_length=0.08 half_height=0.08 speed=0.45 friction=0 start=0.1 g=3.7", 0.484, &[("block.position.x", 0.12005950518003325), ("block.position.z", 0.03120589232726704), ("block.velocity.x", 0.46996590349552947), ("block.velocity.z", -0.5531646067141487), ("block.omega.y", 2.933535790885198)], ("contact(block, table).state", "open")),
    ("tipping_block", "half_length=0.1 half_height=0.1 speed=0.55 friction=0.12 start=0.12 g=9.81", 0.729, &[("block.position.x", 0.11316526525423522), ("block.position.z", 0.007747372351430342), ("block.velocity.x", 0.5385871114564885), ("block.velocity.z", -1.1785220093474378), ("block.omega.y", 4.447795402115534)], ("contact(block, table).state", "open")),
    // Ladders leave the wall.
    ("ladder", "length=1 angle=25 g=9.81", 0.523, &[("ladder.position.x", 0.5377935195734571), ("ladder.position.z", 0.026383502609103306), ("ladder.velocity.x", 0.9007967615910331), ("ladder.velocity.z", -2.3806289444258293), ("ladder.omega.y", -4.767900283656906)], ("contact(ladder, wall).state", "open")),
    ("ladder", "length=2.7 angle=5 g=9.81", 1.537, &[("ladder.position.x", 1.456153528428302), ("ladder.position.z", 0.1277890183093359), ("ladder.velocity.x", 1.7057346435055984), ("ladder.velocity.z", -3.96126562371126), ("ladder.omega.y", -2.947505721967141)], ("contact(ladder, wall).state", "open")),
    ("ladder", "length=0.6 angle=50 g=3.71", 0.42100000000000004, &[("ladder.position.x", 0.3113580269292999), ("ladder.position.z", 0.008450543051138074), ("ladder.velocity.x", 0.256296437996147), ("ladder.velocity.z", -0.9882544495447775), ("ladder.omega.y", -3.2954891824442787)], ("contact(ladder, wall).state", "open")),
    // What was struck is struck again; the third ball is not caught.
    ("struck_pendulum", "length=0.8 mass=1.5 ball_mass=0.6 radius=0.04 speed=1.4 restitution=0.7 g=9.81", 1.0, &[("ball.velocity.x", -0.21614885168688058), ("upper.omega.y", 0.46352878574858714), ("lower.omega.y", -0.3257672938067744)], ("", "")),
    ("struck_pendulum", "length=0.5 mass=1 ball_mass=0.5 radius=0.03 speed=0.8 restitution=0.9 g=3.7", 1.0, &[("ball.velocity.x", -0.12654365689095615), ("upper.omega.y", -0.25613107134906316), ("lower.omega.y", -0.38428582381469867)], ("", "")),
    ("struck_pendulum", "length=1 mass=1 ball_mass=0.3 radius=0.05 speed=2 restitution=1 g=9.81", 1.0, &[("ball.velocity.x", 0.02816901408450745), ("upper.omega.y", 1.1923051067839379), ("lower.omega.y", -1.408494426944217)], ("", "")),
    // Rods bounce on either end.
    ("falling_rod", "half_length=0.7 angle=42 height=0.31 restitution=0.8 g=9.81", 0.9, &[("rod.position.z", 0.3553097653060441), ("rod.velocity.z", -0.6390980841883789), ("rod.omega.y", -1.8343165686729144)], ("", "")),
    ("falling_rod", "half_length=0.5 angle=70 height=0.05 restitution=0.9 g=3.7", 0.9, &[("rod.position.z", 0.18155110410922073), ("rod.velocity.z", 0.9167098274265562), ("rod.omega.y", 2.6983877833187293)], ("", "")),
    // Blocks rock.
    ("rocking_block", "half_width=0.12 half_height=0.5 tilt=0.15 g=9.81", 3.0, &[("block.omega.y", 0.379114933795271), ("energy", 4.948457029411645), ("contact(block, floor).impacts", 6.0)], ("", "")),
    ("rocking_block", "half_width=0.2 half_height=0.45 tilt=0.3 g=3.7", 3.0, &[("block.omega.y", 0.09493323902906116), ("energy", 1.669763658877012), ("contact(block, floor).impacts", 6.0)], ("", "")),
    ("rocking_block", "half_width=0.05 half_height=0.4 tilt=0.06 g=9.81", 3.0, &[("block.omega.y", 0.1489036609814819), ("energy", 3.940889877890686), ("contact(block, floor).impacts", 6.0)], ("", "")),
    // Blocks are pushed across slopes steeper than friction bears, and less steep.
    ("slope_block", "slope=33 friction=0.5 speed=2.6 g=9.81", 3.0, &[("block.velocity.x", 4.041267781434313), ("block.velocity.y", 0.032421058577445906), ("block.velocity.z", -2.6244299834079006)], ("contact(block, plane).state", "sliding")),
    ("slope_block", "slope=20 friction=0.6 speed=3 g=1.62", 3.0, &[("block.velocity.x", 0.6291119442050579), ("block.velocity.y", 0.5430849836798053), ("block.velocity.z", -0.22897802171198092)], ("contact(block, plane).state", "sliding")),
];

#[test]
fn examples_are_right_at_other_values() {
    for &(example, settings, t, values, (asked, word)) in KNOWN {
        let scene = settings.split(' ').fold(Scene::example(example), |scene, setting| scene.set(setting));
        let probes: Vec<&str> =
            values.iter().map(|(name, _)| *name).chain((!asked.is_empty()).then_some(asked)).collect();
        let table = scene.probe(&probes).at(t);
        let size = values.iter().fold(1.0_f64, |size, (_, value)| size.max(value.abs()));
        for (name, expected) in values {
            assert_near(&format!("{example} with {settings}: {name}"), table.last(name), *expected, 1e-10 * size);
        }
        if !asked.is_empty() {
            let words = table.words.last().and_then(Option::as_ref).expect("a state has words");
            assert_eq!(words[table.last(asked) as usize], word, "{example} with {settings}");
        }
    }
}

/// Each impact exchanges speeds, or turns one round. How many there are says Galperin's formula.
#[test]
fn blocks_before_a_wall_collide_as_often_at_other_ratios() {
    for (ratio, speed) in [(2.5_f64, 0.7), (37.0, 1.0), (256.0, 1.1), (1000.0, 2.0)] {
        let (mut big, mut small, mut count) = (-speed, 0.0, 0);
        // They meet, then the wall, in turn, until neither approaches.
        loop {
            if small <= big {
                break;
            }
            (big, small) = (
                ((ratio - 1.0) * big + 2.0 * small) / (ratio + 1.0),
                (2.0 * ratio * big - (ratio - 1.0) * small) / (ratio + 1.0),
            );
            count += 1;
            if small >= 0.0 {
                break;
            }
            small = -small;
            count += 1;
        }
        assert_eq!(f64::from(count), (PI / (1.0 / ratio).sqrt().atan()).ceil() - 1.0, "the formula for {ratio}");
        let impacts = "contact(big, small).impacts + contact(small, wall).impacts";
        let scene = Scene::example("billiard").set(format!("ratio={ratio}")).set(format!("speed={speed}"));
        let table = scene.probe(&["big.velocity.x", "small.velocity.x", impacts]).at(12.0);
        assert_eq!(table.last(impacts), f64::from(count), "for a ratio of {ratio}");
        assert_near("the big one", table.last("big.velocity.x"), big, 1e-12);
        assert_near("the small one", table.last("small.velocity.x"), small, 1e-11);
    }
}

/// Bounce after bounce friction takes from the slip what its cone bears, until the ball rolls off the floor.
#[test]
fn spin_is_spent_over_many_bounces() {
    for (radius, speed, spin, restitution, friction) in
        [(0.08, 1.2, -75.0, 0.72, 0.12), (0.03, -2.0, 120.0, 0.85, 0.05), (0.05, 2.0, -40.0, 0.7, 1.2)]
    {
        let (height, until) = (0.6, 1.2);
        let (mut x, mut vx, mut omega) = (0.0, speed, spin);
        let mut down = (2.0 * G * (height - radius)).sqrt();
        let (mut landing, mut left, mut up) = (down / G, 0.0, 0.0);
        while landing < until {
            x += vx * (landing - left);
            let slip: f64 = vx - radius * omega;
            let push = slip.signum() * (friction * (1.0 + restitution) * down).min(slip.abs() * 2.0 / 7.0);
            (vx, omega) = (vx - push, omega + 2.5 * push / radius);
            (left, up) = (landing, restitution * down);
            down = up;
            landing += 2.0 * up / G;
        }
        let scene =
            [("radius", radius), ("height", height), ("speed", speed), ("spin", spin), ("restitution", restitution)]
                .iter()
                .fold(Scene::example("spin_bounce"), |scene, (name, value)| scene.set(format!("{name}={value}")));
        let probes = ["ball.position.x", "ball.velocity.x", "ball.velocity.z", "ball.omega.y"];
        let table = scene.set(format!("friction={friction}")).probe(&probes).at(until);
        for (name, expected) in probes.into_iter().zip([x + vx * (until - left), vx, up - G * (until - left), omega]) {
            assert_near(&format!("{name} with {friction}"), table.last(name), expected, 1e-9);
        }
    }
}

/// Balls that scatter one another lose all digits in a few dozen impacts; a ball that bounces as often loses none, nor do blocks before a wall.
#[test]
fn what_clatters_is_told_apart_from_what_bounces() {
    let lost = |scene: Scene, until: f64| {
        let table = scene.tolerance(TIGHT).run(until, 0.01);
        table.warnings.iter().any(|warning| warning.code.0 == "digits-lost")
    };
    assert!(!lost(Scene::example("dropped_ball"), 3.0), "one ball");
    assert!(!lost(Scene::example("billiard"), 6.0), "31 impacts");
    assert!(!lost(Scene::example("rocking_block"), 3.0), "10 landings");
    // Four balls between walls: each impact of round things multiplies an error by their distance over their radius, and more.
    let mut text = String::new();
    for side in ["left: x == -1", "right: x == 1", "front: y == -1", "back: y == 1"] {
        text.push_str(&format!("surface {side} [m]\n"));
    }
    for i in 0..4 {
        let (x, y) = (0.5 * f64::from(i % 2) - 0.3, 0.6 * f64::from(i / 2) - 0.4);
        text.push_str(&format!(
            "body b{i}: sphere(0.1 [m]) mass 1 [kg] {{ position = free(({x}, {y}, 0) [m]) }}\n\
             initially b{i}.position == ({x}, {y}, 0) [m]\ninitially b{i}.velocity == ({}, {}, 0) [m/s]\n",
            1.3 - 0.7 * f64::from(i),
            0.4 + 0.3 * f64::from(i)
        ));
    }
    text.push_str("contact all { restitution = 1 }");
    assert!(lost(Scene::new(&text), 30.0), "a game of billiards");
    assert!(!lost(Scene::new(&text), 2.0), "its first impacts");
}
