// The picture of a sweep: a curve over one parameter, or colours over two. Point at a run to read it, press to open it.

import { h } from "../dom";
import { show } from "../number";
import { theme } from "../theme";
import { labels, widen } from "./axis";
import { inkFor } from "./chart";

/// What is varied, in the unit that is shown.
export interface MapAxis {
  name: string;
  /// `m`, as people read it.
  unit: string;
  values: number[];
}

export interface MapData {
  /// One or two; the first goes across.
  axes: MapAxis[];
  /// What is drawn against them, `swing.angle at the end, °`.
  title: string;
  /// One for each run, in the unit that is shown; NaN where there is none yet.
  values: number[];
  /// Runs that have no value, and never will.
  failed: Set<number>;
}

export interface SweepMap {
  readonly element: HTMLElement;
  show(data: MapData | null): void;
}

interface Wishes {
  /// The run that is pointed at; none if nobody points.
  point(run: number | null): void;
  open(run: number): void;
}

/// Viridis, in nine steps: it reads the same in grey, and to those who see few colours.
const COLOURS = [0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725].map((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255] as const);

/// Where the picture itself is, in pixels of the page.
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/// From numbers to pixels of the present drawing, and the ends of what is drawn.
interface Scales {
  box: Box;
  across: [number, number];
  up: [number, number];
  toX(value: number): number;
  toY(value: number): number;
}

export function createMap(wishes: Wishes): SweepMap {
  const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "Picture of the sweep: arrows go from run to run, Enter opens one" });
  const element = h("div", { class: "sweep-map" }, canvas);
  let data: MapData | null = null;
  let scales: Scales | null = null;
  let pointed: number | null = null;

  function draw(): void {
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    scales = null;
    if (!data) return;
    pen.font = `${Math.round(11 * size())}px "Inter Variable", sans-serif`;
    const drawing = { pen, data, width, height, ink: colour("--ink-2"), line: colour("--line"), pointed };
    scales = data.axes.length === 2 ? drawColours(drawing) : drawCurve(drawing);
  }

  function runAt(event: PointerEvent | MouseEvent): number | null {
    if (!data || !scales) return null;
    const bounds = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const { box, toX, toY } = scales;
    if (x < box.left - 8 || x > box.right + 8 || y < box.top || y > box.bottom) return null;
    const nearest = (values: number[], to: (value: number) => number, at: number): number =>
      values.reduce((best, value, index) => (Math.abs(to(value) - at) < Math.abs(to(values[best]!) - at) ? index : best), 0);
    const [across, up] = data.axes;
    return nearest(across!.values, toX, x) + (up ? nearest(up.values, toY, y) * across!.values.length : 0);
  }

  function point(run: number | null): void {
    if (run === pointed) return;
    pointed = run;
    draw();
    wishes.point(run);
  }

  canvas.addEventListener("pointermove", (event) => point(runAt(event)));
  canvas.addEventListener("pointerleave", () => document.activeElement !== canvas && point(null));
  canvas.addEventListener("blur", () => point(null));
  canvas.addEventListener("click", (event) => {
    const run = runAt(event);
    point(run);
    if (run !== null) wishes.open(run);
  });
  canvas.addEventListener("keydown", (event) => {
    if (!data) return;
    const across = data.axes[0]!.values.length;
    const up = data.axes[1]?.values.length ?? 1;
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      const [x, y] = pointed === null ? [0, 0] : [(pointed % across) + step[0]!, Math.floor(pointed / across) + step[1]!];
      point(Math.min(across - 1, Math.max(0, x)) + across * Math.min(up - 1, Math.max(0, y)));
    } else if ((event.key === "Enter" || event.key === " ") && pointed !== null) wishes.open(pointed);
    else return;
    event.preventDefault();
  });
  new ResizeObserver(draw).observe(element);
  theme.watch(draw);

  return {
    element,
    show(next) {
      if (!next || next.values.length !== data?.values.length) pointed = null;
      data = next;
      draw();
    },
  };
}

interface Drawing {
  pen: CanvasRenderingContext2D;
  data: MapData;
  width: number;
  height: number;
  ink: string;
  line: string;
  pointed: number | null;
}

