// Dialogs of the studio: gallery, a name to save under, and two texts for one file.

import { difference, type Line } from "../difference";
import { h, prose, reveal } from "../dom";
import type { GalleryEntry, Recent } from "../protocol";
import * as state from "../state";
import { files, manualLink } from "../files";
import { icon } from "../icons";
import { createDialog } from "./help";

/// Recent scenes that are listed.
const MOST_RECENT = 12;

/// Pictures of one's own scenes that are kept in the browser, and their size.
const MOST_THUMBNAILS = 60;
const [THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT] = [400, 250];

interface GalleryWishes {
  open(entry: GalleryEntry): void;
  /// A scene that begins with little.
  create(): void;
  /// A scene that came as a link; false if it is none.
  link(text: string): Promise<boolean>;
  /// What the picture shows now, as an address; none if it is blank.
  thumbnail(width: number, height: number): string | null;
}

/// The subjects as they are listed, what is simplest first; behind them is what fits none.
const LISTED = ["Pendulums and springs", "Contact, rolling and friction", "Vehicles and tracks", "Spinning bodies and orbits", "Circuits, machines and control", "Robots, hands and runners", "More", "Published problems, with the digits that others found"];

/// What to begin with in its subject; the others follow by their names.
const FIRST = ["pendulum", "double_pendulum", "bouncing_ball", "roller_coaster_1", "ac_circuit", "robot_arm"];

/// The examples by subject: words that stand in their names and first comments. The first that fits decides.
const SUBJECTS: [string, RegExp][] = [
  ["Published problems, with the digits that others found", /^examples\/published\//],
  ["Robots, hands and runners", /robot|(\b|_)arm\b|runner|\bwalk|\blegs?\b|finger/i],
  ["Pendulums and springs", /pendul|spring|swing|string|chain|hangs/i],
  ["Circuits, machines and control", /circuit|motor|capacitor|inductor|battery|gear|engine|crane|linkage|mechanism|oscillat|neuron|thermostat|balance|printer/i],
  ["Vehicles and tracks", /coaster|\bcars?\b|bicycle|boat|ship|rocket|plane|\bski/i],
  ["Contact, rolling and friction", /contact|roll|friction|slid|bounc|\bballs?\b|domino|collision|block/i],
  ["Spinning bodies and orbits", /\btop\b|spin|gyro|orbit|planet|torus|rotat|attract|particles/i],
];

export function createGallery(wishes: GalleryWishes): () => Promise<void> {
  const open = (entry: GalleryEntry): void => wishes.open(entry);
  const body = h("div");
  const search = h("input", { type: "text", placeholder: "Search, or paste a link", "aria-label": "Search the scenes, or paste a link to one", id: "search", spellcheck: "false" });
  const create = h("button", { class: "main", id: "new-scene", onclick: () => (dialog.close(), wishes.create()) }, icon("plus"), "New scene");
  const dialog = createDialog("Scenes", h("div", { class: "gallery-tools" }, search, create), body);
  search.addEventListener("input", () => {
    if (search.value.includes("#scene=")) void wishes.link(search.value).then((opened) => opened && dialog.close());
    else sift(body, search.value);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && search.value) [...body.querySelectorAll<HTMLElement>(".card")].find((card) => card.offsetParent)?.click();
  });
  dialog.id = "gallery";
  let thumbnails = thumbnailsIn("");
  /// An example's comes with the studio; of one's own there is one once they were seen.
  const pictureOf = (path: string): HTMLElement => {
    const blank = h("div", { class: "blank" });
    const source = path.startsWith("examples/") ? `./gallery/${pictureName(path)}.webp` : thumbnails.of(path);
    if (!source) return blank;
    const picture = h("img", { loading: "lazy", src: source, alt: "" });
    picture.addEventListener("error", () => picture.replaceWith(blank));
    return picture;
  };
  const card = (entry: GalleryEntry): HTMLElement => {
    const picture = pictureOf(entry.path);
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
        picture,
        h("div", { class: "card-words" }, h("strong", {}, entry.title), h("span", {}, prose(entry.description))),
      ),
    );
  };
  /// What somebody worked on lately, with a mark where something is not saved.
  const recentSection = (recent: Recent[], known: GalleryEntry[]): HTMLElement[] => {
    if (recent.length === 0) return [];
    const items = recent.slice(0, MOST_RECENT).map(({ path, title, unsaved, at }) => {
      const entry = known.find((entry) => entry.path === path) ?? { path, title, description: "", writable: false };
      const choose = (): void => {
        dialog.close();
        open(entry);
      };
      const when = h("span", { class: "quiet" }, new Date(at).toLocaleString([], { dateStyle: "short", timeStyle: "short" }));
      return h("li", {}, h("button", { class: "framed", "data-recent": path, title: path, onclick: choose }, h("strong", {}, title), unsaved && h("span", { class: "unsaved" }, "not saved"), when));
    });
    return [h("h3", { class: "gallery-head" }, "Recent work"), h("ul", { class: "recent" }, ...items)];
  };
  return async () => {
    if (dialog.open) return;
    dialog.showModal();
    try {
      const { examples, files: own, recent, folder } = await files.gallery();
      thumbnails = thumbnailsIn(folder);
      const path = state.open.get()?.path;
      // The scene that is left is the one that is seen.
      if (path && own.some((entry) => entry.path === path)) thumbnails.keep(path, wishes.thumbnail(THUMBNAIL_WIDTH, THUMBNAIL_HEIGHT));
      const section = (head: string, entries: GalleryEntry[]): HTMLElement[] =>
        entries.length ? [h("h3", { class: "gallery-head" }, head), h("ul", { class: "gallery" }, ...entries.map(card))] : [];
      const sections = [
        ...recentSection(recent, [...own, ...examples]),
        ...section(folder, own),
        ...LISTED.flatMap((name) => section(name, examples.filter((entry) => subjectOf(entry) === name).sort((a, b) => rank(a) - rank(b)))),
      ];
      const lead = h("p", { class: "gallery-lead" }, "The first time here? ", h("a", manualLink("tutorial/pendulum.html"), "The tutorial"), " takes twenty minutes.");
      body.replaceChildren(lead, ...sections);
      search.value = "";
      search.focus();
      dialog.scrollTop = 0;
    } catch (error) {
      body.replaceChildren(h("p", { class: "dialog-body problem-text" }, (error as Error).message));
    }
  };
}

