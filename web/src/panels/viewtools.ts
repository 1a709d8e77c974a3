// Over the picture: which camera, what to draw besides the shapes, a picture for a file; and sentences that pass.

import { announce, download, h, prose, reveal } from "../dom";
import { icon } from "../icons";
import * as state from "../state";
import { OVERLAY_KEYS, OVERLAYS, type Overlay } from "../state";
import { EFFORT_COLOUR } from "../view3d/efforts";
import { TOUCH_COLOURS } from "../view3d/touches";
import type { View } from "../view3d/view";
import { PRESETS, type Preset } from "../view3d/viewpoint";
import { createMenu } from "./menu";
import { createPathMenu } from "./path";
import { fileName } from "./plots";
import { isFlat } from "./schematic";

const SWATCHES: Partial<Record<Overlay, string>> = { velocities: "#1a8f5a", forces: "#d1363a", constraints: "#8a4fd0", actuators: EFFORT_COLOUR, contacts: TOUCH_COLOURS.sticking, centre: "#e0a021" };

export interface ViewTools {
  readonly element: HTMLElement;
  nextCamera(): void;
}

export function createViewTools(host: HTMLElement, view: View, film: () => void): ViewTools {
  const cameras: HTMLSelectElement = h("select", { "aria-label": "Camera", title: "Camera (C)", id: "camera" });
  const items = (Object.entries(OVERLAYS) as [Overlay, string][]).map(([name, text]) => {
    const swatch = SWATCHES[name] ? h("span", { class: "swatch" }) : null;
    if (swatch) swatch.style.background = SWATCHES[name]!;
    const item = h("button", { role: "menuitemcheckbox", "data-overlay": name, onclick: () => state.overlays[name].set(!state.overlays[name].get()) }, text, swatch, h("kbd", {}, OVERLAY_KEYS[name].toUpperCase()));
    state.overlays[name].watch((on) => item.setAttribute("aria-checked", String(on)));
    return item;
  });
  const menu = h("div", { class: "menu", role: "menu", "aria-label": "What to draw", hidden: true }, ...items);
  const layers = h("button", { title: "What to draw", id: "layers" }, icon("layers"), "Show");
  const holder = createMenu(layers, menu, items).element;
  const picture = h("button", { class: "square", "aria-label": "Save the picture as PNG", title: "Save the picture as PNG", id: "png", onclick: () => void save() }, icon("picture"));
  const filming = h("button", { class: "square", "aria-label": "Make a film or a picture", title: "Make a film, or a picture of a chosen size", id: "make-film", onclick: () => film() }, icon("camera"));
  const element = h("div", { class: "view-tools" }, cameras, createPathMenu(view), holder, picture, filming);
  host.append(element);

  async function save(): Promise<void> {
    download(`${fileName(state.scene.get()?.name ?? "scene")}.png`, await view.png());
  }

  cameras.addEventListener("change", choose);
  function choose(): void {
    const scene = state.scene.get();
    const camera = scene?.cameras.find((camera) => camera.id === cameras.value);
    if (cameras.value === "path") {
      view.viewpoint.choose({ kind: "path" });
      return view.draw();
    }
    const selected = cameras.value.startsWith("follow ") ? cameras.value.slice(7) : null;
    const from = (Object.keys(PRESETS) as Preset[]).find((preset) => preset === cameras.value) ?? null;
    view.viewpoint.choose(camera ? { kind: "scene", camera } : selected ? { kind: "follow", frame: selected } : { kind: "all", from });
    view.draw();
  }

  function list(): void {
    const scene = state.scene.get();
    const now = view.viewpoint.choice.get();
    const bodies = scene?.frames.filter((frame) => frame.body || (now.kind === "follow" && now.frame === frame.id)) ?? [];
    cameras.replaceChildren(
      ...(scene?.cameras ?? []).map((camera, index) => h("option", { value: camera.id }, camera.name || (index === 0 ? "as written" : `camera ${index + 1}`))),
      h("option", { value: "all" }, "everything"),
      ...(state.cameraPath.get().length > 0 ? [h("option", { value: "path" }, "along the path")] : []),
      ...Object.keys(PRESETS).map((preset) => h("option", { value: preset }, preset)),
      ...bodies.map((frame) => h("option", { value: `follow ${frame.id}` }, `follow ${frame.name}`)),
    );
    cameras.value = now.kind === "scene" ? now.camera.id : now.kind === "follow" ? `follow ${now.frame}` : now.kind === "path" ? "path" : (now.from ?? "all");
  }
  state.scene.watch(list);
  view.viewpoint.choice.watch(list);
  state.cameraPath.watch(list);

  const nothing = h("p", { class: "empty", hidden: true }, "Nothing of this scene has a place in space. Its plots are below.");
  host.append(nothing);
  state.scene.watch((scene) => reveal(nothing, !!scene && isFlat(scene) && !scene.circuit));

  return {
    element,
    nextCamera() {
      cameras.selectedIndex = (cameras.selectedIndex + 1) % cameras.options.length;
      choose();
      announce(`Camera: ${cameras.selectedOptions[0]?.textContent ?? ""}`);
    },
  };
}

/// A sentence over the picture, until it is closed or has been there for a while.
export function createToast(host: HTMLElement): void {
  const words = h("p");
  const hint = h("p", { class: "hint" });
  const toast = h("div", { class: "toast", role: "alert", hidden: true }, h("div", {}, words, hint), h("button", { class: "square", "aria-label": "Close the message", onclick: () => state.notice.set(null) }, icon("close")));
  host.append(toast);
  let timer = 0;
  state.notice.watch((notice) => {
    clearTimeout(timer);
    reveal(toast, notice !== null);
    if (!notice) return;
    words.replaceChildren(prose(notice.text));
    hint.replaceChildren(prose(notice.hint));
    reveal(hint, notice.hint !== "");
    toast.classList.toggle("bad", notice.bad);
    timer = window.setTimeout(() => state.notice.set(null), notice.bad ? 9000 : 3500);
  });
}
