//! Units of other simulators as parts of scenes. Those of the tests are written in C for them, and compiled where there is a compiler; what they should do
//! is known in closed form.

#[path = "units/hostile.rs"]
mod hostile;
#[path = "units/reference.rs"]
mod reference;

use std::io::{Cursor, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;

use ansatz::{Fmi, Options, Scene, Target};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const BALL: &str = r#"<fmiModelDescription fmiVersion="2.0" modelName="ball" guid="{test}" numberOfEventIndicators="1">
  <ModelExchange modelIdentifier="unit"/>
  <UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit><Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit></UnitDefinitions>
  <ModelVariables>
    <ScalarVariable name="h" valueReference="1" causality="output" initial="exact"><Real start="1" unit="m"/></ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="2"><Real derivative="1" unit="m/s"/></ScalarVariable>
    <ScalarVariable name="v" valueReference="2" initial="exact"><Real start="0" unit="m/s"/></ScalarVariable>
    <ScalarVariable name="der(v)" valueReference="3"><Real derivative="3"/></ScalarVariable>
    <ScalarVariable name="e" valueReference="4" causality="parameter" variability="tunable"><Real start="0.8"/></ScalarVariable>
    <ScalarVariable name="bounces" valueReference="5" causality="output" variability="discrete"><Integer/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1"/><Unknown index="6" dependencies=""/></Outputs>
    <Derivatives><Unknown index="2" dependencies="3"/><Unknown index="4" dependencies=""/></Derivatives>
  </ModelStructure>
</fmiModelDescription>"#;

/// x' = −k x + u, y = 3 x + u.
const DECAY: &str = r#"<fmiModelDescription fmiVersion="2.0" modelName="decay" guid="{test}">
  <ModelExchange modelIdentifier="unit"/>
  <ModelVariables>
    <ScalarVariable name="x" valueReference="1" initial="exact"><Real start="2"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="3"><Real derivative="1"/></ScalarVariable>
    <ScalarVariable name="k" valueReference="4" causality="parameter" variability="fixed"><Real start="0.5"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="5" causality="output"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="5"/></Outputs>
    <Derivatives><Unknown index="3"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>"#;

const INTEGRATOR: &str = r#"<fmiModelDescription fmiVersion="2.0" modelName="sum" guid="{test}">
  <CoSimulation modelIdentifier="unit"/>
  <DefaultExperiment stepSize="0.125"/>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="2" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="gain" valueReference="4" causality="parameter" variability="fixed"><Real start="0.5"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="5" causality="output"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="3"/></Outputs></ModelStructure>
</fmiModelDescription>"#;

/// A folder with units, which is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("ansatz-units-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// With a unit that is compiled from `unit.c`.
    fn with_unit(name: &str, description: &str, defined: &[&str]) -> Folder {
        let folder = Folder::new(name);
        let library = folder.compiled(defined);
        folder.pack("it.fmu", &[("modelDescription.xml", description.as_bytes()), (LIBRARY, &library)]);
        folder
    }

    fn compiled(&self, defined: &[&str]) -> Vec<u8> {
        let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/units/unit.c");
        let library = self.0.join("unit.so");
        let mut command = Command::new("cc");
        command.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source);
        let done = command.args(defined).status().expect("a C compiler");
        assert!(done.success());
        std::fs::read(library).expect("a library")
    }

    fn pack(&self, name: &str, files: &[(&str, &[u8])]) {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (file, bytes) in files {
            archive.start_file(*file, SimpleFileOptions::default()).expect("an entry");
            archive.write_all(bytes).expect("room");
        }
        std::fs::write(self.0.join(name), archive.finish().expect("an archive").into_inner()).expect("a file");
    }

    fn compile(&self, text: &str) -> Result<Scene, ansatz::Error> {
        Scene::compile("s", text, &Options { folder: Some(self.0.clone()), ..Options::default() })
    }

    fn scene(&self, text: &str) -> Scene {
        self.compile(text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Rows with the time in front.
    fn rows(&self, text: &str, until: f64, every: f64) -> Vec<Vec<f64>> {
        let mut instance = self.scene(text).instance().unwrap_or_else(|error| panic!("{error}"));
        let mut rows = Vec::new();
        let keep = |t: f64, values: &[f64]| {
            rows.push([&[t], values].concat());
            ControlFlow::Continue(())
        };
        let finished = instance.run(until, every, keep, |_| ControlFlow::Continue(()));
        assert!(finished.failure.is_none(), "{:?}", finished.failure);
        rows
    }

    /// The first error of a text.
    fn refused(&self, text: &str) -> String {
        let error = self.compile(text).err().unwrap_or_else(|| panic!("not refused: {text}"));
        error.diagnostics().sorted()[0].message.clone()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const LIBRARY: &str =
    if cfg!(target_os = "macos") { "binaries/darwin64/unit.dylib" } else { "binaries/linux64/unit.so" };

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
}

/// x' = −k x + u with u = a x is x' = (a − k) x; y has the input in it, so the law for u is a loop through the library.
#[test]
fn states_of_a_unit_follow_laws_of_the_scene() {
    let folder = Folder::with_unit("decay", DECAY, &["-DMODEL=2"]);
    let text = "use fmu \"it.fmu\" as it { k = 1.5; start_x = 3 }\nalways it.u == 0.1 * it.y\nplot it.x, it.y, it.u";
    // y = 3 x + u and u = y / 10 give u = x / 3.
    for row in folder.rows(text, 2.0, 0.25) {
        let x = 3.0 * libm::exp((1.0 / 3.0 - 1.5) * row[0]);
        near(row[1], x, 1e-7, "x");
        near(row[2], 10.0 / 3.0 * x, 1e-6, "y");
        near(row[3], x / 3.0, 1e-7, "u");
    }
}

/// What a unit says of itself may turn a frame: a shaft with friction to a unit that decays.
#[test]
fn a_unit_drives_a_body() {
    let folder = Folder::with_unit("drive", DECAY, &["-DMODEL=2"]);
    let text = "use fmu \"it.fmu\" as it\nbody cart { position = (free, 0, 0); mass = 2 [kg] }\nalways it.u == 0\n\
                force on cart = (1, 0, 0) * it.x * 1 [N]\nplot cart.velocity.x";
    // 2 v' = 2 exp(−t/2)
    for row in folder.rows(text, 2.0, 0.5) {
        near(row[1], 2.0 * (1.0 - libm::exp(-0.5 * row[0])), 1e-7, "v");
    }
    let text = text.replace("always it.u == 0", "law back { it.u == cart.velocity.x / (1 [m/s]) }");
    // x' = −x/2 + v, v' = x/2
    for row in folder.rows(&text, 2.0, 0.5) {
        near(row[1], 2.0 / 3.0 * (libm::exp(0.5 * row[0]) - libm::exp(-row[0])), 1e-7, "v");
    }
}

/// A ball falls from 1 m; the k-th bounce is at √(2/g) (1 + 2 (e + … + e^(k−1))).
#[test]
fn events_of_a_unit_happen_where_its_indicators_say() {
    let folder = Folder::with_unit("ball", BALL, &["-DMODEL=1"]);
    let scene = folder.scene("use fmu \"it.fmu\" as ball { e = 0.7 }\nplot ball.h, ball.v, ball.bounces");
    let mut instance = scene.instance().expect("a program");
    instance.start().expect("a start");
    instance.advance_to(1.7).expect("a run");
    let fall = libm::sqrt(2.0 / 9.81);
    let expected = [fall, fall * 2.4, fall * 3.38];
    let times: Vec<f64> = instance.events().iter().map(|event| event.t).collect();
    assert_eq!(times.len(), 3, "{times:?}");
    times.iter().zip(expected).for_each(|(time, expected)| near(*time, expected, 1e-8, "a bounce"));
    let [h, v, bounces] = [0, 1, 2].map(|at| instance.row()[at]);
    let since = 1.7 - expected[2];
    let up = 0.343 * 9.81 * fall;
    near(v, up - 9.81 * since, 1e-6, "v");
    near(h, up * since - 9.81 / 2.0 * since * since, 1e-6, "h");
    assert_eq!(bounces, 3.0);
}

/// Going back in time and on again gives the same bits, though the library knows forwards only: for events, and for samples.
#[test]
fn a_unit_follows_a_run_that_goes_back() {
    let ball = (BALL, "-DMODEL=1", "use fmu \"it.fmu\" as it\nplot it.h, it.v");
    let sum = (
        INTEGRATOR,
        "-DMODEL=3",
        "use fmu \"it.fmu\" as it\nx: real\nalways x' == 1 / (1 [s])\ninitially x == 0\ncontrol push in [-9, 9] = 0\nalways it.u == x + push\nplot it.y",
    );
    for (at, (description, model, text)) in [ball, sum].into_iter().enumerate() {
        let folder = Folder::with_unit(&format!("back{at}"), description, &[model]);
        let mut instance = folder.scene(text).instance().expect("a program");
        instance.start().expect("a start");
        instance.advance_to(0.6).expect("a run");
        let saved = instance.save();
        instance.advance_to(1.6).expect("a run");
        let first = instance.row().to_vec();
        instance.restore(&saved).expect("a moment");
        if at == 1 {
            // Another branch in between.
            instance.set("push", 5.0).expect("a control");
            instance.advance_to(1.6).expect("a run");
            assert!(instance.row() != first);
            instance.restore(&saved).expect("a moment");
            instance.set("push", 0.0).expect("a control");
        }
        instance.advance_to(1.6).expect("a run");
        assert_eq!(instance.row(), first);
    }
}

/// At the samples t = 0, h, 2h, … the input t is held: y(n h) = gain h² n (n − 1) / 2.
#[test]
fn a_unit_that_integrates_by_itself_is_a_sampled_block() {
    let folder = Folder::with_unit("sum", INTEGRATOR, &["-DMODEL=3"]);
    for (given, step) in [("gain = 2", 0.125), ("gain = 2; step = 0.25 [s]", 0.25)] {
        let text = format!("use fmu \"it.fmu\" as it {{ {given} }}\nalways it.u == t / (1 [s])\nplot it.y");
        for row in folder.rows(&text, 2.0, 0.1) {
            let n = ((row[0] + 1e-9) / step).floor();
            near(row[1], 2.0 * step * step * n * (n - 1.0) / 2.0, 1e-12, &format!("y at {}", row[0]));
        }
    }
}

/// Units that Ansatz itself writes, of both versions and for both interfaces, against the scene that they were made of.
#[test]
fn a_scene_comes_back_as_a_unit() {
    let motor = "param R = 2 [ohm]\ncontrol u in [-20, 20] [V] = 0 [V]\ni: [A]\nw: [rad/s]\n\
                 always 0.01 [H] * i' == u - R * i - 0.1 [V*s] * w\nalways 0.001 [kg*m^2] * w' == 0.1 [N*m/A] * i\n\
                 initially i == 0 [A]\ninitially w == 0 [rad/s]\nplot w, i";
    let folder = Folder::new("own");
    let original = folder.scene(&format!("scene motor\n{motor}"));
    let alone = motor.replace("control u in [-20, 20] [V] = 0 [V]", "let u = 12 [V]").replace("R = 2", "R = 3");
    let expected = folder.rows(&alone, 0.2, 0.02);
    for version in [Fmi::Two, Fmi::Three] {
        let unit = original.export_fmu(version, 1.0, 0.1).expect("a unit");
        std::fs::write(folder.0.join("it.fmu"), &unit.build.files[0].content).expect("a file");
        let found =
            folder.rows("use fmu \"it.fmu\" as it { R = 3 [ohm] }\nalways it.u == 12 [V]\nplot it.w, it.i", 0.2, 0.02);
        for (row, expected) in found.iter().zip(&expected) {
            row.iter().zip(expected).for_each(|(a, b)| near(*a, *b, 1e-6 * b.abs().max(1.0), &format!("{version:?}")));
        }
        assert_eq!(found.len(), expected.len());
    }
}

#[test]
fn what_calls_a_library_cannot_be_exported_and_says_so() {
    let folder = Folder::with_unit("export", DECAY, &["-DMODEL=2"]);
    let scene = folder.scene("use fmu \"it.fmu\" as it\nalways it.u == 0\nplot it.x");
    let error = scene.export(Target::C).err().expect("refused");
    assert_eq!(error.diagnostics().sorted()[0].code.0, "unit-inside");
    assert!(scene.explain(None).contains("the bits are no longer ours"));
    assert!(scene.linearize(Default::default(), &Default::default()).is_err());
}

/// A library that gives no number, and one that lacks a function, end the run with a sentence that names the unit.
#[test]
fn a_unit_that_fails_ends_the_run_with_its_words() {
    let text = "use fmu \"it.fmu\" as it\nalways it.u == 0\nplot it.x";
    for (name, flag, words) in [
        ("nan", "-DBAD", "`decay` gave something that is not a number"),
        ("lacking", "-DLACKING", "`fmi2GetDerivatives`"),
    ] {
        let folder = Folder::with_unit(name, DECAY, &["-DMODEL=2", flag]);
        let mut instance = folder.scene(text).instance().expect("a program");
        let error = instance.start().and_then(|()| instance.advance_to(2.0)).expect_err("it fails");
        let found = error.diagnostics().sorted()[0].clone();
        assert!(found.code.0 == "unit-failed" && found.message.contains(words), "{}: {}", found.code.0, found.message);
    }
}

/// A crash of a library is one of its own process: the run ends with words, keeps its rows, and another one can begin.
#[test]
#[cfg(unix)]
fn a_library_that_crashes_ends_its_own_process_only() {
    // SAFETY: set before any unit of this process is loaded that looks at it, and to what suits all of them.
    #[allow(unsafe_code, reason = "a variable for the process of a library")]
    unsafe {
        std::env::set_var("ANSATZ_FMU_SECONDS", "2");
    }
    let text = "use fmu \"it.fmu\" as it\nalways it.u == 0\nplot it.x";
    for (crash, words) in [
        ("-DCRASH=1", "memory that is not its own"),
        ("-DCRASH=2", "gave up by itself"),
        ("-DCRASH=3", "did not come back from a call after 2 s"),
        ("-DCRASH=4", "ended its process"),
    ] {
        let folder = Folder::with_unit(&format!("crash{crash}"), DECAY, &["-DMODEL=2", crash]);
        for _ in 0..2 {
            let mut instance = folder.scene(text).instance().expect("a program");
            let mut rows = Vec::new();
            let keep = |t: f64, values: &[f64]| {
                rows.push((t, values[0]));
                ControlFlow::Continue(())
            };
            let failure = instance.run(10.0, 0.5, keep, |_| ControlFlow::Continue(())).failure.expect("it crashes");
            let found = failure.diagnostics().sorted()[0].clone();
            assert_eq!(found.code.0, "unit-failed");
            assert!(found.message.contains("`decay`") && found.message.contains(words), "{}", found.message);
            // Rows are kept up to the last step that ended before.
            assert!(rows.len() > 2 && rows.len() <= 11, "{rows:?}");
            assert!(rows.windows(2).all(|pair| (pair[1].0 - pair[0].0 - 0.5).abs() < 1e-9), "{rows:?}");
            rows.iter().for_each(|(t, x)| near(*x, 2.0 * libm::exp(-0.5 * t), 1e-7, "before the crash"));
        }
    }
}

/// The sources of the unit for the tests are compiled here, whether the description names them or not.
#[test]
fn a_unit_that_has_sources_only_is_compiled() {
    let folder = Folder::new("sources");
    let source = std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/units/unit.c")).expect("a source");
    // Headers of the standard are there, though no archive has them.
    let decay = [&b"#define MODEL 2\n#include \"fmi2TypesPlatform.h\"\n#include \"unit.h\"\n"[..], &source].concat();
    let kind = "<ModelExchange modelIdentifier=\"unit\"/>";
    let named =
        "<ModelExchange modelIdentifier=\"unit\"><SourceFiles><File name=\"unit.c\"/></SourceFiles></ModelExchange>";
    let text = "use fmu \"it.fmu\" as it\nalways it.u == 0\nplot it.x";
    for description in [DECAY.to_string(), DECAY.replace(kind, named)] {
        let files: [(&str, &[u8]); 3] =
            [("modelDescription.xml", description.as_bytes()), ("sources/unit.c", &decay), ("sources/unit.h", b"\n")];
        folder.pack("it.fmu", &files);
        for row in folder.rows(text, 1.0, 0.25) {
            near(row[1], 2.0 * libm::exp(-0.5 * row[0]), 1e-7, "x");
        }
    }
    let files: [(&str, &[u8]); 2] =
        [("modelDescription.xml", DECAY.as_bytes()), ("sources/unit.c", b"int fmi2 = this is no C;")];
    folder.pack("it.fmu", &files);
    let mut instance = folder.scene(text).instance().expect("a program");
    let error = instance.start().expect_err("it cannot be compiled");
    let message = error.diagnostics().sorted()[0].message.clone();
    assert!(message.contains("its sources cannot be compiled") && message.contains("unit.c:1"), "{message}");
}

#[test]
fn bad_archives_are_refused_with_a_sentence() {
    let folder = Folder::new("bad");
    let library = folder.compiled(&["-DMODEL=2"]);
    let text = "use fmu \"it.fmu\" as it\nalways it.u == 0\nplot it.x";
    let description = |change: (&str, &str)| DECAY.replace(change.0, change.1).into_bytes();
    type Files<'a> = Vec<(&'a str, Vec<u8>)>;
    let cases: [(&str, Files<'_>); 10] = [
        ("leads elsewhere", vec![("modelDescription.xml", DECAY.into()), ("../evil.so", vec![1])]),
        ("leads elsewhere", vec![("modelDescription.xml", DECAY.into()), ("/etc/evil", vec![1])]),
        ("no `modelDescription.xml`", vec![("readme", vec![1])]),
        ("no files of C", vec![("modelDescription.xml", DECAY.into()), ("sources/unit.h", vec![1])]),
        ("and no sources", vec![("modelDescription.xml", DECAY.into()), ("resources/unit.txt", vec![1])]),
        (
            "no library for this machine",
            vec![("modelDescription.xml", DECAY.into()), ("binaries/vax/unit.so", vec![1])],
        ),
        ("for FMI 1.0", vec![("modelDescription.xml", description(("2.0", "1.0")))]),
        ("no XML that can be read", vec![("modelDescription.xml", description(("</ModelStructure>", "")))]),
        ("neither model exchange nor co-simulation", vec![("modelDescription.xml", description(("unit\"", "../u\"")))]),
        (
            "names a variable that is not there",
            vec![("modelDescription.xml", description(("index=\"3\"", "index=\"99\"")))],
        ),
    ];
    for (words, files) in cases {
        let mut files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
        if words.contains("XML") || words.contains("FMI") || words.contains("variable") {
            files.push((LIBRARY, &library));
        }
        folder.pack("it.fmu", &files);
        let found = folder.refused(text);
        assert!(found.contains(words), "{found} instead of {words}");
    }
    std::fs::write(folder.0.join("it.fmu"), b"no archive at all").expect("a file");
    assert!(folder.refused(text).contains("no archive"));
    folder.pack("it.fmu", &[("modelDescription.xml", DECAY.as_bytes()), (LIBRARY, b"no library")]);
    let mut instance = folder.scene(text).instance().expect("a program");
    let error = instance.start().and_then(|()| instance.advance_to(2.0)).expect_err("it fails");
    assert!(error.diagnostics().sorted()[0].message.contains("cannot be loaded"));
}

/// A megabyte that becomes a gigabyte is not unpacked; damaged archives of all kinds end with a sentence.
#[test]
fn archives_that_grow_or_are_damaged_are_refused() {
    let folder = Folder::new("grow");
    let text = "use fmu \"it.fmu\" as it\nplot it.x";
    let zeros = vec![0u8; 600 << 20];
    folder.pack("it.fmu", &[("modelDescription.xml", DECAY.as_bytes()), ("resources/huge", &zeros)]);
    drop(zeros);
    let found = folder.refused(text);
    assert!(found.contains("512 MB") || found.contains("plain file of at most"), "{found}");
    folder.pack("it.fmu", &[("modelDescription.xml", DECAY.as_bytes()), (LIBRARY, &[7; 500])]);
    let whole = std::fs::read(folder.0.join("it.fmu")).expect("a file");
    let mut random = base::Random::new(5);
    for _ in 0..300 {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            let at = random.below(bytes.len());
            bytes[at] = random.bits() as u8;
        }
        bytes.truncate(random.below(bytes.len() * 2).max(1));
        std::fs::write(folder.0.join("it.fmu"), bytes).expect("a file");
        // Whatever comes of it: no panic, and an error that says something.
        if let Err(error) = folder.compile(text) {
            assert!(error.diagnostics().sorted().iter().all(|found| !found.message.is_empty()));
        }
    }
}
