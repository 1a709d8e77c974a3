// The text of the scene: edited here, compiled as one types, and one of the views of what is selected.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic as Squiggle } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Transaction } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import type { Diagnostic, Reference, Span } from "../protocol";
import type { ByHand, How, Session } from "../session";
import * as state from "../state";
import { createAsk } from "./ask";
import { completion } from "./complete";
import { describeOnHover } from "./hover";
import { ansatz } from "./language";
import { names } from "./names";
import { createPlaces, type Range } from "./places";
import { placeFor } from "./statements";

export interface Editor {
  text(): string;
  /// Shows another scene and compiles it from the start, with this set by hand. Unsaved text is one step of undoing away from what is saved.
  open(saved: string, unsaved: string | null, byHand: Partial<ByHand>): void;
  /// Puts another text in place of this one, as an edit that can be undone.
  replace(text: string): void;
  /// Adds statements where they belong, in one step of undo.
  add(statements: string[]): void;
  /// Puts the cursor on a place that the compiler spoke of, in the text it compiled last.
  goTo(span: Span, of: "scene" | "report"): void;
  /// Changes places that the compiler spoke of; gives false if the text has moved on too far.
  apply(edits: { span: Span; text: string }[], of: "scene" | "report"): boolean;
  /// What stands at a place that the compiler spoke of; none if the text has moved on too far.
  textAt(span: Span, of: "scene" | "report"): string | null;
  /// Compiles the present text for a new connection, or again because of a file that it uses.
  recompile(how?: How): void;
  focus(): void;
  readonly view: EditorView;
}

/// Time after the last key, in milliseconds, before a text is compiled.
const PAUSE = 40;

