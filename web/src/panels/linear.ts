// The linear model near the start, an equilibrium, or the moment that is shown: where its poles are, how an output answers to an input that swings (Bode), and to one that steps.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { h, prose } from "../dom";
import type { Editor } from "../editor/editor";
import { show } from "../number";
import type { Linear, LinearAnswer } from "../protocol";
import type { Session } from "../session";
import { changedParameters } from "../settings";
import * as state from "../state";
import { theme } from "../theme";
import { labels, widen } from "./axis";
import { inkFor } from "./chart";

export interface LinearPanel {
  shown(): void;
}

/// A curve, and what its axes are called.
interface Drawing {
  title: string;
  across: string;
  up: string;
  xs: number[];
  ys: number[];
  /// Whether the axis is a logarithm.
  decades?: true;
}

export function createLinear(host: HTMLElement, session: Session, editor: Editor): LinearPanel {
  const where = h("select", { "aria-label": "Where", id: "linear-where" }, h("option", {}, "near the start, or an equilibrium"), h("option", {}, "at the moment that is shown"));
  where.addEventListener("change", () => lookAt(where.selectedIndex === 1));
  const body = h("div", { class: "linear-model", "aria-live": "polite" });
  host.append(h("div", { class: "linear-choice linear-where" }, h("label", {}, "Linear model ", where)), body);
  const charts: uPlot[] = [];
  let asked = "";
  let asking = 0;
  let model: Linear | null = null;
  /// Whether the model is that of the moment that is shown.
  let present = false;
  let heldAt: number | null = null;
  /// The input and the output that are looked at, by name, so that an edited text keeps them.
  let chosen = { input: "", output: "" };

  /// Asks again if the text, a slider or the moment that is shown has changed since.
  async function refresh(): Promise<void> {
    if (host.hidden || !state.report.get()) return;
    const question = { what: "linear" as const, source: editor.text(), line: 1, column: 1, name: "", settings: changedParameters(), without: [] };
    const { playing, controls } = state.status.get() ?? {};
    // While it plays, the model is that of the moment at which somebody asked for it.
    if (present && (!playing || heldAt === null)) heldAt = state.row.get()?.[state.scene.get()?.layout.t ?? 0] ?? null;
    const key = JSON.stringify([state.open.get()?.path, question, present && [heldAt, controls]]);
    if (key === asked) return;
    asked = key;
    const number = ++asking;
    body.setAttribute("aria-busy", "true");
    const moment = present ? await session.moment() : null;
    const answer = number === asking ? await session.ask({ ...question, ...(moment && { moment }) }) : null;
    if (number !== asking) return;
    body.removeAttribute("aria-busy");
    model = answer && "linear" in answer ? answer.linear : null;
    draw();
  }

  function lookAt(moment: boolean): void {
    present = moment;
    heldAt = null;
    void refresh();
  }

  function draw(): void {
    charts.splice(0).forEach((chart) => chart.destroy());
    if (!model) return body.replaceChildren(h("p", { class: "quiet" }, "No model came within a minute; `ansatz linearize` in a terminal waits longer."));
    const { about, modes, inputs, outputs, answers, trouble } = model;
    const input = Math.max(0, inputs.indexOf(chosen.input));
    const output = Math.max(0, outputs.indexOf(chosen.output));
    const answer = answers.find((answer) => answer.input === input && answer.output === output);
    body.replaceChildren(
      about ? h("p", { class: "quiet" }, `The linear model ${about}, in SI units.`) : "",
      ...trouble.map((sentence) => h("p", { class: about ? "quiet" : "bad" }, prose(sentence))),
      modes.length > 0 ? h("p", { class: "poles" }, "Poles: ", h("span", { class: "number" }, modes.map(pole).join(",  ")), " 1/s") : "",
      answer ? h("div", { class: "linear-choice" }, choice("Input", inputs, input, (name) => (chosen.input = name)), choice("Output", outputs, output, (name) => (chosen.output = name))) : "",
      answer ? h("div", { class: "plots" }, ...drawings(answer, inputs[input]!, outputs[output]!).map(figure)) : "",
    );
    for (const chart of charts) fit(chart);
  }

  function choice(name: string, list: string[], at: number, choose: (name: string) => void): HTMLElement {
    const select = h("select", { "aria-label": name }, ...list.map((text) => h("option", {}, text)));
    select.selectedIndex = at;
    select.addEventListener("change", () => {
      choose(list[select.selectedIndex]!);
      draw();
    });
    return h("label", {}, `${name} `, select);
  }

  function figure(drawing: Drawing): HTMLElement {
    const element = h("div", { class: "chart", role: "img", "aria-label": told(drawing) });
    charts.push(plot(drawing, element));
    return h("figure", { class: "plot" }, h("figcaption", {}, h("span", { class: "legend" }, drawing.title)), element);
  }

  const observer = new ResizeObserver(() => charts.forEach(fit));
  observer.observe(body);
  theme.watch(() => model && draw());
  state.report.watch(() => void refresh());
  state.status.watch(() => void refresh());
  let scrubbed: ReturnType<typeof setTimeout> | undefined;
  state.row.watch(() => {
    if (!present || host.hidden || state.status.get()?.playing) return;
    clearTimeout(scrubbed);
    scrubbed = setTimeout(() => void refresh(), 250);
  });
  return { shown: () => void refresh() };
}

