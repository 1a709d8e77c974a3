// The automaton: for each mode its values and the transitions between them, lit up as it runs, and the transitions so far.

import { Graph, layout } from "@dagrejs/dagre";
import { h, reveal, svg } from "../dom";
import type { Mode, Scene } from "../protocol";
import * as state from "../state";

/// The latest transitions that are listed.
const LISTED = 200;

export function createModes(host: HTMLElement): void {
  const diagrams = h("div", { class: "automata" });
  const list = h("ol", { class: "transition-list", "aria-label": "Transitions so far, the latest first" });
  const happened = h("section", {}, h("h2", {}, "Transitions"), list);
  host.append(h("div", { class: "modes" }, diagrams, happened));

  state.scene.watch((scene) => {
    revealTransitions();
    if (!scene) return diagrams.replaceChildren();
    const none = h("p", { class: "quiet" }, "This scene has one mode: nothing in it changes all at once. ", h("code", {}, "mode motion: bouncing | resting"), " declares one.");
    diagrams.replaceChildren(...(scene.modes.length > 0 ? scene.modes.map(diagram) : [none]));
    lightUp();
  });
  state.row.watch(lightUp);
  state.events.watch((events) => {
    const rows = events.slice(-LISTED).reverse();
    revealTransitions();
    list.replaceChildren(...rows.map(({ t, name }) => h("li", {}, h("span", { class: "number" }, `${t.toFixed(4)} s`), " ", name)));
  });

  function revealTransitions(): void {
    reveal(happened, (state.scene.get()?.modes.length ?? 0) > 0 || state.events.get().length > 0);
  }

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

/// Sizes of a value, of a letter and of a line of labels, and how far an arrow that leads back hangs down, in units of the drawing.
const [TALL, LETTER, LINE, LOOP] = [30, 6.6, 15, 22];

/// The values in layers, along the transitions, so that neither boxes nor labels lie on one another.
function diagram(mode: Mode): HTMLElement {
  const graph = new Graph({ directed: true, multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 26, ranksep: 46, edgesep: 18, marginx: 10, marginy: 10 });
  const arrows = [...arrowsOf(mode)].map(([key, names]) => ({ ends: key.split(" ") as [string, string], names }));
  const back = mode.values.map((_, index) => arrows.find(({ ends }) => ends.every((end) => end === String(index)))?.names ?? []);
  mode.values.forEach((value, index) => {
    // What leads back to its own value hangs below it; the layout leaves as much room above, so that other arrows meet the middle.
    const names = back[index]!;
    const height = names.length > 0 ? TALL + 2 * (LOOP + LINE * names.length) : TALL;
    graph.setNode(String(index), { width: Math.max(60, 30 + 7.4 * value.length, wide(names)), height });
  });
  const onwards = arrows.filter(({ ends: [from, to] }) => from !== to);
  for (const { ends: [from, to], names } of onwards) graph.setEdge(from, to, { names, width: wide(names), height: LINE * names.length, labelpos: "c" });
  layout(graph);
  const boxes = mode.values.map((_, index) => graph.node(String(index)) as Box);
  const nodes = boxes.map(({ x, y, width }, index) =>
    svg("g", { class: "value", "data-value": index }, svg("rect", { x: x - width / 2, y: y - TALL / 2, width, height: TALL, rx: TALL / 2 }), text(x, y + 4, mode.values[index]!)),
  );
  const drawn = [
    ...graph.edges().map((edge) => arrow(graph.edge(edge) as unknown as Arrow, boxes[Number(edge.v)]!, boxes[Number(edge.w)]!)),
    ...boxes.map((box, index) => loop(box, back[index]!)),
  ];
  const { width = 100, height = 60 } = graph.graph() as { width?: number; height?: number };
  const marker = svg("marker", { id: "arrow-head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 10, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" }, svg("path", { d: "M0 0 L8 4 L0 8 z" }));
  const picture = svg("svg", { viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, role: "img", "aria-label": `The mode ${mode.name}` }, svg("defs", {}, marker), ...drawn, ...nodes);
  // Few values are not blown up, and many stay large enough to be read: their drawing scrolls.
  picture.style.maxWidth = `${Math.ceil(1.25 * width)}px`;
  picture.style.minWidth = `${Math.ceil(0.85 * width)}px`;
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

interface Point {
  x: number;
  y: number;
}

interface Box extends Point {
  width: number;
}

interface Arrow extends Point {
  names: string[];
  points: Point[];
}

function wide(names: string[]): number {
  return names.length > 0 ? 8 + LETTER * Math.max(...names.map((name) => name.length)) : 0;
}

/// Where the way from the middle of a value to a point leaves it.
function leaves(box: Box, to: Point): Point {
  const [dx, dy] = [to.x - box.x, to.y - box.y];
  const part = Math.min(box.width / 2 / Math.abs(dx), TALL / 2 / Math.abs(dy));
  return { x: box.x + part * dx, y: box.y + part * dy };
}

/// Transitions that lead back to the value that they come from.
function loop(box: Box, names: string[]): SVGElement {
  const [y, out, end] = [box.y + TALL / 2, box.width / 2, box.width / 4];
  // A cubic curve comes three quarters of the way to its handles.
  const low = y + LOOP / 0.75;
  return labelled(`M${box.x - end} ${y} C${box.x - out} ${low} ${box.x + out} ${low} ${box.x + end} ${y}`, names, box.x, y + LOOP + (LINE * (names.length - 1)) / 2);
}

/// A curve near the points that the layout gives, with the names where it left room for them.
function arrow({ names, points, x, y }: Arrow, source: Box, target: Box): SVGElement {
  const between = points.slice(1, -1);
  const [first, last] = [leaves(source, between[0]!), leaves(target, between.at(-1)!)];
  const bends = between.map((point, at) => {
    const next = between[at + 1];
    const end = next ? { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 } : last;
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return labelled(`M${first.x} ${first.y} ${bends.join(" ")}`, names, x, y);
}

function labelled(path: string, names: string[], x: number, y: number): SVGElement {
  const one = (name: string, drawn: SVGElement): SVGElement => svg("g", { class: "arrow", "data-transition": name }, drawn);
  const ways = names.map((name) => one(name, svg("path", { d: path, "marker-end": "url(#arrow-head)" })));
  // All names come after all ways, so that none is crossed out.
  const words = names.map((name, index) => one(name, text(x, y + 4 + LINE * (index - (names.length - 1) / 2), name)));
  return svg("g", {}, ...ways, ...words);
}

function text(x: number, y: number, words: string): SVGElement {
  const element = svg("text", { x, y, "text-anchor": "middle" });
  element.textContent = words;
  return element;
}
