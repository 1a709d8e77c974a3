// What the page knows, as values that can be watched. Parts of the page meet here and nowhere else.

import type { Diagnostic, Plot, Reference, Reply, Scene, Status, Transition } from "./protocol";
import type { Loaded } from "./files";
import { createRecording } from "./recording";
import type { Connection } from "./source";
import { remembered, store, type Store } from "./store";
import type { KeptView } from "./view3d/path";

/// The file that is open, and whether it differs from what is saved.
export interface Document {
  path: string;
  writable: boolean;
  dirty: boolean;
  /// The version on the server that the text was loaded from or saved as.
  version: string;
  /// The text of that version.
  saved: string;
}

export interface Report {
  revision: number;
  ok: boolean;
  milliseconds: number;
  list: Diagnostic[];
}

export const connection = store<Connection>("connecting");
export const open = store<Document | null>(null);
/// What the file holds now, if somebody else changed it while there is unsaved text here.
export const conflict = store<Loaded | null>(null);
/// The scene of the run, which is older than the text while that is broken.
export const scene = store<Scene | null>(null);
/// Which text the scene of the run was compiled from.
export const compiledRevision = store(0);
/// How often a file that the text was compiled with has changed.
export const outdated = store(0);
export const report = store<Report | null>(null);
export const status = store<Status | null>(null);
/// The moment that is shown: its numbers, as laid out by the scene.
export const row = store<Float64Array | null>(null);
/// The id of what is selected, in all views at once.
export const selection = store<string | null>(null);
/// What the pointer rests on; lights up more faintly.
export const hovered = store<string | null>(null);
/// Plots typed or clicked by hand.
export const probes = store<Plot[]>([]);
/// The transitions so far.
export const events = store<Transition[]>([]);
/// The futures of the run; none where nobody keeps them.
export const branches = store<Extract<Reply, { type: "branches" }> | null>(null);
export const curves = store<number[][]>([]);
/// Values around each surface: see SURFACES.
export const surfaces = store<Float64Array[]>([]);
/// The run came to an end that it cannot pass.
export const failure = store<Extract<Reply, { type: "failed" }> | null>(null);
/// A sentence to show for a while: a limit, a refusal, a success.
export const notice = store<{ text: string; hint: string; bad: boolean } | null>(null);

export const recording = createRecording();

/// What to draw besides the shapes.
export const OVERLAYS = {
  frames: "Frames",
  velocities: "Velocities",
  forces: "Applied forces",
  constraints: "Constraint forces",
  actuators: "Actuators",
  contacts: "Contacts",
  traces: "Traces",
  names: "Names",
  centre: "Centre of mass",
  wireframe: "Wireframe",
  shadows: "Shadows",
} as const;
export type Overlay = keyof typeof OVERLAYS;

/// The keys that switch them; where MuJoCo or Drake have a letter for the same, it is theirs. Keys of a scene's controls go before.
export const OVERLAY_KEYS: Record<Overlay, string> = { frames: "j", velocities: "v", forces: "b", constraints: "k", actuators: "u", contacts: "x", traces: "r", names: "n", centre: "m", wireframe: "w", shadows: "s" };

export const overlays = Object.fromEntries(
  Object.keys(OVERLAYS).map((name) => [name, remembered(`overlay.${name}`, ["traces", "shadows", "actuators"].includes(name))]),
) as Record<Overlay, Store<boolean>>;

/// Views that the camera goes along, in the order of their moments.
export const cameraPath = store<KeptView[]>([]);

/// The word of the text that was pointed at last, if the selection came from there: it says which quantity is meant.
export const pointed = store<Reference | null>(null);
selection.watch((id) => {
  if (pointed.get()?.id !== id) pointed.set(null);
});
