// The futures of a run, as a list: which one is the present, what differs in the others, and what to do with them.

import { ghosts, unseen } from "../branches";
import { h, reveal } from "../dom";
import { icon } from "../icons";
import { pretty, show } from "../number";
import type { BranchEntry, Scene } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";
import { inkFor } from "./chart";

export function createBranches(host: HTMLElement, session: Session): void {
  const list = h("ul", { class: "branches" });
  const section = h("section", { "aria-label": "Futures", id: "branches", hidden: true }, h("h2", {}, "Futures"), h("p", { class: "quiet" }, "A change in the past starts another future. The ones before stay as ghosts and as dashed curves."), list);
  host.append(section);

  function build(): void {
    const [branches, scene] = [state.branches.get(), state.scene.get()];
    reveal(section, !!branches && branches.list.length > 0);
    if (!branches || !scene) return list.replaceChildren();
    list.replaceChildren(present(branches.present), ...branches.list.map((entry) => other(scene, entry, branches.present)));
  }

  function nameOf(entry: BranchEntry): HTMLInputElement {
    const field = h("input", { type: "text", value: entry.name, "aria-label": `Name of ${entry.name}`, spellcheck: "false", maxlength: 40 });
    field.addEventListener("change", () => field.value.trim() && session.send({ type: "branch", id: entry.id, act: "rename", name: field.value.trim() }));
    return field;
  }

  function present(entry: BranchEntry): HTMLElement {
    return h("li", { class: "present", "data-branch": entry.id }, nameOf(entry), h("span", { class: "quiet" }, "now"));
  }

  function other(scene: Scene, entry: BranchEntry, now: BranchEntry): HTMLElement {
    const dot = h("span", { class: "dot", "aria-hidden": "true" });
    dot.style.borderColor = inkFor(0);
    const seen = !unseen.get().has(entry.id);
    const toggle = (): void => {
      const next = new Set(unseen.get());
      if (!next.delete(entry.id)) next.add(entry.id);
      unseen.set(next);
    };
    const act = (act: "take" | "delete") => () => session.send({ type: "branch", id: entry.id, act, name: "" });
    return h(
      "li",
      { "data-branch": entry.id },
      nameOf(entry),
      h("span", { class: "quiet branch-words" }, `until ${show(entry.end, 4)} s; ${difference(scene, entry, now)}`),
      h(
        "span",
        { class: "branch-buttons" },
        h("button", { class: "small", "aria-pressed": String(seen), "aria-label": `Show ${entry.name}`, title: seen ? "Shown; press to hide" : "Hidden; press to show", onclick: toggle }, icon("layers")),
        h("button", { class: "small", "aria-label": `Go to ${entry.name}`, title: "Make it the present run", onclick: act("take") }, "Go"),
        h("button", { class: "small", "aria-label": `Delete ${entry.name}`, title: "Delete", onclick: act("delete") }, icon("close")),
      ),
    );
  }

  state.branches.watch(build);
  state.scene.watch(build);
  ghosts.watch(build);
  unseen.watch(build);
}

/// What was set otherwise there: `length 1.2 m`.
function difference(scene: Scene, entry: BranchEntry, now: BranchEntry): string {
  const settings = [...scene.parameters.map((it) => ({ ...it, then: entry.parameters[it.name], now: now.parameters[it.name] })), ...scene.controls.map((it) => ({ ...it, then: entry.controls[it.name], now: now.controls[it.name] }))];
  const other = settings.filter(({ then, now }) => then !== undefined && then !== now).map(({ name, unit, then }) => `${name} ${show(then! / unit.scale, 4)} ${pretty(unit.text)}`.trim());
  return other.length ? other.join(", ") : "the same numbers";
}
