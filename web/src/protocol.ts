/**
 * What the studio's page and its server say to each other. It is written in `crates/app/studio/src/protocol.rs`;
 * `cargo xtask protocol` makes `web/src/protocol.ts` of that.
 *
 * HTTP, all on the page's own origin; every request under `/api` and the socket carry the token of the page's address as `?token=…`.
 *
 * | request | answer |
 * |---|---|
 * | `GET /?token=…` | the page; `&open=examples/pendulum.anz` or `&open=my/scene.anz` names what to open first |
 * | `GET /api/gallery` | `Gallery` |
 * | `GET /api/file?path=…` | the bytes of a file, and their `ETag`; `examples/…` are the built-in examples, anything else is in the opened folder |
 * | `GET /api/file` with `If-None-Match` | 304 if the text is still that of this `ETag` |
 * | `GET /api/work?path=…` | the `Work` that is kept for a scene, or null |
 * | `PUT /api/work` | keeps a `Work` and answers with the time of it; 409 if another tab kept another text since the page's last one |
 * | `PUT /api/file?path=…` | saves the body, whole or not at all; 204 with its `ETag`, or `Refusal` with 4xx; with `If-Match` only over the text of that `ETag`, with `If-None-Match: *` only where there is none, else 412 |
 * | `POST /api/export` | what an `Export` orders: the file, with what to know about it in `ansatz-note`, or `Refusal` with 4xx |
 * | `WS /api/run` | one socket for each tab: `Request`s go up as JSON, `Reply`s come down as JSON, frames as binary |
 *
 * All numbers are in SI units, whatever unit they are shown in: shown = value / unit.scale. All positions in the text are lines and
 * columns counted from 1, columns in UTF-16 code units as JavaScript counts them.
 *
 * Ids are texts such as `frame:bob`, `constraint:linked`, `parameter:length`: whatever has the same id in two places is the same
 * thing, which is all that selection needs. Kinds of ids: `frame` (bodies too), `constraint`, `initial`, `parameter`, `control`,
 * `coordinate`, `force`, `potential`, `shape`, `camera`, `light`, `plot`, `equation`, `system`.
 */

export interface Gallery {
  /** The scenes that come with Ansatz. */
  examples: GalleryEntry[];
  /** The scenes in the opened folder. */
  files: GalleryEntry[];
  /** What somebody worked on in this folder, the newest first. */
  recent: Recent[];
  /** The opened folder, as a person knows it. */
  folder: string;
}

export interface GalleryEntry {
  /** For `/api/file`. Built-in examples begin with `examples/` and cannot be saved under this name. */
  path: string;
  /** `roller coaster 3` */
  title: string;
  /** The first comment of the text. */
  description: string;
  /** Whether it can be saved under its own path. */
  writable: boolean;
}

/** Work on a scene that is kept for its author: what is not saved, and plots asked for by hand. */
export interface Work {
  path: string;
  /** The text that is not saved; none if all of it is. */
  text: string | null;
  /** The `ETag` of the file that the text was made from; empty if there was none. */
  version: string;
  plots: string[];
  /** When it was kept, in milliseconds since 1970; in a request, when the last record that the page knows was kept. */
  at: number;
}

export interface Recent {
  path: string;
  title: string;
  /** Whether there is text that is not saved. */
  unsaved: boolean;
  /** In milliseconds since 1970. */
  at: number;
}

/** A file of a scene for other programs. */
export interface Export {
  /** The ending of its name: `glb`, `mcap`, `svg`, `pdf`, `parquet`, `html` or `fmu`. */
  kind: string;
  /** Of the scene, in the opened folder. */
  path: string;
  source: string;
  /** In the units of the text. */
  parameters: Record<string, number>;
  controls: Record<string, number>;
  /** The first instant, or the only one of a picture, and the last, in seconds. */
  from: number;
  to: number;
  /** The point to look from, and the point to look at. */
  camera: [number, number, number, number, number, number];
}

/** Why a request was refused, in one sentence, and what would do. */
export interface Refusal {
  message: string;
  hint: string;
}

