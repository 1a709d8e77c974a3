//! What the studio's page and its server say to each other. It is written in `crates/app/studio/src/protocol.rs`;
//! `cargo xtask protocol` makes `web/src/protocol.ts` of that.
//!
//! HTTP, all on the page's own origin; every request under `/api` and the socket carry the token of the page's address as `?token=…`.
//!
//! | request | answer |
//! |---|---|
//! | `GET /?token=…` | the page; `&open=examples/pendulum.anz` or `&open=my/scene.anz` names what to open first |
//! | `GET /api/gallery` | `Gallery` |
//! | `GET /api/file?path=…` | the bytes of a file, and their `ETag`; `examples/…` are the built-in examples, anything else is in the opened folder |
//! | `GET /api/file` with `If-None-Match` | 304 if the text is still that of this `ETag` |
//! | `GET /api/work?path=…` | the `Work` that is kept for a scene, or null |
//! | `PUT /api/work` | keeps a `Work` and answers with the time of it; 409 if another tab kept another text since the page's last one |
//! | `PUT /api/file?path=…` | saves the body, whole or not at all; 204 with its `ETag`, or `Refusal` with 4xx; with `If-Match` only over the text of that `ETag`, with `If-None-Match: *` only where there is none, else 412 |
//! | `POST /api/export` | what an `Export` orders: the file, with what to know about it in `ansatz-note`, or `Refusal` with 4xx |
//! | `WS /api/run` | one socket for each tab: `Request`s go up as JSON, `Reply`s come down as JSON, frames as binary |
//!
//! All numbers are in SI units, whatever unit they are shown in: shown = value / unit.scale. All positions in the text are lines and
//! columns counted from 1, columns in UTF-16 code units as JavaScript counts them.
//!
//! Ids are texts such as `frame:bob`, `constraint:linked`, `parameter:length`: whatever has the same id in two places is the same
//! thing, which is all that selection needs. Kinds of ids: `frame` (bodies too), `constraint`, `initial`, `parameter`, `control`,
//! `coordinate`, `force`, `potential`, `shape`, `camera`, `light`, `plot`, `equation`, `system`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gallery {
    /// The scenes that come with Ansatz.
    pub examples: Vec<GalleryEntry>,
    /// The scenes in the opened folder.
    pub files: Vec<GalleryEntry>,
    /// What somebody worked on in this folder, the newest first.
    pub recent: Vec<Recent>,
    /// The opened folder, as a person knows it.
    pub folder: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GalleryEntry {
    /// For `/api/file`. Built-in examples begin with `examples/` and cannot be saved under this name.
    pub path: String,
    /// `roller coaster 3`
    pub title: String,
    /// The first comment of the text.
    pub description: String,
    /// Whether it can be saved under its own path.
    pub writable: bool,
}

/// Work on a scene that is kept for its author: what is not saved, and plots asked for by hand.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Work {
    pub path: String,
    /// The text that is not saved; none if all of it is.
    pub text: Option<String>,
    /// The `ETag` of the file that the text was made from; empty if there was none.
    pub version: String,
    pub plots: Vec<String>,
    /// When it was kept, in milliseconds since 1970; in a request, when the last record that the page knows was kept.
    pub at: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recent {
    pub path: String,
    pub title: String,
    /// Whether there is text that is not saved.
    pub unsaved: bool,
    /// In milliseconds since 1970.
    pub at: f64,
}

/// A file of a scene for other programs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Export {
    /// The ending of its name: `glb`, `mcap`, `svg`, `pdf`, `parquet`, `html` or `fmu`.
    pub kind: String,
    /// Of the scene, in the opened folder.
    pub path: String,
    pub source: String,
    /// In the units of the text.
    pub parameters: BTreeMap<String, f64>,
    pub controls: BTreeMap<String, f64>,
    /// The first instant, or the only one of a picture, and the last, in seconds.
    pub from: f64,
    pub to: f64,
    /// The point to look from, and the point to look at.
    pub camera: [f64; 6],
}

