// A sweep: many runs that differ in one or two parameters, as one picture. Pressing a point of it opens that run.

import { degrees, shownIn } from "../angle";
import { h, prose, reveal } from "../dom";
import { pretty, readNumber, show } from "../number";
import type { Control, Parameter, Scene, Unit, Varied } from "../protocol";
import type { Session, Swept, Wanted } from "../session";
import * as state from "../state";
import { createMap, reading, type MapAxis } from "./map";

/// How many values are offered, of one parameter and of each of two.
const [ALONE, TOGETHER] = [40, 24];
const HOW = { last: "at the end", max: "largest", min: "least" } as const;

/// What can be varied.
type Variable = (Parameter | Control) & { control: boolean };

/// A sweep that was begun, and as much of it as is there.
interface Result {
  wanted: Wanted;
  variables: Variable[];
  unit: Unit | null;
  /// In SI units; NaN where there is none.
  values: number[];
  why: Map<number, string>;
  done: number;
}

export function createSweep(host: HTMLElement, session: Session, text: () => string): void {
  const first = axisFields("What to vary");
  const second = axisFields("Another one to vary");
  const quantity = h("input", { type: "text", "aria-label": "Quantity of the sweep", spellcheck: "false", list: "sweep-quantities", placeholder: "such as bob.position.z" });
  const offers = h("datalist", { id: "sweep-quantities" });
  const how = h("select", { "aria-label": "What of the quantity" }, ...Object.entries(HOW).map(([value, word]) => h("option", { value }, word)));
  const until = h("input", { type: "text", class: "number", "aria-label": "Seconds of each run", inputmode: "decimal", value: "10" });
  const go = h("button", { class: "main", type: "submit" }, "Run sweep");
  const stop = h("button", { class: "framed", type: "button", onclick: () => end("stopped") }, "Stop");
  const bar = h("progress", { "aria-label": "Runs that are there", max: 1, value: 0 });
  const said = h("p", { class: "sweep-said quiet", "aria-live": "polite" });
  const form = h(
    "form",
    { class: "sweep-form" },
    first.element,
    second.element,
    h("label", { class: "sweep-row" }, h("span", {}, "Quantity"), quantity, offers),
    h("div", { class: "sweep-row" }, h("span", {}, "Value"), how, h("label", { class: "sweep-until" }, h("span", { class: "quiet" }, "of runs of"), until, h("span", { class: "quiet" }, "s"))),
    h("div", { class: "sweep-act" }, h("div", { class: "sweep-buttons" }, go, stop, bar), said),
  );
  const map = createMap({ point, open });
  const none = h("p", { class: "quiet none" }, prose("This scene has no parameters to vary. Write `param length = 1 [m]` and use `length` in the scene."));
  const words = h("p", { class: "sweep-reading", "aria-live": "polite" });
  const picture = h("div", { class: "sweep-picture" }, map.element, words);
  const panel = h("div", { class: "sweep" }, form, picture);
  host.append(none, panel);

  let result: Result | null = null;
  let running = false;
  let drawing = 0;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  state.scene.watch((scene) => {
    const variables = scene ? all(scene) : [];
    reveal(none, !!scene && variables.length === 0);
    reveal(panel, variables.length > 0);
    first.offer(variables, false);
    second.offer(variables, true);
    const names = scene ? [...new Set([...scene.plots.flatMap((plot) => plot.series.map(({ name }) => name)), ...scene.quantities.map(({ name }) => name)])] : [];
    offers.replaceChildren(...names.map((value) => h("option", { value })));
    if (quantity.value === "" || !quantity.dataset.byHand) quantity.value = names[0] ?? "";
  });
  quantity.addEventListener("input", () => (quantity.dataset.byHand = "yes"));
  state.open.watch((open) => {
    if (open?.path === opened) return;
    opened = open?.path;
    delete quantity.dataset.byHand;
    end("");
    result = null;
    map.show(null);
    words.replaceChildren();
    say("Many runs, which differ in one or two parameters, become one picture.");
  });
  state.report.watch(stale);
  degrees.watch(draw);
  second.changed(() => first.count(second.chosen() ? TOGETHER : ALONE));
  busy();

  function begin(): void {
    const axes = [first.chosen(), second.chosen()].filter((one) => one !== null);
    const span = readNumber(until.value);
    until.setAttribute("aria-invalid", String(span === null || span <= 0));
    if (axes.some(({ varied }) => !varied) || span === null || span <= 0) return say("Some of these numbers cannot be read.", true);
    if (axes.length === 2 && axes[0]!.variable.name === axes[1]!.variable.name) return say("Vary two different parameters, or only one.", true);
    const status = state.status.get();
    const wanted: Wanted = {
      source: text(),
      parameters: { ...status?.parameters },
      controls: { ...status?.controls },
      vary: axes.map(({ varied }) => varied!),
      quantity: quantity.value.trim(),
      reduce: how.value as Wanted["reduce"],
      until: span,
    };
    const count = wanted.vary.reduce((all, one) => all * one.count, 1);
    result = { wanted, variables: axes.map(({ variable }) => variable), unit: null, values: new Array<number>(Math.min(count, 10_000)).fill(NaN), why: new Map(), done: 0 };
    running = true;
    words.replaceChildren();
    busy();
    say("Compiling…");
    session.sweep(wanted, hear);
  }

  function hear({ unit, runs, trouble }: Swept): void {
    if (!result) return;
    if (unit) result.unit = unit;
    for (const { run, value, why } of runs) {
      result.values[run] = value ?? NaN;
      if (why) result.why.set(run, why);
    }
    result.done += runs.length;
    bar.value = result.done / result.values.length;
    // Not for each handful of runs.
    drawing ||= requestAnimationFrame(() => ((drawing = 0), draw()));
    if (trouble) return end(`${trouble.message}${trouble.hint && ` — ${trouble.hint}`}`, true);
    if (result.done === result.values.length) return end("", false);
    say(`${result.done} of ${result.values.length} runs`);
  }

  function end(sentence: string, bad = false): void {
    if (!running) return;
    running = false;
    session.unsweep();
    busy();
    const { done, values, why } = result!;
    const failed = why.size > 0 ? ` ${why.size} failed; the first: ${[...why.values()][0]!}` : "";
    say(bad ? sentence : `${done}${done < values.length ? ` of ${values.length}` : ""} runs.${failed} Press a point to open its run.`, bad);
  }

  function say(sentence: string, bad = false): void {
    said.replaceChildren(prose(sentence));
    said.classList.toggle("problem-text", bad);
  }

  function busy(): void {
    reveal(stop, running);
    reveal(bar, running);
    go.disabled = running;
    bar.value = 0;
  }

  /// A picture of another text says so.
  function stale(): void {
    picture.classList.toggle("stale", result !== null && result.wanted.source !== text());
  }

  function draw(): void {
    stale();
    if (!result) return;
    const { wanted, variables, values, why } = result;
    const unit = result.unit && shownIn(result.unit);
    const axes = wanted.vary.map((varied, index): MapAxis => {
      const { unit } = variables[index]!;
      return { name: varied.name, unit: pretty(unit.text), values: Array.from({ length: varied.count }, (_, at) => valueAt(varied, at) / unit.scale) };
    });
    const title = `${wanted.quantity} ${wanted.reduce === "last" ? `after ${show(wanted.until)} s` : `, ${HOW[wanted.reduce]}`}${unit?.text ? `, ${pretty(unit.text)}` : ""}`.replace(" ,", ",");
    map.show({ axes, title, values: values.map((value) => value / (unit?.scale ?? 1)), failed: new Set(why.keys()) });
  }

  /// The numbers of what is varied in a run, in SI units.
  function numbersOf({ wanted }: Result, run: number): number[] {
    let rest = run;
    return wanted.vary.map((varied) => {
      const at = rest % varied.count;
      rest = Math.floor(rest / varied.count);
      return valueAt(varied, at);
    });
  }

  function point(run: number | null): void {
    if (run === null || !result) return words.replaceChildren();
    const { wanted, variables, values, why } = result;
    const where = numbersOf(result, run).map((value, index) => `${wanted.vary[index]!.name} ${reading(value / variables[index]!.unit.scale, pretty(variables[index]!.unit.text))}`);
    const unit = result.unit && shownIn(result.unit);
    const value = Number.isFinite(values[run]!) ? reading(values[run]! / (unit?.scale ?? 1), pretty(unit?.text ?? "")) : (why.get(run) ?? "not there yet");
    words.replaceChildren(h("span", {}, where.join(", ")), " → ", h("strong", {}, value));
  }

  /// Starts the run, with all that it had in the sweep.
  function open(run: number): void {
    if (!result) return;
    const { wanted, variables } = result;
    for (const [name, value] of Object.entries(wanted.parameters)) if (state.status.get()?.parameters[name] !== value) session.parameter(name, value);
    for (const [name, value] of Object.entries(wanted.controls)) if (state.status.get()?.controls[name] !== value) session.control(name, value);
    numbersOf(result, run).forEach((value, index) => {
      const { name, control } = variables[index]!;
      if (control) session.control(name, value);
      else session.parameter(name, value);
    });
    session.send({ type: "reset" });
    session.send({ type: "play" });
  }
}

