//! Parameters and controls as a user gives them: numbers in declared units, literals with units, and nonsense.

use base::Severity;
use simulation::Simulation;

use crate::scene::{Scene, assert_near};

const LAUNCH: &str = "scene launch
    param angle = 30 [deg]
    param height = 150 [cm]
    param mass = 2 [kg]
    control thrust in [-5, 5] [kN] = 1 [kN]
    control tilt = 0
    body rocket { position = (0, free(1 [m] * cos(angle)), free(height)); mass = mass }
    force on rocket = thrust * (0, sin(tilt), cos(tilt))";

fn launch() -> Scene {
    Scene::new(LAUNCH).probe(&["rocket.position"])
}

#[test]
fn plain_numbers_are_in_the_declared_unit_and_literals_bring_their_own() {
    let expected = [
        ("", 30.0_f64.to_radians(), 1.5),
        ("angle=60", 60.0_f64.to_radians(), 1.5),
        ("angle=1[rad]", 1.0, 1.5),
        ("angle = 0.25 [rev]", 0.25 * std::f64::consts::TAU, 1.5),
        ("height=20", 30.0_f64.to_radians(), 0.2),
        ("height=2[m]", 30.0_f64.to_radians(), 2.0),
        ("height=1e-3[km]", 30.0_f64.to_radians(), 1.0),
        ("height=-3 [ft]", 30.0_f64.to_radians(), -0.9144),
    ];
    for (setting, angle, height) in expected {
        let scene = if setting.is_empty() { launch() } else { launch().set(setting) };
        let table = scene.run(0.5, 0.5);
        let [_, y, z] = table.vectors("rocket.position")[0];
        assert_near(setting, y, angle.cos(), 1e-14);
        assert_near(setting, z, height, 1e-14);
    }
}

#[test]
fn controls_act_with_their_defaults_and_with_what_is_given() {
    // z = z₀ + F t² / 2m
    let table = launch().run(2.0, 2.0);
    assert_near("the default", table.last("rocket.position.z"), 1.5 + 1000.0, 1e-8);
    let table = launch().input("thrust=0.5").set("mass=4").run(2.0, 2.0);
    assert_near("half of a kilonewton", table.last("rocket.position.z"), 1.5 + 250.0, 1e-8);
    let table = launch().input("thrust=-200[N]").run(2.0, 2.0);
    assert_near("downwards", table.last("rocket.position.z"), 1.5 - 200.0, 1e-8);
    let table = launch().input("tilt=90[deg]").run(2.0, 2.0);
    assert_near("sideways", table.last("rocket.position.y"), 30.0_f64.to_radians().cos() + 1000.0, 1e-8);
}

#[test]
fn settings_that_make_no_sense_are_refused_with_a_hint() {
    let refused = [
        ("length=1", "unknown-setting"),
        ("heigth=1", "unknown-setting"),
        ("thrust=1", "unknown-setting"),
        ("height", "bad-setting"),
        ("height=", "bad-setting"),
        ("height=tall", "bad-setting"),
        ("height=nan", "bad-setting"),
        ("height=inf", "bad-setting"),
        ("height=1[kg]", "bad-setting"),
        ("height=1[cubit]", "bad-setting"),
        ("height=1[m] 2", "bad-setting"),
        ("height=1[m", "bad-setting"),
    ];
    let stages = launch().stages();
    let machine = std::sync::Arc::new(kernel::Interpreter::owning(stages.module.clone()));
    for (setting, code) in refused {
        let mut simulation = Simulation::new(&stages.module, machine.clone());
        let before = simulation.memory().clone();
        let found = launch().set(setting).apply(&stages, &mut simulation);
        let codes: Vec<&str> = found.iter().map(|diagnostic| diagnostic.code.0).collect();
        assert_eq!(codes, [code], "`{setting}`");
        for diagnostic in found.iter() {
            assert_eq!(diagnostic.severity, Severity::Error, "`{setting}`");
            assert!(!diagnostic.hints.is_empty(), "`{setting}`: {} without a hint", diagnostic.message);
        }
        assert_eq!(*simulation.memory(), before, "`{setting}` changed something");
    }
}
