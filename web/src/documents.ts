// The scene that is open: its file, its draft, and what happens where both changed. Nothing is lost unless the user says so.

import type { Editor } from "./editor/editor";
import { Changed, files, type Loaded } from "./files";
import { createChanged, createSaveAs } from "./panels/dialogs";
import type { GalleryEntry } from "./protocol";
import type { ByHand, Session } from "./session";
import * as state from "./state";
import { createKeeper } from "./work";

export interface Documents {
  /// Shows a scene, with whatever was not saved of it.
  open(entry: Pick<GalleryEntry, "path" | "writable">): Promise<void>;
  /// Shows a text that is in no file yet, such as one that came with a link; it is a draft at once.
  bring(name: string, text: string, byHand: Partial<ByHand>): Promise<void>;
  save(): Promise<void>;
  /// The text was edited.
  changed(): void;
  /// Shows how the text here differs from what somebody else wrote into its file.
  compare(): Promise<void>;
}

/// Time between looks at the file, in milliseconds.
const LOOK = 1500;

export function createDocuments(editor: Editor, session: Session): Documents {
  const saveAs = createSaveAs();
  const askChanged = createChanged();
  const keeper = createKeeper(
    () => {
      const document = state.open.get();
      return document && { path: document.path, text: document.dirty ? editor.text() : null, version: document.version, plots: session.plots() };
    },
    (message) => state.notice.set({ text: `Your draft cannot be kept: ${message}`, hint: "Save the text.", bad: true }),
  );

  async function open(entry: Pick<GalleryEntry, "path" | "writable">): Promise<void> {
    await keeper.flush();
    try {
      const work = await keeper.open(entry.path);
      // A scene that was never saved is in no file.
      const { text, version } = work?.version === "" ? { text: "", version: "" } : await files.text(entry.path);
      const unsaved = work && work.text !== text ? work.text : null;
      const document = { path: entry.path, writable: entry.writable, dirty: unsaved !== null, version, saved: text };
      state.conflict.set(null);
      state.report.set(null);
      state.open.set(document);
      editor.open(text, unsaved, { plots: work?.plots ?? [] });
      if (unsaved !== null) state.notice.set({ text: "Here is what you had not saved.", hint: "Undo (Ctrl Z in the text) goes back to what is saved.", bad: false });
      // The draft was made from another text than the one that is there now.
      if (unsaved !== null && entry.writable && work && work.version !== version) state.conflict.set({ text, version });
      keeper.changed();
    } catch (error) {
      state.notice.set({ text: (error as Error).message, hint: "", bad: true });
    }
  }

  async function bring(name: string, text: string, byHand: Partial<ByHand>): Promise<void> {
    await keeper.flush();
    // A draft of the same name with another text stays; this one gets a number.
    let path = `${name}.anz`;
    for (let number = 2; ; number++) {
      const work = await keeper.open(path);
      if (!work?.text || work.text === text) break;
      path = `${name}_${number}.anz`;
    }
    state.conflict.set(null);
    state.report.set(null);
    state.open.set({ path, writable: false, dirty: true, version: "", saved: "" });
    editor.open("", text, byHand);
    keeper.changed();
  }

  async function save(): Promise<void> {
    const document = state.open.get();
    if (!document) return;
    if (state.conflict.get()) return compare();
    const name = document.path.replace(/^.*\//, "");
    const path = document.writable ? document.path : await saveAs(name);
    if (!path) return;
    // What is saved where another file was known must not replace a third one.
    await saveOver(path, document.writable ? document.version : "nothing");
  }

  /// Saves where a version is known. If another one is there, the user sees how it differs and decides which of the two stays.
  async function saveOver(path: string, over: string): Promise<void> {
    const before = state.open.get();
    const text = editor.text();
    try {
      const version = await files.save(path, text, over);
      state.conflict.set(null);
      await settleDraft(before, path);
      state.open.set({ path, writable: true, dirty: editor.text() !== text, version, saved: text });
      state.notice.set({ text: `Saved as ${path}`, hint: "", bad: false });
      keeper.changed();
    } catch (error) {
      if (!(error instanceof Changed)) state.notice.set({ text: (error as Error).message, hint: "", bad: true });
      else await settle(path, await files.text(path), error.message);
    }
  }

  /// What was saved under another name is no draft of the scene that it came from any more.
  async function settleDraft(before: state.Document | null, path: string): Promise<void> {
    if (!before || before.path === path) return;
    state.open.set({ ...before, dirty: false });
    keeper.changed();
    await keeper.flush();
    await keeper.open(path);
  }

  async function compare(): Promise<void> {
    const [document, theirs] = [state.open.get(), state.conflict.get()];
    if (document && theirs) await settle(document.path, theirs, `\`${document.path}\` was changed by somebody else since it was opened`);
  }

  async function settle(path: string, theirs: Loaded, message: string): Promise<void> {
    const document = state.open.get();
    const own = document?.path === path;
    const choice = await askChanged(message, editor.text(), theirs.text, own ? ["copy", "replace", "take"] : ["copy", "replace"]);
    if (choice === "replace") await saveOver(path, theirs.version);
    if (choice === "take" && document) follow(document, theirs);
    const copy = choice === "copy" ? await saveAs(path.replace(/\.anz$/, "_copy.anz")) : null;
    if (copy) await saveOver(copy, "nothing");
    // Whoever closes the window decides later.
    if (choice === null && own) state.conflict.set(theirs);
  }

  /// Takes over what is in the file, as an edit that can be undone.
  function follow(document: state.Document, { text, version }: Loaded): void {
    state.conflict.set(null);
    state.open.set({ ...document, version, saved: text });
    editor.replace(text);
  }

  /// Whether somebody else, such as another editor, has written the file: a text without changes of its own follows it; else both stay.
  async function lookAtFile(): Promise<void> {
    const document = state.open.get();
    if (!document?.writable || state.connection.get() !== "open" || window.document.hidden) return;
    const known = state.conflict.get()?.version ?? document.version;
    const theirs = await files.changed(document.path, known).catch(() => null);
    const now = state.open.get();
    if (!theirs || !now || now.path !== document.path || now.version !== document.version) return;
    if (theirs.text === editor.text()) {
      state.conflict.set(null);
      state.open.set({ ...now, dirty: false, version: theirs.version, saved: theirs.text });
    } else if (now.dirty) state.conflict.set(theirs);
    else {
      follow(now, theirs);
      state.notice.set({ text: `\`${now.path}\` was changed by another program; its new text is here.`, hint: "", bad: false });
    }
  }

  setInterval(() => void lookAtFile(), LOOK);
  state.probes.watch(() => keeper.changed());
  window.addEventListener("beforeunload", (event) => {
    if (state.open.get()?.dirty && !keeper.safe()) event.preventDefault();
  });
  return { open, bring, save, compare, changed: () => keeper.changed() };
}
