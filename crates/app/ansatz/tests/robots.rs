//! Robots from files move as the textbook says, and files that are no robots are refused in a sentence.

use std::path::Path;

use ansatz::{Options, Scene};
use base::Severity;
use formats::Imported;

/// Two links in a vertical plane, with odd frames between them that change nothing.
const ARM: &str = r#"<robot name="two links">
  <link name="base"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/> <child link="upper"/>
    <origin xyz="0.3 -0.2 0.5" rpy="0 0 0.7"/> <axis xyz="0 -1 0"/>
    <limit lower="-2" upper="2" effort="20" velocity="0"/> <dynamics damping="0.3" friction="0"/>
  </joint>
  <link name="upper"><inertial>
    <origin xyz="0.2 0 0" rpy="0 0.4 0"/> <mass value="3"/>
    <inertia ixx="0.02" iyy="0.05" izz="0.04" ixy="0" ixz="0.003" iyz="0"/>
  </inertial></link>
  <joint name="elbow" type="continuous">
    <parent link="upper"/> <child link="fore"/>
    <origin xyz="0.5 0 0" rpy="3.141592653589793 0 0"/> <axis xyz="0 2 0"/> <dynamics damping="0.1"/>
  </joint>
  <link name="fore"><inertial>
    <origin xyz="0.25 0 0"/> <mass value="2"/> <inertia ixx="0.01" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/>
  </inertial></link>
</robot>"#;

fn import(text: &str) -> Imported {
    formats::import(
        Path::new("arm.urdf"),
        text,
        formats::Options { name: "arm", floating: false, folder: None, inside: None },
    )
}