/// Why a request was refused, in one sentence, and what would do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refusal {
    pub message: String,
    pub hint: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Request {
    Compile(Compile),
    /// Goes on: through what is recorded first, then into the future.
    Play,
    Pause,
    /// One frame on, or back in what is recorded; pauses.
    Step,
    Back,
    /// To the start, with the present parameters; what was recorded is forgotten. Playing or paused as before.
    Reset,
    /// Simulated seconds for each second; 0.001 to 1000.
    Speed {
        speed: f64,
    },
    /// To a recorded time, or by computing to a later one. Playing goes on from there if it was playing.
    Seek {
        t: f64,
    },
    /// The state is kept, and moved onto the constraints where they changed. What was recorded after the present moment becomes a branch.
    Parameter {
        name: String,
        value: f64,
    },
    Control {
        name: String,
        value: f64,
    },
    /// Switches prescribed motions off, by their labels; all others are on. The state is kept where they are switched off, and moved to where the
    /// motion has it where they are switched on again.
    Release {
        labels: Vec<String>,
    },
    /// A new plot of any expressions of the language, separated by commas; answered by `probed`.
    Probe {
        expression: String,
    },
    /// The recorded values of columns of the frames (see `at` everywhere), of another branch than the present run if one is named; answered by a
    /// binary message of kind HISTORY.
    History {
        request: u32,
        columns: Vec<usize>,
        branch: Option<u32>,
    },
    /// Takes a branch for the present run, gives it another name, or forgets it.
    Branch {
        id: u32,
        act: BranchAct,
        name: String,
    },
    /// A hand on a body or frame: where it was grasped, in the frame's axes, and where it is pulled to, in the world. Sent again
    /// while it moves. A spring pulls while playing; while paused the pose follows, as far as the constraints let it.
    Drag {
        frame: String,
        grasp: Vector,
        target: Vector,
    },
    Drop,
    /// The batch of frames with this number has been drawn: send more. Without it nothing more is sent after three batches.
    Drawn {
        batch: u32,
    },
    /// The text of one stage (`model`, `equations`, `plan`, `program`, `kernel`, `code`, or `tex` for the equations as a document of LaTeX); answered by `stage`.
    Stage {
        stage: String,
    },
    /// All numbers of the moment that is shown, for questions about it; answered by `moment`.
    Moment,
    Ask(Question),
    Sweep(Sweep),
    /// Nobody wants the rest of a sweep.
    Unsweep,
}

/// Many runs of a text that differ in one or two parameters or controls, each of which comes down to one number; answered by `swept`, again and again
/// until all runs are there. A newer one takes its place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sweep {
    pub request: u32,
    pub path: String,
    pub source: String,
    /// What all runs have in common, in SI units; what the text does not know is ignored.
    pub parameters: BTreeMap<String, f64>,
    pub controls: BTreeMap<String, f64>,
    /// The first varies fastest.
    pub vary: Vec<Varied>,
    /// An expression of the language.
    pub quantity: String,
    pub reduce: Reduce,
    /// In seconds.
    pub until: f64,
}

/// Values at equal distances, both ends among them, in SI units.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Varied {
    pub name: String,
    pub low: f64,
    pub high: f64,
    pub count: usize,
}

/// What a run comes down to; the largest and the least value are those of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reduce {
    Last,
    Max,
    Min,
}

/// About a place of a text, which need not be without errors; answered by `answered`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    pub request: u32,
    pub path: String,
    pub source: String,
    pub line: usize,
    pub column: usize,
    pub what: Wanted,
    /// The new name, to rename.
    #[serde(default)]
    pub name: String,
    /// For answers: parameters that differ from the text's own, as `course=60` in the units of the text.
    #[serde(default)]
    pub settings: Vec<String>,
    /// For answers: assumptions to do without.
    #[serde(default)]
    pub without: Vec<String>,
    /// For the linear model: where it is made; near the start or an equilibrium, if nobody says.
    #[serde(default)]
    pub moment: Option<Moment>,
}

/// Where a run is, in SI units; another compilation of the same text can begin there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Moment {
    pub t: f64,
    /// What is integrated or follows, modes and what transitions set, by name.
    pub states: BTreeMap<String, f64>,
    pub parameters: BTreeMap<String, f64>,
    pub controls: BTreeMap<String, f64>,
    /// Prescribed motions that are switched off, by their labels.
    pub released: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BranchAct {
    Take,
    Rename,
    Delete,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    Complete,
    Explain,
    Define,
    Rename,
    Outline,
    /// What the `find` of the text ask.
    Answers,
    /// The linear model near the start.
    Linear,
}

