// What a thing of the scene means: the equation that decides it, and its present value.

import { purpose } from "./links";
import { show } from "./number";
import type { Reference, Scene, Unit } from "./protocol";
import * as state from "./state";

/// The shortest equation that decides what this is: its own, or an equation of motion that speaks of it.
export function definingEquation(scene: Scene, id: string): string | null {
  const lasting = scene.equations.list.filter((equation) => purpose(equation) !== "start");
  const own = lasting.filter((equation) => equation.id === id || equation.mentions[0] === id);
  const about = own.length ? own : lasting.filter((equation) => equation.mentions.includes(id) && purpose(equation) === "motion");
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
  const values = { ...state.status.get()?.parameters, ...state.status.get()?.controls };
  const given = [...scene.parameters, ...scene.controls].find((known) => known.id === id);
  return given ? inUnit(values[given.name] ?? given.default, given.unit) : "";
}

function inUnit(value: number, unit: Unit | null): string {
  return show(unit ? value / unit.scale : value, 4);
}
