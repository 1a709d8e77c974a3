// The automaton: for each mode its values and the transitions between them, lit up as it runs, and the transitions so far.

import { Graph, layout } from "@dagrejs/dagre";
import { h, svg } from "../dom";
import type { Mode, Scene } from "../protocol";
import * as state from "../state";

/// The latest transitions that are listed.
const LISTED = 200;

export function createModes(host: HTMLElement): void {
  const diagrams = h("div", { class: "automata" });
  const list = h("ol", { class: "transition-list", "aria-label": "Transitions so far, the latest first" });
  host.append(h("div", { class: "modes" }, diagrams, h("section", {}, h("h2", {}, "Transitions"), list)));

  state.scene.watch((scene) => {
    if (!scene) return diagrams.replaceChildren();
    const none = h("p", { class: "quiet" }, "This scene has one mode: nothing in it changes all at once. ", h("code", {}, "mode motion: bouncing | resting"), " declares one.");
    diagrams.replaceChildren(...(scene.modes.length > 0 ? scene.modes.map(diagram) : [none]));
    lightUp();
  });
  state.row.watch(lightUp);
  state.events.watch((events) => {
    const rows = events.slice(-LISTED).reverse();
    list.replaceChildren(...rows.map(({ t, name }) => h("li", {}, h("span", { class: "number" }, `${t.toFixed(4)} s`), " ", name)));
  });

  function lightUp(): void {
    const [scene, row] = [state.scene.get(), state.row.get()];
    if (!scene || !row) return;
    const last = lastBefore(scene, row);
    scene.modes.forEach((mode, index) => {
      const figure = diagrams.children[index];
      figure?.querySelectorAll("[data-value]").forEach((node) => node.classList.toggle("now", Number(node.getAttribute("data-value")) === row[mode.at]));
      figure?.querySelectorAll("[data-transition]").forEach((arrow) => arrow.classList.toggle("now", arrow.getAttribute("data-transition") === last));
    });
  }
}

/// The transition that happened last before the moment that is shown.
function lastBefore(scene: Scene, row: Float64Array): string | null {
  const t = row[scene.layout.t]!;
  return state.events.get().filter((event) => event.t <= t).at(-1)?.name ?? null;
}

/// Sizes of a value and of a letter of a label, in units of the drawing.
const [TALL, LETTER] = [30, 6.6];

/// The values in layers, along the transitions, so that neither boxes nor labels lie on one another.
function diagram(mode: Mode): HTMLElement {
  const graph = new Graph({ directed: true, multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 26, ranksep: 46, edgesep: 18, marginx: 10, marginy: 10 });
  mode.values.forEach((value, index) => graph.setNode(String(index), { width: Math.max(60, 30 + 7.4 * value.length), height: TALL }));
  for (const [key, names] of arrowsOf(mode)) {
    const [from, to] = key.split(" ") as [string, string];
    graph.setEdge(from, to, { names, width: 8 + LETTER * Math.max(...names.map((name) => name.length)), height: 15 * names.length, labelpos: "c" }, key);
  }
  layout(graph);
  const nodes = mode.values.map((value, index) => {
    const { x, y, width } = graph.node(String(index)) as Box;
    return svg("g", { class: "value", "data-value": index }, svg("rect", { x: x - width / 2, y: y - TALL / 2, width, height: TALL, rx: TALL / 2 }), text(x, y + 4, value));
  });
  const arrows = graph.edges().map((edge) => arrow(graph.edge(edge) as unknown as Arrow));
  const { width = 100, height = 60 } = graph.graph() as { width?: number; height?: number };
  const marker = svg("marker", { id: "arrow-head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0 0 L8 4 L0 8 z" }));
  const picture = svg("svg", { viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, role: "img", "aria-label": `The mode ${mode.name}` }, svg("defs", {}, marker), ...arrows, ...nodes);
  // Few values are not blown up.
  picture.style.maxWidth = `${Math.ceil(1.25 * width)}px`;
  return h("figure", { class: "automaton" }, h("figcaption", {}, mode.name), picture);
}

/// The names of transitions, by where they lead from and to.
function arrowsOf(mode: Mode): Map<string, string[]> {
  const arrows = new Map<string, string[]>();
  for (const { name, from, to } of mode.arrows) {
    for (const value of from) {
      const key = `${value} ${to ?? value}`;
      arrows.set(key, [...(arrows.get(key) ?? []), name]);
    }
  }
  return arrows;
}

interface Box {
  x: number;
  y: number;
  width: number;
}

interface Arrow {
  names: string[];
  points: { x: number; y: number }[];
  x: number;
  y: number;
}

/// A curve near the points that the layout gives, with the names where it left room for them.
function arrow({ names, points, x, y }: Arrow): SVGElement {
  const middle = (one: { x: number; y: number }, other: { x: number; y: number }): string => `${(one.x + other.x) / 2} ${(one.y + other.y) / 2}`;
  const [first, ...rest] = points as [{ x: number; y: number }, ...{ x: number; y: number }[]];
  const bends = rest.slice(0, -1).map((point, at) => `Q${point.x} ${point.y} ${at === rest.length - 2 ? `${rest.at(-1)!.x} ${rest.at(-1)!.y}` : middle(point, rest[at + 1]!)}`);
  const path = `M${first.x} ${first.y} ${bends.join(" ") || `L${rest.at(-1)?.x ?? first.x} ${rest.at(-1)?.y ?? first.y}`}`;
  return svg("g", {}, ...names.map((name, index) => svg("g", { class: "arrow", "data-transition": name }, svg("path", { d: path, "marker-end": "url(#arrow-head)" }), text(x, y + 4 + 15 * (index - (names.length - 1) / 2), name))));
}

function text(x: number, y: number, words: string): SVGElement {
  const element = svg("text", { x, y, "text-anchor": "middle" });
  element.textContent = words;
  return element;
}