/// Compiles a text. The run so far goes on until the new one is ready; if the text has errors, it just goes on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compile {
    /// Counts up; replies to older texts are dropped.
    pub revision: u32,
    /// For messages, and to find meshes.
    pub path: String,
    pub source: String,
    /// Values that were set by hand and differ from the text's own; those the text does not know are ignored.
    #[serde(default)]
    pub parameters: BTreeMap<String, f64>,
    #[serde(default)]
    pub controls: BTreeMap<String, f64>,
    /// Prescribed motions that are switched off, by their labels.
    #[serde(default)]
    pub released: Vec<String>,
    /// Expressions of plots that were added by hand; those that no longer make sense are dropped.
    #[serde(default)]
    pub probes: Vec<String>,
    pub playing: bool,
    /// Nothing asks for the tempo of the scene.
    pub speed: Option<f64>,
    /// Whether to go on from the present state and time, if the new scene has the same variables; otherwise from the start.
    pub keep: bool,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Reply {
    /// What is wrong or worth knowing about a text. It comes for every revision that was not overtaken by a newer one.
    Diagnostics {
        revision: u32,
        ok: bool,
        milliseconds: f64,
        list: Vec<Diagnostic>,
    },
    /// The text was good, and a new run takes over; frames after this message belong to it.
    Compiled {
        revision: u32,
        scene: Box<Scene>,
    },
    Status(Status),
    Moment {
        moment: Moment,
    },
    /// The run came to an end that it cannot pass. What is recorded can still be seen; reset starts again.
    Failed {
        t: f64,
        diagnostic: Diagnostic,
    },
    /// A parameter, a drag, a seek made no sense; nothing was changed.
    Refused {
        request: String,
        diagnostic: Diagnostic,
    },
    /// A probe became a plot, whose columns come at the end of each frame from now on; or there are diagnostics. Spans are those of
    /// the expression itself.
    Probed {
        expression: String,
        plot: Option<Plot>,
        list: Vec<Diagnostic>,
    },
    /// Curves, in the order of `Scene.curves`: x, y, z of each point. Comes after `compiled`, and whenever a parameter changes them.
    Curves {
        points: Vec<Vec<f64>>,
    },
    Stage {
        stage: String,
        text: String,
    },
    /// Transitions, from a number on; what was known from there on is forgotten.
    Events {
        from: usize,
        list: Vec<Transition>,
    },
    /// The present run, and what else was recorded: a change at a moment of the past starts another future, and the one that was there stays.
    Branches {
        present: BranchEntry,
        list: Vec<BranchEntry>,
    },
    /// A limit was met (size, time, memory): what happened, and what to do.
    Limit {
        message: String,
        hint: String,
    },
    /// The answer to a question about a text; nothing if there is none.
    Answered {
        request: u32,
        answer: Option<Answer>,
    },
    /// A file that the newest text was compiled with has changed: compile it again.
    Outdated,
    /// Runs of a sweep that are there since the last such reply; or why no more will come. The unit is that of the quantity; it comes once.
    Swept {
        request: u32,
        unit: Option<Unit>,
        runs: Vec<SweptRun>,
        trouble: Option<Refusal>,
    },
}

/// A run of a sweep, by its number.
#[derive(Clone, Debug, Serialize)]
pub struct SweptRun {
    pub run: usize,
    /// In SI units; none if the run failed, or the quantity has no value.
    pub value: Option<f64>,
    /// Why there is none.
    pub why: Option<String>,
}

/// One of the futures of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BranchEntry {
    pub id: u32,
    pub name: String,
    /// When it parts from the present run; up to then both are the same.
    pub from: f64,
    /// Up to when it is recorded.
    pub end: f64,
    pub parameters: BTreeMap<String, f64>,
    pub controls: BTreeMap<String, f64>,
}

/// What could be written; what is here; where it is declared, perhaps in a theory; what to change, or why not; what there is.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    Completions {
        span: Span,
        list: Vec<Entry>,
    },
    Explanation {
        span: Span,
        entry: Entry,
        facts: Vec<String>,
    },
    /// In the text itself, or in a theory that it uses, with the text of that.
    Declared {
        span: Span,
        theory: Option<Theory>,
    },
    Edits {
        edits: Vec<Label>,
    },
    Refused {
        refused: String,
    },
    Outline {
        outline: Vec<Outlined>,
    },
    Card {
        card: Card,
    },
    Linear {
        linear: Linear,
    },
}

