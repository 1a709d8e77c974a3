// The circuit of a scene as a schematic, with its voltages and currents; dots move as the current does.

import { arrange, flows, type Schematic, type Standing } from "../circuit";
import { h, reveal, svg } from "../dom";
import { show } from "../number";
import type { CircuitElement, Scene, Span } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";
import { remembered } from "../store";

/// Between columns and rows, and around all, in units of the drawing.
const [WIDE, TALL, MARGIN] = [120, 104, 46];
/// Between two dots, and how far one goes in a second at the largest current so far.
const [SPACING, PACE] = [16, 60];
/// Time between two looks at the numbers, in milliseconds: a person cannot read faster.
const READING = 200;

const isOpen = remembered("circuit", false);

interface Wishes {
  goTo?(span: Span): void;
}

/// A symbol stands upright around the origin, its first end above.
interface Symbol {
  /// From the middle to an end.
  half: number;
  path: string;
  text?: string;
}

const CIRCLE = "M0 -18 A18 18 0 0 1 0 18 A18 18 0 0 1 0 -18";
const BOX: Symbol = { half: 20, path: "M-9 -20 H9 V20 H-9 Z" };
/// By the kinds of the library.
const SYMBOLS: Record<string, Symbol> = {
  resistor: BOX,
  capacitor: { half: 5, path: "M-16 -5 H16 M-16 5 H16" },
  inductor: { half: 24, path: "M0 -24 a6 6 0 0 1 0 12 a6 6 0 0 1 0 12 a6 6 0 0 1 0 12 a6 6 0 0 1 0 12" },
  coil: { half: 24, path: "M0 -24 a6 6 0 0 1 0 12 a6 6 0 0 1 0 12 a6 6 0 0 1 0 12 a6 6 0 0 1 0 12 M14 -22 V22" },
  voltage_source: { half: 18, path: `${CIRCLE} M-5 -9 H5 M0 -14 V-4 M-5 10 H5` },
  current_source: { half: 18, path: `${CIRCLE} M0 -11 V11 M-5 5 L0 11 L5 5` },
  ac_generator: { half: 18, path: `${CIRCLE} M-10 0 C-6 -11 -3 -11 0 0 S6 11 10 0` },
  diode: { half: 11, path: "M-12 -11 H12 L0 11 Z M-12 11 H12" },
  dc_motor: { half: 18, path: CIRCLE, text: "M" },
};

export function createSchematic(host: HTMLElement, session: Session, wishes: Wishes = {}): void {
  const drawing = h("div", { class: "schematic-drawing" });
  const panel = h("details", { class: "schematic", id: "schematic", hidden: true }, h("summary", {}, "Circuit"), drawing);
  host.append(panel);
  let drawn: Drawn | null = null;
  let columns: number[] | null = null;
  let [last, before] = [0, NaN];
  let readings: [Map<string, number>, Map<string, number>] | null = null;
  panel.addEventListener("toggle", () => panel.classList.contains("whole") || isOpen.set(panel.open));

  state.scene.watch((scene) => {
    const circuit = scene?.circuit ?? null;
    reveal(panel, circuit !== null);
    [drawn, columns, readings] = [null, null, null];
    drawing.replaceChildren();
    if (!scene || !circuit) return;
    const alone = isFlat(scene);
    panel.classList.toggle("whole", alone);
    panel.open = alone || isOpen.get();
    const mine = (drawn = draw(arrange(circuit), wishes));
    drawing.append(mine.picture);
    const wanted = [...circuit.nodes.map(({ voltage }) => voltage), ...circuit.elements.flatMap(({ current }) => (current ? [current] : []))];
    if (session.compiles) void session.measure(wanted).then((found) => drawn === mine && (columns = found));
  });

  state.row.watch((row) => {
    const scene = state.scene.get();
    if (!drawn || !row || !columns || !scene?.circuit || !panel.open) return;
    const { nodes, elements } = scene.circuit;
    const values = columns.map((column) => row[column] ?? NaN);
    if (!values.every(Number.isFinite)) return;
    const currents = new Map(elements.filter(({ current }) => current).map(({ name }, at) => [name, values[nodes.length + at]!]));
    const [now, t] = [performance.now(), row[scene.layout.t]!];
    // Dots go on only as the run does; backwards if it is scrubbed so.
    const passed = t === before ? 0 : Math.sign(t - before || 1) * Math.min(0.1, (now - last) / 1000);
    [last, before] = [now, t];
    drawn.flow(currents, passed);
    readings = [new Map(nodes.map(({ name }, at) => [name, values[at]!])), currents];
  });
  setInterval(() => readings && drawn?.read(...readings), READING);
}

/// Whether nothing of a scene has a place in space.
export function isFlat(scene: Scene): boolean {
  return scene.frames.length + scene.shapes.length + scene.curves.length + scene.surfaces.length === 0;
}

interface Drawn {
  picture: SVGSVGElement;
  /// Moves the dots for so many seconds.
  flow(currents: Map<string, number>, seconds: number): void;
  /// Writes the numbers.
  read(voltages: Map<string, number>, currents: Map<string, number>): void;
}

const x = (column: number): number => MARGIN + column * WIDE;
const y = (row: number): number => MARGIN + row * TALL;

