// What is wrong or worth knowing, below the text: where, why, what would fix it.

import { h, prose, reveal } from "../dom";
import type { Editor } from "../editor/editor";
import { manualLink } from "../files";
import { icon } from "../icons";
import type { Diagnostic } from "../protocol";
import * as state from "../state";

export function createProblems(host: HTMLElement, editor: Editor): void {
  const list = h("ol", { "aria-label": "Problems" });
  const panel = h("div", { class: "problems", id: "problems" }, list);
  host.append(panel);

  function draw(): void {
    const failed = state.failure.get();
    const report = state.report.get();
    const rows = (report?.list ?? []).map((diagnostic) => row(diagnostic, editor, "report"));
    if (failed) rows.unshift(row(failed.diagnostic, editor, "scene"));
    list.replaceChildren(...rows);
    reveal(panel, rows.length > 0);
  }
  state.report.watch(draw);
  state.failure.watch(draw);
}

function row(diagnostic: Diagnostic, editor: Editor, of: "scene" | "report"): HTMLElement {
  const { severity, code, message, labels, notes, hints, fixes, about, page } = diagnostic;
  const place = labels[0]?.span;
  const go = (): void => {
    if (place) editor.goTo(place, of);
    if (about[0]) state.selection.set(about[0]);
  };
  const more = [...labels.slice(0, 1).map((label) => label.text), ...notes, ...hints].filter((line) => line && line !== message);
  return h(
    "li",
    { class: `problem ${severity}` },
    icon("warning"),
    h("div", {}, h("button", { class: "say", onclick: go, "aria-label": `${severity}: ${message}` }, prose(message)), " ", h("span", { class: "code" }, page ? h("a", { ...manualLink(`errors/${code}.html`), title: "Open its page in the manual" }, code) : code, place ? ` · line ${place.line}` : "")),
    more.length > 0 && h("div", { class: "more" }, ...more.map((line) => h("div", {}, prose(line)))),
    fixes.length > 0 && h("div", { class: "fixes" }, ...fixes.map((fix) => h("button", { class: "small main", onclick: () => void editor.apply(fix.edits, of) }, prose(fix.title)))),
    page && h("details", { class: "more" }, h("summary", {}, `About ${code}`), h("div", { class: "manual" }, page)),
  );
}
