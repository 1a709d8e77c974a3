// The answers to what the scene asks: values, what they rest on, and what would close a question that is open.

import { h, prose, reveal } from "../dom";
import type { Editor } from "../editor/editor";
import type { Card, DeadEnd, FoundTable, Ground, Suggestion } from "../protocol";
import type { Session } from "../session";
import { changedParameters } from "../settings";
import * as state from "../state";
import { theme } from "../theme";
import { drawCurve } from "./curve";

export interface CardPanel {
  shown(): void;
}

export function createCard(host: HTMLElement, session: Session, editor: Editor): CardPanel {
  const body = h("div", { class: "card-answers", "aria-live": "polite" });
  host.append(body);
  /// Assumptions that were unticked, with what was said of them while they held.
  const without = new Map<string, Ground>();
  /// What the card was asked with.
  let asked = "";
  let asking = 0;
  let shown: Card | null = null;

  /// Asks again if the text, a slider or a tick has changed since.
  async function refresh(): Promise<void> {
    if (host.hidden || !state.report.get()) return;
    const question = { what: "answers" as const, source: editor.text(), line: 1, column: 1, name: "", settings: changedParameters(), without: [...without.keys()] };
    const key = JSON.stringify([state.open.get()?.path, question]);
    if (key === asked) return;
    asked = key;
    const number = ++asking;
    if (!/^\s*(find|describe)\b/m.test(question.source)) {
      shown = null;
      body.replaceChildren(h("p", { class: "quiet" }, prose("This scene asks nothing. Ask for a quantity: `find boat.speed given steady(boat)`, or for a motion in words: `describe bob`.")));
      return;
    }
    body.setAttribute("aria-busy", "true");
    const answer = await session.ask(question);
    if (number !== asking) return;
    body.removeAttribute("aria-busy");
    if (answer && "card" in answer) draw(answer.card);
    else {
      shown = null;
      body.replaceChildren(h("p", { class: "quiet" }, "No answer came within a minute; `ansatz ask` in a terminal waits longer."));
    }
  }

  function draw(card: Card): void {
    shown = card;
    const parts = [
      ...card.trouble.map((sentence) => h("p", { class: "bad" }, prose(sentence))),
      ...card.deadEnds.map(deadEnd),
      card.answers.length > 0 && h("ul", { class: "found", "aria-label": "Answers" }, ...card.answers.map(({ asked, value, about, reached }) => h("li", { class: reached ? "reached" : "" }, h("strong", {}, `${asked} = ${value}`), " ", h("span", { class: "quiet" }, about)))),
      ...card.motions.map(({ name, over, remarks }) => h("div", { class: "motion" }, h("strong", {}, name), " ", h("span", { class: "quiet" }, over), h("ul", { "aria-label": name }, ...remarks.map((remark) => h("li", {}, prose(remark)))))),
      ...card.tables.map(table),
      ...card.notes.map((note) => h("p", { class: "quiet" }, prose(note))),
      grounds("Laws", card.laws),
      grounds("Assumptions", [...card.assumptions, ...without.values()]),
      grounds("Not used", card.unused),
      grounds("Tried in vain", card.tried),
    ];
    body.replaceChildren(...parts.filter((part) => part !== false));
  }

  function table({ head, rows, curves }: FoundTable): HTMLElement {
    const drawn = curves.map((curve) => drawCurve(curve, head[0]!)).filter((curve) => curve !== null);
    const cells = h("table", {}, h("thead", {}, h("tr", {}, ...head.map((name) => h("th", {}, name)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", { class: "number" }, cell))))));
    return h("div", { class: "found-table" }, ...drawn, cells);
  }

  function grounds(title: string, list: Ground[]): HTMLElement | false {
    return list.length > 0 && h("section", {}, h("h2", {}, title), h("ul", { "aria-label": title }, ...list.map(ground)));
  }

  function ground(it: Ground): HTMLElement {
    const { name, reason, span, theory, optional } = it;
    const text = h("pre", { class: "theory" });
    const go = (): void => {
      if (!theory) return editor.goTo(span, "report");
      // The line and what follows it, up to the end of the law.
      const lines = theory.source.split("\n").slice(span.line - 1);
      const end = lines.findIndex((line) => line.trimEnd() === "}" || /\{.*\}\s*$/.test(line));
      text.textContent = lines.slice(0, end + 1 || 1).join("\n");
      reveal(text, Boolean(text.hidden));
    };
    reveal(text, false);
    const where = theory ? `${theory.name}, line ${span.line}` : `line ${span.line}`;
    const unticked = without.has(name);
    const box = h("input", { type: "checkbox", "aria-label": `Assume ${name}` });
    box.checked = !unticked;
    box.addEventListener("change", () => {
      if (box.checked) without.delete(name);
      else without.set(name, it);
      void refresh();
    });
    return h("li", {}, optional && box, h("button", { class: "say", onclick: go }, prose(`\`${name}\``)), " ", h("span", { class: "quiet" }, prose(unticked ? "left out" : reason), ` · ${where}`), text);
  }

  function deadEnd({ message, span, suggestions }: DeadEnd): HTMLElement {
    return h("div", { class: "dead-end" }, h("button", { class: "say", onclick: () => editor.goTo(span, "report") }, prose(message)), suggestions.length > 0 && h("ul", { "aria-label": "What would close it" }, ...suggestions.map(suggestion)));
  }

  function suggestion({ text, reason, edits }: Suggestion): HTMLElement {
    const write = (): void => {
      without.clear();
      editor.apply(edits, "report");
    };
    const told = edits.length > 0 ? h("button", { class: "small main", onclick: write }, text) : h("code", {}, text);
    return h("li", {}, text && told, " ", h("span", { class: "quiet" }, prose(reason)));
  }

  state.open.watch(() => {
    without.clear();
    shown = null;
  });
  // Curves are drawn in the colours of the theme.
  theme.watch(() => shown && draw(shown));
  state.report.watch(() => void refresh());
  state.status.watch(() => void refresh());
  return { shown: () => void refresh() };
}