export type Request =
  | Compile
  /** Goes on: through what is recorded first, then into the future. */
  | { type: "play" }
  | { type: "pause" }
  /** One frame on, or back in what is recorded; pauses. */
  | { type: "step" }
  | { type: "back" }
  /** To the start, with the present parameters; what was recorded is forgotten. Playing or paused as before. */
  | { type: "reset" }
  /** Simulated seconds for each second; 0.001 to 1000. */
  | { type: "speed"; speed: number }
  /** To a recorded time, or by computing to a later one. Playing goes on from there if it was playing. */
  | { type: "seek"; t: number }
  /** The state is kept, and moved onto the constraints where they changed. What was recorded after the present moment becomes a branch. */
  | { type: "parameter"; name: string; value: number }
  | { type: "control"; name: string; value: number }
  /**
   * Switches prescribed motions off, by their labels; all others are on. The state is kept where they are switched off, and moved to where the
   * motion has it where they are switched on again.
   */
  | { type: "release"; labels: string[] }
  /** A new plot of any expressions of the language, separated by commas; answered by `probed`. */
  | { type: "probe"; expression: string }
  /**
   * The recorded values of columns of the frames (see `at` everywhere), of another branch than the present run if one is named; answered by a
   * binary message of kind HISTORY.
   */
  | { type: "history"; request: number; columns: number[]; branch: number | null }
  /** Takes a branch for the present run, gives it another name, or forgets it. */
  | { type: "branch"; id: number; act: BranchAct; name: string }
  /**
   * A hand on a body or frame: where it was grasped, in the frame's axes, and where it is pulled to, in the world. Sent again
   * while it moves. A spring pulls while playing; while paused the pose follows, as far as the constraints let it.
   */
  | { type: "drag"; frame: string; grasp: Vector; target: Vector }
  | { type: "drop" }
  /** The batch of frames with this number has been drawn: send more. Without it nothing more is sent after three batches. */
  | { type: "drawn"; batch: number }
  /** The text of one stage (`model`, `equations`, `plan`, `program`, `kernel`, `code`, or `tex` for the equations as a document of LaTeX); answered by `stage`. */
  | { type: "stage"; stage: string }
  /** All numbers of the moment that is shown, for questions about it; answered by `moment`. */
  | { type: "moment" }
  | Question
  | Sweep
  /** Nobody wants the rest of a sweep. */
  | { type: "unsweep" };

/**
 * Many runs of a text that differ in one or two parameters or controls, each of which comes down to one number; answered by `swept`, again and again
 * until all runs are there. A newer one takes its place.
 */
export interface Sweep {
  type: "sweep";
  request: number;
  path: string;
  source: string;
  /** What all runs have in common, in SI units; what the text does not know is ignored. */
  parameters: Record<string, number>;
  controls: Record<string, number>;
  /** The first varies fastest. */
  vary: Varied[];
  /** An expression of the language. */
  quantity: string;
  reduce: Reduce;
  /** In seconds. */
  until: number;
}

/** Values at equal distances, both ends among them, in SI units. */
export interface Varied {
  name: string;
  low: number;
  high: number;
  count: number;
}

/** What a run comes down to; the largest and the least value are those of its rows. */
export type Reduce =
  | "last"
  | "max"
  | "min";

/** About a place of a text, which need not be without errors; answered by `answered`. */
export interface Question {
  type: "ask";
  request: number;
  path: string;
  source: string;
  line: number;
  column: number;
  what: Wanted;
  /** The new name, to rename. */
  name: string;
  /** For answers: parameters that differ from the text's own, as `course=60` in the units of the text. */
  settings: string[];
  /** For answers: assumptions to do without. */
  without: string[];
  /** For the linear model: where it is made; near the start or an equilibrium, if nobody says. */
  moment: Moment | null;
}