/// The linear model of a scene near a moment, its start or an equilibrium, as pictures: modes, answers to oscillations, and to steps.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Linear {
    /// Where it was made, in words.
    pub about: String,
    pub modes: Vec<LinearMode>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// One for each input and output.
    pub answers: Vec<LinearAnswer>,
    /// Why there is no model, or no answers.
    pub trouble: Vec<String>,
}

/// A pole: s = real + i·imaginary, in 1/s.
#[derive(Clone, Debug, Serialize)]
pub struct LinearMode {
    pub real: f64,
    pub imaginary: f64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LinearAnswer {
    pub input: usize,
    pub output: usize,
    /// In rad/s, evenly spaced in their logarithm.
    pub frequencies: Vec<f64>,
    pub decibels: Vec<f64>,
    pub degrees: Vec<f64>,
    pub times: Vec<f64>,
    /// The output after the input has stepped from 0 to 1.
    pub step: Vec<f64>,
}

/// What the questions of a scene have for answers, and what these rest on.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    pub answers: Vec<Found>,
    /// Motions in words.
    pub motions: Vec<DescribedMotion>,
    pub tables: Vec<FoundTable>,
    pub dead_ends: Vec<DeadEnd>,
    /// How large the model of each question is, and what else there is to say.
    pub notes: Vec<String>,
    pub laws: Vec<Ground>,
    pub assumptions: Vec<Ground>,
    pub unused: Vec<Ground>,
    /// Choices of laws that led to no answer.
    pub tried: Vec<Ground>,
    /// Why there is no answer at all.
    pub trouble: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct DescribedMotion {
    pub name: String,
    /// For how long it was looked at.
    pub over: String,
    pub remarks: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// As it is written.
    pub asked: String,
    /// With its unit.
    pub value: String,
    /// Whether it is stable, or when a run has it.
    pub about: String,
    /// A run from the start comes to it.
    pub reached: bool,
}

/// The answers to one question for many values of a parameter.
#[derive(Clone, Debug, Serialize)]
pub struct FoundTable {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// One for each number that is asked for, over the parameter.
    pub curves: Vec<FoundCurve>,
}

#[derive(Clone, Debug, Serialize)]
pub struct FoundCurve {
    /// With its unit.
    pub name: String,
    pub pieces: Vec<FoundPiece>,
}

/// Answers of neighbouring rows that belong together.
#[derive(Clone, Debug, Serialize)]
pub struct FoundPiece {
    pub unstable: bool,
    /// Of the parameter.
    pub at: Vec<f64>,
    pub values: Vec<f64>,
}

/// A law or an assumption.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ground {
    pub name: String,
    pub reason: String,
    pub span: Span,
    /// The theory that it stands in, if it is not in the text itself.
    pub theory: Option<Theory>,
    /// Whether the question can be asked without it.
    pub optional: bool,
}

