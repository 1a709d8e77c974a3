// What the pointer rests on: meaning, unit, present value, the equation that defines it.

import type { Text } from "@codemirror/state";
import { hoverTooltip, type Tooltip } from "@codemirror/view";
import { h } from "../dom";
import { typeset } from "../latex";
import { definingEquation, valueOf } from "../meaning";
import { pretty } from "../number";
import type { Reference, Scene, Unit } from "../protocol";
import * as state from "../state";
import type { Ask } from "./ask";
import { rangeIn } from "./places";

export function describeOnHover(
  referenceAt: (position: number) => { reference: Reference; from: number; to: number } | null,
  plot: (expression: string) => void,
  ask: Ask,
) {
  return hoverTooltip(async (view, position): Promise<Tooltip | null> => {
    const found = referenceAt(position);
    const scene = state.scene.get();
    if (!found || !scene) return explained(view.state.doc, position, ask);
    const statement = found.reference.expression === null ? view.state.sliceDoc(found.from, found.to).trim() : "";
    const word = /\s/.test(statement) ? await explained(view.state.doc, position, ask, statement) : null;
    if (word) return word;
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

/// What the compiler knows of a word that is no quantity of the scene: a function, a kind, a word of the language, a unit. The name
/// and the keyword of a statement that the scene knows of are better told by that.
async function explained(text: Text, position: number, ask: Ask, statement = ""): Promise<Tooltip | null> {
  const answer = await ask("explain", text, position);
  if (!answer || !("entry" in answer)) return null;
  const { what, written, meaning } = answer.entry;
  const own = written.includes(statement) || statement.includes(written.split("\n")[0]!);
  if (statement && (what === "statement" || own)) return null;
  const range = rangeIn(text, answer.span);
  const dom = h(
    "div",
    { class: "hover-card" },
    h("div", { class: "row" }, h("code", {}, written), h("span", { class: "quiet" }, what)),
    meaning && h("div", {}, meaning),
    answer.facts.length > 0 && h("div", { class: "quiet facts" }, answer.facts.join(" · ")),
  );
  return { pos: range.from, end: range.to, above: true, create: () => ({ dom }) };
}

/// Of the position that is told of a frame.
const METRE: Unit = { text: "m", scale: 1 };

function card(reference: Reference, scene: Scene, value: HTMLElement, plot: (expression: string) => void): HTMLElement {
  const { expression, what, unit, dimension, frame, id } = reference;
  const kept = unit ?? (id.startsWith("frame:") ? METRE : null);
  const facts = [dimension, frame && (expression === null ? `hangs on ${frame}` : `in frame ${frame}`)].filter(Boolean);
  const equation = definingEquation(scene, id);
  return h(
    "div",
    { class: "hover-card" },
    h("div", { class: "row" }, expression && h("code", {}, expression), h("span", { class: "quiet" }, what)),
    h("div", { class: "row" }, value, kept?.text ? h("span", { class: "quiet" }, `in ${pretty(kept.text)}`) : null),
    facts.length > 0 && h("div", { class: "quiet facts" }, facts.join(" · ")),
    equation && h("div", { class: "formula" }, typeset(equation)),
    expression && reference.shape !== "condition" && h("button", { class: "small framed", onclick: () => plot(expression) }, "Plot"),
  );
}
