// What a thing of the scene means: the equation that decides it, and its present value.

import { aliases, lights, purpose } from "./links";
import { show } from "./number";
import type { Reference, Scene, Unit } from "./protocol";
import * as state from "./state";

/// The shortest equation that decides what this is: its own, that of a coordinate of a frame, an equation of motion that speaks of it,
/// or the definition of a part that does.
export function definingEquation(scene: Scene, id: string): string | null {
  const names = aliases(scene, id);
  const lasting = scene.equations.list.filter((equation) => purpose(equation) !== "start");
  const own = lasting.filter((equation) => equation.id === id || names.has(equation.mentions[0] ?? ""));
  const moving = lasting.filter((equation) => lights(names, equation.id, equation.mentions) && purpose(equation) === "motion");
  const parts = scene.equations.definitions.filter(({ mentions }) => lights(names, "", mentions));
  const about = [own, moving, parts].find((list) => list.length > 0) ?? [];
  const short = about.reduce<string | null>((best, { latex }) => (best === null || latex.length < best.length ? latex : best), null);
  return short && short.length < 700 ? short : null;
}

/// The present value of a reference, as text; empty if the frames do not carry it.
export function valueOf(reference: Reference, scene: Scene, row: Float64Array | null): string {
  const { at, shape, unit, id } = reference;
  if (row && at !== null) {
    if (shape === "vector") return `(${[0, 1, 2].map((axis) => inUnit(row[at + axis]!, unit)).join(", ")})`;
    if (shape === "quaternion") return `(${[0, 1, 2, 3].map((axis) => inUnit(row[at + axis]!, unit)).join(", ")})`;
    return inUnit(row[at]!, unit);
  }
  const frame = scene.frames.find((frame) => frame.id === id);
  if (row && frame && reference.expression === null) return `at (${[0, 1, 2].map((axis) => show(row[frame.at + axis]!, 4)).join(", ")})`;
  const values = { ...state.status.get()?.parameters, ...state.status.get()?.controls };
  const given = [...scene.parameters, ...scene.controls].find((known) => known.id === id);
  return given ? inUnit(values[given.name] ?? given.default, given.unit) : "";
}

function inUnit(value: number, unit: Unit | null): string {
  return show(unit ? value / unit.scale : value, 4);
}
