//! Files of other programs that a scene uses live: they move as what `import` writes of them, and are read in the folder of the scene only.

use std::path::{Path, PathBuf};

use ansatz::{Options, Scene};

const ARM: &str = include_str!("../../../../examples/robots/arm.urdf");
/// A node `gate` at (1, 2, 3) with a node `post` one metre above it, where y points up.
const TRACK: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
  "nodes":[{"name":"gate","translation":[1,2,3],"children":[1]},{"name":"post","translation":[0,1,0]}]}"#;

/// A folder with files, which is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("ansatz-used-{name}-{}", std::process::id()));
        for (file, text) in files {
            let file = path.join(file);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(file, text).expect("a file");
        }
        Folder(path)
    }

    fn compile(&self, text: &str) -> Result<Scene, ansatz::Error> {
        Scene::compile("s", text, &Options { folder: Some(self.0.clone()), ..Options::default() })
    }

    fn rows(&self, text: &str) -> Vec<Vec<f64>> {
        let scene = self.compile(text).unwrap_or_else(|error| panic!("{error}"));
        let mut rows = Vec::new();
        let mut instance = scene.instance().unwrap_or_else(|error| panic!("{error}"));
        let finished = instance.run(
            0.5,
            0.1,
            |_, values| {
                rows.push(values.to_vec());
                std::ops::ControlFlow::Continue(())
            },
            |_| std::ops::ControlFlow::Continue(()),
        );
        assert!(finished.failure.is_none(), "{:?}", finished.failure);
        rows
    }

    /// The first error of a text, and the line that it names.
    fn refused(&self, text: &str) -> (String, usize) {
        let error = self.compile(text).err().unwrap_or_else(|| panic!("not refused: {text}"));
        let found = error.diagnostics().sorted();
        let label = found[0].labels.first().expect("a place");
        assert_eq!(label.span.source, base::SourceId(0), "the place is in the scene");
        (found[0].message.clone(), error.sources().get(label.span.source).line_column(label.span.start as usize).0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_robot_moves_as_the_text_that_import_writes_of_it_bit_for_bit() {
    let folder = Folder::new("same", &[("robots/arm.urdf", ARM)]);
    let options = formats::Options { name: "arm", floating: false, folder: None, inside: None };
    let written = formats::import(Path::new("arm.urdf"), ARM, options).text.expect("a robot");
    let written: String =
        written.lines().filter(|line| !line.starts_with("plot ")).map(|line| format!("{line}\n")).collect();
    let start = "initially lift.angle == 0.4\ninitially elbow.angle' == 1 [rad/s]\nplot lift.angle, tool.position";
    let used = start.replace("lift", "arm.lift").replace("elbow", "arm.elbow").replace("tool", "arm.tool");
    let rows = folder.rows(&format!("scene s\nuse robot \"robots/arm.urdf\" as arm\n{used}"));
    assert_eq!(rows, folder.rows(&format!("{written}\n{start}")));
    assert!((rows[5][0] - rows[0][0]).abs() > 0.1, "it moves");
}

#[test]
fn one_file_makes_several_robots_which_stand_where_the_scene_says() {
    let folder = Folder::new("two", &[("arm.urdf", ARM)]);
    let text = "scene s\ngravity 9.81 [m/s^2]\nframe table { position = (0, 2, 1) [m] }\n\
        use robot \"arm.urdf\" as left in table\nuse robot \"arm.urdf\" as right\n\
        initially left.lift.angle == 0.4\ninitially right.lift.angle == 0.4\n\
        plot left.tool.position - right.tool.position, left.lift.angle";
    for row in folder.rows(text) {
        let apart = [row[0], row[1] - 2.0, row[2] - 1.0];
        assert!(apart.iter().all(|one| one.abs() < 1e-9), "{row:?}");
    }
    let scene = folder.compile(text).unwrap_or_else(|error| panic!("{error}"));
    assert!(scene.controls().iter().any(|control| control.name == "left.lift_motor"));
    assert!(scene.controls().iter().any(|control| control.name == "right.lift_motor"));
}

#[test]
fn gravity_is_that_of_the_scene_or_else_that_of_the_file() {
    let folder = Folder::new("gravity", &[("arm.urdf", ARM)]);
    let fall = |gravity: &str| {
        let text = format!(
            "scene s\n{gravity}\nuse robot \"arm.urdf\" as arm\nuse robot \"arm.urdf\" as other\n\
             initially arm.lift.angle == 0.4\nplot arm.lift.angle"
        );
        folder.rows(&text)[5][0]
    };
    assert_eq!(fall(""), fall("gravity 9.81 [m/s^2]"), "two robots, and gravity once");
    assert!((fall("gravity 0 [m/s^2]") - 0.4).abs() < 1e-12, "nothing pulls");
}

#[test]
fn nodes_of_a_drawn_scene_are_frames_that_the_text_refers_to() {
    let folder = Folder::new("drawn", &[("track.gltf", TRACK)]);
    let text = "scene s\ngravity 9.81 [m/s^2]\nuse scene \"track.gltf\" as track\n\
        body ball in track.post { position = (0, free, 0); mass = 1 [kg] }\n\
        plot track.gate.position, track.post.position, ball.position";
    let rows = folder.rows(text);
    // y up becomes z up: (x, y, z) is (x, −z, y). The ball falls along the y of the drawing.
    let expected = [[1.0, -3.0, 2.0], [1.0, -3.0, 3.0]].concat();
    assert!(rows[5][..6].iter().zip(&expected).all(|(is, should)| (is - should).abs() < 1e-12), "{:?}", rows[5]);
    let fallen = 3.0 - 9.81 * 0.5 * 0.5 / 2.0;
    assert!((rows[5][8] - fallen).abs() < 1e-9 && (rows[5][6] - 1.0).abs() < 1e-12, "{:?}", rows[5]);
}

#[test]
fn what_cannot_be_used_is_refused_at_its_line() {
    let folder = Folder::new(
        "refused",
        &[("scene/arm.urdf", "<robot name=\"a\"><link"), ("secret.urdf", ARM), ("scene/track.gltf", "{}")],
    );
    let inside = Folder(folder.0.join("scene"));
    let line =
        |statement: &str| inside.refused(&format!("scene s\ngravity 9.81 [m/s^2]\n{statement}\nplot it.lift.angle"));
    for (statement, said) in [
        ("use robot \"nothing.urdf\" as it", "`nothing.urdf` cannot be read"),
        ("use robot \"../secret.urdf\" as it", "leads out of the folder"),
        ("use robot \"/etc/passwd\" as it", "not said from the folder"),
        ("use robot \"arm.urdf\" as it", ""),
        ("use robot \"track.gltf\" as it", "use scene"),
        ("use scene \"track.gltf\" as it", "glTF"),
        ("use scene \"arm.urdf\" as it", "`.glb` or `.gltf`"),
        ("use robot \".\" as it", "no plain file"),
        ("use robot \"arm.urdf\"", "`as` and a name"),
    ] {
        let (message, at) = line(statement);
        assert!(message.contains(said) && at == 3, "{statement}: {message}, line {at}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.0.join("secret.urdf"), inside.0.join("link.urdf")).expect("a link");
        assert!(line("use robot \"link.urdf\" as it").0.contains("leads out of the folder"));
    }
    std::mem::forget(inside);
}

/// A mesh that a file names is not read from outside of the folder of the scene: it is left out, which is said.
#[test]
fn files_that_a_file_names_stay_in_the_folder() {
    let robot = |mesh: &str| {
        format!(
            "<robot name=\"a\"><link name=\"base\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
             <collision><geometry><mesh filename=\"{mesh}\"/></geometry></collision></link></robot>"
        )
    };
    let block = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let (own, other) = (robot("hand.obj"), robot("../hand.obj"));
    let files =
        [("hand.obj", block), ("scene/hand.obj", block), ("scene/own.urdf", &own), ("scene/other.urdf", &other)];
    let folder = Folder::new("meshes", &files);
    let inside = Folder(folder.0.join("scene"));
    let warned = |file: &str| {
        let text = format!("scene s\nuse robot \"{file}\" as it floating\nplot it.base.position");
        let scene = inside.compile(&text).unwrap_or_else(|error| panic!("{error}"));
        scene.warnings().iter().any(|found| found.code.0 == "model-left-out")
    };
    assert!(!warned("own.urdf"));
    assert!(warned("other.urdf"));
    std::mem::forget(inside);
}

/// The car of the gallery is a drawing that comes with Ansatz, so its scene needs no file. With four cylinders for wheels it rolls as a body of half a wheel more
/// for each: (M + 4 m) g sin α = (M + 4 m + 4 · m/2) a.
#[test]
fn the_drawn_car_rolls_down_its_road() {
    let text = include_str!("../../../../examples/drawn_car.anz");
    let probes = ["car.y'", "drawn.cabin.position.x"].map(String::from).to_vec();
    let scene = Scene::compile("drawn_car", text, &Options { probes, ..Options::default() });
    let mut run = scene.and_then(|scene| scene.instance()).unwrap_or_else(|error| panic!("{error}"));
    run.set("slope", 0.2).and_then(|()| run.start()).unwrap_or_else(|error| panic!("{error}"));
    run.advance_to(3.0).unwrap_or_else(|error| panic!("{error}"));
    let expected = 3.0 * 980.0 * 9.81 * libm::sin(0.2) / 1020.0;
    assert!((run.row()[0] - expected).abs() < 1e-7 * expected, "{} instead of {expected}", run.row()[0]);
    assert!(run.row()[1].abs() < 1e-12, "the cabin stands in the middle");
}
