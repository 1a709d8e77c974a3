// A bar above the text while its file holds another one.

import { h, prose, reveal } from "../dom";
import { icon } from "../icons";
import * as state from "../state";

export function createConflictBar(host: HTMLElement, compare: () => void): void {
  const words = h("span", {});
  const bar = h("div", { class: "conflict", role: "alert", id: "conflict", hidden: true }, icon("warning"), words, h("button", { class: "small main", onclick: compare }, "Compare"));
  host.prepend(bar);
  state.conflict.watch((theirs) => {
    reveal(bar, theirs !== null);
    words.replaceChildren(prose(`\`${state.open.get()?.path ?? ""}\` was changed by somebody else. Your text is not saved, and theirs is not replaced.`));
  });
}
