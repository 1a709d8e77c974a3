// The bodies of the scene as a list beside the picture, with where they are and how fast; for those who do not see the picture, it is the picture.

import { h, reveal } from "../dom";
import { steady } from "../number";
import type { Frame } from "../protocol";
import * as state from "../state";
import { remembered } from "../store";

/// Time between two looks, in milliseconds: a person cannot read faster.
const PACE = 200;

const isOpen = remembered("bodies", false);

export function createBodies(host: HTMLElement): void {
  const rows = h("tbody");
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...["body", "x", "y", "z", "speed"].map((name) => h("th", { scope: "col" }, name)), h("th", { scope: "col" }, h("span", { class: "quiet" }, "m, m/s")))), rows);
  const panel = h("details", { class: "bodies", id: "bodies" }, h("summary", {}, "Bodies"), h("div", { class: "bodies-table", tabindex: 0, role: "region", "aria-label": "Bodies with their places and speeds" }, table));
  panel.open = isOpen.get();
  panel.addEventListener("toggle", () => {
    isOpen.set(panel.open);
    refresh();
  });
  host.append(panel);
  let cells: { frame: Frame; row: HTMLElement; places: HTMLElement[] }[] = [];

  state.scene.watch((scene) => {
    const bodies = scene?.frames.filter((frame) => frame.body) ?? [];
    cells = bodies.map((frame) => {
      const places = Array.from({ length: 4 }, () => h("td", { class: "number" }));
      const pick = h("button", { class: "small", onclick: () => state.selection.set(frame.id) }, frame.name);
      return { frame, places, row: h("tr", {}, h("th", { scope: "row" }, pick), ...places) };
    });
    rows.replaceChildren(...cells.map(({ row }) => row));
    reveal(panel, cells.length > 0);
    refresh();
  });
  state.selection.watch((id) => cells.forEach(({ frame, row }) => row.classList.toggle("picked", frame.id === id)));

  function refresh(): void {
    const row = state.row.get();
    if (!row || !panel.open) return;
    for (const { frame, places } of cells) {
      const velocity = frame.vectorsAt === null ? [] : row.subarray(frame.vectorsAt, frame.vectorsAt + 3);
      const values = [row[frame.at]!, row[frame.at + 1]!, row[frame.at + 2]!, Math.hypot(...velocity)];
      places.forEach((place, at) => (place.textContent = steady(values[at]!, 4)));
    }
  }
  setInterval(refresh, PACE);
}
