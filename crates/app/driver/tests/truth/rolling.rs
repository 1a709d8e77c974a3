//! Nonholonomic motion: balls on a turntable, discs, skates and sleighs, all with closed forms.

use crate::exact::pendulum_period;
use crate::scene::{Scene, assert_near, assert_vectors_near};

/// A ball that rolls on a table which turns about z; gravity leans along x.
fn turntable(shape: &str) -> Scene {
    Scene::new(&format!(
        "scene turntable
         param rate = 2 [rad/s]
         param pull = 0 [m/s^2]
         let radius = 0.2 [m]
         gravity (pull, 0, -9.81 [m/s^2])
         frame table in world {{ rotation = about z (rate * t) }}
         body ball {{ position = (free(0.5 [m]), free(0.1 [m]), radius); rotation = free; shape = {shape}; mass = 3 [kg] }}
         let contact = ball.position - (0, 0, radius)
         always rolls: velocity_at(ball, contact) == velocity_at(table, contact)
         initially ball.velocity.x == 0.3 [m/s]
         initially ball.velocity.y == -0.4 [m/s]
         initially ball.omega.z == 1.5 [rad/s]"
    ))
}

#[test]
fn a_ball_on_a_turntable_runs_in_circles_fixed_in_the_room() {
    // v' = w z × v + f with w = k/(1 + k) Ω and f the pull over 1 + k.
    for (shape, k, pull) in
        [("sphere(radius)", 0.4, 0.0), ("shell(radius)", 2.0 / 3.0, 0.0), ("sphere(radius)", 0.4, 0.7)]
    {
        let (rate, v0, r0) = (2.0, [0.3, -0.4], [0.5, 0.1]);
        let w = k / (1.0 + k) * rate;
        // On top of the circle, a pull along x makes the ball drift along y at f/w.
        let drift = pull / (1.0 + k) / w;
        let table = turntable(shape).set(format!("pull={pull}")).probe(&["ball.position", "ball.omega"]).run(11.0, 0.5);
        for (row, &t) in table.times.iter().enumerate() {
            let (sine, cosine) = (w * t).sin_cos();
            let (u, v) = (v0[0], v0[1] - drift);
            let expected = [
                r0[0] + (u * sine - v * (1.0 - cosine)) / w,
                r0[1] + (u * (1.0 - cosine) + v * sine) / w + drift * t,
                0.2,
            ];
            let what = format!("{shape}, pull {pull}, at t = {t}");
            assert_vectors_near(&what, table.vectors("ball.position")[row], expected, 1e-8);
            assert_near("the spin about the vertical", table.vectors("ball.omega")[row][2], 1.5, 1e-9);
        }
    }
}

#[test]
fn the_circle_on_the_turntable_closes_after_its_published_period() {
    let table = turntable("sphere(radius)").probe(&["ball.position"]).at(10.995574287564274);
    assert_vectors_near("the ball", table.last_vector("ball.position"), [0.5, 0.1, 0.2], 1e-9);
}

#[test]
fn solids_roll_down_a_slope_in_the_order_of_their_inertia() {
    // The acceleration is g sin s / (1 + k), whatever mass and radius.
    let slope = 0.3_f64;
    for (shape, k) in [("sphere(0.2 [m])", 0.4), ("shell(0.2 [m])", 2.0 / 3.0), ("cylinder(0.2 [m], 0.5 [m])", 0.5)] {
        // A cylinder lies along z in its own frame, so it is laid across the slope first.
        let text = match shape.starts_with("cylinder") {
            true => format!(
                "scene slope
                 gravity 9.81 [m/s^2] * (sin(0.3), 0, -cos(0.3))
                 frame lying in world {{ position = (free, 0, 0.2 [m]); rotation = about x 90 [deg] }}
                 body roller in lying {{ rotation = about z free; shape = {shape}; mass = 5 [kg] }}
                 always rolls: velocity_at(roller, roller.position - (0, 0, 0.2) [m]).x == 0 [m/s]"
            ),
            false => format!(
                "scene slope
                 gravity 9.81 [m/s^2] * (sin(0.3), 0, -cos(0.3))
                 body roller {{ position = (free, 0, 0.2 [m]); rotation = about y free; shape = {shape}; mass = 5 [kg] }}
                 always rolls: velocity_at(roller, roller.position - (0, 0, 0.2) [m]).x == 0 [m/s]"
            ),
        };
        let table = Scene::new(&text).probe(&["roller.position", "roller.omega"]).at(2.0);
        let speed = 9.81 * slope.sin() / (1.0 + k) * 2.0;
        assert_near(shape, table.last("roller.position.x"), speed, 1e-9);
        assert_near(shape, table.last("roller.omega.y"), speed / 0.2, 1e-8);
    }
}

#[test]
fn a_cylinder_rolls_in_a_trough_like_a_pendulum() {
    // (R - r) (1 + k) a'' = -g sin a with k = 1/2.
    let (trough, radius, degrees) = (1.0, 0.25, 70.0);
    let scene = Scene::new(&format!(
        "scene trough
         gravity 9.81 [m/s^2]
         frame arm in world {{ rotation = about x free }}
         body roller in arm {{
           position = (0, 0, -{arm}) [m]
           rotation = about x free
           mass = 1 [kg]
           inertia = (0.5 * {radius}^2, 1, 1) [kg*m^2]
         }}
         always rolls: velocity_at(roller, arm.point((0, 0, -{trough}) [m])) == (0, 0, 0)
         initially arm.angle == {degrees} [deg]",
        arm = trough - radius,
    ));
    let amplitude = f64::to_radians(degrees);
    let period = pendulum_period(amplitude, 9.81 / (1.5 * (trough - radius)));
    let table = scene.probe(&["arm.angle", "roller.omega"]).run(period, period / 4.0);
    for (row, expected) in [amplitude, 0.0, -amplitude, 0.0, amplitude].into_iter().enumerate() {
        assert_near("the angle", table.column("arm.angle")[row], expected, 1e-9);
    }
    assert!(table.drift() < 1e-9, "energy drifts by {:.1e}", table.drift());
}

