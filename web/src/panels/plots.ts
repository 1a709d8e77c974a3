// Plots: those of the text, those asked for by hand, and always energy and the error of the constraints.

import { degrees, shownIn } from "../angle";
import { ghosts, rowAt, type Ghost } from "../branches";
import { download, h, reveal } from "../dom";
import { icon } from "../icons";
import { aliases, lights } from "../links";
import { pretty, steady } from "../number";
import type { Plot, Scene, Series, Unit } from "../protocol";
import { expressionOf, type Session } from "../session";
import * as state from "../state";
import { theme } from "../theme";
import { createChart, inkFor, type Chart, type Curve } from "./chart";
import { createPhase } from "./phase";

export interface Plots {
  show(which: "energy" | "drift"): void;
  /// All that is plotted, at all recorded times, as CSV.
  table(): Promise<Blob>;
  /// Puts the cursor into the field for a new plot.
  ask(): void;
}

interface Wishes {
  /// Makes a plot by hand one of the text, where there is a text.
  write?(expression: string): void;
}

/// One line of a card: its values come from columns of the frames.
interface Line {
  name: string;
  unit: Unit;
  columns: number[];
  /// From the numbers of these columns, in SI units.
  value(numbers: number[]): number;
  /// Ids that it speaks of.
  ids: string[];
}

interface Card {
  id: string;
  element: HTMLElement;
  chart: Chart;
  lines: Line[];
  readings: HTMLElement[];
}

/// Charts are drawn anew at most this often, in milliseconds.
const PACE = 120;

const JOULE: Unit = { text: "J", scale: 1 };
const PLAIN: Unit = { text: "", scale: 1 };