/** Where a run is, in SI units; another compilation of the same text can begin there. */
export interface Moment {
  t: number;
  /** What is integrated or follows, modes and what transitions set, by name. */
  states: Record<string, number>;
  parameters: Record<string, number>;
  controls: Record<string, number>;
  /** Prescribed motions that are switched off, by their labels. */
  released: string[];
}

export type BranchAct =
  | "take"
  | "rename"
  | "delete";

export type Wanted =
  | "complete"
  | "explain"
  | "define"
  | "rename"
  | "outline"
  /** What the `find` of the text ask. */
  | "answers"
  /** The linear model near the start. */
  | "linear";

/** Compiles a text. The run so far goes on until the new one is ready; if the text has errors, it just goes on. */
export interface Compile {
  type: "compile";
  /** Counts up; replies to older texts are dropped. */
  revision: number;
  /** For messages, and to find meshes. */
  path: string;
  source: string;
  /** Values that were set by hand and differ from the text's own; those the text does not know are ignored. */
  parameters: Record<string, number>;
  controls: Record<string, number>;
  /** Prescribed motions that are switched off, by their labels. */
  released: string[];
  /** Expressions of plots that were added by hand; those that no longer make sense are dropped. */
  probes: string[];
  playing: boolean;
  /** Nothing asks for the tempo of the scene. */
  speed: number | null;
  /** Whether to go on from the present state and time, if the new scene has the same variables; otherwise from the start. */
  keep: boolean;
}

export type Reply =
  /** What is wrong or worth knowing about a text. It comes for every revision that was not overtaken by a newer one. */
  | { type: "diagnostics"; revision: number; ok: boolean; milliseconds: number; list: Diagnostic[] }
  /** The text was good, and a new run takes over; frames after this message belong to it. */
  | { type: "compiled"; revision: number; scene: Scene }
  | Status
  | { type: "moment"; moment: Moment }
  /** The run came to an end that it cannot pass. What is recorded can still be seen; reset starts again. */
  | { type: "failed"; t: number; diagnostic: Diagnostic }
  /** A parameter, a drag, a seek made no sense; nothing was changed. */
  | { type: "refused"; request: string; diagnostic: Diagnostic }
  /**
   * A probe became a plot, whose columns come at the end of each frame from now on; or there are diagnostics. Spans are those of
   * the expression itself.
   */
  | { type: "probed"; expression: string; plot: Plot | null; list: Diagnostic[] }
  /** Curves, in the order of `Scene.curves`: x, y, z of each point. Comes after `compiled`, and whenever a parameter changes them. */
  | { type: "curves"; points: number[][] }
  | { type: "stage"; stage: string; text: string }
  /** Transitions, from a number on; what was known from there on is forgotten. */
  | { type: "events"; from: number; list: Transition[] }
  /** The present run, and what else was recorded: a change at a moment of the past starts another future, and the one that was there stays. */
  | { type: "branches"; present: BranchEntry; list: BranchEntry[] }
  /** A limit was met (size, time, memory): what happened, and what to do. */
  | { type: "limit"; message: string; hint: string }
  /** The answer to a question about a text; nothing if there is none. */
  | { type: "answered"; request: number; answer: Answer | null }
  /** A file that the newest text was compiled with has changed: compile it again. */
  | { type: "outdated" }
  /** Runs of a sweep that are there since the last such reply; or why no more will come. The unit is that of the quantity; it comes once. */
  | { type: "swept"; request: number; unit: Unit | null; runs: SweptRun[]; trouble: Refusal | null };

/** A run of a sweep, by its number. */
export interface SweptRun {
  run: number;
  /** In SI units; none if the run failed, or the quantity has no value. */
  value: number | null;
  /** Why there is none. */
  why: string | null;
}

/** One of the futures of a run. */
export interface BranchEntry {
  id: number;
  name: string;
  /** When it parts from the present run; up to then both are the same. */
  from: number;
  /** Up to when it is recorded. */
  end: number;
  parameters: Record<string, number>;
  controls: Record<string, number>;
}

