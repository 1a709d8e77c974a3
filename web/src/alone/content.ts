// What `ansatz build --target html` puts into the page; the same, in Rust, is in `crates/app/studio/src/alone.rs`.

import type { Scene } from "../protocol";

export interface Content {
  scene: Scene;
  program: ProgramData;
}

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
  /** What each integral and each system of equations is about, for messages. */
  integrals: string[];
  systems: string[];
  /** What can change all at once, and what is claimed; both by their numbers. */
  transitions: string[];
  claims: string[];
}

export function readContent(): Content {
  return JSON.parse(document.getElementById("content")!.textContent!) as Content;
}
