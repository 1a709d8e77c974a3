//! Closed loops: mechanisms held together by constraints, against published digits and against trees without loops.

use crate::scene::{Scene, assert_near, assert_same_motion, assert_vectors_near};

#[test]
fn points_on_rods_move_like_the_double_pendulum() {
    let probes = ["bob1.position", "bob2.position", "energy"];
    let tree = Scene::example("double_pendulum").set("length1=1.2").set("mass2=0.5").probe(&probes).run(3.0, 0.25);
    let held = Scene::new(
        "scene held
         gravity 9.81 [m/s^2]
         body bob1 { position = (0, free(1.2 [m]), free); mass = 1 [kg] }
         body bob2 { position = (0, free(2 [m]), free(-0.5 [m])); mass = 0.5 [kg] }
         always rod1: |bob1.position| == 1.2 [m]
         always rod2: |bob2.position - bob1.position| == 1 [m]
         initially bob1.position.z == 0 [m]
         initially bob2.position.y == 1.2 [m] + 1 [m] * sin(60 [deg])",
    );
    assert_same_motion("tree and points", &tree, &held.probe(&probes).run(3.0, 0.25), 1e-7);
}

/// The double four-bar mechanism: three cranks and two couplers, each a uniform bar of 1 m and 1 kg. `depth` is how the loops are
/// closed: in the plane, or in space, where the third component says nothing new.
fn double_four_bar(closed: &str) -> Scene {
    Scene::new(&format!(
        "scene double_four_bar
         gravity (0, -9.81, 0) [m/s^2]
         let inertia = (1, 1, 1) [kg*m^2] / 12
         for i in 0..2 {{
           frame crank[i] in world {{ position = (i, 0, 0) [m]; rotation = about z free }}
           body bar[i] in crank[i] {{ position = (0, 0.5, 0) [m]; mass = 1 [kg]; inertia = inertia }}
           frame top[i] in crank[i] {{ position = (0, 1, 0) [m] }}
         }}
         for i in 0..1 {{
           frame coupler[i] in top[i] {{ rotation = about z free }}
           body rod[i] in coupler[i] {{ position = (0.5, 0, 0) [m]; mass = 1 [kg]; inertia = inertia }}
           {closed}
         }}
         initially crank[0].angle == 0 [rad]
         initially top[0].velocity.x == 1 [m/s]"
    ))
}

const PLANAR: &str = "always closed_x[i]: coupler[i].point((1, 0, 0) [m]).x == top[i+1].position.x
           always closed_y[i]: coupler[i].point((1, 0, 0) [m]).y == top[i+1].position.y";
const SPATIAL: &str = "always closed[i]: coupler[i].point((1, 0, 0) [m]) == top[i+1].position";

#[test]
fn the_double_four_bar_has_its_published_digits() {
    for closed in [PLANAR, SPATIAL] {
        let table = double_four_bar(closed).probe(&["top[0].position", "top[0].velocity", "energy"]).at(0.5);
        let (position, velocity) = (table.last_vector("top[0].position"), table.last_vector("top[0].velocity"));
        assert_vectors_near("position", position, [0.695286633164400522, 0.718732563435741611, 0.0], 1e-9);
        assert_vectors_near("velocity", velocity, [1.96020542537183327, -1.89626114058657676, 0.0], 1e-8);
        assert!(table.drift() < 1e-9);
    }
}

