// Bars between panes, moved with the mouse or with the arrow keys.

import { remembered } from "./store";

interface Options {
  /// The bar itself.
  bar: HTMLElement;
  /// The grid whose style property holds the share, and which is measured.
  grid: HTMLElement;
  property: string;
  label: string;
  direction: "vertical" | "horizontal";
  /// Percent of the grid.
  initial: number;
}

const LEAST = 12;
const MOST = 80;

export function createSplitter({ bar, grid, property, label, direction, initial }: Options): void {
  const share = remembered(`share${property}`, initial);
  // A vertical bar measures from the left, a horizontal one from below.
  const measured = (event: PointerEvent): number => {
    const box = grid.getBoundingClientRect();
    return direction === "vertical"
      ? (100 * (event.clientX - box.left)) / box.width
      : (100 * (box.bottom - event.clientY)) / box.height;
  };
  const move = (value: number): void => share.set(Math.min(MOST, Math.max(LEAST, Math.round(value * 10) / 10)));

  bar.tabIndex = 0;
  bar.setAttribute("role", "separator");
  bar.setAttribute("aria-orientation", direction);
  bar.setAttribute("aria-label", label);
  bar.setAttribute("aria-valuemin", String(LEAST));
  bar.setAttribute("aria-valuemax", String(MOST));
  share.watch((value) => {
    grid.style.setProperty(property, `${value}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(value)));
  });

  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    bar.classList.add("held");
  });
  bar.addEventListener("pointermove", (event) => {
    if (bar.hasPointerCapture(event.pointerId)) move(measured(event));
  });
  bar.addEventListener("pointerup", () => bar.classList.remove("held"));
  bar.addEventListener("dblclick", () => move(initial));
  const [less, more] = direction === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowDown", "ArrowUp"];
  bar.addEventListener("keydown", (event) => {
    const step = event.key === less ? -3 : event.key === more ? 3 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    move(share.get() + step);
  });
}
