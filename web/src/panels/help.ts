// The keys, in a window over the page.

import { h } from "../dom";
import { icon } from "../icons";
import { ELSEWHERE, KEYS } from "../keys";
import type { Session } from "../session";

export function createHelp(session: Session): () => void {
  const rows = [...KEYS, ...ELSEWHERE].filter(({ studio }) => !studio || session.compiles).flatMap(({ shown, meaning }) => [h("dt", {}, h("kbd", {}, shown)), h("dd", {}, meaning)]);
  const dialog = createDialog("Keys", h("div", { class: "dialog-body" }, h("dl", { class: "keys" }, ...rows)));
  return () => dialog.showModal();
}

/// A window over the page, with a title.
export function createDialog(title: string, ...content: HTMLElement[]): HTMLDialogElement {
  const close = h("button", { class: "square", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"));
  const dialog = h("dialog", { "aria-label": title }, h("div", { class: "dialog-head" }, h("h2", {}, title), h("span", { class: "grow" }), close), ...content);
  // A click beside it closes it.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}
