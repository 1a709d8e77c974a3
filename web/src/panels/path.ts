// The menu of the camera's path: views are kept at moments of the run, and the camera goes from one to the next.

import { h } from "../dom";
import { icon } from "../icons";
import * as state from "../state";
import { readPath, withView, type KeptView } from "../view3d/path";
import type { View } from "../view3d/view";
import { createMenu } from "./menu";

export function createPathMenu(view: View): HTMLElement {
  const button = h("button", { class: "square", "aria-label": "Path of the camera", title: "Path of the camera: keep views at moments of the run", id: "path" }, icon("path"));
  const item = (text: string, act: () => void): HTMLButtonElement => h("button", { role: "menuitem", onclick: act }, text);
  const keep = item("Keep this view for this moment", () => {
    const [scene, row] = [state.scene.get(), state.row.get()];
    if (!scene || !row) return;
    set(withView(state.cameraPath.get(), { t: row[scene.layout.t]!, ...view.looking() }));
  });
  const last = item("Forget the last view", () => set(state.cameraPath.get().slice(0, -1)));
  const none = item("Forget the path", () => set([]));
  const said = h("p", { class: "quiet", role: "presentation" });
  const menu = h("div", { class: "menu", role: "menu", "aria-label": "Path of the camera", hidden: true }, keep, last, none, said);

  /// Two views are a way: the camera takes it.
  function set(path: KeptView[]): void {
    state.cameraPath.set(path);
    view.viewpoint.choose(path.length > 1 ? { kind: "path" } : { kind: "all", from: null, here: true });
    store(path);
    view.draw();
  }

  state.cameraPath.watch((path) => {
    last.disabled = none.disabled = path.length === 0;
    const times = path.map(({ t }) => `${Number(t.toPrecision(4))} s`).join(", ");
    said.textContent = path.length === 0 ? "Look from somewhere, keep the view; go to another moment, keep another." : `Kept at ${times}.${path.length === 1 ? " One more makes a path." : ""}`;
  });

  // A path stays with its scene, in this browser.
  const place = (): string => `ansatz.path.${state.open.get()?.path ?? state.scene.get()?.name ?? ""}`;
  const store = (path: KeptView[]): void => {
    try {
      if (path.length > 0) localStorage.setItem(place(), JSON.stringify(path));
      else localStorage.removeItem(place());
    } catch {
      // Without storage it lasts as long as the page does.
    }
  };
  let known = "";
  state.scene.watch((scene) => {
    if (!scene || place() === known) return;
    known = place();
    let kept: KeptView[] = [];
    try {
      kept = readPath(JSON.parse(localStorage.getItem(known) ?? "[]"));
    } catch {
      // As above.
    }
    state.cameraPath.set(kept);
  });
  return createMenu(button, menu, [keep, last, none]).element;
}