fn scene(text: &str) -> Scene {
    let text = import(text).text.expect("a robot");
    Scene::compile("arm", &text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Accelerations of two links from their mass matrix in closed form (Spong, Hutchinson, Vidyasagar, Robot Modeling and Control).
fn textbook([q1, q2]: [f64; 2], [v1, v2]: [f64; 2]) -> [f64; 2] {
    let (m1, m2, l1, c1, c2, i1, i2, g) = (3.0, 2.0, 0.5, 0.2, 0.25, 0.05, 0.03, 9.81);
    let cos = libm::cos;
    let (m22, coupling) = (i2 + m2 * c2 * c2, m2 * l1 * c2);
    let m12 = m22 + coupling * cos(q2);
    let m11 = i1 + m1 * c1 * c1 + m2 * l1 * l1 + m22 + 2.0 * coupling * cos(q2);
    let h = coupling * libm::sin(q2);
    let f1 = h * v2 * (2.0 * v1 + v2) - g * ((m1 * c1 + m2 * l1) * cos(q1) + m2 * c2 * cos(q1 + q2)) - 0.3 * v1;
    let f2 = -h * v1 * v1 - g * m2 * c2 * cos(q1 + q2) - 0.1 * v2;
    let determinant = m11 * m22 - m12 * m12;
    [(m22 * f1 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant]
}

#[test]
fn an_arm_accelerates_as_its_mass_matrix_says() {
    let mut motion = scene(ARM).dynamics(&Default::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(motion.states(), ["shoulder.angle", "elbow.angle", "shoulder.angle'", "elbow.angle'"]);
    for step in 0..50 {
        let at = |phase: f64| libm::sin(f64::from(step) * 1.7 + phase);
        let (q, v) = ([1.9 * at(0.0), 3.0 * at(1.0)], [5.0 * at(2.0), 7.0 * at(3.0)]);
        let rates = motion.rates(0.0, &[q[0], q[1], v[0], v[1]]).unwrap_or_else(|error| panic!("{error}"));
        let expected = textbook(q, v);
        for (found, expected) in rates[2..].iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()), "{found} {expected}");
        }
    }
}

#[test]
fn limits_hold_the_arm() {
    let scene = scene(ARM);
    let mut instance = scene.instance().unwrap_or_else(|error| panic!("{error}"));
    instance.start().unwrap_or_else(|error| panic!("{error}"));
    let angle = scene.outputs().iter().position(|name| name == "shoulder.angle").expect("it is plotted");
    let mut lowest = 0.0_f64;
    for step in 1..200 {
        instance.advance_to(0.05 * f64::from(step)).unwrap_or_else(|error| panic!("{error}"));
        lowest = lowest.min(instance.row()[angle]);
    }
    // It falls from the horizontal past the vertical, and is stopped there.
    assert!((-2.1..-1.6).contains(&lowest), "{lowest}");
}

#[test]
fn a_follower_goes_along_and_brakes_its_leader() {
    let with = ARM.replace(
        "</robot>",
        r#"
      <joint name="finger" type="prismatic">
        <parent link="fore"/> <child link="tip"/> <axis xyz="-1 0 0"/> <origin xyz="0.4 0 0.1"/>
        <dynamics damping="2"/> <mimic joint="elbow" multiplier="0.1" offset="0.02"/>
      </joint>
      <link name="tip"><inertial><mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4"/></inertial></link>
    </robot>"#,
    );
    let text = import(&with).text.expect("a robot");
    assert!(text.contains("position = (0, 0, 0.1 [m] * elbow.angle + 0.02 [m])"), "{text}");
    assert!(text.contains("-0.12000000000000001 [N*m*s] * elbow.angle'"), "{text}");
    let scene = Scene::compile("arm", &text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(scene.dynamics(&Default::default()).map(|motion| motion.states().len()).ok(), Some(4));
}

#[test]
fn what_is_no_robot_is_refused_in_a_sentence() {
    let deep = "<robot>".to_string() + &"<a>".repeat(100_000) + &"</a>".repeat(100_000) + "</robot>";
    let wide = format!("<robot {}/>", (0..60_000).map(|at| format!("a{at}='' ")).collect::<String>());
    let laughs = "<!DOCTYPE r [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>";
    let link = |name: &str| format!("<link name='{name}'/>");
    let joint = |name: &str, from: &str, to: &str| {
        format!("<joint name='{name}' type='fixed'><parent link='{from}'/><child link='{to}'/></joint>")
    };
    let robot = |inside: String| format!("<robot name='r'>{inside}</robot>");
    let ring = robot(link("o") + &link("a") + &link("b") + &joint("j", "a", "b") + &joint("k", "b", "a"));
    let cases = [
        ("", "no XML"),
        ("<robot", "no XML"),
        (laughs, "no XML"),
        (&deep, "200 deep"),
        (&wide, "attributes"),
        ("<svg/>", "no robot"),
        ("<robot/>", "no links"),
        ("<mujoco/>", "no bodies"),
        ("<mujoco><include file='a.xml'/></mujoco>", "nothing is known of files beside it"),
        (&FOUR_BAR.replace("size=\"0.02\"", "size=\"0\""), "not positive"),
        (&FOUR_BAR.replace("axis=\"0 1 0\"", "axis=\"0 0 0\""), "no direction"),
        (&robot(link("a") + &link("b")), "both have no parent"),
        (&robot(link("a") + &joint("j", "a", "a")), "no link is the base"),
        (&ring, "round in a circle"),
        (&robot(link("a") + &joint("j", "a", "x")), "no link `x`"),
        (&ARM.replace("\"0 -1 0\"", "\"0 0 0\""), "no direction"),
        (&ARM.replace("\"0 -1 0\"", "\"0 nan 0\""), "finite numbers"),
        (&ARM.replace("\"0 -1 0\"", "\"0 1e999 0\""), "finite numbers"),
        (&ARM.replace("\"0 -1 0\"", "\"0 1\""), "3 numbers"),
        (&ARM.replace("<mass value=\"3\"/>", "<mass value=\"-3\"/>"), "negative"),
        (&ARM.replace("damping=\"0.3\"", "damping=\"-0.3\""), "negative"),
        (&ARM.replace("continuous", "spiral"), "unknown type `spiral`"),
    ];
    for (text, words) in cases {
        let imported = import(text);
        let said: Vec<&str> = imported.diagnostics.iter().map(|it| it.message.as_str()).collect();
        assert!(imported.text.is_none() && said.iter().any(|it| it.contains(words)), "{words}: {said:?}");
    }
}

#[test]
fn what_had_to_be_changed_is_said_and_still_a_scene() {
    let cases = [
        (ARM.replace("iyy=\"0.05\"", "iyy=\"0.5\""), "no rigid body"),
        (
            ARM.replace(
                "<mass value=\"2\"/> <inertia ixx=\"0.01\" iyy=\"0.03\" izz=\"0.03\"",
                "<mass value=\"0\"/> <inertia ixx=\"0\" iyy=\"0\" izz=\"0\"",
            ),
            "moves nothing that has a mass",
        ),
        (ARM.replace("lower=\"-2\"", "lower=\"2\""), "no room"),
        (ARM.replace("</robot>", "<gazebo/><gazebo/></robot>"), "`<gazebo>` in `<robot>` is left out, 2 times"),
    ];
    for (text, words) in cases {
        let imported = import(&text);
        let warnings = imported.diagnostics.iter().filter(|it| it.severity == Severity::Warning);
        let said: Vec<&str> = warnings.map(|it| it.message.as_str()).collect();
        assert!(said.iter().any(|it| it.contains(words)), "{words}: {said:?}");
        let text = imported.text.expect("a scene");
        Scene::compile("arm", &text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}

/// Two rods of one metre, hung side by side, and a third that ties their ends together.
const FOUR_BAR: &str = r#"<mujoco model="four bar">
  <compiler angle="radian"/>
  <default>
    <geom type="capsule" size="0.02" contype="0" conaffinity="0"/>
    <default class="long"><geom density="500"/> <joint damping="0.01"/></default>
  </default>
  <worldbody>
    <body name="left" pos="0 0 2" childclass="long">
      <joint name="a" axis="0 1 0"/> <geom fromto="0 0 0 0.6 0 -0.8"/>
      <body name="coupler" pos="0.6 0 -0.8">
        <joint name="b" axis="0 1 0"/> <geom fromto="0 0 0 1.5 0 0"/>
      </body>
    </body>
    <body name="right" pos="1.5 0 2">
      <joint name="c" axis="0 1 0" armature="0.1"/> <geom fromto="0 0 0 0.6 0 -0.8" mass="0.7"/>
    </body>
  </worldbody>
  <equality><connect body1="coupler" body2="right" anchor="1.5 0 0"/></equality>
</mujoco>"#;

#[test]
fn a_four_bar_stays_closed() {
    let text = import(FOUR_BAR).text.expect("a mechanism");
    let text = format!("{text}\nplot |b.point((1.5, 0, 0) [m]) - c.point((0.6, 0, -0.8) [m])|, a.angle, c.angle\n");
    let scene =
        Scene::compile("four_bar", &text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut instance = scene.instance().unwrap_or_else(|error| panic!("{error}"));
    instance.start().unwrap_or_else(|error| panic!("{error}"));
    let outputs = scene.outputs();
    let place = |name: &str| outputs.iter().position(|it| it == name).expect("it is plotted");
    let apart = outputs.iter().position(|it| it.starts_with('|')).expect("it is plotted");
    let mut widest = 0.0_f64;
    for step in 1..100 {
        instance.advance_to(0.05 * f64::from(step)).unwrap_or_else(|error| panic!("{error}"));
        let row = instance.row();
        assert!(row[apart] < 1e-9, "{}", row[apart]);
        // Opposite sides are equally long, so it is a parallelogram.
        assert!((row[place("a.angle")] - row[place("c.angle")]).abs() < 1e-7);
        widest = widest.max(row[place("a.angle")].abs());
    }
    assert!(widest > 0.5, "{widest}");
}

/// Two bars hang on the world, and a third joins them by hinges: each link but one is held by one joint, `right` by two.
const LOOP: &str = r#"<sdf version="1.10"><model name="four bar">
  <link name="left"><pose>0 0 2 0 0 0</pose><inertial><pose>0.3 0 -0.4 0 0 0</pose><mass>0.7</mass>
    <inertia><ixx>0.02</ixx><iyy>0.05</iyy><izz>0.03</izz></inertia></inertial></link>
  <link name="coupler"><pose relative_to="left">0.6 0 -0.8 0 0 0.3</pose><inertial><pose>0.7 0 0 0 0 0</pose><mass>1.1</mass>
    <inertia><ixx>0.01</ixx><iyy>0.2</iyy><izz>0.2</izz></inertia></inertial></link>
  <link name="right"><pose>1.5 0 2 0 0 0</pose><inertial><pose>0.3 0 -0.4 0 0 0</pose><mass>0.7</mass>
    <inertia><ixx>0.02</ixx><iyy>0.05</iyy><izz>0.03</izz></inertia></inertial></link>
  <joint name="a" type="revolute"><parent>world</parent><child>left</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="b" type="revolute"><parent>left</parent><child>coupler</child><axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>
  <joint name="c" type="revolute"><parent>world</parent><child>right</child><axis><xyz>0 1 0</xyz></axis></joint>
  <joint name="d" type="KIND"><pose>0.6 0 -0.8 0 0 0</pose><parent>coupler</parent><child>right</child><axis><xyz>0 1 0</xyz></axis></joint>
</model></sdf>"#;

/// A parallelogram: both bars turn alike, the third keeps its direction, and energy is kept. It is the same whichever joint closes it.
#[test]
fn a_loop_of_sdf_moves_as_its_energy_says() {
    let (g, inertia) = (9.81, 2.0 * (0.05 + 0.7 * 0.25) + 1.1);
    // What is lifted, by its place as seen from a pivot: two bars, and the third, whose points all move as the ends of those do.
    let lifted = |angle: f64| {
        let height = |x: f64, z: f64| z * libm::cos(angle) - x * libm::sin(angle);
        2.0 * 0.7 * height(0.3, -0.4) + 1.1 * height(0.6, -0.8)
    };
    for kind in ["revolute", "ball", "universal"] {
        let text = import(&LOOP.replace("KIND", kind)).text.expect("a mechanism");
        let text = format!("{text}\nplot a.angle', b.vector(1, 0, 0) · (1, 0, 0)\n");
        let options = Options { tolerance: 1e-10, ..Options::default() };
        let scene = Scene::compile("loop", &text, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut instance = scene.instance().unwrap_or_else(|error| panic!("{error}"));
        instance.start().unwrap_or_else(|error| panic!("{error}"));
        let place = |name: &str| scene.outputs().iter().position(|it| it == name).unwrap_or_else(|| panic!("{name}"));
        let (mut widest, mut last) = (0.0_f64, 0.0);
        for step in 1..40 {
            instance.advance_to(0.05 * f64::from(step)).unwrap_or_else(|error| panic!("{error}"));
            let row = instance.row();
            let (angle, rate) = (row[place("a.angle")], row[place("a.angle'")]);
            assert!((angle - row[place("c.angle")]).abs() < 1e-8);
            last = row[row.len() - 1];
            let energy = inertia / 2.0 * rate * rate + g * (lifted(angle) - lifted(0.0));
            assert!(energy.abs() < 1e-7, "{kind}: {energy} at {step}");
            widest = widest.max(angle.abs());
        }
        assert!(widest > 0.9 && (last - 1.0).abs() < 1e-8, "{widest} {last}");
    }
}

/// A door on two hinges, whose axes differ in the file by what 1.5708 is less than a right angle; and two links that are welded twice.
#[test]
fn nearly_right_angles_in_a_loop_are_right_ones() {
    let inertial = "<inertial><pose>0.4 0 0 0 0 0</pose><mass>3</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.2</izz></inertia></inertial>";
    let door = |second: &str| {
        format!(
            "<sdf version='1.9'><model name='door'><link name='leaf'>{inertial}</link><link name='knob'><pose>0.8 0 0 0 0 0</pose>{inertial}</link>\
             <joint name='low' type='revolute'><parent>world</parent><child>leaf</child><axis><xyz>0 0 1</xyz></axis></joint>\
             <joint name='high' type='revolute'><pose>0 0 1 {second} 0 0</pose><parent>world</parent><child>leaf</child><axis><xyz>0 1 0</xyz></axis></joint>\
             <joint name='screw' type='fixed'><parent>leaf</parent><child>knob</child></joint>\
             <joint name='glue' type='fixed'><pose>-0.1 0 0 0.2 0 0</pose><parent>knob</parent><child>leaf</child></joint></model></sdf>"
        )
    };
    let imported = import(&door("1.5708"));
    let said: Vec<String> = imported.diagnostics.iter().map(|it| it.message.clone()).collect();
    assert!(said.iter().any(|it| it.contains("`high` is off a straight one by 3.7e-6 rad")), "{said:?}");
    let text = imported.text.expect("a door");
    assert_eq!(text.matches("\njoin ").count(), 1, "{text}");
    let text = format!("{text}\ninitially low.angle' == 2 [rad/s]\n");
    let scene = Scene::compile("door", &text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut instance = scene.instance().unwrap_or_else(|error| panic!("{error}"));
    instance.start().unwrap_or_else(|error| panic!("{error}"));
    instance.advance_to(1.0).unwrap_or_else(|error| panic!("{error}"));
    // Nothing brakes it.
    assert!((instance.row()[0] - 2.0).abs() < 1e-8, "{}", instance.row()[0]);
    // An axis that is really another one holds the door fast, which is no rounding.
    let other = import(&door("1.4")).text.expect("a door");
    assert!(!other.contains("axis: (0, 0, 1)"), "{other}");
}

/// A body that moves freely, welded to a pendulum: both swing as one, from the horizontal.
#[test]
fn what_is_welded_moves_as_one() {
    let text = r#"<mujoco><worldbody>
      <body name="arm"><joint name="h" axis="0 1 0"/><inertial pos="1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
      <body name="load" pos="1.5 0 0" euler="0 0 90"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="0.2 0.3 0.2"/></body>
    </worldbody><equality><weld body1="arm" body2="load"/></equality></mujoco>"#;
    let text = format!("{}\nplot h.angle'\n", import(text).text.expect("a mechanism"));
    let scene = Scene::compile("weld", &text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut instance = scene.instance().unwrap_or_else(|error| panic!("{error}"));
    instance.start().unwrap_or_else(|error| panic!("{error}"));
    instance.advance_to(0.5).unwrap_or_else(|error| panic!("{error}"));
    let [angle, rate] = [0, 1].map(|at| instance.row()[at]);
    // The load is turned about z, so its moment about y is that about its own x.
    let inertia = 1.0 + 0.1 + 2.0 * 2.25 + 0.2;
    let energy = inertia / 2.0 * rate * rate - 9.81 * (1.0 + 2.0 * 1.5) * libm::sin(angle);
    assert!(angle > 0.5 && energy.abs() < 1e-6, "{angle} {energy}");
}

#[test]
fn a_hinge_has_its_geoms_its_rotor_and_its_spring() {
    let text = r#"<mujoco><option gravity="0 0 -10"/><worldbody><body name="door" pos="0 0 1" euler="0 0 30">
      <joint name="hinge" axis="0 1 0" pos="-0.1 0 0" armature="0.2" stiffness="3" springref="20" damping="0.5"/>
      <geom type="box" size="0.3 0.05 0.1" density="100" pos="0.2 0 0"/> <geom size="0.1" mass="2" pos="0 0 -0.4"/>
    </body></worldbody></mujoco>"#;
    let mut motion = scene(text).dynamics(&Default::default()).unwrap_or_else(|error| panic!("{error}"));
    let (angle, rate) = (0.4, -1.5);
    let rates = motion.rates(0.0, &[angle, rate]).unwrap_or_else(|error| panic!("{error}"));
    // A box of 1.2 kg whose centre is 0.3 m from the hinge, a ball of 2 kg at (0.1, -0.4), the rotor.
    let (b, ball) = (0.6 * 0.1 * 0.2 * 100.0, 2.0);
    let moment = b * ((0.36 + 0.04) / 12.0 + 0.09) + ball * (0.4 * 0.01 + 0.01 + 0.16) + 0.2;
    // About y a positive angle lowers what lies along x.
    let (s, c) = (libm::sin(angle), libm::cos(angle));
    let torque = 10.0 * (b * 0.3 * c + ball * (0.1 * c - 0.4 * s)) - 0.5 * rate - 3.0 * (angle - 20_f64.to_radians());
    assert!((rates[1] - torque / moment).abs() < 1e-11, "{} {}", rates[1], torque / moment);
}

#[test]
fn the_page_of_the_manual_shows_what_is_written() {
    let page = include_str!("../../../../docs/how-to/robot.md");
    let block = |kind: &str| {
        let rest = page.split(&format!("```{kind}\n")).nth(1).expect("a block");
        rest.split("```").next().expect("its end").to_string()
    };
    let imported = import(&block("xml"));
    assert_eq!(imported.diagnostics.iter().count(), 0);
    assert_eq!(imported.text.as_deref(), Some(block("ansatz").as_str()));
}

/// The text of an example, and the file of the robot in it.
fn gallery(example: &str, file: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let read = |name: String| std::fs::read_to_string(folder.join(name)).expect("an example");
    (read(format!("{example}.anz")), read(format!("robots/{file}.urdf")))
}

/// Lines of a text about frames and bodies, in which guesses of angles are as good as none.
fn mechanics(text: &str) -> Vec<String> {
    let lines =
        text.lines().skip_while(|line| !line.starts_with("// Link")).take_while(|line| !line.starts_with("// What"));
    let spaced = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let plain = |line: String| match (line.find("free("), line.find(')').and(line.rfind(") }"))) {
        (Some(from), Some(to)) if line.contains("about") => format!("{}free{}", &line[..from], &line[to + 1..]),
        _ => line,
    };
    spaced.map(plain).filter(|line| !line.is_empty()).collect()
}

#[test]
fn robots_of_the_gallery_are_those_of_their_files() {
    for (example, file, floating) in [("robot_arm", "arm", false), ("dog", "dog", true)] {
        let (text, robot) = gallery(example, file);
        let options = formats::Options { name: example, floating, folder: None, inside: None };
        let imported = formats::import(Path::new("robot.urdf"), &robot, options).text.expect("a robot");
        let written = mechanics(&text);
        for line in mechanics(&imported) {
            assert!(written.contains(&line), "{example}: {line}\n{written:#?}");
        }
    }
}

#[test]
fn the_arm_at_rest_carries_its_weight() {
    let (text, _) = gallery("robot_arm", "arm");
    let masses = [("upper_arm", 8.0), ("forearm", 5.0), ("wrist", 1.5), ("flange", 0.8), ("tool", 0.5)];
    let probes = masses.iter().map(|(name, _)| format!("{name}.position.x")).chain(["lift.torque".to_string()]);
    let options = Options { probes: probes.collect(), ..Options::default() };
    let scene = Scene::compile("robot_arm", &text, &options).unwrap_or_else(|error| panic!("{error}"));
    let mut run = scene.instance().unwrap_or_else(|error| panic!("{error}"));
    run.set("speed", 0.0).and_then(|()| run.start()).unwrap_or_else(|error| panic!("{error}"));
    // About y, what hangs at positive x turns it forwards; the motor turns it back.
    let moment: f64 = masses.iter().zip(run.row()).map(|((_, mass), x)| mass * 9.81 * x).sum();
    let torque = run.row()[masses.len()];
    assert!((torque + moment).abs() < 1e-8 && moment > 10.0, "{torque} {moment}");
}

#[test]
fn the_dog_trots_and_stays_upright() {
    let (text, _) = gallery("dog", "dog");
    let probes = ["trunk.position.x", "trunk.position.z", "trunk.orientation.x", "trunk.orientation.y"];
    let options = Options { probes: probes.map(String::from).to_vec(), ..Options::default() };
    let scene = Scene::compile("dog", &text, &options).unwrap_or_else(|error| panic!("{error}"));
    let mut run = scene.instance().unwrap_or_else(|error| panic!("{error}"));
    run.start().unwrap_or_else(|error| panic!("{error}"));
    for second in 1..=8 {
        run.advance_to(f64::from(second)).unwrap_or_else(|error| panic!("{error}"));
        let [_, height, roll, pitch] = run.row() else { panic!("four numbers") };
        assert!((0.26..0.34).contains(height) && roll.abs() < 0.1 && pitch.abs() < 0.1, "{:?}", run.row());
    }
    assert!(run.row()[0] > 1.0, "{:?}", run.row());
}