/// A skate on a slope that turns at a steady rate runs along a cycloid: it does not slide down.
#[test]
fn a_skate_on_a_slope_runs_along_a_cycloid() {
    let (pull, turn) = (3.0, 1.7);
    let scene = Scene::new(&format!(
        "scene skate
         gravity ({pull}, 0, -9) [m/s^2]
         body skate {{ position = (free, free, 0); rotation = about z free; mass = 60 [kg]; inertia = (1, 1, 2) [kg*m^2] }}
         always edge: dot(skate.velocity, skate.vector(0, 1, 0)) == 0 [m/s]
         initially der(skate.angle) == {turn} [rad/s]"
    ));
    let table = scene.probe(&["skate.position", "skate.angle"]).run(8.0, 0.5);
    for (row, &t) in table.times.iter().enumerate() {
        let (size, phase) = (pull / (2.0 * turn * turn), turn * t);
        let expected = [size * phase.sin().powi(2), size * (phase - 0.5 * (2.0 * phase).sin()), 0.0];
        assert_vectors_near(&format!("at t = {t}"), table.vectors("skate.position")[row], expected, 1e-9);
        assert_near("the heading", table.column("skate.angle")[row], phase, 1e-9);
    }
}

/// Chaplygin's sleigh: the mass centre lies ahead of the blade, and all turning dies away into straight motion.
#[test]
fn chaplygins_sleigh_straightens_out() {
    let (mass, inertia, ahead, turn) = (2.0_f64, 0.5_f64, 0.4_f64, 3.0_f64);
    let scene = Scene::new(&format!(
        "scene sleigh
         frame blade in world {{ position = (free, free, 0); rotation = about z free }}
         body sleigh in blade {{ position = ({ahead}, 0, 0) [m]; mass = {mass} [kg]; inertia = (1, 1, {inertia}) [kg*m^2] }}
         always edge: dot(blade.velocity, blade.vector(0, 1, 0)) == 0 [m/s]
         initially der(blade.angle) == {turn} [rad/s]
         initially dot(blade.velocity, blade.vector(1, 0, 0)) == 0 [m/s]"
    ));
    let table = scene.probe(&["dot(blade.velocity, blade.vector(1, 0, 0))", "blade.omega.z", "energy"]).run(4.0, 0.25);
    // u' = a ω², J ω' = -a u ω with J = I/m + a²: u = a₀ tanh, ω = ω₀ sech.
    let j = inertia / mass + ahead * ahead;
    let top = j.sqrt() * turn;
    for (row, &t) in table.times.iter().enumerate() {
        let phase = ahead * top / j * t;
        let speed = table.column("dot(blade.velocity, blade.vector(1, 0, 0))")[row];
        assert_near(&format!("the speed at t = {t}"), speed, top * phase.tanh(), 1e-9);
        assert_near(&format!("the turning at t = {t}"), table.column("blade.omega.z")[row], turn / phase.cosh(), 1e-9);
    }
}

/// A leaning disc can roll round a circle. With the axis at θ from the vertical, precession Ω and spin ω₃ about the axis,
/// Ω sin θ ((C + m r²) ω₃ - A Ω cos θ) = -m g r cos θ.
#[test]
fn a_leaning_disc_rolls_round_a_circle() {
    let (mass, radius, lean, around) = (1.5_f64, 0.4_f64, 1.2_f64, 1.3_f64);
    let (across, along) = (0.25 * mass * radius * radius, 0.5 * mass * radius * radius);
    let (sine, cosine) = lean.sin_cos();
    let spin =
        (across * around * cosine - mass * 9.81 * radius * cosine / (around * sine)) / (along + mass * radius * radius);
    let scene = Scene::new(&format!(
        "scene disc
         gravity 9.81 [m/s^2]
         frame carriage in world {{ position = (free, free, free({height} [m])); rotation = about z free }}
         frame leaning in carriage {{ rotation = about x free({lean} [rad]) }}
         body disc in leaning {{
           rotation = about z free
           mass = {mass} [kg]
           inertia = ({across}, {across}, {along}) [kg*m^2]
         }}
         always rolls: velocity_at(disc, leaning.point((0, -{radius}, 0) [m])) == (0, 0, 0)
         initially carriage.position.z == {height} [m]
         initially leaning.angle == {lean} [rad]
         initially der(leaning.angle) == 0 [rad/s]
         initially der(carriage.angle) == {around} [rad/s]
         initially der(disc.angle) == {own} [rad/s]",
        height = radius * sine,
        own = spin - around * cosine,
    ));
    let table = scene.probe(&["carriage.position", "leaning.angle", "carriage.angle"]).run(3.0, 0.5);
    for (row, &t) in table.times.iter().enumerate() {
        // The centre starts with velocity -r ω₃ along x and turns with Ω.
        let circle = -radius * spin / around;
        let (s, c) = (around * t).sin_cos();
        let expected = [circle * s, circle * (1.0 - c), radius * sine];
        assert_vectors_near(&format!("at t = {t}"), table.vectors("carriage.position")[row], expected, 1e-7);
        assert_near("the lean", table.column("leaning.angle")[row], lean, 1e-8);
    }
    assert!(table.drift() < 1e-9, "energy drifts by {:.1e}", table.drift());
}
