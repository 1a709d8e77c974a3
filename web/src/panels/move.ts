// The place of the frame that is being moved, as numbers of the text: fields beside the arrows in the picture, and why some cannot be changed.

import { h, reveal } from "../dom";
import { icon } from "../icons";
import { AXES, moved, TURN, type Moving } from "../moving";
import { readNumber, written } from "../number";
import * as state from "../state";

export function createMovePanel(host: HTMLElement, moving: Moving): void {
  const panel = h("form", { class: "move-panel", id: "move", "aria-label": "Place of the frame", hidden: true });
  host.append(panel);
  panel.addEventListener("submit", (event) => event.preventDefault());

  function build(): void {
    const frame = state.scene.get()?.frames.find(({ id }) => id === moved.get());
    reveal(panel, !!frame);
    if (!frame) return panel.replaceChildren();
    const coordinates = moving.coordinates(frame);
    const fields = coordinates.map((coordinate, axis) => {
      // Angles are shown in degrees, to a billionth of one.
      const [name, unit, scale] = axis === TURN ? ["angle", "°", Math.PI / 180] as const : [AXES[axis]!, "m", 1] as const;
      const fixed = "why" in coordinate;
      const shown = fixed ? "" : written(scale === 1 ? coordinate.value : Math.round((coordinate.value / scale) * 1e9) / 1e9);
      const field = h("input", { type: "text", inputmode: "decimal", "aria-label": `${name} of ${frame.name}, in ${unit}`, disabled: fixed, value: shown, spellcheck: "false" });
      field.addEventListener("change", () => {
        const value = readNumber(field.value);
        field.setAttribute("aria-invalid", String(value === null));
        if (value !== null) moving.move(frame, axis, value * scale);
      });
      return h("label", { class: `axis-${name}`, title: fixed ? coordinate.why : null }, h("span", {}, name), field);
    });
    const why = [...new Set(coordinates.flatMap((coordinate, axis) => ("why" in coordinate ? [`${AXES[axis] ?? "angle"}: ${coordinate.why}`] : [])))];
    panel.replaceChildren(
      h("strong", {}, frame.name),
      ...fields.slice(0, TURN),
      h("span", { class: "quiet" }, "m"),
      ...fields.slice(TURN),
      h("span", { class: "quiet" }, "°"),
      h("button", { class: "small", type: "button", "aria-label": "Stop moving it", onclick: () => moved.set(null) }, icon("close")),
      ...why.map((words) => h("p", { class: "quiet" }, words)),
    );
  }

  moved.watch((id) => {
    const frame = state.scene.get()?.frames.find((one) => one.id === id);
    if (frame) moving.begin(frame);
    build();
  });
  state.scene.watch(build);
  let known = "";
  state.status.watch((status) => {
    // Sliders change numbers too.
    const now = JSON.stringify(status?.parameters ?? {});
    if (now !== known && moved.get() && !panel.contains(document.activeElement)) build();
    known = now;
  });
}