function draw(schematic: Schematic, wishes: Wishes): Drawn {
  const { wires, elements } = schematic;
  const voltages = new Map<string, SVGTextElement>();
  const currents = new Map<string, SVGTextElement>();
  const dots: { line: SVGLineElement; current(): number; phase: number }[] = [];
  let known = new Map<string, number>();
  let largest = 0;

  const stretches = flows(schematic, known);
  const dotted = (x1: number, y1: number, x2: number, y2: number, current: () => number): SVGElement => {
    const line = svg("line", { class: "flow", x1, y1, x2, y2, "stroke-dasharray": `0 ${SPACING}` });
    dots.push({ line, current, phase: 0 });
    return line;
  };
  const lying = wires.flatMap(({ name, row, from, to }) => {
    const reading = svg("tspan", { class: "reading" });
    voltages.set(name, reading as unknown as SVGTextElement);
    const label = svg("text", { class: "node-name", x: x(from) + 6, y: y(row) - 8 }, `${name} `, reading);
    return [svg("line", { class: "wire", x1: x(from), y1: y(row), x2: x(to), y2: y(row) }), label];
  });
  const along = stretches.map(({ row, from, to }, at) => dotted(x(from), y(row), x(to), y(row), () => flows(schematic, known)[at]!.current));
  const standing = elements.map((one) => {
    const { element, column, rows } = one;
    const middle = gap(one);
    const symbol = symbolOf(element);
    const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
    const reading = svg("text", { class: "reading", x: x(column) + 26, y: middle + 14 });
    currents.set(element.name, reading);
    const [up, down] = [dotted(x(column), y(top), x(column), middle - symbol.half, () => downwards(one, known)), dotted(x(column), middle + symbol.half, x(column), y(bottom), () => downwards(one, known))];
    const upside = rows[0]! > rows[1]! ? " rotate(180)" : "";
    const group = svg(
      "g",
      { class: "element", "data-element": element.name, role: "button", tabindex: 0 },
      svg("title", {}, `${element.kinds.at(-1)!.replaceAll("_", " ")} between ${element.ends.join(" and ")}`),
      svg("line", { class: "wire", x1: x(column), y1: y(top), x2: x(column), y2: middle - symbol.half }),
      svg("line", { class: "wire", x1: x(column), y1: middle + symbol.half, x2: x(column), y2: y(bottom) }),
      ...third(one, middle),
      up,
      down,
      svg("path", { class: "symbol", d: symbol.path, transform: `translate(${x(column)} ${middle})${upside}` }),
      symbol.text && svg("text", { class: "letter", x: x(column), y: middle + 6, "text-anchor": "middle" }, symbol.text),
      svg("text", { x: x(column) + 26, y: middle - 2 }, element.name),
      reading,
    );
    const pick = (): void => wishes.goTo?.(element.span);
    group.addEventListener("click", pick);
    group.addEventListener("keydown", (event) => event.key === "Enter" && pick());
    return group;
  });
  const joints = wires.flatMap(({ row }) => {
    const meeting = elements.filter(({ rows }) => rows.includes(row));
    return meeting.length > 2 ? meeting.map(({ column }) => svg("circle", { class: "joint", cx: x(column), cy: y(row), r: 3.5 })) : [];
  });
  const [width, height] = [x(elements.length - 1) + 2 * MARGIN + 30, y(wires.length - 1) + MARGIN];
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Schematic of the circuit" }, ...lying, ...along, ...standing, ...joints);
  picture.style.maxWidth = `${1.5 * width}px`;

  return {
    picture,
    flow(now, seconds) {
      known = now;
      largest = Math.max(largest, ...[...now.values()].map(Math.abs));
      for (const dot of dots) {
        const current = dot.current();
        const part = largest > 0 ? Math.sign(current) * Math.sqrt(Math.abs(current) / largest) : 0;
        dot.phase = (dot.phase + part * PACE * seconds + SPACING) % SPACING;
        dot.line.setAttribute("stroke-dashoffset", (-dot.phase).toFixed(2));
        // A thousandth of the largest is nothing that could be seen to move.
        dot.line.classList.toggle("still", Math.abs(part) < 0.03);
      }
    },
    read(volts, amperes) {
      for (const [name, place] of voltages) place.textContent = engineering(volts.get(name), "V");
      for (const [name, place] of currents) place.textContent = engineering(amperes.get(name), "A");
    },
  };
}

function symbolOf(element: CircuitElement): Symbol {
  const known = [...element.kinds].reverse().find((kind) => kind in SYMBOLS);
  return known ? SYMBOLS[known]! : BOX;
}

/// The middle of the space between two rows where its symbol stands: no wire passes there.
function gap({ rows }: Standing): number {
  const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
  return y(Math.floor((top + bottom - 1) / 2)) + TALL / 2;
}

/// A third end, such as the base of a transistor, leads to its wire beside the symbol.
function third({ rows, column }: Standing, middle: number): SVGElement[] {
  return rows.slice(2).map((row) => svg("path", { class: "wire", d: `M${x(column) - 9} ${middle} H${x(column) - 26} V${y(row)} H${x(column)}` }));
}

/// The current of an element, downwards in the drawing.
function downwards({ element, rows }: Standing, currents: Map<string, number>): number {
  return (rows[0]! < rows[1]! ? 1 : -1) * (currents.get(element.name) ?? 0);
}

const PREFIXES: [number, string][] = [
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
];

/// `12.3 mA`
export function engineering(value: number | undefined, unit: string): string {
  if (value === undefined || !Number.isFinite(value)) return "";
  const [scale, prefix] = PREFIXES.find(([scale]) => Math.abs(value) >= scale * 0.9995) ?? [1, ""];
  return `${Math.abs(value) < 1e-12 ? "0" : show(value / scale, 3)} ${prefix}${unit}`;
}