/** What could be written; what is here; where it is declared, perhaps in a theory; what to change, or why not; what there is. */
export type Answer =
  | { span: Span; list: Entry[] }
  | { span: Span; entry: Entry; facts: string[] }
  /** In the text itself, or in a theory that it uses, with the text of that. */
  | { span: Span; theory: Theory | null }
  | { edits: Label[] }
  | { refused: string }
  | { outline: Outlined[] }
  | { card: Card }
  | { linear: Linear };

/** The linear model of a scene near a moment, its start or an equilibrium, as pictures: modes, answers to oscillations, and to steps. */
export interface Linear {
  /** Where it was made, in words. */
  about: string;
  modes: LinearMode[];
  inputs: string[];
  outputs: string[];
  /** One for each input and output. */
  answers: LinearAnswer[];
  /** Why there is no model, or no answers. */
  trouble: string[];
}

/** A pole: s = real + i·imaginary, in 1/s. */
export interface LinearMode {
  real: number;
  imaginary: number;
}

export interface LinearAnswer {
  input: number;
  output: number;
  /** In rad/s, evenly spaced in their logarithm. */
  frequencies: number[];
  decibels: number[];
  degrees: number[];
  times: number[];
  /** The output after the input has stepped from 0 to 1. */
  step: number[];
}

/** What the questions of a scene have for answers, and what these rest on. */
export interface Card {
  answers: Found[];
  /** Motions in words. */
  motions: DescribedMotion[];
  tables: FoundTable[];
  deadEnds: DeadEnd[];
  /** How large the model of each question is, and what else there is to say. */
  notes: string[];
  laws: Ground[];
  assumptions: Ground[];
  unused: Ground[];
  /** Choices of laws that led to no answer. */
  tried: Ground[];
  /** Why there is no answer at all. */
  trouble: string[];
}

export interface DescribedMotion {
  name: string;
  /** For how long it was looked at. */
  over: string;
  remarks: string[];
}

export interface Found {
  /** As it is written. */
  asked: string;
  /** With its unit. */
  value: string;
  /** Whether it is stable, or when a run has it. */
  about: string;
  /** A run from the start comes to it. */
  reached: boolean;
}

/** The answers to one question for many values of a parameter. */
export interface FoundTable {
  head: string[];
  rows: string[][];
  /** One for each number that is asked for, over the parameter. */
  curves: FoundCurve[];
}

export interface FoundCurve {
  /** With its unit. */
  name: string;
  pieces: FoundPiece[];
}

/** Answers of neighbouring rows that belong together. */
export interface FoundPiece {
  unstable: boolean;
  /** Of the parameter. */
  at: number[];
  values: number[];
}

/** A law or an assumption. */
export interface Ground {
  name: string;
  reason: string;
  span: Span;
  /** The theory that it stands in, if it is not in the text itself. */
  theory: Theory | null;
  /** Whether the question can be asked without it. */
  optional: boolean;
}

/** A question that has no answer yet, and what would close it. */
export interface DeadEnd {
  message: string;
  span: Span;
  suggestions: Suggestion[];
}

export interface Suggestion {
  text: string;
  reason: string;
  /** What to write for it; nothing if it is no statement. */
  edits: Label[];
}

export interface Theory {
  name: string;
  source: string;
}

/** Something that can be written, and what it means. */
export interface Entry {
  label: string;
  what: string;
  written: string;
  meaning: string;
}

export interface Outlined {
  name: string;
  what: string;
  span: Span;
  inside: Outlined[];
}

/** A transition that happened. */
export interface Transition {
  t: number;
  name: string;
}

/** How the run stands; sent whenever something of it changes, and four times a second while playing. */
export interface Status {
  type: "status";
  playing: boolean;
  /** The moment that is shown. */
  t: number;
  /** Up to where it is recorded. */
  recorded: number;
  frames: number;
  speed: number;
  /** Simulated seconds in the last second, divided by the asked speed's; 1 is real time as asked. */
  achieved: number;
  parameters: Record<string, number>;
  controls: Record<string, number>;
  /** Prescribed motions that are switched off, by their labels. */
  released: string[];
  /** Which frame a hand is on. */
  dragging: string | null;
  /** Nothing more can be recorded: the longest run. */
  full: boolean;
}

