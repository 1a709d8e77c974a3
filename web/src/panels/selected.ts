// What is selected, in one card over the picture: name, present value, what one can do with it.

import { shownIn } from "../angle";
import { h, reveal } from "../dom";
import { icon } from "../icons";
import { typeset } from "../latex";
import { firstReference, nameOf, wordFor } from "../links";
import { definingEquation, valueOf } from "../meaning";
import { pretty, show } from "../number";
import type { Reference, Scene, Span, Unit } from "../protocol";
import * as state from "../state";

interface Wishes {
  focus(id: string): void;
  /// Plotting needs a compiler; without one it is not offered.
  plot?(expression: string): void;
  /// Moves a frame, where there is a text that says where it is.
  move?(id: string): void;
  /// Nor is the text, where there is none.
  goTo?(span: Span): void;
}

export function createSelectedCard(host: HTMLElement, wishes: Wishes): void {
  const card = h("div", { class: "selected-card", id: "selected", role: "group", "aria-label": "Selected" });
  host.append(card);
  let value: HTMLElement | null = null;

  function build(): void {
    const scene = state.scene.get();
    const id = state.selection.get();
    reveal(card, !!scene && id !== null);
    value = null;
    if (!scene || id === null) return;
    const pointed = state.pointed.get();
    const expression = expressionFor(scene, id, pointed);
    const span = (pointed ?? firstReference(scene, id))?.span ?? spanOf(scene, id);
    const equation = id.startsWith("constraint:") || id.startsWith("coordinate:") ? definingEquation(scene, id) : null;
    value = h("div", { class: "value" });
    card.replaceChildren(
      h(
        "div",
        { class: "row" },
        h("span", { class: "name" }, pointed?.expression ?? nameOf(id)),
        h("span", { class: "quiet" }, pointed?.what ?? wordFor(scene, id)),
        h("span", { class: "grow" }),
        expression && wishes.plot && h("button", { class: "small framed", title: `Plot ${expression} (P)`, onclick: () => wishes.plot?.(expression) }, "Plot"),
        framed(scene, id) && h("button", { class: "small", title: "Look closer (F)", "aria-label": "Look closer", onclick: () => wishes.focus(id) }, icon("target")),
        id.startsWith("frame:") && wishes.move && h("button", { class: "small", title: "Move it: changes the number of the text that its place comes from", onclick: () => wishes.move?.(id) }, "Move"),
        span && wishes.goTo && h("button", { class: "small", title: "Show in the text", onclick: () => wishes.goTo?.(span) }, "Text"),
        h("button", { class: "small", title: "Select nothing (Esc)", "aria-label": "Select nothing", onclick: () => state.selection.set(null) }, icon("close")),
      ),
      value,
    );
    if (equation && equation.length < 260) card.append(h("div", { class: "formula" }, typeset(equation)));
    refresh();
  }

  function refresh(): void {
    const scene = state.scene.get();
    const id = state.selection.get();
    const row = state.row.get();
    if (!value || !scene || !id || !row) return;
    const text = describe(scene, id, state.pointed.get(), row);
    value.textContent = text;
    reveal(value, text !== "");
  }

  state.scene.watch(build);
  state.selection.watch(build);
  state.pointed.watch(build);
  state.row.watch(refresh);
  state.status.watch(refresh);
}

/// What P plots: what was pointed at in the text, or the obvious quantity of the thing.
export function expressionFor(scene: Scene, id: string, pointed: Reference | null): string | null {
  if (pointed?.expression && pointed.shape !== "condition" && pointed.unit) return pointed.expression;
  if (id.startsWith("frame:")) return `${nameOf(id)}.position`;
  if (id.startsWith("coordinate:")) return scene.quantities.find((quantity) => quantity.id === id)?.name ?? null;
  return null;
}

function describe(scene: Scene, id: string, pointed: Reference | null, row: Float64Array): string {
  if (pointed) {
    const text = valueOf(pointed, scene, row);
    if (text) return `${text} ${pretty(pointed.unit?.text ?? "")}`;
  }
  const frame = scene.frames.find((frame) => frame.id === id);
  if (frame) {
    const lines = [`position ${triple(row, frame.at)} m`];
    if (frame.vectorsAt !== null) lines.push(`velocity ${triple(row, frame.vectorsAt)} m/s`);
    return lines.join("\n");
  }
  const quantity = scene.quantities.find((quantity) => quantity.id === id);
  if (quantity) return number(row[quantity.at]!, quantity.unit);
  const given = [...scene.parameters, ...scene.controls].find((given) => given.id === id);
  const status = state.status.get();
  if (given) return number(status?.parameters[given.name] ?? status?.controls[given.name] ?? given.default, given.unit);
  return "";
}

function triple(row: Float64Array, at: number): string {
  return `(${[0, 1, 2].map((axis) => row[at + axis]!.toFixed(3).replace("-", "−")).join(", ")})`;
}

function number(value: number, unit: Unit): string {
  const { scale, text } = shownIn(unit);
  return `${show(value / scale, 5)} ${pretty(text)}`;
}

function framed(scene: Scene, id: string): boolean {
  return id.startsWith("frame:") || scene.quantities.some((quantity) => quantity.id === id && quantity.frame !== null);
}

function spanOf(scene: Scene, id: string): Span | null {
  const all = [...scene.frames, ...scene.parameters, ...scene.controls, ...scene.shapes, ...scene.quantities, ...scene.curves, ...scene.equations.list];
  return all.find((item) => item.id === id)?.span ?? scene.making.systems.find((system) => system.id === id)?.spans[0] ?? null;
}
