// What is asked over the parameter that a question varies: lines where answers stay, points where they do not.

import { show } from "../number";
import type { FoundCurve } from "../protocol";
import { labels, widen } from "./axis";
import { inkFor } from "./chart";

/// Of the drawing and of the space around it, in the units of its own.
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [420, 190, 56, 12, 22, 34];

export function drawCurve({ name, pieces }: FoundCurve, over: string): SVGElement | null {
  const xs = pieces.flatMap(({ at }) => at);
  const ys = pieces.flatMap(({ values }) => values);
  // Fewer values are read faster than drawn.
  if (new Set(xs).size < 3) return null;
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = widen(Math.min(...ys), Math.max(...ys));
  const x = (value: number): number => LEFT + ((value - left) / (right - left)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => TOP + (1 - (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const unstable = pieces.some((piece) => piece.unstable);
  const words = `${name} over ${over}, from ${show(Math.min(...ys), 4)} to ${show(Math.max(...ys), 4)}`;
  const svg = mark("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "found-curve", role: "img", "aria-label": words });
  const columns = ticks(left, right);
  const rows = ticks(low, high);
  const named = { x: labels(columns), y: labels(rows) };
  columns.forEach((tick, index) => svg.append(mark("line", { class: "grid", x1: x(tick), x2: x(tick), y1: TOP, y2: HEIGHT - BOTTOM }), mark("text", { x: x(tick), y: HEIGHT - BOTTOM + 14, "text-anchor": "middle" }, named.x[index])));
  rows.forEach((tick, index) => svg.append(mark("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }), mark("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, named.y[index])));
  svg.append(mark("text", { class: "title", x: LEFT, y: 13 }, unstable ? `${name} — points: unstable` : name));
  svg.append(mark("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, over));
  for (const { unstable, at, values } of pieces) {
    const points = at.map((value, index) => [x(value), y(values[index]!)] as const);
    if (unstable || points.length === 1) svg.append(...points.map(([cx, cy]) => mark("circle", { cx, cy, r: 2.4, fill: inkFor(unstable ? 1 : 0) })));
    else svg.append(mark("path", { d: points.map(([px, py], index) => `${index === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`).join(""), fill: "none", stroke: inkFor(0), "stroke-width": 2, "stroke-linejoin": "round" }));
  }
  return svg;
}

/// Round numbers between two ends: steps of 1, 2 or 5 times a power of ten.
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(high / step + 1e-9) - first + 1) }, (_, index) => (first + index) * step);
}

function mark(tag: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
}
