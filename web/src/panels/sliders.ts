// Parameters and controls, as sliders: they act at once, and the state is kept.

import { h, reveal } from "../dom";
import { icon } from "../icons";
import { controlKeys } from "../controls";
import { pretty, readNumber, show, written } from "../number";
import type { Control, Parameter, Scene } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";

interface Wishes {
  /// Puts a value into the statement of a parameter, where there is a text.
  write?(parameter: Parameter, text: string): void;
}

export function createSliders(host: HTMLElement, session: Session, wishes: Wishes): void {
  const list = h("div", { class: "sliders" });
  const none = h("p", { class: "quiet none" }, session.compiles ? "This scene has no parameters. Write “param length = 1 [m]” to get a slider." : "This scene has no parameters.");
  host.append(list, none);
  let rows: Row[] = [];

  state.scene.watch((scene) => {
    rows = scene ? [...scene.controls.map((control, index) => controlRow(scene, control, index, session)), ...scene.parameters.map((parameter) => parameterRow(parameter, session, wishes))] : [];
    list.replaceChildren(...rows.map((row) => row.element));
    reveal(none, !!scene && rows.length === 0);
    refresh();
  });
  state.status.watch(refresh);
  state.selection.watch((id) => rows.forEach((row) => row.element.classList.toggle("picked", row.id === id)));

  function refresh(): void {
    const status = state.status.get();
    if (status) rows.forEach((row) => row.show(row.control ? status.controls[row.name] : status.parameters[row.name]));
  }
}

interface Row {
  id: string;
  name: string;
  control: boolean;
  element: HTMLElement;
  /// Shows a value that came from elsewhere.
  show(value: number | undefined): void;
}

function parameterRow(parameter: Parameter, session: Session, wishes: Wishes): Row {
  const { id, name, unit, range } = parameter;
  let value = parameter.default;
  const reset = h("button", { class: "small", "aria-label": `Reset ${name}`, title: `Back to ${show(parameter.default / unit.scale, 6)}`, onclick: () => set(parameter.default) }, icon("reset"));
  const write = h("button", { class: "small", "aria-label": `Write ${name} to the text`, title: "Write to source", onclick: () => wishes.write?.(parameter, asWritten(value, parameter)) }, icon("write"));
  const parts = sliderParts(parameter, parameter.range.step / unit.scale, set);
  const buttons = h("span", { class: "slider-buttons" }, reset, wishes.write && write);

  function set(next: number): void {
    display(next);
    session.parameter(name, next);
  }
  function display(next: number): void {
    value = next;
    parts.show(next);
    const changed = next !== parameter.default;
    buttons.classList.toggle("idle", !changed);
    reset.disabled = !changed;
    write.disabled = !changed || parameter.valueSpan === null;
  }
  display(parameter.default);
  const element = rowElement(id, name, parameter.description, parts, buttons, range.low, range.high);
  return { id, name, control: false, element, show: (now) => now !== undefined && !parts.busy() && display(now) };
}

function controlRow(scene: Scene, control: Control, index: number, session: Session): Row {
  const { id, name } = control;
  const parts = sliderParts(control, (control.range.high - control.range.low) / 200 / control.unit.scale, (value) => session.control(name, value));
  parts.show(control.default);
  const keys = controlKeys(scene, index);
  const ends = [pushButton(control, control.range.low, keys?.shown[0] ?? "−", session), pushButton(control, control.range.high, keys?.shown[1] ?? "+", session)];
  const hint = h("span", { class: "slider-buttons" }, ...ends);
  const element = rowElement(id, name, control.description, parts, hint, control.range.low, control.range.high);
  element.classList.add("control");
  return { id, name, control: true, element, show: (now) => now !== undefined && !parts.busy() && parts.show(now) };
}

/// A button that pushes a control to one of its ends for as long as it is held, as its key does.
function pushButton({ name, unit, default: rest }: Control, end: number, key: string, session: Session): HTMLElement {
  const to = `${show(end / unit.scale, 4)} ${pretty(unit.text)}`.trim();
  const button = h("button", { class: "small push", "aria-label": `Push ${name} to ${to}`, title: `Hold to push ${name} to ${to} (${key})` }, h("kbd", {}, key));
  let held = false;
  const hold = (): void => {
    held = true;
    session.control(name, end);
  };
  const release = (): void => {
    if (held) session.control(name, rest);
    held = false;
  };
  button.addEventListener("pointerdown", hold);
  for (const event of ["pointerup", "pointerleave", "pointercancel", "blur"]) button.addEventListener(event, release);
  button.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) hold();
  });
  button.addEventListener("keyup", (event) => {
    if (event.key === " " || event.key === "Enter") release();
  });
  return button;
}

interface Parts {
  slider: HTMLInputElement;
  field: HTMLInputElement;
  unit: string;
  show(value: number): void;
  /// Whether it is in someone's hand.
  busy(): boolean;
}

/// A slider and a field for the same number, in the unit of the text.
function sliderParts(of: Parameter | Control, step: number, set: (value: number) => void): Parts {
  const { name, unit, range } = of;
  const low = range.low / unit.scale;
  const high = range.high / unit.scale;
  const slider = h("input", { type: "range", min: low, max: high, step: step > 0 ? step : "any", "aria-label": name });
  const field = h("input", { type: "text", class: "number", "aria-label": `${name}, value`, inputmode: "decimal", spellcheck: "false" });
  let held = false;
  slider.addEventListener("pointerdown", () => (held = true));
  slider.addEventListener("pointerup", () => (held = false));
  slider.addEventListener("input", () => set(Number(slider.value) * unit.scale));
  const take = (): void => {
    const value = readNumber(field.value);
    field.setAttribute("aria-invalid", String(value === null));
    if (value !== null) set(value * unit.scale);
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") take();
    if (event.key === "Escape") field.blur();
  });
  field.addEventListener("change", take);
  return {
    slider,
    field,
    unit: pretty(unit.text),
    show(value) {
      const shown = value / unit.scale;
      slider.value = String(shown);
      slider.style.setProperty("--share", `${(100 * (shown - low)) / (high - low)}%`);
      slider.setAttribute("aria-valuetext", `${show(shown, 5)} ${unit.text}`);
      if (document.activeElement !== field) {
        field.value = show(shown, 6);
        field.setAttribute("aria-invalid", "false");
      }
    },
    busy: () => held || document.activeElement === field,
  };
}

function rowElement(id: string, name: string, description: string | null, parts: Parts, extra: HTMLElement, low: number, high: number): HTMLElement {
  const pick = h("button", { class: "slider-name", onclick: () => state.selection.set(id), title: description ?? name }, name);
  const row = h(
    "div",
    { class: "slider", "data-id": id },
    h("span", { class: "slider-head" }, pick, description && h("span", { class: "quiet describe" }, description)),
    parts.slider,
    h("span", { class: "slider-value" }, parts.field, h("span", { class: "quiet unit" }, parts.unit)),
    extra,
  );
  if (low === high) parts.slider.disabled = true;
  return row;
}

/// `1.25 [m]`, as it stands in the text.
export function asWritten(value: number, { unit }: Parameter): string {
  const number = written(value / unit.scale);
  return unit.text ? `${number} [${unit.text}]` : number;
}
