// The bar above: which scene, how its text stands, themes, help.

import { find, h } from "../dom";
import { manualLink } from "../files";
import { icon } from "../icons";
import { show } from "../number";
import * as state from "../state";
import { theme, THEMES } from "../theme";

interface Wishes {
  gallery(): void;
  help(): void;
  save(): void;
  share(): void;
  export(): void;
}

export function createBar(wishes: Wishes): void {
  const name = h("span", { class: "scene-name" });
  const gallery = h("button", { class: "framed", onclick: () => wishes.gallery(), title: "Gallery of scenes (G)", id: "open-gallery" }, icon("gallery"), name);
  const save = h("button", { class: "square", onclick: () => wishes.save(), "aria-label": "Save the text", title: "Save the text (Ctrl S)", id: "save" }, icon("save"));
  const status = h("span", { class: "status", id: "status" });
  find("bar").append(
    h("h1", { class: "brand" }, h("img", { src: "./icon.svg", alt: "" }), "Ansatz"),
    gallery,
    save,
    h("button", { class: "square", onclick: () => wishes.share(), "aria-label": "Copy a link to this scene", title: "Copy a link to this scene, its parameters, the time and the view", id: "share" }, icon("share")),
    h("button", { class: "square", onclick: () => wishes.export(), "aria-label": "Export", title: "Export: film, picture, page, motion, numbers, equations", id: "export" }, icon("export")),
    status,
    h("span", { class: "grow" }),
    h("a", { class: "manual-link", id: "manual", ...manualLink("index.html"), title: "Tutorial, how-to pages, reference, explanation" }, "Manual"),
    themeButtons(),
    h("button", { class: "square", onclick: () => wishes.help(), "aria-label": "Help", title: "Keys (?)", id: "help" }, icon("help")),
  );

  state.open.watch((open) => {
    name.textContent = open ? titleOf(open.path) : "Scenes";
    save.disabled = !open?.dirty;
    document.title = open ? `${open.dirty ? "• " : ""}${titleOf(open.path)} – Ansatz` : "Ansatz studio";
  });
  const say = (text: string, mood: string): void => {
    status.textContent = text;
    status.className = `status ${mood}`;
  };
  const refresh = (): void => {
    if (state.connection.get() !== "open") return say(state.connection.get() === "lost" ? "connection lost; trying again" : "connecting", "lost");
    const report = state.report.get();
    if (!report) return say("compiling", "busy");
    const errors = report.list.filter((diagnostic) => diagnostic.severity === "error").length;
    if (errors > 0) return say(`${errors} ${errors === 1 ? "error" : "errors"}; the last good run goes on`, "broken");
    if (state.failure.get()) return say("the run cannot go on", "broken");
    say(`compiled in ${show(report.milliseconds, 2)} ms`, "");
  };
  state.connection.watch(refresh);
  state.report.watch(refresh);
  state.failure.watch(refresh);
}

export function themeButtons(): HTMLElement {
  const themes = h(
    "div",
    { class: "segmented", role: "group", "aria-label": "Theme" },
    ...THEMES.map((option) => h("button", { "data-theme-choice": option, "aria-label": `${option} theme`, title: option, onclick: () => theme.set(option) }, icon(option))),
  );
  theme.watch((now) => {
    for (const button of themes.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.themeChoice === now));
  });
  return themes;
}

/// `examples/roller_coaster_3.anz` as a person says it.
export function titleOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.anz$/, "").replaceAll("_", " ");
}