export type Vector = [number, number, number];

/** A range of the text, from 1; the end is the first place after it. */
export interface Span {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface Diagnostic {
  severity: "error" | "warning" | "notice";
  /** Such as `unknown-name`. */
  code: string;
  message: string;
  /** The first is the place the message is about. */
  labels: Label[];
  notes: string[];
  hints: string[];
  fixes: Fix[];
  /** Ids of the frames, bodies, constraints… that it speaks of. */
  about: string[];
  /** What the code means, in Markdown: the page of the manual. */
  page: string;
}

export interface Label {
  span: Span;
  text: string;
}

export interface Fix {
  title: string;
  edits: Label[];
}

export interface Scene {
  name: string;
  /** The first comment of the text. */
  description: string;
  /** Simulated seconds for each second, at which its motion can be followed. */
  tempo: number;
  parameters: Parameter[];
  controls: Control[];
  /** The tree of frames; the world is not in it and is the parent `null`. Parents come before children. */
  frames: Frame[];
  shapes: Shape[];
  curves: Curve[];
  surfaces: Surface[];
  /** What leaves its path behind: a frame, or any position; `at` has three numbers, in the world. */
  traces: Trace[];
  cameras: Camera[];
  lights: Light[];
  actuators: Actuator[];
  /** Motions that actuators bring about, each once; they can be switched off. */
  prescriptions: Prescription[];
  /** What may touch; none if nothing may. */
  contacts: Contacts | null;
  plots: Plot[];
  /** Coordinates and speeds: what the program integrates or follows. */
  quantities: Quantity[];
  /** Where in the text which thing is spoken of, in the order of the text; for hovering, clicking and lighting up. */
  references: Reference[];
  equations: Equations;
  modes: Mode[];
  /** None where there is no circuit that could be drawn. */
  circuit: Circuit | null;
  making: Making;
  /** How the numbers of a frame are laid out: see `Frames`. */
  layout: Layout;
}

/** A torque or a force of a joint that something decides. */
export interface Actuator {
  name: string;
  /** A torque, in N·m, about its vector; else a force, in N, along it. */
  turns: boolean;
  /** Six numbers, in the world: the place of its joint, and what it exerts as a vector. */
  at: number;
  span: Span;
}

export interface Prescription {
  /** The author's label, or the equation as written. */
  label: string;
  /** The names of the actuators that bring it about. */
  using: string[];
  span: Span;
}

/**
 * Points in which things touch. Each has eleven numbers: its state (0 where nothing touches, 2 sliding, 3 sticking), its pair, then, in the
 * world, its place, its normal from the first thing to the second, and the force on the second.
 */
export interface Contacts {
  /** Where a frame has the first of them. */
  at: number;
  /** How many points there is room for. */
  count: number;
  pairs: ContactPair[];
}

/** Two things that may touch. */
export interface ContactPair {
  names: [string, string];
  /** The frames that they are fixed to; `null` is the world. */
  frames: [string | null, string | null];
  span: Span;
}

/** Elements, and the nodes between which they lie. */
export interface Circuit {
  nodes: CircuitNode[];
  elements: CircuitElement[];
}

export interface CircuitNode {
  name: string;
  /** The expression of its voltage. */
  voltage: string;
}

export interface CircuitElement {
  name: string;
  /** What it is, the most general kind first. */
  kinds: string[];
  /** The nodes; a current is positive from the first to the second. */
  ends: string[];
  /** The expression of its current, if it has one. */
  current: string | null;
  span: Span;
}

/** A mode, and the transitions that have to do with it. */
export interface Mode {
  name: string;
  values: string[];
  /** Each leads from these values to another, or leaves the mode as it is. */
  arrows: Arrow[];
  /** Where a frame has the number of its value. */
  at: number;
  span: Span;
}

/** Leads from these values to another, or leaves the mode as it is. */
export interface Arrow {
  name: string;
  from: number[];
  to: number | null;
}

export interface Unit {
  /** As written: `deg`, `m/s^2`; empty for plain numbers. */
  text: string;
  /** One of it in SI units. */
  scale: number;
}

export interface Parameter {
  id: string;
  name: string;
  unit: Unit;
  /** In SI units, as are the ends of the range. */
  default: number;
  /** What a slider should offer. Other values may be typed. */
  range: SliderRange;
  description: string | null;
  /** The statement. */
  span: Span;
  /** The value in the statement, with its unit: what "write to source" replaces. None if it is not a plain number. */
  valueSpan: Span | null;
}

export interface SliderRange {
  low: number;
  high: number;
  step: number;
}

export interface Control {
  id: string;
  name: string;
  unit: Unit;
  default: number;
  range: Ends;
  description: string | null;
  span: Span;
}

export interface Ends {
  low: number;
  high: number;
}

export interface Frame {
  id: string;
  name: string;
  parent: string | null;
  /** A body bears mass and can be dragged. */
  body: boolean;
  /** Seven numbers: position x, y, z and unit quaternion w, x, y, z, in the world. */
  at: number;
  /** Three numbers, stretch along the frame's own axes; none if it is not stretched. */
  scaleAt: number | null;
  /**
   * For bodies, three vectors of three numbers: velocity, applied force (weight, springs, `force on`…) and the force of constraints
   * and joints, in the world.
   */
  vectorsAt: number | null;
  /** What a hand would change to move it along x, y and z of its parent, and to turn it. */
  handles: Handle[];
  /** The axis about which it would be turned, in the axes of its parent; z, where it cannot be. */
  axis: Vector;
  span: Span;
}

/** Where one coordinate of a position, or the angle of a rotation about an axis, comes from in the text. */
export type Handle =
  /** A number: where it stands, how many metres or radians one of it is, and the unit to write after another one. Where the run starts from it, it has to begin anew. */
  | { type: "literal"; span: Span; scale: number; unit: string; start: boolean }
  /** A parameter, or minus one: what to multiply it by. */
  | { type: "parameter"; name: string; sign: number }
  /** Nothing that could be changed alone, and why. */
  | { type: "fixed"; why: string };

/**
 * A shape has numbers of its own in each frame: `at` is the first of its sizes. Sizes by kind, all lengths in metres:
 *
 * | kind | sizes |
 * |---|---|
 * | `sphere` | radius |
 * | `ellipsoid` | semi-axes a, b, c |
 * | `box` | edges x, y, z |
 * | `cylinder`, `capsule` | radius, height; along z, centred (a capsule's height is without its caps) |
 * | `cone` | radius, height; the base is on the origin, the tip towards +z |
 * | `torus` | major, minor; around z |
 * | `hull` | x, y, z of each corner of a convex solid |
 * | `ring` | radius, width: outer radius and thickness (radial, and along z) of a flat ring around z |
 * | `wheels` | radius, gauge: two wheels on an axle along z, this far apart |
 * | `plane` | size: edge of a square in x and y, with a grid |
 * | `axes` | size |
 * | `mesh` | scale; a glTF file |
 * | `rod`, `arrow` | from x, y, z, to x, y, z, radius |
 * | `coil` | from x, y, z, to x, y, z, radius, turns |
 *
 * Those with `from` and `to` are in the world and have no frame; the others are drawn in the axes of their frame: first turned by
 * `turn`, then moved by the offset. A size of 0 of an implied shape is left to the page: a twentieth of the scene's extent is good.
 */
export interface Shape {
  id: string;
  kind: ShapeKind;
  /** None for the world. */
  frame: string | null;
  at: number;
  /** How many numbers. */
  count: number;
  /** Unit quaternion w, x, y, z that turns the shape in its frame; constant. */
  turn: [number, number, number, number];
  /** Four numbers: unit quaternion w, x, y, z that turns the shape in its frame after `turn` did; none if it is not turned so. */
  turnAt: number | null;
  /** Three numbers: where the shape's origin is in its frame, in the frame's axes; none if it is the frame's origin. */
  offsetAt: number | null;
  /** A CSS colour; none for one of the page's own choice. */
  color: string | null;
  /** 0 to 1. */
  opacity: number;
  /** For a mesh: a path for `/api/file`. */
  file: string | null;
  /** Nobody wrote it: it stands for a body, a frame or a link that the text does not show. */
  implied: boolean;
  /** Of the `show` statement, or of what it stands for. */
  span: Span;
}

export type ShapeKind = "sphere" | "ellipsoid" | "box" | "cylinder" | "capsule" | "cone" | "torus" | "hull" | "ring" | "wheels" | "plane" | "axes" | "mesh" | "rod" | "arrow" | "coil";

/** A tube along a curve in the world; its points come in `curves` replies. */
export interface Curve {
  id: string;
  /** One number: the radius. A curve is closed if its last point is its first. */
  at: number;
  color: string | null;
  opacity: number;
  span: Span;
}

/** Where a function of the coordinates of a frame is zero, in a cube around the frame's origin; its values come as SURFACES. */
export interface Surface {
  id: string;
  name: string;
  /** None for the world. */
  frame: string | null;
  /** One number: the edge of the cube. */
  at: number;
  color: string | null;
  opacity: number;
  span: Span;
}

export interface Trace {
  frame: string | null;
  at: number;
  color: string | null;
  span: Span;
}

export interface Camera {
  id: string;
  name: string;
  /** The frame it moves with; none for the world. */
  on: string | null;
  /** Three numbers: where the camera is, in the world; it moves if it is on a frame. */
  at: number;
  /** Three numbers: the point it looks at, in the world. */
  targetAt: number;
  span: Span;
}

export interface Light {
  id: string;
  name: string;
  /** The direction it comes from, a unit vector. */
  from: Vector;
  color: string | null;
  span: Span;
}

export interface Plot {
  id: string;
  series: Series[];
  /** What it is drawn against; the time if there is nothing. */
  against: Series | null;
  /** Typed by hand, rather than in the text. */
  probe: boolean;
  span: Span | null;
}

export interface Series {
  /** As written, with `.x` for a component of a vector. */
  name: string;
  /** Of the whole expression, without component: what to probe. */
  expression: string;
  unit: Unit;
  /** One number. */
  at: number;
}

export interface Quantity {
  /** `coordinate:swing.angle` */
  id: string;
  name: string;
  unit: Unit;
  /** `integrated`, or `follows` from others at every instant. */
  role: "integrated" | "follows";
  /** The frame it belongs to. */
  frame: string | null;
  at: number;
  span: Span;
}

/** A word or expression of the text that speaks of something. Those inside others come after them. */
export interface Reference {
  span: Span;
  /** `frame:bob` for `bob.velocity`; `parameter:length`… */
  id: string;
  /** What can be probed: the text of the span. None for a declaration. */
  expression: string | null;
  /** In words: `velocity of bob`, `parameter`. */
  what: string;
  unit: Unit | null;
  /** `velocity`, or the formula of the unit where there is no word. */
  dimension: string | null;
  /** The frame that a frame hangs on, in whose axes a vector has its components, or in which a coordinate moves its own frame. */
  frame: string | null;
  /** `vector` has three numbers, x, y, z in the world. */
  shape: "number" | "vector" | "quaternion" | "matrix" | "condition" | null;
  /** Where its value stands in each frame, if it does. */
  at: number | null;
}

/** The equations as they stand on a board, in one form. */
export interface Equations {
  /** Named sub-expressions, in the order in which they can be computed. */
  definitions: Definition[];
  list: Equation[];
  legend: Letter[];
  /** All of it, ready to be put into other programs. */
  copies: Copy[];
  /** Other forms to choose from than that of Lagrange, which stands first. */
  others: OtherForm[];
}

export interface OtherForm {
  /** As `ansatz explain --equations` calls it. */
  name: string;
  equations: Equations;
}

/** A letter of the equations, and what the scene calls it. */
export interface Letter {
  latex: string;
  word: string;
}

export interface Copy {
  notation: string;
  text: string;
}

export interface Definition {
  id: string;
  name: string;
  /** The whole definition: `k = …`. */
  latex: string;
  /** What it stands for, without the name. */
  value: string;
  mentions: string[];
}

export interface Equation {
  id: string;
  /** `motion`, `constraint` (positions), `constraint on velocities`, `initial condition`… */
  role: string;
  /** As the user knows it: `swing.angle`, `linked`. */
  label: string;
  /** The whole equation; `\htmlData{part=0}{…}` marks the first of the definitions. */
  latex: string;
  /** The equation in other notations. */
  copies: Copy[];
  /** What is said of it: what it was divided by, how it was checked. */
  remarks: string[];
  /** Ids of what it comes from or speaks of; definitions as `definition:k1`. */
  mentions: string[];
  span: Span;
}

/** What `ansatz explain` knows, as data. */
export interface Making {
  variables: number;
  constraints: number;
  degreesOfFreedom: number;
  /** Every coordinate and constraint with its class: Q0, Q1, Q2; H0, H1, H2; N1, N2. */
  classes: Class[];
  /** Constraints that follow from others and were dropped. */
  redundant: string[];
  /** Systems of equations that the program solves, in the order of the scheme: the decomposition. */
  systems: SystemNode[];
  /** Independent integrations, each with the ids of its coordinates. */
  integrals: Integral[];
  operations: Operations[];
  /** Milliseconds of each stage. */
  timing: Timing[];
  /** The functional program, as text. */
  program: string;
}

export interface Class {
  name: string;
  meaning: string;
  members: string[];
}

export interface SystemNode {
  id: string;
  /** Which function solves it: `initialize`, `derivative`, `stabilize`, `follow`, `observe`. */
  function: string;
  /** `accelerations`, `positions that follow`… */
  role: string;
  kind: "linear" | "nonlinear";
  equations: string[];
  unknowns: string[];
  /** Systems solved before it whose unknowns it uses. */
  after: string[];
  spans: Span[];
}

export interface Integral {
  states: string[];
}

export interface Operations {
  function: string;
  before: number;
  after: number;
}

export interface Timing {
  stage: string;
  milliseconds: number;
}

/** Which number of a row is what. Everything else says its place with `at`. */
export interface Layout {
  /** Numbers in a row, before any probes. */
  stride: number;
  t: number;
  /** In joules: of the scene's masses and potentials; else what its author plots under this name; else none. */
  energy: number | null;
  /** None for a scene without masses and potentials. */
  kinetic: number | null;
  /** The largest amount by which a constraint on positions is off. */
  drift: number;
  /** Centre of mass: three numbers; none without bodies. */
  centre: number | null;
  /** Whether energy should be conserved in this scene. */
  conserved: boolean;
}

/**
 * A binary message is an array of little-endian float64: a header of `HEADER` numbers, then rows.
 *
 * Header: kind, number of the batch (LIVE and SHOWN, to be answered by `drawn`) or of the request (HISTORY), numbers in each row.
 * Kind LIVE: rows are recorded frames, each new at the end of the recording and seen for the first time; the last is what is shown.
 * Kind SHOWN: one row, a frame that was recorded before (after seek, step, back, replay, drag): show it, record nothing. If it lies
 * before the end of the recording, the rest is still there; after a change of parameters or a drag, `status.recorded` goes back too,
 * and whatever the page keeps after that time is to be forgotten.
 * Kind HISTORY: answers `history`: rows of t and the columns asked for.
 * Kind SURFACES: one row for each of `Scene.surfaces`: the values of its function at the points of a cubic grid, z varying fastest and x
 * slowest. Comes before the first frame, and whenever a parameter changes them.
 */
export const HEADER = 3;

export const LIVE = 0;

export const SHOWN = 1;

export const HISTORY = 2;

export const SURFACES = 3;
