// Dialogs of the studio: gallery, and a name to save under.

import { h } from "../dom";
import type { GalleryEntry } from "../protocol";
import * as state from "../state";
import { loadGallery, manualLink } from "../files";
import { createDialog } from "./help";

export function createGallery(open: (entry: GalleryEntry) => void): () => Promise<void> {
  const body = h("div");
  const dialog = createDialog("Scenes", body);
  dialog.id = "gallery";
  const card = (entry: GalleryEntry): HTMLElement => {
    const picture = h("img", { src: `./gallery/${pictureName(entry.path)}.webp`, alt: "", loading: "lazy" });
    picture.addEventListener("error", () => picture.replaceWith(h("div", { class: "blank" })));
    const known = entry.path.startsWith("examples/");
    const choose = (): void => {
      dialog.close();
      open(entry);
    };
    return h(
      "li",
      {},
      h(
        "button",
        { class: "card", "data-path": entry.path, "aria-current": state.open.get()?.path === entry.path ? "true" : null, onclick: choose },
        known ? picture : h("div", { class: "blank" }),
        h("div", { class: "card-words" }, h("strong", {}, entry.title), h("span", {}, entry.description)),
      ),
    );
  };
  return async () => {
    if (dialog.open) return;
    dialog.showModal();
    try {
      const { examples, files, folder } = await loadGallery();
      const section = (head: string, entries: GalleryEntry[]): HTMLElement[] =>
        entries.length ? [h("h3", { class: "gallery-head" }, head), h("ul", { class: "gallery" }, ...entries.map(card))] : [];
      const isPublished = (entry: GalleryEntry): boolean => entry.path.startsWith("examples/published/");
      const sections = [
        ...section(folder, files),
        ...section("Examples", examples.filter((entry) => !isPublished(entry))),
        ...section("Published problems, with the digits that others found", examples.filter(isPublished)),
      ];
      const lead = h("p", { class: "gallery-lead" }, "The first time here? ", h("a", manualLink("tutorial/pendulum.html"), "The tutorial"), " takes twenty minutes.");
      body.replaceChildren(lead, ...sections);
      (body.querySelector<HTMLElement>("[aria-current]") ?? body.querySelector<HTMLElement>(".card"))?.focus();
    } catch (error) {
      body.replaceChildren(h("p", { class: "dialog-body problem-text" }, (error as Error).message));
    }
  };
}

function pictureName(path: string): string {
  return path.replace(/^examples\//, "").replace(/\.anz$/, "");
}

/// Asks for a name; none if the user thought better of it.
export function createSaveAs(): (suggestion: string) => Promise<string | null> {
  const field = h("input", { type: "text", "aria-label": "File name", spellcheck: "false" });
  const form = h(
    "form",
    { method: "dialog", class: "dialog-body save-as" },
    h("p", { class: "quiet" }, "An example cannot be changed; your copy is saved in the opened folder."),
    h("label", {}, "File name ", field),
    h("button", { class: "main", value: "save" }, "Save"),
  );
  const dialog = createDialog("Save a copy", form);
  return (suggestion) => {
    field.value = suggestion;
    dialog.returnValue = "";
    dialog.showModal();
    field.select();
    return new Promise((answer) => {
      dialog.addEventListener("close", () => answer(dialog.returnValue === "save" && field.value.trim() ? field.value.trim() : null), { once: true });
    });
  };
}

/// Tells that another text is in the file than the one that was opened, and asks what to do; nothing is lost unless the user says so.
export function createChanged(): (message: string) => Promise<"replace" | "copy" | null> {
  const words = h("p", {});
  const form = h(
    "form",
    { method: "dialog", class: "dialog-body changed" },
    words,
    h("button", { class: "main", value: "copy" }, "Save a copy"),
    h("button", { value: "replace" }, "Replace it"),
  );
  const dialog = createDialog("Another text is there", form);
  dialog.id = "changed";
  return (message) => {
    words.textContent = message;
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((answer) => {
      const done = (): void => answer(dialog.returnValue === "copy" || dialog.returnValue === "replace" ? dialog.returnValue : null);
      dialog.addEventListener("close", done, { once: true });
    });
  };
}