/// What scenes of a folder looked like when they were last left. They are kept in the browser; without storage there are none.
function thumbnailsIn(folder: string): { of(path: string): string | null; keep(path: string, picture: string | null): void } {
  const read = (): [string, string][] => {
    try {
      return JSON.parse(localStorage.getItem("ansatz.thumbnails") ?? "[]") as [string, string][];
    } catch {
      return [];
    }
  };
  const key = (path: string): string => `${folder}/${path}`;
  return {
    of: (path) => read().find(([known]) => known === key(path))?.[1] ?? null,
    keep(path, picture) {
      if (!picture) return;
      const others = read().filter(([known]) => known !== key(path));
      try {
        localStorage.setItem("ansatz.thumbnails", JSON.stringify([[key(path), picture], ...others].slice(0, MOST_THUMBNAILS)));
      } catch {
        // Full: what is there stays.
      }
    },
  };
}

function rank({ path }: GalleryEntry): number {
  const at = FIRST.indexOf(pictureName(path));
  return at < 0 ? FIRST.length : at;
}

function subjectOf({ path, title, description }: GalleryEntry): string {
  return SUBJECTS.find(([, words]) => [path, title, description].some((text) => words.test(text)))?.[0] ?? "More";
}

/// Shows what has all of the words in it.
function sift(body: HTMLElement, search: string): void {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  for (const list of body.querySelectorAll<HTMLElement>(".gallery, .recent")) {
    const items = [...list.children] as HTMLElement[];
    for (const item of items) reveal(item, words.every((word) => item.textContent!.toLowerCase().includes(word)));
    const any = items.some((item) => !item.hidden);
    reveal(list, any);
    reveal(list.previousElementSibling as HTMLElement, any);
  }
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

/// What to do where two texts want the same file: nothing is lost unless the user says so.
export type Choice = "replace" | "copy" | "take";

/// Shows how the file differs from the text here, and asks which of the two stays.
export function createChanged(): (message: string, mine: string, theirs: string, choices: Choice[]) => Promise<Choice | null> {
  const words = h("p", {});
  const lines = h("div", { class: "difference", tabindex: 0, role: "region", "aria-label": "Difference" });
  const buttons: Record<Choice, HTMLButtonElement> = {
    copy: h("button", { class: "main", value: "copy" }, "Save mine as a copy"),
    replace: h("button", { class: "framed", value: "replace" }, "Replace the file with mine"),
    take: h("button", { class: "framed", value: "take", title: "Undo brings yours back" }, "Take the file’s text"),
  };
  const form = h("form", { method: "dialog", class: "dialog-body changed" }, words, lines, h("div", { class: "choices" }, ...Object.values(buttons)));
  const dialog = createDialog("Another text is there", form);
  dialog.id = "changed";
  return (message, mine, theirs, choices) => {
    words.replaceChildren(prose(message));
    lines.replaceChildren(...context(difference(mine, theirs)).map(row));
    for (const [choice, button] of Object.entries(buttons)) reveal(button, choices.includes(choice as Choice));
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((answer) => {
      const done = (): void => answer(choices.find((choice) => choice === dialog.returnValue) ?? null);
      dialog.addEventListener("close", done, { once: true });
    });
  };
}

/// Lines around each difference; the rest is left out.
const AROUND = 3;

function context(lines: Line[]): (Line | null)[] {
  const near = (at: number): boolean => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => line.kind !== "same");
  const shown = lines.map((line, at) => (near(at) ? line : null));
  return shown.filter((line, at) => line !== null || shown[at - 1] !== null);
}

const SIGNS = { same: ["", " "], mine: ["here", "+"], theirs: ["in the file", "−"] } as const;

function row(line: Line | null): HTMLElement {
  if (!line) return h("div", { class: "gap" }, "…");
  const [who, sign] = SIGNS[line.kind];
  return h("div", { class: line.kind, title: who }, h("span", { "aria-label": who || null }, sign), h("code", {}, line.text));
}
