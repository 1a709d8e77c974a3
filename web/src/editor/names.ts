// Names in the text: where they are declared, what else there is, and another name for one.

import { StateEffect, StateField, type EditorState } from "@codemirror/state";
import { EditorView, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import { h } from "../dom";
import { createDialog } from "../panels/help";
import type { Outlined, Span } from "../protocol";
import * as state from "../state";
import type { Ask } from "./ask";
import { rangeIn } from "./places";

/// F12 goes to where a name is declared, F2 gives it another name, Ctrl-Shift-O lists what there is.
export function names(ask: Ask) {
  return [
    prompt,
    keymap.of([
      { key: "F12", run: (view) => (void define(view, ask), true) },
      { key: "F2", run: (view) => (void begin(view, ask), true) },
      { key: "Mod-Shift-o", run: (view) => (void outline(view, ask), true) },
    ]),
  ];
}

function select(view: EditorView, span: Span): void {
  const { from, to } = rangeIn(view.state.doc, span);
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}

function refuse(text: string, hint = ""): void {
  state.notice.set({ text, hint, bad: true });
}

async function define(view: EditorView, ask: Ask): Promise<void> {
  const answer = await ask("define", view.state.doc, view.state.selection.main.head);
  if (!answer || !("theory" in answer)) return refuse("Nothing at the cursor is declared in a text.", "Put the cursor on a name.");
  if (answer.theory) showTheory(answer.theory, answer.span.line);
  else select(view, answer.span);
}

/// A theory is read, not edited, here.
function showTheory({ name, source }: { name: string; source: string }, line: number): void {
  const lines = source.split("\n").map((text, index) => h("div", { class: index + 1 === line ? "cm-picked" : "" }, text || " "));
  const body = h("pre", { class: "dialog-body theory", tabindex: 0 }, ...lines);
  const dialog = createDialog(`The theory ${name}`, body);
  dialog.addEventListener("close", () => dialog.remove(), { once: true });
  dialog.showModal();
  lines[line - 1]?.scrollIntoView({ block: "center" });
}

async function outline(view: EditorView, ask: Ask): Promise<void> {
  const answer = await ask("outline", view.state.doc, 0);
  if (!answer || !("outline" in answer)) return;
  const go = (span: Span): void => {
    dialog.close();
    select(view, span);
  };
  const item = ({ name, what, span, inside }: Outlined): HTMLElement =>
    h(
      "li",
      {},
      h("button", { class: "outlined", onclick: () => go(span) }, h("code", {}, name), h("span", { class: "quiet" }, ` ${what}`)),
      inside.length > 0 && h("ul", {}, ...inside.map(item)),
    );
  const dialog = createDialog("What there is", h("ul", { class: "dialog-body outline" }, ...answer.outline.map(item)));
  dialog.addEventListener("close", () => dialog.remove(), { once: true });
  dialog.showModal();
}

const open = StateEffect.define<Tooltip | null>();
/// The field for a new name, at the name.
const prompt = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(open)) return effect.value;
    return transaction.docChanged ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

async function begin(view: EditorView, ask: Ask): Promise<void> {
  const { state: before } = view;
  const word = before.wordAt(before.selection.main.head);
  if (!word) return refuse("There is no name at the cursor.");
  const field = h("input", { type: "text", "aria-label": "New name", spellcheck: "false", value: before.sliceDoc(word.from, word.to) });
  const close = (): void => {
    view.dispatch({ effects: open.of(null) });
    view.focus();
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close();
    if (event.key !== "Enter") return;
    event.preventDefault();
    close();
    void rename(view, before, word.from, field.value.trim(), ask);
  });
  const dom = h("div", { class: "rename" }, field);
  view.dispatch({ effects: open.of({ pos: word.from, above: false, create: () => ({ dom, mount: () => field.select() }) }) });
}

async function rename(view: EditorView, before: EditorState, position: number, name: string, ask: Ask): Promise<void> {
  const answer = await ask("rename", before.doc, position, name);
  if (!answer) return;
  if ("refused" in answer) return refuse(answer.refused);
  // Someone may have typed in the meantime.
  if (!("edits" in answer) || view.state.doc !== before.doc) return;
  const changes = answer.edits.map(({ span, text }) => ({ ...rangeIn(before.doc, span), insert: text }));
  view.dispatch({ changes, userEvent: "input.rename" });
}
