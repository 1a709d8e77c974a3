//! Linear models of things that touch, against closed forms.

use driver::{At, Level, Linearization, LocalMotion, Options, Settings, compile, linearization_text, linearize};

fn model(text: &str, at: At) -> Result<Linearization, String> {
    let options = Options { optimize: Level::None, ..Options::default() };
    let compilation = compile("test", text, &options);
    let stages = compilation.stages.as_ref().unwrap_or_else(|| panic!("{:#?}", compilation.diagnostics));
    let words = |found: &base::Diagnostics| found.iter().map(|it| format!("{}: {}", it.code.0, it.message)).collect();
    linearize(stages, &Settings::default(), at).map_err(|found| words(&found))
}

/// The modes that are not at rest, each once for a pair of complex ones.
fn moving(found: &Linearization) -> Vec<(f64, f64)> {
    let all = found.modes.iter().map(|mode| (mode.real, mode.imaginary));
    all.filter(|(real, imaginary)| real.abs() + imaginary.abs() > 1e-6).collect()
}

fn assert_oscillates(found: &Linearization, times: usize, square: f64) {
    let modes = moving(found);
    assert_eq!(modes.len(), times, "{modes:?}");
    for (real, imaginary) in modes {
        assert!(real.abs() < 1e-7 && (imaginary * imaginary / square - 1.0).abs() < 1e-8, "{real} {imaginary}");
    }
}

fn bowl(friction: &str) -> String {
    format!(
        "
        scene bowl
        gravity 9.81 [m/s^2]
        surface bowl: z == (x^2 + y^2) / 2 [m]
        body ball: sphere(0.1 [m]) mass 2 [kg] {{ position = (free, free, free); rotation = free }}
        initially ball.position == (0, 0, 0.1 [m])
        contact ball, bowl {{ friction = {friction} }}
        plot ball.position.x, contact(ball, bowl).state"
    )
}

/// The centre of a ball in a bowl of radius R swings like a pendulum of length R − r, slower by 5/7 if it rolls.
#[test]
fn a_ball_in_a_bowl_swings_and_rolls() {
    for (friction, part) in [("0", 1.0), ("0.5", 5.0 / 7.0)] {
        let found = model(&bowl(friction), At::Anywhere).expect("a linear model");
        assert_eq!(found.motion, LocalMotion::Rest);
        assert_eq!(found.touching, ["bowl and ball"]);
        assert!(linearization_text(&found).contains("touching, and taken to go on as they do: bowl and ball"));
        assert_oscillates(&found, 2, part * 9.81 / 0.9);
    }
}

/// A block on four corners slides before a spring: ω² = k / m. What friction holds does not move at all.
#[test]
fn a_block_before_a_spring_oscillates_unless_friction_holds_it() {
    let text = |friction: &str| {
        format!(
            "
            scene block
            gravity 9.81 [m/s^2]
            surface floor: z == 0
            body block: box(0.2 [m], 0.2 [m], 0.1 [m]) mass 2 [kg] {{ position = (free, free, free); rotation = free }}
            initially block.position == (0, 0, 0.05 [m])
            force on block = (-50 [N/m] * block.position.x, 0, 0)
            contact block, floor {{ friction = {friction} }}
            plot block.position.x"
        )
    };
    assert_oscillates(&model(&text("0"), At::Anywhere).expect("a linear model"), 1, 25.0);
    assert_oscillates(&model(&text("0.3"), At::Anywhere).expect("a linear model"), 0, 1.0);
}

/// A force on the centre of a ball that rolls accelerates 7/5 of its mass.
#[test]
fn an_input_moves_a_ball_that_rolls() {
    let text = "
        scene pushed
        control push = 0 [N]
        gravity 9.81 [m/s^2]
        surface floor: z == 0
        body ball: sphere(0.1 [m]) mass 2 [kg] { position = (free, free, free); rotation = free }
        initially ball.position == (0, 0, 0.1 [m])
        force on ball = (push, 0, 0)
        contact ball, floor { friction = 0.5 }
        plot ball.velocity.x";
    let found = model(text, At::Anywhere).expect("a linear model");
    // y = v_x, so the answer of y to a push is C B.
    let answer: f64 = found.c[0].iter().zip(&found.b).map(|(c, row)| c * row[0]).sum();
    assert!((answer - 5.0 / 14.0).abs() < 1e-10, "{answer}");
}

#[test]
fn what_is_about_to_change_has_no_linear_model() {
    let touching = "
        scene loose
        surface floor: z == 0
        body ball { position = (free, 0, free); mass = 2 [kg]; shape = sphere(0.1 [m]) }
        initially ball.position == (0, 0, 0.1 [m])
        contact ball, floor { restitution = 0.5 }
        plot ball.position.x";
    let found = model(touching, At::Anywhere).err().expect("it is refused");
    assert!(found.starts_with("no-linearisation: ") && found.contains("without a force"), "{found}");
    let force = bowl("0").replace(".state", ".force");
    let found = model(&force, At::Anywhere).err().expect("it is refused");
    assert!(found.starts_with("no-linearisation: ") && found.contains("is not known"), "{found}");
    let moving = "initially ball.velocity.x == 1 [m/s]";
    let moved = bowl("0").replace("contact ball, bowl", &format!("{moving}\n        contact ball, bowl"));
    let found = model(&moved, At::Anywhere).err().expect("it is refused");
    assert!(found.starts_with("no-equilibrium: ") && found.contains("touch"), "{found}");
    assert!(model(&moved, At::Initial).is_ok_and(|found| found.motion == LocalMotion::Passing));
}