/// A question that has no answer yet, and what would close it.
#[derive(Clone, Debug, Serialize)]
pub struct DeadEnd {
    pub message: String,
    pub span: Span,
    pub suggestions: Vec<Suggestion>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Suggestion {
    pub text: String,
    pub reason: String,
    /// What to write for it; nothing if it is no statement.
    pub edits: Vec<Label>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Theory {
    pub name: String,
    pub source: String,
}

/// Something that can be written, and what it means.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    pub label: String,
    pub what: &'static str,
    pub written: String,
    pub meaning: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Outlined {
    pub name: String,
    pub what: &'static str,
    pub span: Span,
    pub inside: Vec<Outlined>,
}

/// A transition that happened.
#[derive(Clone, Debug, Serialize)]
pub struct Transition {
    pub t: f64,
    pub name: String,
}

/// How the run stands; sent whenever something of it changes, and four times a second while playing.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    pub playing: bool,
    /// The moment that is shown.
    pub t: f64,
    /// Up to where it is recorded.
    pub recorded: f64,
    pub frames: usize,
    pub speed: f64,
    /// Simulated seconds in the last second, divided by the asked speed's; 1 is real time as asked.
    pub achieved: f64,
    pub parameters: BTreeMap<String, f64>,
    pub controls: BTreeMap<String, f64>,
    /// Prescribed motions that are switched off, by their labels.
    pub released: Vec<String>,
    /// Which frame a hand is on.
    pub dragging: Option<String>,
    /// Nothing more can be recorded: the longest run.
    pub full: bool,
}

pub type Vector = [f64; 3];

/// A range of the text, from 1; the end is the first place after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Span {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct Diagnostic {
    /// One of "error", "warning", "notice".
    pub severity: &'static str,
    /// Such as `unknown-name`.
    pub code: String,
    pub message: String,
    /// The first is the place the message is about.
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    pub hints: Vec<String>,
    pub fixes: Vec<Fix>,
    /// Ids of the frames, bodies, constraints… that it speaks of.
    pub about: Vec<String>,
    /// What the code means, in Markdown: the page of the manual.
    pub page: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<Label>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    pub name: String,
    /// The first comment of the text.
    pub description: String,
    /// Simulated seconds for each second, at which its motion can be followed.
    pub tempo: f64,
    pub parameters: Vec<Parameter>,
    pub controls: Vec<Control>,
    /// The tree of frames; the world is not in it and is the parent `null`. Parents come before children.
    pub frames: Vec<Frame>,
    pub shapes: Vec<Shape>,
    pub curves: Vec<Curve>,
    pub surfaces: Vec<Surface>,
    /// What leaves its path behind: a frame, or any position; `at` has three numbers, in the world.
    pub traces: Vec<Trace>,
    pub cameras: Vec<Camera>,
    pub lights: Vec<Light>,
    pub actuators: Vec<Actuator>,
    /// Motions that actuators bring about, each once; they can be switched off.
    pub prescriptions: Vec<Prescription>,
    /// What may touch; none if nothing may.
    pub contacts: Option<Contacts>,
    pub plots: Vec<Plot>,
    /// Coordinates and speeds: what the program integrates or follows.
    pub quantities: Vec<Quantity>,
    /// Where in the text which thing is spoken of, in the order of the text; for hovering, clicking and lighting up.
    pub references: Vec<Reference>,
    pub equations: Equations,
    pub modes: Vec<Mode>,
    /// None where there is no circuit that could be drawn.
    pub circuit: Option<Circuit>,
    pub making: Making,
    /// How the numbers of a frame are laid out: see `Frames`.
    pub layout: Layout,
}