function pole({ real, imaginary }: { real: number; imaginary: number }): string {
  return imaginary === 0 ? show(real, 5) : `${show(real, 5)} ± ${show(Math.abs(imaginary), 5)} i`;
}

function drawings({ frequencies, decibels, degrees, times, step }: LinearAnswer, input: string, output: string): Drawing[] {
  const frequency = "frequency [rad/s]";
  return [
    { title: `Bode: size of ${output} for ${input}`, across: frequency, up: "dB", xs: frequencies, ys: decibels, decades: true },
    { title: "Bode: phase", across: frequency, up: "°", xs: frequencies, ys: degrees, decades: true },
    { title: `Step: ${output} after ${input} goes from 0 to 1`, across: "t [s]", up: output, xs: times, ys: step },
  ];
}

/// What a picture shows, for those who do not see it.
function told({ title, up, xs, ys }: Drawing): string {
  if (xs.length === 0) return `${title}: nothing`;
  const [first, last] = [0, xs.length - 1];
  return `${title}, in ${up}: ${show(ys[first]!, 4)} at ${show(xs[first]!, 3)}, ${show(ys[last]!, 4)} at ${show(xs[last]!, 3)}`;
}

function plot({ across, up, xs, ys, decades }: Drawing, element: HTMLElement): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const font = `${theme.get() === "projector" ? 15 : 11}px "Inter Variable", sans-serif`;
  const axis = { stroke: colour("--ink-2"), font, labelFont: font, grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  return new uPlot(
    {
      width: 300,
      height: 160,
      legend: { show: false },
      padding: [8, 18, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: { x: { time: false, ...(decades && { distr: 3 as const }) }, y: { range: (_, low, high) => widen(low, high) } },
      axes: [
        { ...axis, size: 24, label: across, labelSize: 18, ...(!decades && { space: 60 }), values: (_, ticks) => ticks.map((tick) => (tick === null || (decades && !Number.isInteger(Math.log10(tick))) ? "" : show(tick, 6))) },
        { ...axis, label: up, labelSize: 18, size: (_, values) => 16 + 7 * Math.max(2, ...(values ?? []).map((text) => text?.length ?? 0)), space: 26, values: (_, ticks) => labels(ticks) },
      ],
      series: [{}, { stroke: inkFor(0), width: theme.get() === "projector" ? 3 : 1.75, points: { show: false } }],
    },
    [xs, ys],
    element,
  );
}

function fit(chart: uPlot): void {
  const { clientWidth, clientHeight } = chart.root.parentElement ?? { clientWidth: 0, clientHeight: 0 };
  if (clientWidth > 0 && clientHeight > 0) chart.setSize({ width: clientWidth, height: clientHeight });
}