function drawCurve(drawing: Drawing): Scales {
  const { pen, data, pointed } = drawing;
  const [xs, ys] = [data.axes[0]!.values, data.values];
  const scales = scaled(drawing, ends(xs), widen(...extent(ys)), 14);
  const { toX, toY, box } = scales;
  grid(drawing, scales, data.title);
  pen.strokeStyle = pen.fillStyle = inkFor(0);
  pen.lineWidth = theme.get() === "projector" ? 3 : 1.75;
  // A run that failed, or is not there yet, is a gap.
  pen.beginPath();
  let joined = false;
  ys.forEach((y, run) => {
    if (!Number.isFinite(y)) return void (joined = false);
    if (joined) pen.lineTo(toX(xs[run]!), toY(y));
    else pen.moveTo(toX(xs[run]!), toY(y));
    joined = true;
  });
  pen.stroke();
  const dot = (run: number, size: number): void => {
    pen.beginPath();
    pen.arc(toX(xs[run]!), toY(ys[run]!), size, 0, 2 * Math.PI);
    pen.fill();
  };
  ys.forEach((y, run) => Number.isFinite(y) && dot(run, 2.2));
  pen.strokeStyle = colour("--error");
  for (const run of data.failed) cross(pen, toX(xs[run]!), box.bottom - 7, 4);
  if (pointed === null) return scales;
  pen.strokeStyle = pen.fillStyle = colour("--picked");
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(toX(xs[pointed]!), box.top);
  pen.lineTo(toX(xs[pointed]!), box.bottom);
  pen.stroke();
  if (Number.isFinite(ys[pointed]!)) dot(pointed, 5);
  return scales;
}

function drawColours(drawing: Drawing): Scales {
  const { pen, data, line, pointed } = drawing;
  const [across, up] = [data.axes[0]!, data.axes[1]!];
  // Every run has a cell around its point, so half a cell stands out at the ends.
  const scales = scaled(drawing, half(across.values), half(up.values), 96);
  const { box } = scales;
  const [low, high] = extent(data.values);
  const cell = [(box.right - box.left) / across.values.length, (box.bottom - box.top) / up.values.length] as const;
  // Edges are the same numbers for both neighbours, so that no seams show between whole pixels.
  const edges = (run: number): [number, number, number, number] => {
    const [i, j] = [run % across.values.length, Math.floor(run / across.values.length)];
    const [left, right] = [i, i + 1].map((at) => Math.round(box.left + at * cell[0]));
    const [bottom, top] = [j, j + 1].map((at) => Math.round(box.bottom - at * cell[1]));
    return [left!, top!, right! - left!, bottom! - top!];
  };
  data.values.forEach((value, run) => {
    const [x, y, wide, tall] = edges(run);
    if (Number.isFinite(value)) {
      pen.fillStyle = paint(high! > low! ? (value - low!) / (high! - low!) : 0.5);
      pen.fillRect(x, y, wide, tall);
    } else if (data.failed.has(run)) {
      pen.strokeStyle = colour("--error");
      pen.lineWidth = 1.4;
      cross(pen, x + wide / 2, y + tall / 2, Math.min(5, wide / 3, tall / 3));
    }
  });
  grid(drawing, scales, `${up.name}${up.unit && `, ${up.unit}`}`, false);
  pen.strokeStyle = line;
  pen.strokeRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
  if (low !== null && high !== null) legend(drawing, box, low, high);
  if (pointed !== null) {
    const [x, y, wide, tall] = edges(pointed);
    pen.lineWidth = 2;
    pen.strokeStyle = colour("--paper");
    pen.strokeRect(x - 1, y - 1, wide + 2, tall + 2);
    pen.strokeStyle = colour("--picked");
    pen.strokeRect(x, y, wide, tall);
  }
  return scales;
}

/// The bar of colours, with its numbers.
function legend({ pen, data, ink, line, width }: Drawing, { right, top, bottom }: Box, low: number, high: number): void {
  const [left, wide] = [right + 18, 14];
  for (let y = top; y < bottom; y++) {
    pen.fillStyle = paint((bottom - y) / (bottom - top));
    pen.fillRect(left, y, wide, 1.5);
  }
  pen.strokeStyle = line;
  pen.strokeRect(left, top, wide, bottom - top);
  pen.fillStyle = ink;
  pen.textAlign = "left";
  const marks = high > low ? [0, 0.25, 0.5, 0.75, 1].map((share) => low + share * (high - low)) : [low];
  labels(marks).forEach((text, index) => pen.fillText(text, left + wide + 6, bottom - (marks.length > 1 ? index / 4 : 0.5) * (bottom - top) + 4));
  pen.textAlign = "right";
  pen.fillText(data.title, width - 6, top - 9 * size());
}