/// A torque or a force of a joint that something decides.
#[derive(Clone, Debug, Serialize)]
pub struct Actuator {
    pub name: String,
    /// A torque, in N·m, about its vector; else a force, in N, along it.
    pub turns: bool,
    /// Six numbers, in the world: the place of its joint, and what it exerts as a vector.
    pub at: usize,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Prescription {
    /// The author's label, or the equation as written.
    pub label: String,
    /// The names of the actuators that bring it about.
    pub using: Vec<String>,
    pub span: Span,
}

/// Points in which things touch. Each has eleven numbers: its state (0 where nothing touches, 2 sliding, 3 sticking), its pair, then, in the
/// world, its place, its normal from the first thing to the second, and the force on the second.
#[derive(Clone, Debug, Serialize)]
pub struct Contacts {
    /// Where a frame has the first of them.
    pub at: usize,
    /// How many points there is room for.
    pub count: usize,
    pub pairs: Vec<ContactPair>,
}

/// Two things that may touch.
#[derive(Clone, Debug, Serialize)]
pub struct ContactPair {
    pub names: [String; 2],
    /// The frames that they are fixed to; `null` is the world.
    pub frames: [Option<String>; 2],
    pub span: Span,
}

/// Elements, and the nodes between which they lie.
#[derive(Clone, Debug, Serialize)]
pub struct Circuit {
    pub nodes: Vec<CircuitNode>,
    pub elements: Vec<CircuitElement>,
}

#[derive(Clone, Debug, Serialize)]
pub struct CircuitNode {
    pub name: String,
    /// The expression of its voltage.
    pub voltage: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct CircuitElement {
    pub name: String,
    /// What it is, the most general kind first.
    pub kinds: Vec<String>,
    /// The nodes; a current is positive from the first to the second.
    pub ends: Vec<String>,
    /// The expression of its current, if it has one.
    pub current: Option<String>,
    pub span: Span,
}

/// A mode, and the transitions that have to do with it.
#[derive(Clone, Debug, Serialize)]
pub struct Mode {
    pub name: String,
    pub values: Vec<String>,
    /// Each leads from these values to another, or leaves the mode as it is.
    pub arrows: Vec<Arrow>,
    /// Where a frame has the number of its value.
    pub at: usize,
    pub span: Span,
}

/// Leads from these values to another, or leaves the mode as it is.
#[derive(Clone, Debug, Serialize)]
pub struct Arrow {
    pub name: String,
    pub from: Vec<usize>,
    pub to: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unit {
    /// As written: `deg`, `m/s^2`; empty for plain numbers.
    pub text: String,
    /// One of it in SI units.
    pub scale: f64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    pub id: String,
    pub name: String,
    pub unit: Unit,
    /// In SI units, as are the ends of the range.
    pub default: f64,
    /// What a slider should offer. Other values may be typed.
    pub range: SliderRange,
    pub description: Option<String>,
    /// The statement.
    pub span: Span,
    /// The value in the statement, with its unit: what "write to source" replaces. None if it is not a plain number.
    pub value_span: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SliderRange {
    pub low: f64,
    pub high: f64,
    pub step: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Control {
    pub id: String,
    pub name: String,
    pub unit: Unit,
    pub default: f64,
    pub range: Ends,
    pub description: Option<String>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ends {
    pub low: f64,
    pub high: f64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Frame {
    pub id: String,
    pub name: String,
    pub parent: Option<String>,
    /// A body bears mass and can be dragged.
    pub body: bool,
    /// Seven numbers: position x, y, z and unit quaternion w, x, y, z, in the world.
    pub at: usize,
    /// Three numbers, stretch along the frame's own axes; none if it is not stretched.
    pub scale_at: Option<usize>,
    /// For bodies, three vectors of three numbers: velocity, applied force (weight, springs, `force on`…) and the force of constraints
    /// and joints, in the world.
    pub vectors_at: Option<usize>,
    /// What a hand would change to move it along x, y and z of its parent, and to turn it.
    pub handles: Vec<Handle>,
    /// The axis about which it would be turned, in the axes of its parent; z, where it cannot be.
    pub axis: Vector,
    pub span: Span,
}

/// Where one coordinate of a position, or the angle of a rotation about an axis, comes from in the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Handle {
    /// A number: where it stands, how many metres or radians one of it is, and the unit to write after another one. Where the run starts from it, it has to begin anew.
    Literal { span: Span, scale: f64, unit: String, start: bool },
    /// A parameter, or minus one: what to multiply it by.
    Parameter { name: String, sign: f64 },
    /// Nothing that could be changed alone, and why.
    Fixed { why: String },
}

/// A shape has numbers of its own in each frame: `at` is the first of its sizes. Sizes by kind, all lengths in metres:
///
/// | kind | sizes |
/// |---|---|
/// | `sphere` | radius |
/// | `ellipsoid` | semi-axes a, b, c |
/// | `box` | edges x, y, z |
/// | `cylinder`, `capsule` | radius, height; along z, centred (a capsule's height is without its caps) |
/// | `cone` | radius, height; the base is on the origin, the tip towards +z |
/// | `torus` | major, minor; around z |
/// | `hull` | x, y, z of each corner of a convex solid |
/// | `ring` | radius, width: outer radius and thickness (radial, and along z) of a flat ring around z |
/// | `wheels` | radius, gauge: two wheels on an axle along z, this far apart |
/// | `plane` | size: edge of a square in x and y, with a grid |
/// | `axes` | size |
/// | `mesh` | scale; a glTF file |
/// | `rod`, `arrow` | from x, y, z, to x, y, z, radius |
/// | `coil` | from x, y, z, to x, y, z, radius, turns |
///
/// Those with `from` and `to` are in the world and have no frame; the others are drawn in the axes of their frame: first turned by
/// `turn`, then moved by the offset. A size of 0 of an implied shape is left to the page: a twentieth of the scene's extent is good.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shape {
    pub id: String,
    pub kind: ShapeKind,
    /// None for the world.
    pub frame: Option<String>,
    pub at: usize,
    /// How many numbers.
    pub count: usize,
    /// Unit quaternion w, x, y, z that turns the shape in its frame; constant.
    pub turn: [f64; 4],
    /// Four numbers: unit quaternion w, x, y, z that turns the shape in its frame after `turn` did; none if it is not turned so.
    pub turn_at: Option<usize>,
    /// Three numbers: where the shape's origin is in its frame, in the frame's axes; none if it is the frame's origin.
    pub offset_at: Option<usize>,
    /// A CSS colour; none for one of the page's own choice.
    pub color: Option<String>,
    /// 0 to 1.
    pub opacity: f64,
    /// For a mesh: a path for `/api/file`.
    pub file: Option<String>,
    /// Nobody wrote it: it stands for a body, a frame or a link that the text does not show.
    pub implied: bool,
    /// Of the `show` statement, or of what it stands for.
    pub span: Span,
}

/// One of "sphere", "ellipsoid", "box", "cylinder", "capsule", "cone", "torus", "hull", "ring", "wheels", "plane", "axes", "mesh", "rod", "arrow", "coil".
pub type ShapeKind = &'static str;

/// A tube along a curve in the world; its points come in `curves` replies.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    pub id: String,
    /// One number: the radius. A curve is closed if its last point is its first.
    pub at: usize,
    pub color: Option<String>,
    pub opacity: f64,
    pub span: Span,
}

/// Where a function of the coordinates of a frame is zero, in a cube around the frame's origin; its values come as SURFACES.
#[derive(Clone, Debug, Serialize)]
pub struct Surface {
    pub id: String,
    pub name: String,
    /// None for the world.
    pub frame: Option<String>,
    /// One number: the edge of the cube.
    pub at: usize,
    pub color: Option<String>,
    pub opacity: f64,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Trace {
    pub frame: Option<String>,
    pub at: usize,
    pub color: Option<String>,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Camera {
    pub id: String,
    pub name: String,
    /// The frame it moves with; none for the world.
    pub on: Option<String>,
    /// Three numbers: where the camera is, in the world; it moves if it is on a frame.
    pub at: usize,
    /// Three numbers: the point it looks at, in the world.
    pub target_at: usize,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Light {
    pub id: String,
    pub name: String,
    /// The direction it comes from, a unit vector.
    pub from: Vector,
    pub color: Option<String>,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    pub id: String,
    pub series: Vec<Series>,
    /// What it is drawn against; the time if there is nothing.
    pub against: Option<Series>,
    /// Typed by hand, rather than in the text.
    pub probe: bool,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// As written, with `.x` for a component of a vector.
    pub name: String,
    /// Of the whole expression, without component: what to probe.
    pub expression: String,
    pub unit: Unit,
    /// One number.
    pub at: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct Quantity {
    /// `coordinate:swing.angle`
    pub id: String,
    pub name: String,
    pub unit: Unit,
    /// `integrated`, or `follows` from others at every instant.
    /// One of "integrated", "follows".
    pub role: &'static str,
    /// The frame it belongs to.
    pub frame: Option<String>,
    pub at: usize,
    pub span: Span,
}

/// A word or expression of the text that speaks of something. Those inside others come after them.
#[derive(Clone, Debug, Serialize)]
pub struct Reference {
    pub span: Span,
    /// `frame:bob` for `bob.velocity`; `parameter:length`…
    pub id: String,
    /// What can be probed: the text of the span. None for a declaration.
    pub expression: Option<String>,
    /// In words: `velocity of bob`, `parameter`.
    pub what: String,
    pub unit: Option<Unit>,
    /// `velocity`, or the formula of the unit where there is no word.
    pub dimension: Option<String>,
    /// The frame that a frame hangs on, in whose axes a vector has its components, or in which a coordinate moves its own frame.
    pub frame: Option<String>,
    /// `vector` has three numbers, x, y, z in the world.
    /// One of "number", "vector", "quaternion", "matrix", "condition".
    pub shape: Option<&'static str>,
    /// Where its value stands in each frame, if it does.
    pub at: Option<usize>,
}

/// The equations as they stand on a board, in one form.
#[derive(Clone, Debug, Serialize)]
pub struct Equations {
    /// Named sub-expressions, in the order in which they can be computed.
    pub definitions: Vec<Definition>,
    pub list: Vec<Equation>,
    pub legend: Vec<Letter>,
    /// All of it, ready to be put into other programs.
    pub copies: Vec<Copy>,
    /// Other forms to choose from than that of Lagrange, which stands first.
    pub others: Vec<OtherForm>,
}

#[derive(Clone, Debug, Serialize)]
pub struct OtherForm {
    /// As `ansatz explain --equations` calls it.
    pub name: &'static str,
    pub equations: Equations,
}

/// A letter of the equations, and what the scene calls it.
#[derive(Clone, Debug, Serialize)]
pub struct Letter {
    pub latex: String,
    pub word: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Copy {
    pub notation: &'static str,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Definition {
    pub id: String,
    pub name: String,
    /// The whole definition: `k = …`.
    pub latex: String,
    /// What it stands for, without the name.
    pub value: String,
    pub mentions: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Equation {
    pub id: String,
    /// `motion`, `constraint` (positions), `constraint on velocities`, `initial condition`…
    pub role: &'static str,
    /// As the user knows it: `swing.angle`, `linked`.
    pub label: String,
    /// The whole equation; `\htmlData{part=0}{…}` marks the first of the definitions.
    pub latex: String,
    /// The equation in other notations.
    pub copies: Vec<Copy>,
    /// What is said of it: what it was divided by, how it was checked.
    pub remarks: Vec<String>,
    /// Ids of what it comes from or speaks of; definitions as `definition:k1`.
    pub mentions: Vec<String>,
    pub span: Span,
}

/// What `ansatz explain` knows, as data.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Making {
    pub variables: usize,
    pub constraints: usize,
    pub degrees_of_freedom: usize,
    /// Every coordinate and constraint with its class: Q0, Q1, Q2; H0, H1, H2; N1, N2.
    pub classes: Vec<Class>,
    /// Constraints that follow from others and were dropped.
    pub redundant: Vec<String>,
    /// Systems of equations that the program solves, in the order of the scheme: the decomposition.
    pub systems: Vec<SystemNode>,
    /// Independent integrations, each with the ids of its coordinates.
    pub integrals: Vec<Integral>,
    pub operations: Vec<Operations>,
    /// Milliseconds of each stage.
    pub timing: Vec<Timing>,
    /// The functional program, as text.
    pub program: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Class {
    pub name: &'static str,
    pub meaning: &'static str,
    pub members: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SystemNode {
    pub id: String,
    /// Which function solves it: `initialize`, `derivative`, `stabilize`, `follow`, `observe`.
    pub function: String,
    /// `accelerations`, `positions that follow`…
    pub role: &'static str,
    /// One of "linear", "nonlinear".
    pub kind: &'static str,
    pub equations: Vec<String>,
    pub unknowns: Vec<String>,
    /// Systems solved before it whose unknowns it uses.
    pub after: Vec<String>,
    pub spans: Vec<Span>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Integral {
    pub states: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Operations {
    pub function: String,
    pub before: usize,
    pub after: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct Timing {
    pub stage: String,
    pub milliseconds: f64,
}

/// Which number of a row is what. Everything else says its place with `at`.
#[derive(Clone, Debug, Serialize)]
pub struct Layout {
    /// Numbers in a row, before any probes.
    pub stride: usize,
    pub t: usize,
    /// In joules: of the scene's masses and potentials; else what its author plots under this name; else none.
    pub energy: Option<usize>,
    /// None for a scene without masses and potentials.
    pub kinetic: Option<usize>,
    /// The largest amount by which a constraint on positions is off.
    pub drift: usize,
    /// Centre of mass: three numbers; none without bodies.
    pub centre: Option<usize>,
    /// Whether energy should be conserved in this scene.
    pub conserved: bool,
}

/// A binary message is an array of little-endian float64: a header of `HEADER` numbers, then rows.
///
/// Header: kind, number of the batch (LIVE and SHOWN, to be answered by `drawn`) or of the request (HISTORY), numbers in each row.
/// Kind LIVE: rows are recorded frames, each new at the end of the recording and seen for the first time; the last is what is shown.
/// Kind SHOWN: one row, a frame that was recorded before (after seek, step, back, replay, drag): show it, record nothing. If it lies
/// before the end of the recording, the rest is still there; after a change of parameters or a drag, `status.recorded` goes back too,
/// and whatever the page keeps after that time is to be forgotten.
/// Kind HISTORY: answers `history`: rows of t and the columns asked for.
/// Kind SURFACES: one row for each of `Scene.surfaces`: the values of its function at the points of a cubic grid, z varying fastest and x
/// slowest. Comes before the first frame, and whenever a parameter changes them.
pub const HEADER: usize = 3;
pub const LIVE: f64 = 0.0;
pub const SHOWN: f64 = 1.0;
pub const HISTORY: f64 = 2.0;
pub const SURFACES: f64 = 3.0;
