// The automaton: for each mode its values and the transitions between them, lit up as it runs, and the transitions so far.

import { h, svg } from "../dom";
import type { Mode, Scene } from "../protocol";
import * as state from "../state";

const [WIDTH, HEIGHT] = [460, 300];
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

/// The values on an ellipse, an arrow for each transition.
function diagram(mode: Mode): HTMLElement {
  const count = mode.values.length;
  const place = (value: number): [number, number] => {
    const angle = -Math.PI / 2 + (2 * Math.PI * value) / count;
    return count === 1 ? [WIDTH / 2, HEIGHT / 2] : [WIDTH / 2 + 0.34 * WIDTH * Math.cos(angle), HEIGHT / 2 + 0.34 * HEIGHT * Math.sin(angle)];
  };
  const arrows = new Map<string, string[]>();
  for (const { name, from, to } of mode.arrows) {
    for (const value of from) {
      const key = `${value} ${to ?? value}`;
      arrows.set(key, [...(arrows.get(key) ?? []), name]);
    }
  }
  const drawn = [...arrows].map(([key, names]) => {
    const [from, to] = key.split(" ").map(Number) as [number, number];
    return from === to ? loop(place(from), names) : arrow(place(from), place(to), names);
  });
  const nodes = mode.values.map((value, index) => {
    const [x, y] = place(index);
    return svg("g", { class: "value", "data-value": index }, svg("rect", { x: x - 58, y: y - 15, width: 116, height: 30, rx: 15 }), text(x, y + 4, value));
  });
  const marker = svg("marker", { id: "arrow-head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0 0 L8 4 L0 8 z" }));
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `The mode ${mode.name}` }, svg("defs", {}, marker), ...drawn, ...nodes);
  return h("figure", { class: "automaton" }, h("figcaption", {}, mode.name), picture);
}

function arrow([x, y]: [number, number], [u, v]: [number, number], names: string[]): SVGElement {
  const length = Math.hypot(u - x, v - y);
  // Bent to the right, so that there and back do not meet.
  const [nx, ny] = [-(v - y) / length, (u - x) / length];
  const bend = 26;
  const [cx, cy] = [(x + u) / 2 + bend * nx, (y + v) / 2 + bend * ny];
  const [startX, startY] = edge([x, y], [cx, cy]);
  const [endX, endY] = edge([u, v], [cx, cy]);
  return labelled(`M${startX} ${startY} Q${cx} ${cy} ${endX} ${endY}`, [(x + u) / 2 + 0.72 * bend * nx, (y + v) / 2 + 0.72 * bend * ny], names);
}

/// Where the line from the middle of a value towards a point leaves its frame.
function edge([x, y]: [number, number], [u, v]: [number, number]): [number, number] {
  const share = Math.min(60 / Math.max(Math.abs(u - x), 1e-9), 17 / Math.max(Math.abs(v - y), 1e-9), 1);
  return [x + share * (u - x), y + share * (v - y)];
}

function loop([x, y]: [number, number], names: string[]): SVGElement {
  const side = y <= HEIGHT / 2 ? -1 : 1;
  const rim = y + side * 15;
  return labelled(`M${x - 14} ${rim} C${x - 34} ${rim + side * 36} ${x + 34} ${rim + side * 36} ${x + 14} ${rim}`, [x, rim + side * 30 + 4], names);
}

function labelled(path: string, [x, y]: [number, number], names: string[]): SVGElement {
  return svg("g", {}, ...names.map((name, index) => svg("g", { class: "arrow", "data-transition": name }, svg("path", { d: path, "marker-end": "url(#arrow-head)" }), text(x, y + 13 * (index - (names.length - 1) / 2), name))));
}

function text(x: number, y: number, words: string): SVGElement {
  const element = svg("text", { x, y, "text-anchor": "middle" });
  element.textContent = words;
  return element;
}
