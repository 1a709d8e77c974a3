//! Machines of the first chapters of a textbook, written as their readers would.

use crate::scene::{Scene, assert_near};

#[test]
fn an_atwood_machine_falls_steadily() {
    // The pulley counts with I/r²: a = (m₁ - m₂) g / (m₁ + m₂ + I/r²).
    let scene = Scene::new(
        "scene atwood
         param m1 = 3 [kg]
         param m2 = 2 [kg]
         param r = 10 [cm]
         param I = 0.01 [kg*m^2]
         gravity 9.81 [m/s^2]
         body pulley { rotation = about y free; mass = 1 [kg]; inertia = (I, I, I) }
         body left { position = (-r, 0, free(-1 [m])); mass = m1 }
         body right { position = (r, 0, free(-1 [m])); mass = m2 }
         always rope: left.z + right.z == -2 [m]
         always no_slip: left.velocity.z == -r * der(pulley.angle)",
    );
    let table = scene.set("m1=3.5").probe(&["left.z", "pulley.angle"]).run(2.0, 0.25);
    let a = 1.5 * 9.81 / (5.5 + 1.0);
    for (row, &t) in table.times.iter().enumerate() {
        assert_near("the heavier side", table.column("left.z")[row], -1.0 - 0.5 * a * t * t, 1e-9);
        assert_near("the pulley", table.column("pulley.angle")[row], 0.5 * a * t * t / 0.1, 1e-8);
    }
}

#[test]
fn a_cart_and_its_pole_keep_their_centre_of_mass_and_their_energy() {
    // Nothing pushes sideways: (M + m) x + m l sin θ stays, and with it x' and θ' are functions of θ alone.
    let (cart, pole, l, start) = (1.0_f64, 0.1_f64, 0.5_f64, 0.1_f64);
    let scene = Scene::new(
        "scene cart_pole
         param l = 0.5 [m]
         control push in [-10, 10] [N] = 0
         gravity 9.81 [m/s^2]
         body cart { position = (free, 0, 0); mass = 1 [kg] }
         frame hinge in cart { rotation = about y free }
         body pole in hinge { position = (0, 0, l); mass = 100 [g] }
         force on cart = (push, 0, 0)
         initially hinge.angle == 0.1",
    );
    let table = scene.probe(&["cart.x", "hinge.angle", "der(hinge.angle)"]).run(5.0, 0.1);
    let all = cart + pole;
    for row in 0..table.rows.len() {
        let (x, angle, rate) = (table.rows[row][0], table.rows[row][1], table.rows[row][2]);
        assert_near("the centre", all * x + pole * l * angle.sin(), pole * l * start.sin(), 1e-9);
        let inertia = pole * l * l * (1.0 - pole / all * angle.cos().powi(2));
        let fallen = pole * 9.81 * l * (start.cos() - angle.cos());
        assert_near("the energy", 0.5 * inertia * rate * rate, fallen, 1e-9);
    }
    assert!(table.column("hinge.angle").iter().any(|angle| *angle > 3.0), "the pole falls over");
}

#[test]
fn a_bob_on_a_turntable_swings_in_a_plane_that_stays_behind() {
    // In the room it is an isotropic oscillator that starts with the table's own speed; the table sees that turn back.
    let (turn, stiffness, start) = (0.3_f64, 4.0_f64, 0.2_f64);
    let scene = Scene::new(
        "scene foucault
         param turn = 0.3 [rad/s]
         frame table { rotation = about z turn * t }
         body bob in table { position = (free(0.2 [m]), free, 0); mass = 1 [kg] }
         potential = 1/2 * 4 [N/m] * |bob.position|^2
         initially bob.x == 20 [cm]
         initially bob.y == 0",
    );
    let table = scene.probe(&["bob.x", "bob.y"]).run(20.0, 0.5);
    let own = stiffness.sqrt();
    for (row, &t) in table.times.iter().enumerate() {
        let (x, y) = (start * (own * t).cos(), start * turn / own * (own * t).sin());
        let (s, c) = (turn * t).sin_cos();
        assert_near(&format!("x at t = {t}"), table.column("bob.x")[row], c * x + s * y, 1e-9);
        assert_near(&format!("y at t = {t}"), table.column("bob.y")[row], c * y - s * x, 1e-9);
    }
}

#[test]
fn a_torque_on_a_slider_crank_does_its_work() {
    let scene = Scene::new(
        "scene slider_crank
         param r = 30 [cm]
         param l = 80 [cm]
         frame crank { rotation = about z free }
         body flywheel in crank { shape = cylinder(20 [cm], 5 [cm]); mass = 10 [kg] }
         frame rod in crank { position = (r, 0, 0); rotation = about z free }
         body conrod in rod { position = (l / 2, 0, 0); shape = box(l, 2 [cm], 2 [cm]); mass = 1 [kg] }
         body piston { position = (free(r + l), 0, 0); mass = 2 [kg] }
         always joined: rod.point(l, 0, 0) == piston.position
         torque on flywheel = (0, 0, 2) [N*m]
         initially crank.angle == 10 [deg]",
    );
    let table = scene.probe(&["kinetic", "crank.angle", "piston.x"]).run(5.0, 0.25);
    for row in &table.rows {
        let (kinetic, angle, x) = (row[0], row[1], row[2]);
        assert_near("the work", kinetic, 2.0 * (angle - 10_f64.to_radians()), 1e-7);
        let height = 0.3 * angle.sin();
        assert_near("the piston", x, 0.3 * angle.cos() + (0.64 - height * height).sqrt(), 1e-10);
    }
    assert!(table.last("crank.angle") > 6.0, "the crank goes round");
}

#[test]
fn a_driven_four_bar_follows_freudensteins_equation() {
    // K₁ cos ψ - K₂ cos φ + K₃ = cos(φ - ψ), with the crank at φ and the rocker at ψ; solved by the half angle of ψ.
    let (a, b, c, d) = (1.0_f64, 3.0_f64, 2.5_f64, 3.5_f64);
    let scene = Scene::new(
        "scene four_bar
         param speed = 60 [rpm]
         frame crank { rotation = about z speed * t }
         frame coupler in crank { position = (1, 0, 0) [m]; rotation = about z free(60 [deg]) }
         body bar in coupler { position = (1.5, 0, 0) [m]; shape = box(3 [m], 2 [cm], 2 [cm]); mass = 1 [kg] }
         frame ground { position = (3.5, 0, 0) [m] }
         frame rocker in ground { rotation = about z free(120 [deg]) }
         always closed: coupler.point(3 [m], 0, 0) == rocker.point(2.5 [m], 0, 0)",
    );
    let table = scene.probe(&["rocker.angle"]).run(1.0, 0.05);
    let (k1, k2, k3) = (d / a, d / c, (a * a - b * b + c * c + d * d) / (2.0 * a * c));
    for (row, &t) in table.times.iter().enumerate() {
        let (sine, cosine) = (2.0 * std::f64::consts::PI * t).sin_cos();
        let (p, q, r) = (cosine - k1 - k2 * cosine + k3, -2.0 * sine, k1 - (k2 + 1.0) * cosine + k3);
        let root = (q * q - 4.0 * p * r).sqrt();
        let rocker = (2.0 * (-q - root).atan2(2.0 * p)).rem_euclid(2.0 * std::f64::consts::PI);
        assert_near(&format!("the rocker at t = {t}"), table.column("rocker.angle")[row], rocker, 1e-8);
    }
}