export function createPlots(host: HTMLElement, session: Session, wishes: Wishes = {}): Plots {
  const field = h("input", { type: "text", placeholder: "Plot an expression, such as |bob.velocity|", "aria-label": "Expression to plot", spellcheck: "false", list: "expressions", id: "expression" });
  const offers = h("datalist", { id: "expressions" });
  const form = h("form", { class: "ask" }, field, offers, h("button", { class: "framed", type: "submit" }, icon("plus"), "Plot"));
  const turning = h("button", { class: "framed", type: "button", id: "degrees", title: "Unit of angles: press for the other one", onclick: () => degrees.set(!degrees.get()) });
  if (session.compiles) form.append(turning);
  const grid = h("div", { class: "plots" });
  host.append(session.compiles ? form : h("div", { class: "ask" }, turning), grid);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const expression = field.value.trim();
    if (!expression) return;
    session.probe(expression);
    field.value = "";
  });

  let cards: Card[] = [];
  let drawn = -1;
  let last = 0;

  function build(): void {
    for (const card of cards) card.chart.destroy();
    const scene = state.scene.get();
    const written = scene?.plots.filter((plot) => !plot.probe) ?? [];
    cards = scene ? [...[...state.probes.get(), ...written].map((plot) => plotCard(scene, plot)), ...standing(scene)] : [];
    session.follow(cards.flatMap((card) => card.lines.flatMap((line) => line.columns)));
    grid.replaceChildren(...cards.map((card) => card.element));
    // Only where there is an angle that it would change.
    reveal(turning, cards.some((card) => card.lines.some(({ unit }) => unit.text === "deg" || unit.text === "rad")));
    if (scene) offers.replaceChildren(...suggestions(scene).map((value) => h("option", { value })));
    drawn = -1;
    refresh();
    lightUp();
  }

  function plotCard(scene: Scene, plot: Plot): Card {
    const lines = plot.series.map((series) => lineOf(scene, series));
    const against = plot.against ? lineOf(scene, plot.against) : null;
    return card(plot.id, titleOf(plot), lines, against, plot.probe ? expressionOf(plot) : null);
  }

  function standing(scene: Scene): Card[] {
    const { energy, kinetic, drift } = scene.layout;
    const off: Line = { name: "constraint drift", unit: PLAIN, columns: [drift], value: ([error]) => error!, ids: [] };
    const cards: Card[] = [];
    // What the author calls energy is among the author's plots.
    if (energy !== null && kinetic !== null) {
      const energies: Line[] = [
        { name: "energy", unit: JOULE, columns: [energy], value: ([total]) => total!, ids: [] },
        { name: "kinetic", unit: JOULE, columns: [kinetic], value: ([motion]) => motion!, ids: [] },
        { name: "potential", unit: JOULE, columns: [energy, kinetic], value: ([total, motion]) => total! - motion!, ids: [] },
      ];
      cards.push(card("standing:energy", scene.layout.conserved ? "Energy (conserved)" : "Energy", energies, null, null));
    }
    if (scene.making.constraints > 0) cards.push(card("standing:drift", "Constraint drift", [off], null, null));
    return cards;
  }

  function card(id: string, title: string, lines: Line[], against: Line | null, byHand: string | null): Card {
    const seek = (t: number): void => session.seek(t);
    const curves = lines.map(curveOf);
    const chart = against ? createPhase(curveOf(against), curves, () => state.recording.times(), seek) : createChart(curves, seek);
    const readings = lines.map(() => h("span", { class: "number" }));
    const legend = h(
      "ul",
      { class: "legend", tabindex: lines.length > 3 ? 0 : null },
      ...lines.map((line, index) => {
        const dot = h("span", { class: "dot", "aria-hidden": "true" });
        dot.style.background = inkFor(index);
        const pick = line.ids[0];
        const name = pick ? h("button", { class: "legend-name", onclick: () => state.selection.set(pick) }, line.name) : h("span", { class: "legend-name" }, line.name);
        return h("li", {}, dot, name, readings[index], h("span", { class: "quiet" }, pretty(line.unit.text)));
      }),
      against && h("li", { class: "quiet" }, `against ${against.name}`),
    );
    const all = against ? [...lines, against] : lines;
    const element = h(
      "figure",
      { class: "plot", "data-plot": id, "aria-label": `Plot: ${title}` },
      h(
        "figcaption",
        {},
        legend,
        h(
          "span",
          { class: "plot-buttons" },
          h("button", { class: "small", "aria-label": `CSV of ${title}`, title: "Save as CSV", onclick: () => void saveCsv(session, title, all) }, "CSV"),
          h("button", { class: "small", "aria-label": `PNG of ${title}`, title: "Save as PNG", onclick: () => void savePng(title, lines, chart) }, "PNG"),
          byHand !== null && wishes.write && h("button", { class: "small", "aria-label": `Write plot ${title} to the text`, title: "Write to source", onclick: () => write(byHand) }, icon("write")),
          byHand !== null && h("button", { class: "small", "aria-label": `Remove plot ${title}`, title: "Remove", onclick: () => session.unprobe(byHand) }, icon("close")),
        ),
      ),
      chart.element,
    );
    return { id, element, chart, lines: all, readings };
  }

  function write(expression: string): void {
    session.unprobe(expression);
    wishes.write?.(expression);
  }

  function refresh(): void {
    const scene = state.scene.get();
    const row = state.row.get();
    if (!scene || !row || host.offsetParent === null) return;
    const t = row[scene.layout.t]!;
    const version = state.recording.version();
    const fresh = version !== drawn && performance.now() - last > PACE;
    if (fresh) {
      drawn = version;
      last = performance.now();
    }
    for (const { chart, lines, readings } of cards) {
      if (fresh) chart.refresh(drawnTimes());
      chart.now(t);
      readings.forEach((reading, index) => {
        const { value, columns, unit } = lines[index]!;
        reading.textContent = steady(value(columns.map((column) => row[column] ?? NaN)) / unit.scale);
      });
    }
  }

  function lightUp(): void {
    const scene = state.scene.get();
    const names = scene ? aliases(scene, state.selection.get()) : new Set<string>();
    for (const card of cards) {
      const lit = lights(names, card.id) || card.lines.some((line) => lights(names, "", line.ids));
      card.element.classList.toggle("picked", lit);
    }
  }

  state.scene.watch(build);
  state.probes.watch(build);
  theme.watch(build);
  ghosts.watch(build);
  degrees.watch((on) => {
    turning.textContent = on ? "degrees" : "radians";
    build();
  });
  state.row.watch(refresh);
  state.selection.watch(lightUp);
  setInterval(refresh, 250);

  return {
    show(which) {
      const found = cards.find((card) => card.id === `standing:${which}`);
      found?.element.scrollIntoView({ block: "nearest" });
      found?.element.classList.add("flash");
      setTimeout(() => found?.element.classList.remove("flash"), 900);
    },
    table() {
      const lines = cards.flatMap((card) => card.lines);
      return csv(session, lines.filter((line, at) => lines.findIndex(({ name }) => name === line.name) === at));
    },
    ask: () => field.focus(),
  };
}