/// The squeezing mechanism of Andrews, as bodies, joints and a spring; 25-digit values at 0.03 s from a published problem set.
#[test]
fn andrews_squeezer_has_its_published_digits() {
    let scene = Scene::new(
        "scene squeezer
         let d = 0.028 [m]
         let e = 0.02 [m]
         let zf = 0.02 [m]
         let zt = 0.04 [m]
         let u = 0.04 [m]
         let a = (-0.06934, -0.00227, 0) [m]
         let b = (-0.03635, 0.03273, 0) [m]
         let c = (0.014, 0.072, 0) [m]

         frame k1 in world { rotation = about z free(-0.0617138900142764) }
         frame k2 in k1 { position = (0.007, 0, 0) [m]; rotation = about z free(0) }
         frame k3 in world { position = b; rotation = about z free(0.455279819163070) }
         frame k5 in world { position = a; rotation = about z free(0.487364979543842) }
         frame k4 in k5 { position = (zt, 0, 0); rotation = about z free(0.222668390165886) }
         frame k7 in world { position = a; rotation = about z free(1.23054744454982) }
         frame k6 in k7 { position = (0, -u, 0); rotation = about z free(-0.222668390165886) }

         body crank in k1 { position = (0.00092, 0, 0) [m]; mass = 0.04325 [kg]; inertia = (1, 1, 2.194e-6) [kg*m^2] }
         body rod in k2 { position = (-0.0115, 0, 0) [m]; mass = 0.00365 [kg]; inertia = (1, 1, 4.410e-7) [kg*m^2] }
         body plate in k3 { position = (0.01874, 0.01043, 0) [m]; mass = 0.02373 [kg]; inertia = (1, 1, 5.255e-6) [kg*m^2] }
         body bar4 in k4 { position = (0, 0.01421 [m] - e, 0); mass = 0.00706 [kg]; inertia = (1, 1, 5.667e-7) [kg*m^2] }
         body bar5 in k5 { position = (0.02308, 0.00916, 0) [m]; mass = 0.07050 [kg]; inertia = (1, 1, 1.169e-5) [kg*m^2] }
         body bar6 in k6 { position = (zf - 0.01421 [m], 0, 0); mass = 0.00706 [kg]; inertia = (1, 1, 5.667e-7) [kg*m^2] }
         body bar7 in k7 { position = (0.01228, 0.00449, 0) [m]; mass = 0.05498 [kg]; inertia = (1, 1, 1.912e-5) [kg*m^2] }

         let joint = k2.point(-d, 0, 0)
         let spring_end = k3.point((0.02, -0.018, 0) [m])
         potential spring: 4530 [N/m] * (|spring_end - c| - 0.07785 [m])^2 / 2
         torque on k1 = (0, 0, 0.033) [N*m]
         always joint3: joint == k3.point((0, -0.035, 0) [m])
         always joint4: joint == k4.point(0, -e, 0)
         always joint6: joint == k6.point(zf, 0, 0)
         initially k2.angle == 0",
    );
    let angles = [
        ("k1.angle", 15.8107711951537071, 1139.92030225910606),
        ("k2.angle", -15.7563710584118395, -1424.37929517754007),
        ("k3.angle", 0.0408222401196458048, 11.0329119106185937),
        ("k4.angle", -0.534730116342079594, 19.2933741050320408),
        ("k5.angle", 0.524409965879954069, 0.573569914829502451),
        ("k6.angle", 0.534730116342079594, -19.2933741050320408),
        ("k7.angle", 1.04808074104193787, 0.323179149249130883),
    ];
    let rates: Vec<String> = angles.iter().map(|(name, _, _)| format!("der({name})")).collect();
    let mut probes: Vec<&str> = angles.iter().map(|(name, _, _)| *name).collect();
    probes.extend(rates.iter().map(String::as_str));
    let table = scene.probe(&probes).at(0.03);
    for (at, (name, angle, rate)) in angles.into_iter().enumerate() {
        assert_near(name, table.last(name), angle, 1e-7);
        assert_near(&rates[at], table.last(&rates[at]), rate, 1e-5 * rate.abs().max(10.0));
    }
}

/// Two points of one rigid body keep their distance, whatever is stated of it.
#[test]
fn a_false_distance_between_points_of_one_body_is_refused() {
    let rigid = |distance: &str, level: driver::Level| {
        let text = format!(
            "scene rigid
             gravity 9.81 [m/s^2]
             body rod {{ position = (0, free, free); rotation = about x free; mass = 1 [kg]; inertia = (1, 1, 1) [kg*m^2] }}
             always |rod.point((0, 1, 0) [m]) - rod.point((0, 0, 2) [m])| == {distance}
             initially rod.angle == 0.3 [rad]"
        );
        let scene = Scene::new(&text).optimize(level);
        scene.compile().stages.and_then(|_| scene.try_run(0.2, 0.1))
    };
    for level in [driver::Level::Full, driver::Level::None] {
        assert!(rigid("2 [m]", level).is_none(), "a false distance is accepted with {level:?}");
        assert!(rigid("sqrt(5) * 1 [m] + 0.1 [m/s] * t", level).is_none(), "a false speed is accepted with {level:?}");
    }
}
