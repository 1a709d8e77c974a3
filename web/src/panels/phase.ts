// One quantity against another: a curve in the plane with a point for the present moment.

import { h } from "../dom";
import { show } from "../number";
import { widen } from "./axis";
import { inkFor, type Chart, type Curve } from "./chart";

export function createPhase(across: Curve, curves: Curve[], timesOf: () => Float64Array, seek: (t: number) => void): Chart {
  const canvas = h("canvas");
  const element = h("div", { class: "chart phase" }, canvas);
  let t = 0;
  const margin = { left: 56, right: 12, top: 10, bottom: 26 };
  /// Pixels of the points of the first curve, to find the time of a click.
  let places: { x: number; y: number; t: number }[] = [];

  function draw(): void {
    const { clientWidth: width, clientHeight: height } = element;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext("2d")!;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const xs = across.values();
    const all = curves.map((curve) => curve.values());
    const [left, right] = widen(...extent([xs]));
    const [low, high] = widen(...extent(all));
    const toX = (x: number): number => margin.left + ((x - left) / (right - left)) * (width - margin.left - margin.right);
    const toY = (y: number): number => height - margin.bottom - ((y - low) / (high - low)) * (height - margin.top - margin.bottom);
    pen.font = '11px "Inter Variable", sans-serif';
    pen.fillStyle = style.getPropertyValue("--ink-2");
    pen.strokeStyle = style.getPropertyValue("--line");
    for (let index = 0; index <= 4; index++) {
      const x = left + ((right - left) * index) / 4;
      const y = low + ((high - low) * index) / 4;
      pen.beginPath();
      pen.moveTo(toX(x), margin.top);
      pen.lineTo(toX(x), height - margin.bottom);
      pen.moveTo(margin.left, toY(y));
      pen.lineTo(width - margin.right, toY(y));
      pen.stroke();
      pen.textAlign = "center";
      pen.fillText(show(x, 3), toX(x), height - 9);
      pen.textAlign = "right";
      pen.fillText(show(y, 3), margin.left - 6, toY(y) + 4);
    }
    const times = timesOf();
    places = [];
    all.forEach((ys, index) => {
      pen.strokeStyle = pen.fillStyle = inkFor(index);
      pen.lineWidth = 1.75;
      pen.beginPath();
      let present: [number, number] | null = null;
      for (let at = 0; at < times.length; at++) {
        const [x, y] = [toX(xs[at]!), toY(ys[at]!)];
        if (!Number.isFinite(x + y)) continue;
        pen.lineTo(x, y);
        if (times[at]! <= t) present = [x, y];
        if (index === 0) places.push({ x, y, t: times[at]! });
      }
      pen.stroke();
      if (present) {
        pen.beginPath();
        pen.arc(present[0], present[1], 5, 0, 2 * Math.PI);
        pen.fill();
      }
    });
  }

  const observer = new ResizeObserver(draw);
  observer.observe(element);
  element.addEventListener("pointerdown", (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const near = places.reduce<{ distance: number; t: number }>(
      (best, place) => {
        const distance = Math.hypot(place.x - x, place.y - y);
        return distance < best.distance ? { distance, t: place.t } : best;
      },
      { distance: Infinity, t: 0 },
    );
    if (near.distance < Infinity) seek(near.t);
  });

  return {
    element,
    refresh: draw,
    now(time) {
      t = time;
      draw();
    },
    canvas: () => canvas,
    destroy: () => observer.disconnect(),
  };
}

function extent(columns: ArrayLike<number>[]): [number | null, number | null] {
  let [low, high] = [Infinity, -Infinity];
  for (const column of columns) {
    for (let at = 0; at < column.length; at++) {
      const value = column[at]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? [low, high] : [null, null];
}
