//! What can be said on the command line.

use std::path::PathBuf;

use ansatz::{At, Fmi, Lanes, Level, Options, Rotations, Settings, Solver, Stage, Target};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use driver::{Form, Notation};

use crate::angles::Angles;
use crate::sweep::design::Kind as DesignKind;

// No line is longer than 80 characters: help is not wrapped well by machines.
const EXAMPLES: &str = "\
Examples:
  ansatz studio                                  see the examples move
  ansatz new swing                               write a scene to begin with
  ansatz examples/pendulum.anz                   see one scene move
  ansatz run examples/pendulum.anz               simulate and draw
  ansatz run examples/pendulum.anz -o swing.csv  write the trajectory to a file
  ansatz sweep examples/pendulum.anz --vary length=1..2:100 -o runs.csv
  ansatz check examples/pendulum.anz             report everything that is wrong
  ansatz explain examples/double_pendulum.anz    show the equations derived
  ansatz build examples/pendulum.anz --target c  write an exported program
  ansatz fmt examples/*.anz                      lay the text out";

const RUN_EXAMPLES: &str = "\
Without `-o`, the recorded quantities are drawn in the terminal.

Examples:
  ansatz run examples/pendulum.anz --set angle=120 --set 'length=80[cm]'
  ansatz run examples/pendulum.anz --until 2 --every 0.5 --probe energy -o -
  ansatz run examples/double_pendulum.anz --tolerance 1e-12 \\
      --probe 'bob1.position, |bob2.velocity|' -o chaos.csv";

const SWEEP_EXAMPLES: &str = "\
Each run has the very bits of `ansatz run --set …`, in however many threads.
The table has a row for each run: its number, what varies (as `--set` takes it),
the time at which it ended, what is recorded there, and why it failed, if it
did. With `--every`, it has all rows. By its ending the file is CSV (.csv),
Parquet (.parquet) or Arrow (.arrow, .feather), these two with units.

Examples:
  ansatz sweep examples/pendulum.anz --vary length=1..2:1000 -o runs.parquet
  ansatz sweep examples/pendulum.anz --vary 'length=50..200[cm]:20' \\
      --vary angle=10,20,45 --every 0.1 -o swings.csv
  ansatz sweep examples/bouncing_ball.anz --design latin --runs 500 \\
      --vary height=0.5..2 --vary restitution=0.5..0.9 \\
      --reduce max:ball.velocity.z,first:rest,count:bounce -o bounces.csv
  ansatz sweep examples/pendulum.anz --values measured.csv -o runs.arrow
  ansatz sweep examples/pendulum.anz --vary length=1..2:1000 -o runs.parquet \\
      --resume                                   go on where it was stopped";

const TEST_EXAMPLES: &str = "\
A claim is a statement such as `claim dry: always boat.position.z >= 0`.

Examples:
  ansatz test examples/ball_in_box.anz
  ansatz test examples/ball_in_box.anz --runs 100 --vary restitution=0.5..1";

const NEW_EXAMPLES: &str = "\
Theories are those of the library, and files `THEORY.anz` in this folder.

Examples:
  ansatz new swing                         a pendulum, to be changed
  ansatz new chaos --from double_pendulum  a copy of an example
  ansatz new filter --scene circuits       nodes, resistors, capacitors, …";

const EXPORT_EXAMPLES: &str = "\
What is written is chosen by the ending of the file: .glb is a motion that
Blender, three.js and others play; .mcap has poses, shapes and what a run
records, for Foxglove; .png, .gif, .webm and .mp4 are drawn by a browser without
a window, each picture at its exact instant; .svg is a drawing of lines and
faces, which needs none; .tex has the equations of the scene.

Examples:
  ansatz export examples/double_pendulum.anz -o chaos.glb
  ansatz export examples/double_pendulum.anz -o chaos.mp4 --size 1920x1080
  ansatz export examples/pendulum.anz -o slow.gif --to 4 --speed 0.5 --rate 25
  ansatz export examples/pendulum.anz -o far.png --at 0.7 --set angle=170
  ansatz export examples/cradle.anz -o cradle.svg --camera front
  ansatz export examples/double_pendulum.anz -o equations.tex";

const IMPORT_EXAMPLES: &str = "\
The text has the names of the file, with comments that say where each part comes
from. What cannot be taken over, or had to be changed, is said.

Examples:
  ansatz import arm.urdf                  writes arm.anz
  ansatz import dog.urdf -o dog.anz --floating
  ansatz import ant.xml                   a file of MuJoCo
  ansatz import bracket.stl               a part, with the mass of its volume
  ansatz import arm.urdf -o - | less      to look at it first";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  ansatz completions bash > ~/.local/share/bash-completion/completions/ansatz
  ansatz completions zsh  > ~/.zfunc/_ansatz       with ~/.zfunc in $fpath
  ansatz completions fish > ~/.config/fish/completions/ansatz.fish
  ansatz completions powershell >> $PROFILE";

const BUILD_EXAMPLES: &str = "\
The program stands alone, and gives the same numbers as `ansatz run`.

Examples:
  ansatz build examples/pendulum.anz --target c
  cd pendulum-c && make && ./pendulum --until 10 --set angle=120
  ansatz build examples/pendulum.anz --target rust -o swing --probe energy
  ansatz build examples/pendulum.anz --target html    opens in any browser
  ansatz build examples/pendulum.anz --target fmu     pendulum.fmu, for other simulators";

const STUDIO_EXAMPLES: &str = "\
Only this machine can reach it, and only with the address that is printed.
`ansatz FILE` is short for `ansatz studio FILE`.

Examples:
  ansatz studio                        a gallery of the examples
  ansatz studio examples/pendulum.anz  one scene; files of its folder too
  ansatz studio --no-open --port 8080  print the address only";

const ASK_EXAMPLES: &str = "\
A question is a statement such as `find boat.speed given steady(boat)`.

Examples:
  ansatz ask examples/sailboat.anz
  ansatz ask examples/sailboat.anz --set course=60
  ansatz ask examples/sailboat.anz --without trimmed   what would be missing
  ansatz ask examples/sailboat.anz -o polar.svg        its table, drawn
  ansatz ask examples/sailboat.anz -o polar.csv        its table, for other programs
  ansatz ask examples/sailboat.anz --json";

const LINEARIZE_EXAMPLES: &str = "\
States are those that can be chosen independently, inputs are the controls of
the scene, outputs what it plots. All numbers are in SI units.

Examples:
  ansatz linearize examples/pendulum.anz                 near its equilibrium
  ansatz linearize examples/pendulum.anz --equilibrium   only where that is
  ansatz linearize examples/pendulum.anz --at initial    near its start
  ansatz linearize examples/pendulum.anz --at 2.5        where a run is after 2.5 s
  ansatz linearize cart.anz --lqr I,1                    a controller for it
  ansatz linearize cart.anz --bode --step                how it answers
  ansatz linearize cart.anz --set mass=2 --json -o cart.json";

const DOCS_EXAMPLES: &str = "\
Tutorial, how-to pages, reference and explanation, without a network.

Examples:
  ansatz docs            read it in the browser, and open its scenes
  ansatz docs -o manual  write it to a folder, to keep or to publish; its scenes run in the pages";

const PLAYGROUND_EXAMPLES: &str = "\
Nothing runs on the server: scenes are compiled in the page, as WebAssembly, and
what one writes stays in the browser. Links to scenes open there too.

Examples:
  ansatz playground -o public
  python3 -m http.server -d public    to look at it here";

const LESSON_EXAMPLES: &str = "\
A block of code marked `ansatz` is a scene; `question` and `task` belong to the
scene before them. The manual has a page on lessons.

Example:
  ansatz lesson pendulum.md -o pendulum.html";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  ansatz explain examples/pendulum.anz                  counts, equations, plan
  ansatz explain examples/pendulum.anz --equations      as in a textbook
  ansatz explain examples/pendulum.anz --equations state-space --as latex
  ansatz explain examples/pendulum.anz --stage program  the functional program
  ansatz explain examples/pendulum.anz --stage code     the machine code
  ansatz explain examples/bouncing_ball.anz --mode motion=resting --stage equations
  ansatz explain unknown-name                           what an error means
  ansatz explain examples/pendulum.anz --json           for other programs";

/// A physics compiler: describe a system as a textbook does, get a fast simulation program.
#[derive(Debug, Parser)]
#[command(name = "ansatz", version, about, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open scenes in the browser: edit, see them move, play with them
    #[command(after_help = STUDIO_EXAMPLES)]
    Studio(StudioArguments),
    /// What the studio starts for each scene
    #[command(hide = true)]
    StudioWorker(WorkerArguments),
    /// Compile a scene and simulate it
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArguments),
    /// Report everything that is wrong with a scene; if nothing is, `run` starts
    Check(CheckArguments),
    /// Run a scene again and again with other parameters, and see whether its claims hold
    #[command(after_help = TEST_EXAMPLES)]
    Test(TestArguments),
    /// Run a scene with many values of its parameters, in all threads, and write one table
    #[command(after_help = SWEEP_EXAMPLES)]
    Sweep(SweepArguments),
    /// Show what was derived at each stage, or what a kind of error means
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArguments),
    /// Answer the questions of a scene: values, laws, assumptions, and what is missing
    #[command(after_help = ASK_EXAMPLES)]
    Ask(AskArguments),
    /// Linear model near an equilibrium or the start: A, B, C, D, eigenvalues, and what each mode moves
    #[command(after_help = LINEARIZE_EXAMPLES)]
    Linearize(LinearizeArguments),
    /// Write a complete program that simulates a scene and needs nothing else
    #[command(after_help = BUILD_EXAMPLES)]
    Build(BuildArguments),
    /// Lay out the text of scenes
    Fmt(FormatArguments),
    /// Write a scene to begin with
    #[command(after_help = NEW_EXAMPLES)]
    New(NewArguments),
    /// Write the motion of a scene for other programs (glTF)
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArguments),
    /// Make a scene of a file of another program: a robot (URDF, MJCF, SDF), a part (STL, OBJ), a drawn scene (glTF)
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportArguments),
    /// Read the manual in the browser, or write it to a folder
    #[command(after_help = DOCS_EXAMPLES)]
    Docs(DocsArguments),
    /// Write a folder that any web server can serve: the studio with the compiler in the page
    #[command(after_help = PLAYGROUND_EXAMPLES)]
    Playground(PlaygroundArguments),
    /// Make one page of a lesson: Markdown with scenes, questions and tasks
    #[command(after_help = LESSON_EXAMPLES)]
    Lesson(LessonArguments),
    /// Answer the questions of an editor, which starts this itself
    Lsp(LspArguments),
    /// Tell what is there on this machine, what is not, and what to do about it
    Doctor,
    /// Print what makes a shell complete the commands and options of Ansatz
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArguments),
}

#[derive(Args, Debug)]
pub struct LspArguments {
    /// Over standard input and output, as always; for editors that say so
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[derive(Args, Debug)]
pub struct DocsArguments {
    /// Write the pages to a folder; they open from there, or from any web server
    #[arg(short, long, value_name = "DIR", conflicts_with_all = ["port", "no_open"])]
    pub output: Option<PathBuf>,
    /// The port to listen on, on this machine alone [default: 4127, or any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Print the address only; open no browser
    #[arg(long)]
    pub no_open: bool,
}

#[derive(Args, Debug)]
pub struct LessonArguments {
    /// The lesson, in Markdown
    pub file: PathBuf,
    /// The page to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Args, Debug)]
pub struct PlaygroundArguments {
    /// The folder to write
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Args, Debug)]
pub struct NewArguments {
    /// What the scene is called, and its file without `.anz`
    pub name: Option<String>,
    /// Write the things of a theory with their quantities and units
    #[arg(long, value_name = "THEORY")]
    pub scene: Option<String>,
    /// Copy one of the examples, such as `double_pendulum`
    #[arg(long, value_name = "EXAMPLE", conflicts_with = "scene")]
    pub from: Option<String>,
}

#[derive(Args, Debug)]
pub struct ExportArguments {
    /// The scene; `-` is standard input
    pub file: PathBuf,
    /// The file to write, whose ending says of what kind it is
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The first instant that is shown, in seconds, or the only one of a picture
    #[arg(long, visible_alias = "at", value_name = "T", default_value_t = 0.0)]
    pub from: f64,
    /// The last instant that is shown, in seconds
    #[arg(long, value_name = "T", default_value = "10", value_parser = positive)]
    pub to: f64,
    /// How many seconds of the motion go by in one second of the file
    #[arg(long, value_name = "X", default_value = "1", value_parser = positive)]
    pub speed: f64,
    /// How many instants there are in a second of the file
    #[arg(long, value_name = "N", default_value = "30", value_parser = positive)]
    pub rate: f64,
    /// The size of a picture or film in pixels [default: 1280x720, and 640x360 for a GIF]
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<Size>,
    /// Where to look from: a camera of the scene, top, front, side, isometric or everything, a frame to follow, or a point as in 3,-4,2, perhaps with another one to look at, as in 3,-4,2,0,0,1; in films also a path of such points, each after its second, as in '0: 3,-4,2; 5: 0,-8,3' [default: the first camera of the scene]
    #[arg(long, value_name = "WHERE", allow_hyphen_values = true)]
    pub camera: Option<String>,
    /// What to draw besides the shapes: frames, velocities, forces, constraints, contacts, traces, names, centre, wireframe, shadows
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_value = "traces,shadows")]
    pub show: Vec<String>,
    /// The colours of a picture or film: light, dark or projector
    #[arg(long, value_name = "THEME", value_parser = ["light", "dark", "projector"], default_value = "light")]
    pub theme: String,
    #[command(flatten)]
    pub settings: SettingArguments,
}

/// In pixels.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

/// `1920x1080`
fn size(text: &str) -> Result<Size, String> {
    const SIZES: std::ops::RangeInclusive<u32> = 16..=4096;
    let read = |part: &str| part.trim().parse().ok().filter(|size| SIZES.contains(size));
    let parts = text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some((read(width)?, read(height)?)));
    let (width, height) = parts.ok_or("a size is two numbers from 16 to 4096, as in 1920x1080")?;
    Ok(Size { width, height })
}

#[derive(Args, Debug)]
pub struct ImportArguments {
    /// The file; `-` is standard input
    pub file: PathBuf,
    /// The scene to write; `-` is standard output [default: the name of the file, here, with `.anz`]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Let the base of the robot move freely; without this it is fixed where the file leaves that open
    #[arg(long)]
    pub floating: bool,
}

#[derive(Args, Debug)]
pub struct CompletionsArguments {
    /// For which shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct StudioArguments {
    /// A scene, or a folder with scenes [default: the examples, and this folder]
    pub path: Option<PathBuf>,
    /// The port to listen on, on this machine alone [default: 4127, or any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Print the address only; open no browser
    #[arg(long, alias = "no-browser")]
    pub no_open: bool,
}

#[derive(Args, Debug)]
pub struct WorkerArguments {
    /// Where theories may be found besides those that come with Ansatz
    pub folder: PathBuf,
}

#[derive(Args, Debug)]
pub struct AngleArguments {
    /// Angles in radians, as they are computed, where drawings and CSV have degrees
    #[arg(long)]
    radians: bool,
}

impl AngleArguments {
    pub fn chosen(&self) -> Angles {
        if self.radians { Angles::Radians } else { Angles::Degrees }
    }
}

#[derive(Args, Debug)]
pub struct RunArguments {
    /// The scene; `-` is standard input
    #[arg(required_unless_present = "solver")]
    pub file: Option<PathBuf>,
    /// How many seconds to simulate
    #[arg(long, value_name = "T", default_value_t = 10.0, value_parser = positive, allow_negative_numbers = true)]
    pub until: f64,
    /// Seconds between rows [default: a two-hundredth of the run, less for drawings]
    #[arg(long, value_name = "DT", value_parser = positive, allow_negative_numbers = true)]
    pub every: Option<f64>,
    #[command(flatten)]
    pub settings: SettingArguments,
    /// What to record, any expressions, separated by commas [default: what the scene plots]
    #[arg(long, value_name = "A,B")]
    pub probe: Vec<String>,
    /// Relative error allowed in each step
    #[arg(long, value_name = "X", default_value = "1e-8", value_parser = positive, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// How to solve: auto, explicit or implicit; `list` explains them
    #[arg(long, value_name = "HOW", value_parser = one_of(SOLVERS), default_value = "auto")]
    pub solver: SolverChoice,
    /// Write the trajectory to a file: Parquet, Arrow or MCAP if its name ends so, its plots if it ends with .svg or .pdf, else CSV; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write when each transition happened, and each impact and change of what touches, to a file, as CSV, Parquet or Arrow
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Print only a hash of the trajectory, the same as that of the programs that `build` writes
    #[arg(long, conflicts_with = "output")]
    pub hash: bool,
    #[command(flatten)]
    pub angles: AngleArguments,
    #[command(flatten)]
    pub compile: CompileArguments,
}

#[derive(Args, Debug)]
pub struct BuildArguments {
    /// The scene; `-` is standard input
    pub file: PathBuf,
    /// The language of the program; `html` is a page with the scene in motion, `fmu` a unit for other simulators
    #[arg(long, value_name = "TARGET", value_parser = one_of(TARGETS))]
    pub target: Product,
    /// The version of FMI that a unit is made for
    #[arg(long, value_name = "VERSION", value_parser = one_of(VERSIONS), default_value = "3")]
    pub fmi: Fmi,
    /// Seconds of the run that a unit has inside to be compared with
    #[arg(long, value_name = "T", default_value_t = 10.0, value_parser = positive, allow_negative_numbers = true)]
    pub until: f64,
    /// The folder to write, of a unit the file [default: the scene's name and the target, as in pendulum-c]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// What the program prints, any expressions, separated by commas [default: what the scene plots]
    #[arg(long, value_name = "A,B")]
    pub probe: Vec<String>,
    /// Relative error allowed in each step; decides the method of integration
    #[arg(long, value_name = "X", default_value = "1e-8", value_parser = positive, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// How to solve: auto, explicit or implicit; `ansatz run --solver list` explains them
    #[arg(long, value_name = "HOW", value_parser = one_of(&SOLVERS[..3]), default_value = "auto")]
    pub solver: SolverChoice,
    #[command(flatten)]
    pub compile: CompileArguments,
}

#[derive(Args, Debug)]
pub struct CheckArguments {
    /// The scene; `-` is standard input
    pub file: PathBuf,
    /// Print the diagnostics as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub compile: CompileArguments,
}

#[derive(Args, Debug)]
pub struct TestArguments {
    /// The scene; `-` is standard input
    pub file: PathBuf,
    /// How many seconds to simulate each time
    #[arg(long, value_name = "T", default_value_t = 10.0, value_parser = positive, allow_negative_numbers = true)]
    pub until: f64,
    /// How many runs; the first has the middle of each range, the next ones their corners
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub runs: usize,
    /// Vary a parameter between two values, in its declared unit or with one; may be repeated [default: all, by a tenth]
    #[arg(long, value_name = "NAME=A..B")]
    pub vary: Vec<String>,
    /// Relative error allowed in each step
    #[arg(long, value_name = "X", default_value = "1e-8", value_parser = positive, allow_negative_numbers = true)]
    pub tolerance: f64,
    #[command(flatten)]
    pub compile: CompileArguments,
}

#[derive(Args, Debug)]
pub struct SweepArguments {
    /// The scene; `-` is standard input
    pub file: PathBuf,
    /// Values of a parameter or a control, a range with a count or a list, in its declared unit or with one; may be repeated
    #[arg(long, value_name = "NAME=A..B:N", required_unless_present = "values", conflicts_with = "values")]
    pub vary: Vec<String>,
    /// Values from a CSV file: a first line of names, and a line for each run
    #[arg(long, value_name = "FILE")]
    pub values: Option<PathBuf>,
    /// Every combination, points drawn evenly, or a Latin hypercube
    #[arg(long, value_name = "HOW", value_parser = one_of(DESIGNS), default_value = "grid", conflicts_with = "values")]
    pub design: DesignKind,
    /// How many runs, where values are drawn [default: 100]
    #[arg(long, value_name = "N", conflicts_with = "values")]
    pub runs: Option<usize>,
    /// What decides which values are drawn; one seed, one design
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// How many seconds to simulate each time
    #[arg(long, value_name = "T", default_value_t = 10.0, value_parser = positive, allow_negative_numbers = true)]
    pub until: f64,
    /// Keep all rows, so many seconds apart; with `--reduce`, look at these
    #[arg(long, value_name = "DT", value_parser = positive, allow_negative_numbers = true)]
    pub every: Option<f64>,
    #[command(flatten)]
    pub settings: SettingArguments,
    /// What to record, any expressions, separated by commas [default: what the scene plots]
    #[arg(long, value_name = "A,B")]
    pub probe: Vec<String>,
    /// Keep of each run: min, max, last or histogram of an expression over its rows, first time or count of a transition
    #[arg(long, value_name = "WHAT:OF")]
    pub reduce: Vec<String>,
    /// Relative error allowed in each step
    #[arg(long, value_name = "X", default_value = "1e-8", value_parser = positive, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// How to solve: auto (for each run by itself), explicit or implicit; `ansatz run --solver list` explains them
    #[arg(long, value_name = "HOW", value_parser = one_of(&SOLVERS[..3]), default_value = "auto")]
    pub solver: SolverChoice,
    /// The table to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Write when each transition of each run happened, and each impact and change of what touches, to a file
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Where the runs are made: on the processor, or on a GPU by NVIDIA, if there is one
    #[arg(long, value_name = "WHERE", value_parser = one_of(PLACES_OF_RUNS), default_value = "cpu")]
    pub on: Place,
    /// In how many threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Whether each thread makes several runs side by side in the vectors of the processor: auto does where it pays; needs a C compiler
    #[arg(long, value_name = "WHEN", value_parser = one_of(LANES), default_value = "auto")]
    pub lanes: Lanes,
    /// Go on with a sweep that was interrupted
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub angles: AngleArguments,
    #[command(flatten)]
    pub compile: CompileArguments,
}

#[derive(Args, Debug)]
pub struct ExplainArguments {
    /// The scene, with `-` for standard input, or the code of an error such as `unknown-name`
    pub file: PathBuf,
    /// Show one stage in full
    #[arg(long, value_parser = one_of(Stage::NAMED))]
    pub stage: Option<Stage>,
    /// Show the equations as they would stand on a board
    #[arg(long, value_name = "FORM", value_parser = one_of(Form::NAMED), num_args = 0..=1, default_missing_value = "lagrangian")]
    pub equations: Option<Form>,
    /// Write them in a notation for other programs
    #[arg(long = "as", value_name = "NOTATION", value_parser = one_of(Notation::NAMED), default_value = "text")]
    pub notation: Notation,
    /// Show what holds in another mode than that at the start; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub mode: Vec<String>,
    /// Print counts, classes, systems and equations as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub compile: CompileArguments,
}

// What a scene starts with.
#[derive(Args, Debug)]
pub struct SettingArguments {
    /// Give a parameter another value, as a number in its declared unit or as in 60[deg]; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Hold a control at a value; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub input: Vec<String>,
}

impl SettingArguments {
    pub fn settings(&self) -> Settings {
        Settings { parameters: self.set.clone(), controls: self.input.clone() }
    }

    /// Whether it has a value for a name.
    pub fn sets(&self, name: &str) -> bool {
        let mut names = self.set.iter().chain(&self.input).filter_map(|text| text.split_once('='));
        names.any(|(known, _)| known.trim() == name)
    }
}

#[derive(Args, Debug)]
pub struct AskArguments {
    /// The scene; `-` is standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub settings: SettingArguments,
    /// Do without an assumption or a law
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
    /// Print the answers as JSON, in SI units
    #[arg(long)]
    pub json: bool,
    /// Write the tables of `find … for …` (.csv, .parquet, .arrow), or draw them (.svg, .pdf)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Where a linear model is made.
#[derive(Clone, Copy, Debug)]
pub enum Around {
    Near(At),
    /// Where a run is then.
    Time(f64),
}

impl Around {
    fn read(text: &str) -> Result<Around, String> {
        match text {
            "equilibrium" => Ok(Around::Near(At::Equilibrium)),
            "initial" => Ok(Around::Near(At::Initial)),
            _ => match text.parse::<f64>() {
                Ok(t) if t >= 0.0 && t.is_finite() => Ok(Around::Time(t)),
                _ => Err("is neither `equilibrium` nor `initial` nor a time in seconds, such as `2.5`".to_string()),
            },
        }
    }
}

#[derive(Args, Debug)]
pub struct LinearizeArguments {
    /// The scene; `-` is standard input
    pub file: PathBuf,
    /// Where: equilibrium, initial, or a time of a run, in seconds [default: the start if it rests or moves steadily, else an equilibrium near it]
    #[arg(long, value_name = "WHERE", value_parser = Around::read)]
    pub at: Option<Around>,
    /// Say only where the equilibrium is
    #[arg(long, conflicts_with = "at")]
    pub equilibrium: bool,
    #[command(flatten)]
    pub settings: SettingArguments,
    /// The outputs, any expressions, separated by commas [default: what the scene plots]
    #[arg(long, value_name = "A,B")]
    pub probe: Vec<String>,
    /// The regulator u = -K x of least cost ∫ x'Q x + u'R u dt; diagonals with blanks, one number for all, or I
    #[arg(long, value_name = "Q,R", value_parser = driver::Weights::read, conflicts_with = "equilibrium")]
    pub lqr: Option<driver::Weights>,
    /// The transfer function of each output and input
    #[arg(long, conflicts_with = "equilibrium")]
    pub transfer: bool,
    /// Draw how outputs answer oscillations of inputs
    #[arg(long, conflicts_with = "equilibrium")]
    pub bode: bool,
    /// Draw how outputs answer a step of each input
    #[arg(long, conflicts_with = "equilibrium")]
    pub step: bool,
    /// Print the model as JSON
    #[arg(long)]
    pub json: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Rotations as an angle or a unit quaternion, or as quaternion components with constraints
    #[arg(long, value_name = "HOW", value_parser = one_of(ROTATIONS), default_value = "minimal")]
    pub rotations: Rotations,
}

#[derive(Args, Debug)]
pub struct FormatArguments {
    /// The scenes; `-` is standard input, laid out on standard output
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; fail if a file is not laid out as it should be
    #[arg(long)]
    pub check: bool,
}

/// How to compile.
#[derive(Args, Debug)]
pub struct CompileArguments {
    /// Rotations as an angle or a unit quaternion, or as quaternion components with constraints
    #[arg(long, value_name = "HOW", value_parser = one_of(ROTATIONS), default_value = "minimal")]
    pub rotations: Rotations,
    /// Whether the program is decomposed and what nobody needs is dropped
    #[arg(long, value_name = "LEVEL", value_parser = one_of(LEVELS), default_value = "full")]
    pub optimize: Level,
}

/// Where a sweep makes its runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Processor,
    Gpu,
}

/// What `build` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    Program(Target),
    /// A page that stands alone.
    Page,
    /// A functional mock-up unit.
    Fmu,
}

/// How to solve; nothing to have explained what there is to choose from.
pub type SolverChoice = Option<Solver>;

impl CompileArguments {
    pub fn options(&self) -> Options {
        Options { rotations: self.rotations, optimize: self.optimize, ..Options::default() }
    }
}

const ROTATIONS: &[(&str, Rotations)] = &[("minimal", Rotations::Minimal), ("quaternion", Rotations::Quaternion)];
const SOLVERS: &[(&str, SolverChoice)] = &[
    ("auto", Some(Solver::Auto)),
    ("explicit", Some(Solver::Explicit)),
    ("implicit", Some(Solver::Implicit)),
    ("list", None),
];

const DESIGNS: &[(&str, DesignKind)] =
    &[("grid", DesignKind::Grid), ("random", DesignKind::Random), ("latin", DesignKind::Latin)];

const TARGETS: &[(&str, Product)] = &[
    ("c", Product::Program(Target::C)),
    ("rust", Product::Program(Target::Rust)),
    ("wasm", Product::Program(Target::Wasm)),
    ("cuda", Product::Program(Target::Cuda)),
    ("html", Product::Page),
    ("fmu", Product::Fmu),
];

const VERSIONS: &[(&str, Fmi)] = &[("2", Fmi::Two), ("3", Fmi::Three)];

const LANES: &[(&str, Lanes)] = &[("auto", Lanes::Auto), ("always", Lanes::Always), ("never", Lanes::Never)];

const PLACES_OF_RUNS: &[(&str, Place)] = &[("cpu", Place::Processor), ("cuda", Place::Gpu)];

const LEVELS: &[(&str, Level)] = &[("none", Level::None), ("full", Level::Full)];

/// A choice by its name.
fn one_of<T: Copy + Send + Sync>(choices: &'static [(&str, T)]) -> impl TypedValueParser<Value = T> {
    let named = |name: String| choices.iter().find(|(known, _)| *known == name).map(|(_, choice)| *choice);
    PossibleValuesParser::new(choices.iter().map(|(name, _)| *name))
        .try_map(move |name| named(name).ok_or("is unknown"))
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        Ok(_) => Err("must be a positive number".to_string()),
        Err(_) => Err("is not a number".to_string()),
    }
}