let opened: string | undefined;

function all(scene: Scene): Variable[] {
  return [...scene.parameters.map((one) => ({ ...one, control: false })), ...scene.controls.map((one) => ({ ...one, control: true }))];
}

/// As the program computes it: the ends are exact.
function valueAt({ low, high, count }: Varied, at: number): number {
  return at === 0 ? low : at + 1 === count ? high : low + (high - low) * (at / (count - 1));
}

interface AxisFields {
  element: HTMLElement;
  /// Offers what the scene has; the choice stays where it can.
  offer(variables: Variable[], optional: boolean): void;
  /// What is chosen, with its range where that can be read; none if nothing is.
  chosen(): { variable: Variable; varied: Varied | null } | null;
  /// Offers another number of values, unless somebody has typed one.
  count(count: number): void;
  changed(watcher: () => void): void;
}

function axisFields(label: string): AxisFields {
  const field = (what: string, width: string): HTMLInputElement => h("input", { type: "text", class: `number ${width}`, "aria-label": `${label}: ${what}`, inputmode: "decimal" });
  const choice = h("select", { "aria-label": label });
  const [low, high, count] = [field("from", "wide"), field("to", "wide"), field("how many values", "narrow")];
  const unit = h("span", { class: "quiet" });
  const range = h("span", { class: "sweep-range" }, low, "to", high, unit, h("span", { class: "quiet" }, "in"), count, h("span", { class: "quiet" }, "values"));
  const element = h("div", { class: "sweep-row" }, choice, range);
  let variables: Variable[] = [];
  let typed = false;
  const watchers: (() => void)[] = [];
  count.addEventListener("input", () => (typed = true));
  choice.addEventListener("change", fill);

  function variable(): Variable | null {
    return variables.find(({ name }) => name === choice.value) ?? null;
  }

  function fill(): void {
    const one = variable();
    reveal(range, one !== null);
    if (one) {
      low.value = show(one.range.low / one.unit.scale, 6);
      high.value = show(one.range.high / one.unit.scale, 6);
      unit.textContent = pretty(one.unit.text);
    }
    watchers.forEach((watcher) => watcher());
  }

  return {
    element,
    offer(next, optional) {
      const before = choice.value;
      const same = JSON.stringify(next.map(({ name, range }) => [name, range])) === JSON.stringify(variables.map(({ name, range }) => [name, range]));
      variables = next;
      if (same && before !== "") return;
      choice.replaceChildren(...(optional ? [h("option", { value: "" }, "and nothing else")] : []), ...next.map(({ name }) => h("option", { value: name }, optional ? `and ${name}` : name)));
      if (next.some(({ name }) => name === before)) choice.value = before;
      if (!typed) count.value = String(optional ? TOGETHER : ALONE);
      fill();
    },
    chosen() {
      const one = variable();
      if (!one) return null;
      const [from, to, values] = [low, high, count].map((field) => {
        const value = readNumber(field.value);
        field.setAttribute("aria-invalid", String(value === null));
        return value;
      });
      const good = from !== null && to !== null && values !== null && Number.isInteger(values) && values > 1;
      return { variable: one, varied: good ? { name: one.name, low: from! * one.unit.scale, high: to! * one.unit.scale, count: values! } : null };
    },
    count(value) {
      if (!typed) count.value = String(value);
    },
    changed: (watcher) => void watchers.push(watcher),
  };
}
