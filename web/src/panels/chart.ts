// Curves over time. A click or a drag in a chart goes to that time.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { h } from "../dom";
import { show } from "../number";
import { scene } from "../state";
import { labels, widen } from "./axis";
import { theme } from "../theme";

export interface Curve {
  name: string;
  /// Curves of one unit share an axis.
  unit: string;
  /// Values at the recorded times, in the unit that is shown.
  values(): ArrayLike<number>;
  /// Values of other futures, each at the times that are drawn.
  others?(times: ArrayLike<number>): ArrayLike<number>[];
}

export interface Chart {
  readonly element: HTMLElement;
  /// Takes in what was recorded since; beyond the recorded times there may be those of other futures.
  refresh(times: Float64Array): void;
  /// Moves the line of the present moment.
  now(t: number): void;
  canvas(): HTMLCanvasElement;
  destroy(): void;
}

const INK: Record<string, string[]> = {
  light: ["#1f4fc4", "#c2410c", "#18713f", "#8a3ab9", "#946200", "#0e7490"],
  dark: ["#82aaff", "#ffb259", "#7fd6a0", "#d9a6f0", "#e9d27a", "#7fd8e8"],
  projector: ["#0b3fb8", "#b83200", "#0b5c2e", "#651b8a", "#6b4300", "#00566b"],
};

export function inkFor(index: number): string {
  const inks = INK[theme.get()] ?? INK.light!;
  return inks[index % inks.length]!;
}

/// The shortest stretch of time that is shown, in seconds of the picture.
const LEAST = 10;

export function createChart(curves: Curve[], seek: (t: number) => void): Chart {
  const element = h("div", { class: "chart" });
  const cursor = h("div", { class: "chart-now", "aria-hidden": "true" });
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const thick = theme.get() === "projector" ? 3 : 1.75;
  const font = `${theme.get() === "projector" ? 15 : 11}px "Inter Variable", sans-serif`;
  let t = 0;
  const tempo = scene.get()?.tempo ?? 1;
  const units = [...new Set(curves.map((curve) => curve.unit))];
  const axis = { stroke: colour("--ink-2"), font, grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  // Other futures are as many as there are at this moment: a chart is made anew when they change.
  const ghostly = curves.flatMap((curve, index) => (curve.others?.([]) ?? []).map(() => ({ label: curve.name, scale: `y${units.indexOf(curve.unit)}`, stroke: inkFor(index), width: thick * 0.7, dash: [5, 4], points: { show: false } })));
  const plot = new uPlot(
    {
      width: 300,
      height: 140,
      legend: { show: false },
      padding: [8, 18, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        x: { time: false, range: (_, low, high) => [low ?? 0, Math.max(high ?? 0, (low ?? 0) + LEAST * tempo)] },
        ...Object.fromEntries(units.map((_, index) => [`y${index}`, { range: (_: uPlot, low: number, high: number) => widen(low, high) }])),
      },
      axes: [
        { ...axis, size: 26, space: 60, values: (_, ticks) => ticks.map((tick) => show(tick, 6)) },
        // The first unit has its axis left, the second right; more would be a riddle, and have none.
        ...units.slice(0, 2).map((_, index): uPlot.Axis => ({
          ...axis,
          scale: `y${index}`,
          side: index === 0 ? 3 : 1,
          stroke: units.length > 1 ? inkFor(curves.findIndex((curve) => curve.unit === units[index])) : axis.stroke,
          grid: index === 0 ? axis.grid : { show: false },
          size: (_, values) => 16 + 7 * Math.max(2, ...(values ?? []).map((text) => text?.length ?? 0)),
          space: 26,
          values: (_, ticks) => labels(ticks),
        })),
      ],
      series: [{}, ...curves.map((curve, index) => ({ label: curve.name, scale: `y${units.indexOf(curve.unit)}`, stroke: inkFor(index), width: thick, points: { show: false } })), ...ghostly],
    },
    [[], ...curves.map(() => []), ...ghostly.map(() => [])],
    element,
  );
  plot.over.append(cursor);

  const go = (event: PointerEvent): void => seek(Math.max(0, plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x")));
  plot.over.addEventListener("pointerdown", (event) => {
    plot.over.setPointerCapture(event.pointerId);
    go(event);
  });
  plot.over.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) go(event);
  });
  const observer = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = element;
    if (clientWidth > 0 && clientHeight > 0) plot.setSize({ width: clientWidth, height: clientHeight });
    place();
  });
  observer.observe(element);

  function place(): void {
    const x = plot.valToPos(t, "x");
    if (Number.isFinite(x)) cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  return {
    element,
    refresh(times) {
      // NaN means "not known": a gap.
      const known = (values: ArrayLike<number>): (number | null)[] => Array.from(times, (_, at) => (Number.isFinite(values[at]) ? values[at]! : null));
      const others = curves.flatMap((curve) => curve.others?.(times) ?? []);
      plot.setData([Array.from(times), ...curves.map((curve) => known(curve.values())), ...others.slice(0, ghostly.length).map(known)]);
      place();
    },
    now(time) {
      t = time;
      place();
    },
    canvas: () => plot.ctx.canvas,
    destroy() {
      observer.disconnect();
      plot.destroy();
    },
  };
}