const paint = StateEffect.define<DecorationSet>();
const painted = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    marks = marks.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(paint)) marks = effect.value;
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function createEditor(host: HTMLElement, session: Session, plot: (expression: string) => void, changed: () => void): Editor {
  const places = createPlaces();
  const ask = createAsk(session);
  let timer = 0;
  let sceneRevision = 0;

  // One state for each scene that is opened: what was undone in one does not come back in another.
  const fresh = (doc: string): EditorState =>
    EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        highlightSelectionMatches(),
        search({ top: true }),
        completion(ask),
        names(ask),
        ansatz(),
        painted,
        describeOnHover(referenceAt, plot, ask),
        EditorView.contentAttributes.of({ "aria-label": "Text of the scene", spellcheck: "false", tabindex: "0" }),
        keymap.of([
          { key: "Mod-Enter", run: () => plotHere() },
          { key: "Escape", run: (view) => (view.contentDOM.blur(), true) },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            places.changed(update.changes);
            edited();
          }
          if (update.selectionSet) point(update.transactions);
        }),
        EditorView.domEventHandlers({
          click(event) {
            if (event.altKey || event.ctrlKey || event.metaKey) plotHere();
          },
        }),
      ],
    });
  const view = new EditorView({ parent: host, state: fresh("") });

  function edited(): void {
    const open = state.open.get();
    const dirty = !!open && (view.state.doc.length !== open.saved.length || view.state.doc.toString() !== open.saved);
    if (open && open.dirty !== dirty) state.open.set({ ...open, dirty });
    changed();
    clearTimeout(timer);
    timer = window.setTimeout(() => compile("edited"), PAUSE);
  }

  function compile(how: How, byHand: Partial<ByHand> = {}): void {
    clearTimeout(timer);
    const { doc } = view.state;
    const revision = session.compile(doc.toString(), how, byHand);
    places.sent(revision, doc);
  }

  /// The innermost word or expression of the scene at a position.
  function referenceAt(position: number): { reference: Reference; from: number; to: number } | null {
    let found: { reference: Reference; from: number; to: number } | null = null;
    for (const reference of state.scene.get()?.references ?? []) {
      const range = places.range(reference.span, sceneRevision);
      if (range && range.from <= position && position <= range.to && range.from < range.to) found = { reference, ...range };
    }
    return found;
  }

  function point(transactions: readonly Transaction[]): void {
    const byMouse = transactions.some((transaction) => transaction.isUserEvent("select.pointer"));
    const byKey = !byMouse && transactions.some((transaction) => transaction.isUserEvent("select"));
    if (!byMouse && !byKey) return;
    const found = referenceAt(view.state.selection.main.head);
    if (found) {
      state.selection.set(found.reference.id);
      state.pointed.set(found.reference);
    } else if (byMouse && view.state.selection.main.empty) {
      state.selection.set(null);
    }
  }

  function plotHere(): boolean {
    const found = referenceAt(view.state.selection.main.head);
    const expression = found?.reference.expression;
    if (expression && found.reference.shape !== "condition") plot(expression);
    return true;
  }

  function lightUp(): void {
    const scene = state.scene.get();
    const selected = state.selection.get();
    const hovered = state.hovered.get();
    const marks = (scene?.references ?? []).flatMap((reference) => {
      const mark = reference.id === selected ? PICKED : reference.id === hovered ? HOVERED : null;
      const range = mark && places.range(reference.span, sceneRevision);
      return mark && range && range.from < range.to ? [mark.range(range.from, range.to)] : [];
    });
    view.dispatch({ effects: paint.of(Decoration.set(marks, true)) });
  }

  function bringIntoView(id: string | null): void {
    if (!id || view.hasFocus) return;
    const scene = state.scene.get();
    const references = scene?.references.filter((reference) => reference.id === id) ?? [];
    const declaration = references.find((reference) => reference.expression === null) ?? references[0];
    const range = declaration && places.range(declaration.span, sceneRevision);
    if (range) view.dispatch({ effects: EditorView.scrollIntoView(range.from, { y: "nearest", yMargin: 40 }) });
  }

  function squiggle(list: Diagnostic[], revision: number): void {
    const squiggles = list.flatMap((diagnostic): Squiggle[] =>
      diagnostic.labels.slice(0, 1).flatMap((label) => {
        const range = places.range(label.span, revision);
        return range ? [squiggleFor(diagnostic, range)] : [];
      }),
    );
    view.dispatch(setDiagnostics(view.state, squiggles));
  }

  function squiggleFor(diagnostic: Diagnostic, range: Range): Squiggle {
    return {
      ...range,
      severity: diagnostic.severity === "notice" ? "info" : diagnostic.severity,
      message: [diagnostic.message, ...diagnostic.hints.map((hint) => `Hint: ${hint}`)].join("\n"),
      source: diagnostic.code,
      actions: diagnostic.fixes.map((fix) => ({ name: fix.title, apply: () => void editor.apply(fix.edits, "report") })),
    };
  }

  const revisionOf = (of: "scene" | "report"): number => (of === "scene" ? sceneRevision : (state.report.get()?.revision ?? 0));

  const editor: Editor = {
    view,
    text: () => view.state.doc.toString(),
    open(saved, unsaved, byHand) {
      // Nothing that was said of another scene has a place in this one.
      places.forget(Infinity);
      view.setState(fresh(saved));
      if (unsaved !== null) editor.replace(unsaved);
      compile("fresh", byHand);
    },
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input.replace" });
    },
    add(statements) {
      const { doc } = view.state;
      const slots = statements.map((statement) => placeFor(doc, statement));
      // What goes to one place keeps its order.
      const changes = statements.map((statement, index) => ({ from: slots[index]!.at, insert: slots[index]!.empty ? `${statement}\n` : `\n${statement}` }));
      view.dispatch({ changes, userEvent: "input.fix", annotations: isolateHistory.of("full"), effects: EditorView.scrollIntoView(slots[0]!.at, { y: "nearest" }) });
    },
    goTo(span, of) {
      const range = places.range(span, revisionOf(of));
      if (!range) return;
      view.dispatch({ selection: { anchor: range.from, head: range.to }, effects: EditorView.scrollIntoView(range.from, { y: "center" }) });
      view.focus();
    },
    apply(edits, of) {
      const changes = edits.map(({ span, text }) => ({ range: places.range(span, revisionOf(of)), text }));
      if (changes.some(({ range }) => range === null)) return false;
      view.dispatch({ changes: changes.map(({ range, text }) => ({ ...range!, insert: text })), userEvent: "input.fix", annotations: isolateHistory.of("full") });
      return true;
    },
    textAt(span, of) {
      const range = places.range(span, revisionOf(of));
      return range && view.state.sliceDoc(range.from, range.to);
    },
    recompile: (how = "again") => compile(how),
    focus: () => view.focus(),
  };

  state.report.watch((report) => report && squiggle(report.list, report.revision));
  state.compiledRevision.watch((revision) => {
    sceneRevision = revision;
    places.forget(revision);
  });
  state.scene.watch(lightUp);
  state.hovered.watch(lightUp);
  state.selection.watch((id) => {
    lightUp();
    bringIntoView(id);
  });
  return editor;
}

const PICKED = Decoration.mark({ class: "cm-picked" });
const HOVERED = Decoration.mark({ class: "cm-lit" });
