//! Equations for people: short, as textbooks have them, and the same as what was derived.

use driver::{Form, Notation, Options};
use equations::{Board, Proof};

use crate::scene::examples;

fn board(text: &str, form: Form) -> Board {
    let options = Options { picture: true, ..Options::default() };
    let stages = driver::compile("scene", text, &options).stages.expect("a scene");
    Board::new(&stages.system, form)
}

fn example(name: &str) -> String {
    std::fs::read_to_string(examples().join(name)).expect("an example")
}

fn written(board: &Board, role: &str) -> Vec<String> {
    let rows = board.rows.iter().filter(|row| row.role == role);
    rows.map(|row| board.equation(row, Notation::Text)).collect()
}

/// The equation of every course on mechanics.
#[test]
fn a_pendulum_reads_as_in_books() {
    let pendulum = example("pendulum.anz");
    let shown = board(&pendulum, Form::Lagrangian);
    assert_eq!(written(&shown, "equations of motion"), ["θ̈ + g·sin(θ)/l = 0"]);
    assert_eq!(
        shown.equation(&shown.rows[0], Notation::Latex),
        r"\ddot{\theta} + \frac{g\,\sin\left(\theta\right)}{l} = 0"
    );
    assert_eq!(written(&board(&pendulum, Form::StateSpace), "rates of the states"), ["θ̈ = -g·sin(θ)/l"]);
}

/// Newton's equations with the force of the rod, which does no work: eliminating it gives Lagrange's equation.
#[test]
fn newton_sees_the_force_of_the_rod() {
    let shown = board(&example("pendulum.anz"), Form::NewtonEuler);
    assert_eq!(
        written(&shown, "Newton and Euler, body by body"),
        ["l·m·cos(θ)·θ̈ - l·m·θ̇²·sin(θ) = R_y", "l·m·sin(θ)·θ̈ + l·m·θ̇²·cos(θ) + m·g = R_z"]
    );
    assert_eq!(written(&shown, "reactions do no work"), ["sin(θ)·R_z + cos(θ)·R_y = 0"]);
    let steps = board(&example("pendulum.anz"), Form::Derivation);
    assert_eq!(written(&steps, "kinematics"), ["y = l·sin(θ)", "z = -l·cos(θ)"]);
}

/// What is free to move has no joint that could exert anything; a wheel on an axle is turned by its torque, with half of its m r².
#[test]
fn newton_and_euler_of_what_no_joint_holds() {
    let stone = "scene stone\nparam drag = 2 [kg/s]\ngravity 9.81 [m/s^2]\nbody b { position = (free, free, free); mass = 3 [kg] }\n\
                 force on b = -drag * b.velocity\n";
    let shown = board(stone, Form::NewtonEuler);
    assert_eq!(
        written(&shown, "Newton and Euler, body by body"),
        [
            "x\u{308} + 1/3·drag·x\u{307} = 0",
            "y\u{308} + 1/3·drag·y\u{307} = 0",
            "3·z\u{308} + drag·z\u{307} + 3·g = 0"
        ]
    );
    assert!(written(&shown, "reactions do no work").is_empty());
    let wheel = "scene wheel\nparam torque = 2 [N*m]\n\
                 body w in world { rotation = about z free; shape = cylinder(radius: 1 [m], height: 1 [m]); mass = 4 [kg] }\n\
                 torque on w = (0, 0, torque)\n";
    let shown = board(wheel, Form::NewtonEuler);
    assert_eq!(written(&shown, "Newton and Euler, body by body"), ["θ\u{308} - 1/2·torque = 0"]);
}

/// With the second angle measured from the first rod: Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, section 6.4, with
/// point masses at the ends of rods.
#[test]
fn a_double_pendulum_reads_as_in_books() {
    let shown = board(&example("double_pendulum.anz"), Form::Lagrangian);
    assert_eq!(
        written(&shown, "equations of motion"),
        [
            "(2·l₁·l₂·m₂·cos(θ₂) + (m₁ + m₂)·l₁² + l₂²·m₂)·θ̈₁ + l₂·m₂·(l₁·cos(θ₂) + l₂)·θ̈₂ \
             - l₁·l₂·m₂·θ̇₂·(2·θ̇₁ + θ̇₂)·sin(θ₂) + (m₁ + m₂)·l₁·g·sin(θ₁) + l₂·m₂·g·sin(θ₁ + θ₂) = 0",
            "(l₁·cos(θ₂) + l₂)·θ̈₁ + l₂·θ̈₂ + l₁·θ̇₁²·sin(θ₂) + g·sin(θ₁ + θ₂) = 0",
        ]
    );
}

/// Every form of every example: whatever was simplified agrees with what was derived, and all but long ones were. Rotations in space
/// have products of four components each, which nobody would multiply out.
#[test]
fn equations_of_all_examples_agree_with_what_was_derived() {
    let (mut checked, mut all) = (0, 0);
    for file in std::fs::read_dir(examples()).expect("the examples") {
        let file = file.expect("a file").path();
        if file.extension().is_none_or(|kind| kind != "anz") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a scene");
        let options = Options { picture: true, ..Options::default() };
        let stages = driver::compile("scene", &text, &options).stages.expect("an example");
        for (name, form) in Form::NAMED {
            let board = Board::new(&stages.system, *form);
            let agreed =
                board.rows.iter().filter(|row| matches!(row.proof, Proof::Checked(points) if points >= 8)).count();
            // A curve through data is a polynomial of cells of a table, which multiplied out is too long to read.
            let short = !text.contains("\ndata ");
            assert!(
                !short || 3 * agreed >= board.rows.len(),
                "{} as {name}: {agreed} of {}",
                file.display(),
                board.rows.len()
            );
            checked += agreed;
            all += board.rows.len();
        }
    }
    assert!(checked as f64 > 0.95 * all as f64, "{checked} of {all} equations are simplified");
}
