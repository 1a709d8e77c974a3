// What could be written at the cursor: the compiler knows, and is asked.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { h } from "../dom";
import type { Entry } from "../protocol";
import type { Ask } from "./ask";
import { rangeIn } from "./places";

export function completion(ask: Ask) {
  return autocompletion({ override: [(context) => offered(context, ask)], icons: false });
}

async function offered(context: CompletionContext, ask: Ask): Promise<CompletionResult | null> {
  const begun = context.matchBefore(/[\p{L}_.["][\p{L}\p{N}_]*/u);
  if (!begun && !context.explicit) return null;
  const answer = await ask("complete", context.state.doc, context.pos);
  if (!answer || !("list" in answer) || answer.list.length === 0) return null;
  const { from } = rangeIn(context.state.doc, answer.span);
  return { from, options: answer.list.map(option), validFor: /^[\p{L}\p{N}_]*$/u };
}

function option(entry: Entry, index: number): Completion {
  const { label, what, written, meaning } = entry;
  return {
    label,
    type: what,
    detail: what,
    // Those that are most likely meant come first.
    boost: Math.max(-99, 50 - index),
    info: () => h("div", { class: "offered" }, h("code", {}, written), meaning && h("div", { class: "quiet" }, meaning)),
  };
}