function scaled({ width, height, pen }: Drawing, across: [number, number], up: [number, number], right: number): Scales {
  const widest = Math.max(...labels(ticks(...up, 5)).map((text) => pen.measureText(text).width));
  const box = { left: Math.ceil(14 + widest), right: width - right * size(), top: 26 * size(), bottom: height - 40 * size() };
  const toX = (value: number): number => box.left + ((value - across[0]) / (across[1] - across[0])) * (box.right - box.left);
  const toY = (value: number): number => box.bottom - ((value - up[0]) / (up[1] - up[0])) * (box.bottom - box.top);
  return { box, across, up, toX, toY };
}

/// Ticks, lines through them where nothing is hidden by them, and what stands at the axes.
function grid({ pen, data, ink, line }: Drawing, { box, across, up, toX, toY }: Scales, title: string, lines = true): void {
  pen.strokeStyle = line;
  pen.fillStyle = ink;
  pen.lineWidth = 1;
  const [columns, rows] = [ticks(...across, Math.max(2, (box.right - box.left) / 60)), ticks(...up, Math.max(2, (box.bottom - box.top) / 32))];
  if (lines) {
    pen.beginPath();
    for (const x of columns) {
      pen.moveTo(toX(x), box.top);
      pen.lineTo(toX(x), box.bottom);
    }
    for (const y of rows) {
      pen.moveTo(box.left, toY(y));
      pen.lineTo(box.right, toY(y));
    }
    pen.stroke();
  }
  pen.textAlign = "center";
  labels(columns).forEach((text, index) => pen.fillText(text, toX(columns[index]!), box.bottom + 15 * size()));
  pen.textAlign = "right";
  labels(rows).forEach((text, index) => pen.fillText(text, box.left - 6, toY(rows[index]!) + 4));
  pen.fillStyle = colour("--ink");
  pen.textAlign = "left";
  pen.fillText(title, 8, box.top - 9 * size());
  const { name, unit } = data.axes[0]!;
  pen.textAlign = "center";
  pen.fillText(`${name}${unit && `, ${unit}`}`, (box.left + box.right) / 2, box.bottom + 32 * size());
}

/// Round numbers between two ends, about so many.
export function ticks(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1);
  return Array.from({ length: Math.min(count, 100) }, (_, index) => (first + index) * step);
}

/// What stands there is larger for the back row of a lecture hall.
function size(): number {
  return theme.get() === "projector" ? 1.4 : 1;
}

function ends(values: number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low < high ? [low, high] : [low - 1, high + 1];
}

function half(values: number[]): [number, number] {
  const [low, high] = ends(values);
  const step = (high - low) / Math.max(1, values.length - 1) / 2;
  return [low - step, high + step];
}

function extent(values: number[]): [number | null, number | null] {
  const known = values.filter(Number.isFinite);
  return known.length > 0 ? [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))] : [null, null];
}

/// The colour of a share from 0 to 1.
function paint(share: number): string {
  const place = Math.min(1, Math.max(0, share)) * (COLOURS.length - 1);
  const at = Math.min(COLOURS.length - 2, Math.floor(place));
  const mixed = COLOURS[at]!.map((from, channel) => Math.round(from + (COLOURS[at + 1]![channel]! - from) * (place - at)));
  return `rgb(${mixed.join(" ")})`;
}

function cross(pen: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  pen.beginPath();
  pen.moveTo(x - size, y - size);
  pen.lineTo(x + size, y + size);
  pen.moveTo(x - size, y + size);
  pen.lineTo(x + size, y - size);
  pen.stroke();
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/// A number and its unit, as it is read out.
export function reading(value: number, unit: string): string {
  return `${show(value, 4)}${unit && (unit === "°" ? unit : ` ${unit}`)}`;
}