function titleOf(plot: Plot): string {
  const names = plot.series.map((series) => series.name).join(", ");
  return plot.against ? `${names} against ${plot.against.name}` : names;
}

function lineOf(scene: Scene, series: Series): Line {
  const spoken = scene.references.filter((reference) => reference.expression === series.expression || reference.expression === series.name).map((reference) => reference.id);
  const coordinates = scene.quantities.filter((quantity) => series.name === quantity.name).map((quantity) => quantity.id);
  // `bob.velocity.x` speaks of bob, whatever else is said of it.
  const owners = scene.frames.filter((frame) => new RegExp(`(^|[^\\w.])${escaped(frame.name)}\\.`, "u").test(series.expression)).map((frame) => frame.id);
  return { name: series.name, unit: shownIn(series.unit), columns: [series.at], value: ([number]) => number!, ids: [...new Set([...coordinates, ...spoken, ...owners])] };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/// The recorded times, and those of other futures beyond them.
function drawnTimes(): Float64Array {
  const own = state.recording.times();
  const end = own.at(-1) ?? 0;
  const longest = ghosts.get().reduce<Ghost | null>((best, ghost) => (best && best.rows.at(-1)![0]! >= ghost.rows.at(-1)![0]! ? best : ghost), null);
  const beyond = longest?.rows.flatMap((row) => (row[0]! > end + 1e-9 ? [row[0]!] : [])) ?? [];
  return beyond.length ? Float64Array.from([...own, ...beyond]) : own;
}

function curveOf(line: Line): Curve {
  return {
    others: (times) =>
      ghosts.get().map((ghost) =>
        Array.from(times, (t) => {
          const row = rowAt(ghost, t);
          return row ? line.value(line.columns.map((column) => row[column] ?? NaN)) / line.unit.scale : NaN;
        }),
      ),
    name: line.name,
    unit: line.unit.text,
    values() {
      const columns = line.columns.map((column) => state.recording.column(column));
      return Array.from(columns[0]!, (_, at) => line.value(columns.map((column) => column[at]!)) / line.unit.scale);
    },
  };
}

function suggestions(scene: Scene): string[] {
  const bodies = scene.frames.filter((frame) => frame.body).flatMap(({ name }) => [`${name}.position`, `${name}.velocity`]);
  return [...new Set([...scene.quantities.map((quantity) => quantity.name), ...bodies, "energy"])];
}

async function saveCsv(session: Session, title: string, lines: Line[]): Promise<void> {
  download(`${fileName(title)}.csv`, await csv(session, lines));
}

async function csv(session: Session, lines: Line[]): Promise<Blob> {
  const columns = [...new Set(lines.flatMap((line) => line.columns))];
  const rows = await session.history(columns);
  const head = ["t [s]", ...lines.map(({ name, unit }) => (unit.text ? `${name} [${unit.text}]` : name))].map(quoted).join(",");
  const body = rows.map((row) => {
    const values = lines.map((line) => line.value(line.columns.map((column) => row[1 + columns.indexOf(column)]!)) / line.unit.scale);
    return [row[0], ...values].join(",");
  });
  return new Blob([[head, ...body, ""].join("\n")], { type: "text/csv" });
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function savePng(title: string, lines: Line[], chart: Chart): Promise<void> {
  const source = chart.canvas();
  const ratio = window.devicePixelRatio || 1;
  const head = 30 * ratio;
  const picture = h("canvas", { width: source.width, height: source.height + head });
  const pen = picture.getContext("2d")!;
  const style = getComputedStyle(document.documentElement);
  pen.fillStyle = style.getPropertyValue("--paper");
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.font = `${13 * ratio}px "Inter Variable", sans-serif`;
  let x = 12 * ratio;
  lines.forEach(({ name, unit }, index) => {
    pen.fillStyle = inkFor(index);
    const text = unit.text ? `${name} [${pretty(unit.text)}]` : name;
    pen.fillText(text, x, 20 * ratio);
    x += pen.measureText(text).width + 16 * ratio;
  });
  pen.drawImage(source, 0, head);
  const blob = await new Promise<Blob | null>((answer) => picture.toBlob(answer, "image/png"));
  if (blob) download(`${fileName(title)}.png`, blob);
}

export function fileName(title: string): string {
  return title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "plot";
}
