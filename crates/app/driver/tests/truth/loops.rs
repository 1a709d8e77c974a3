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

/// Bricard's mechanism as a tree of frames that closes, a problem of the library of the IFToMM (A04).
const BRICARD: &str = include_str!("../scenes/bricard.anz");

/// Bricard's mechanism without a loop: along the ring two angles a and b alternate, and where the ring closes
/// sin a + sin b + sin a sin b = 0. No row of that depends on anything, wherever it goes.
fn bricard_by_two_angles() -> Scene {
    let open = BRICARD.lines().filter(|line| !line.starts_with("always ")).collect::<Vec<_>>().join("\n");
    let followed = [("hinge3", "about x", 1), ("hinge4", "about y", 2), ("hinge5", "about z", 1)];
    let closed = followed.into_iter().fold(open, |text, (hinge, about, first)| {
        let line = text.lines().find(|line| line.starts_with(&format!("frame {hinge} "))).expect("a hinge").to_string();
        text.replace(&line, &line.replace(&format!("{about} free"), &format!("{about} hinge{first}.angle")))
    });
    let (a, b) = ("sin(hinge1.angle)", "sin(hinge2.angle)");
    Scene::new(&format!("{closed}\nalways {a} + {b} + {a} * {b} == 0\n"))
}

/// The same of bodies and joints: thirty coordinates besides orientations, and thirty demands.
fn bricard_from_joints() -> Scene {
    // Where each rod is, along which axis it lies, and about which it is hinged to the one before.
    const RODS: [([f64; 3], usize, usize); 5] = [
        ([0.5, 0.0, 0.0], 0, 1),
        ([1.0, -0.5, 0.0], 1, 2),
        ([1.0, -1.0, 0.5], 2, 0),
        ([0.5, -1.0, 1.0], 0, 1),
        ([0.0, -0.5, 1.0], 1, 2),
    ];
    const CORNERS: [[f64; 3]; 6] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]];
    let axis = |at: usize| ["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"][at];
    let point = |frame: &str, centre: [f64; 3], corner: [f64; 3]| {
        let [x, y, z] = [0, 1, 2].map(|at| corner[at] - centre[at]);
        format!("{frame}.point(({x}, {y}, {z}) [m])")
    };
    let mut text = "scene ring\nuse mechanics\ngravity (0, -9.81, 0) [m/s^2]\n".to_string();
    let mut before = ("world".to_string(), [0.0; 3]);
    for (at, (centre, along, about)) in RODS.into_iter().enumerate() {
        let (name, [x, y, z]) = (format!("rod{}", at + 1), centre);
        // A rod has no inertia about its own line, and needs none: its hinges are not in line.
        let inertia = [0, 1, 2].map(|at| if at == along { "0" } else { "1 / 12" }).join(", ");
        text += &format!(
            "body {name} {{ position = (free({x} [m]), free({y} [m]), free({z} [m])); rotation = free; mass = 1 [kg]
               inertia = ({inertia}) * 1 [kg*m^2] }}
             join {} to {} with revolute(axis: {})\n",
            point(&before.0, before.1, CORNERS[at]),
            point(&name, centre, CORNERS[at]),
            axis(about)
        );
        before = (name, centre);
    }
    text += &format!(
        "join {} to world.point((0, 0, 1) [m]) with revolute(axis: (1, 0, 0))
         let corner = {}\nplot corner, energy\n",
        point(&before.0, before.1, CORNERS[5]),
        point("rod3", RODS[2].0, CORNERS[3])
    );
    Scene::new(&text)
}

/// One demand of the ring follows from the others, and everywhere another one: no fixed choice among them is enough.
#[test]
fn the_mechanism_of_bricard_moves_as_its_angles_do() {
    let expected = bricard_by_two_angles().tolerance(1e-13).run(10.0, 0.5);
    let tree = Scene::new(BRICARD);
    for (tolerance, error) in [(1e-6, 1e-4), (1e-8, 1e-6), (1e-10, 1e-8), (1e-12, 1e-10)] {
        for (way, scene) in [("as a tree", &tree), ("from joints", &bricard_from_joints())] {
            let table = scene.clone().tolerance(tolerance).run(10.0, 0.5);
            for column in ["corner.x", "corner.y", "corner.z"] {
                for (found, expected) in table.column(column).iter().zip(expected.column(column)) {
                    assert_near(&format!("{column} {way} at {tolerance:e}"), *found, expected, error);
                }
            }
            assert!(table.drift() < 1e2 * tolerance, "{way} at {tolerance:e}: drift {:e}", table.drift());
        }
    }
}
