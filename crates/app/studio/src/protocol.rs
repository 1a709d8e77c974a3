//! What the page and the server say to each other. The same types, with what they mean, are in `web/src/protocol.ts`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gallery {
    pub examples: Vec<GalleryEntry>,
    pub files: Vec<GalleryEntry>,
    pub folder: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GalleryEntry {
    pub path: String,
    pub title: String,
    pub description: String,
    pub writable: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refusal {
    pub message: String,
    pub hint: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Request {
    Compile(Compile),
    Play,
    Pause,
    Step,
    Back,
    Reset,
    Speed { speed: f64 },
    Seek { t: f64 },
    Parameter { name: String, value: f64 },
    Control { name: String, value: f64 },
    Probe { expression: String },
    History { request: u32, columns: Vec<usize> },
    Drag { frame: String, grasp: [f64; 3], target: [f64; 3] },
    Drop,
    Drawn { batch: u32 },
    Stage { stage: String },
    Ask(Question),
}

/// About a place of a text, which need not be without errors.
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    Complete,
    Explain,
    Define,
    Rename,
    Outline,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compile {
    pub revision: u32,
    pub path: String,
    pub source: String,
    #[serde(default)]
    pub parameters: BTreeMap<String, f64>,
    #[serde(default)]
    pub controls: BTreeMap<String, f64>,
    #[serde(default)]
    pub probes: Vec<String>,
    pub playing: bool,
    pub speed: f64,
    pub keep: bool,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Reply {
    Diagnostics {
        revision: u32,
        ok: bool,
        milliseconds: f64,
        list: Vec<Diagnostic>,
    },
    Compiled {
        revision: u32,
        scene: Box<Scene>,
    },
    Status(Status),
    Failed {
        t: f64,
        diagnostic: Diagnostic,
    },
    Refused {
        request: String,
        diagnostic: Diagnostic,
    },
    Probed {
        expression: String,
        plot: Option<Plot>,
        list: Vec<Diagnostic>,
    },
    Curves {
        points: Vec<Vec<f64>>,
    },
    Stage {
        stage: String,
        text: String,
    },
    /// Transitions, from a number on; what the page knew from there on is forgotten.
    Events {
        from: usize,
        list: Vec<Event>,
    },
    Limit {
        message: String,
        hint: String,
    },
    Answered {
        request: u32,
        answer: Option<Answer>,
    },
}

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

#[derive(Clone, Debug, Serialize)]
pub struct Event {
    pub t: f64,
    pub name: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Status {
    pub playing: bool,
    pub t: f64,
    pub recorded: f64,
    pub frames: usize,
    pub speed: f64,
    pub achieved: f64,
    pub parameters: BTreeMap<String, f64>,
    pub controls: BTreeMap<String, f64>,
    pub dragging: Option<String>,
    pub full: bool,
}

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
    pub severity: &'static str,
    pub code: String,
    pub message: String,
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    pub hints: Vec<String>,
    pub fixes: Vec<Fix>,
    pub about: Vec<String>,
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
    pub description: String,
    pub parameters: Vec<Parameter>,
    pub controls: Vec<Control>,
    pub frames: Vec<Frame>,
    pub shapes: Vec<Shape>,
    pub curves: Vec<Curve>,
    pub surfaces: Vec<Surface>,
    pub traces: Vec<Trace>,
    pub cameras: Vec<Camera>,
    pub lights: Vec<Light>,
    pub plots: Vec<Plot>,
    pub quantities: Vec<Quantity>,
    pub references: Vec<Reference>,
    pub equations: Equations,
    pub modes: Vec<Mode>,
    pub making: Making,
    pub layout: Layout,
}

/// A mode, and the transitions that have to do with it.
#[derive(Clone, Debug, Serialize)]
pub struct Mode {
    pub name: String,
    pub values: Vec<String>,
    pub arrows: Vec<Arrow>,
    /// Where a frame has the number of its value.
    pub at: usize,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Arrow {
    pub name: String,
    pub from: Vec<usize>,
    pub to: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unit {
    pub text: String,
    pub scale: f64,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    pub id: String,
    pub name: String,
    pub unit: Unit,
    pub default: f64,
    pub range: SliderRange,
    pub description: Option<String>,
    pub span: Span,
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
    pub body: bool,
    pub at: usize,
    pub scale_at: Option<usize>,
    pub vectors_at: Option<usize>,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shape {
    pub id: String,
    pub kind: &'static str,
    pub frame: Option<String>,
    pub at: usize,
    pub count: usize,
    pub turn: [f64; 4],
    pub turn_at: Option<usize>,
    pub offset_at: Option<usize>,
    pub color: Option<String>,
    pub opacity: f64,
    pub file: Option<String>,
    pub implied: bool,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    pub id: String,
    pub at: usize,
    pub color: Option<String>,
    pub opacity: f64,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Surface {
    pub id: String,
    pub name: String,
    pub frame: Option<String>,
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
    pub on: Option<String>,
    pub at: usize,
    pub target_at: usize,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Light {
    pub id: String,
    pub name: String,
    pub from: [f64; 3],
    pub color: Option<String>,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    pub id: String,
    pub series: Vec<Series>,
    pub against: Option<Series>,
    pub probe: bool,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Series {
    pub name: String,
    pub expression: String,
    pub unit: Unit,
    pub at: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct Quantity {
    pub id: String,
    pub name: String,
    pub unit: Unit,
    pub role: &'static str,
    pub frame: Option<String>,
    pub at: usize,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
pub struct Reference {
    pub span: Span,
    pub id: String,
    pub expression: Option<String>,
    pub what: String,
    pub unit: Option<Unit>,
    pub dimension: Option<String>,
    pub frame: Option<String>,
    pub shape: Option<&'static str>,
    pub at: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Equations {
    pub definitions: Vec<Definition>,
    pub list: Vec<Equation>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Definition {
    pub name: String,
    pub latex: String,
    pub mentions: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Equation {
    pub id: String,
    pub role: &'static str,
    pub label: String,
    pub latex: String,
    pub mentions: Vec<String>,
    pub span: Span,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Making {
    pub variables: usize,
    pub constraints: usize,
    pub degrees_of_freedom: usize,
    pub classes: Vec<Class>,
    pub redundant: Vec<String>,
    pub systems: Vec<SystemNode>,
    pub integrals: Vec<Integral>,
    pub operations: Vec<Operations>,
    pub timing: Vec<Timing>,
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
    pub function: String,
    pub role: &'static str,
    pub kind: &'static str,
    pub equations: Vec<String>,
    pub unknowns: Vec<String>,
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

#[derive(Clone, Debug, Serialize)]
pub struct Layout {
    pub stride: usize,
    pub t: usize,
    pub energy: Option<usize>,
    pub kinetic: Option<usize>,
    pub drift: usize,
    pub centre: Option<usize>,
    pub conserved: bool,
}

/// The header of a binary message: its kind, its number, and how many numbers a row has.
pub const HEADER: usize = 3;
pub const LIVE: f64 = 0.0;
pub const SHOWN: f64 = 1.0;
pub const HISTORY: f64 = 2.0;
pub const SURFACES: f64 = 3.0;
