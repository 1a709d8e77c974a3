// What `ansatz build --target html` puts into the page; the same, in Rust, is in `crates/app/studio/src/alone.rs`.

import type { Film } from "../film/film";
import type { KeptView } from "../view3d/path";
import type { Scene } from "../protocol";

export interface Content {
  scene: Scene;
  program: ProgramData;
  /** What to film, if the page is there for that. */
  order?: Order;
}

/// A film that `ansatz export` wants.
export interface Order extends Film {
  parameters: Record<string, number>;
  controls: Record<string, number>;
  camera: Look;
  /** What to draw besides the shapes. */
  overlays: string[];
  theme: string;
}

/// Where to look from: the camera of the scene with this number; at everything, perhaps from a preset direction; along with a frame; from a point to another; along a path of views.
export type Look = { kind: "path"; views: KeptView[] } | { kind: "scene"; number: number } | { kind: "all"; from: string | null } | { kind: "follow"; frame: string } | { kind: "point"; position: number[]; target: number[] };

/// A program as WebAssembly, and where its numbers are.
export interface ProgramData {
  /** The module, in base64. */
  wasm: string;
  /** The arrays of the kernel's protocol: their first cell, and how many cells there are. */
  arrays: Record<string, { first: number; length: number }>;
  /** In the order of the arrays. */
  parameters: string[];
  controls: { name: string; range: [number, number] | null }[];
  /** The relative error allowed in each step. */
  tolerance: number;
  /** What a code means, and which of the lists below has the name of what failed. */
  failures: Record<number, [string, "integrals" | "systems" | "transitions" | "claims" | null]>;
  /** What each integral and each system of equations is about, for messages. */
  integrals: string[];
  systems: string[];
  /** What can change all at once, and what is claimed; both by their numbers. */
  transitions: string[];
  claims: string[];
  /** The names of the states, in their order. */
  states: string[];
  /** The scene without some of its prescribed motions: what is off, and the program that takes over. */
  without: { off: string[]; program: ProgramData }[];
}

export function readContent(): Content {
  return JSON.parse(document.getElementById("content")!.textContent!) as Content;
}
