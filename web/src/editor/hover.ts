// What the pointer rests on: meaning, unit, present value, the equation that defines it.

import { hoverTooltip, type Tooltip } from "@codemirror/view";
import { h } from "../dom";
import { purpose } from "../links";
import { typeset } from "../latex";
import { pretty, show } from "../number";
import type { Reference, Scene, Unit } from "../protocol";
import * as state from "../state";

export function describeOnHover(
  referenceAt: (position: number) => { reference: Reference; from: number; to: number } | null,
  plot: (expression: string) => void,
) {
  return hoverTooltip((_, position): Tooltip | null => {
    const found = referenceAt(position);
    const scene = state.scene.get();
    if (!found || !scene) return null;
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create() {
        const value = h("div", { class: "value number" });
        const stop = state.row.watch((row) => {
          value.textContent = valueOf(found.reference, scene, row);
        });
        return { dom: card(found.reference, scene, value, plot), destroy: stop };
      },
    };
  }, { hoverTime: 250 });
}

function card(reference: Reference, scene: Scene, value: HTMLElement, plot: (expression: string) => void): HTMLElement {
  const { expression, what, unit, id } = reference;
  const equation = definingEquation(scene, id);
  return h(
    "div",
    { class: "hover-card" },
    h("div", { class: "row" }, expression && h("code", {}, expression), h("span", { class: "quiet" }, what)),
    h("div", { class: "row" }, value, unit?.text ? h("span", { class: "quiet" }, `in ${pretty(unit.text)}`) : null),
    equation && h("div", { class: "formula" }, typeset(equation)),
    expression && reference.shape !== "condition" && h("button", { class: "small framed", onclick: () => plot(expression) }, "Plot"),
  );
}

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
