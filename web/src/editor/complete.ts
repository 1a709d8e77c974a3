// Names offered while typing: words of the language, names of the scene, and what can be asked of a frame.

import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { scene } from "../state";
import { KNOWN, STATEMENTS, WORDS } from "./language";

const FRAME_FIELDS = ["position", "velocity", "acceleration", "omega", "rotation", "angle", "euler", "scale", "mass", "point", "vector"];

export function completion() {
  return autocompletion({ override: [names], icons: false });
}

function names(context: CompletionContext): CompletionResult | null {
  const field = context.matchBefore(/[\p{L}\p{N}_\]]\.[\p{L}\p{N}_]*/u);
  if (field) {
    const options = FRAME_FIELDS.map((label) => ({ label, type: "property" }));
    return { from: field.from + 2, options, validFor: /^[\p{L}\p{N}_]*$/u };
  }
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
  if (!word && !context.explicit) return null;
  const begins = /(^|[{;])\s*$/.test(context.state.doc.lineAt(context.pos).text.slice(0, (word?.from ?? context.pos) - context.state.doc.lineAt(context.pos).from));
  const known = scene.get();
  const options = [
    ...(begins ? STATEMENTS.map((label) => ({ label, type: "keyword", boost: 2 })) : WORDS.map((label) => ({ label, type: "keyword" }))),
    ...KNOWN.map((label) => ({ label, type: "function" })),
    ...(known?.frames.map(({ name, body }) => ({ label: name, type: "variable", detail: body ? "body" : "frame", boost: 1 })) ?? []),
    ...(known?.parameters.map(({ name, description }) => ({ label: name, type: "variable", detail: description ?? "param", boost: 1 })) ?? []),
    ...(known?.controls.map(({ name }) => ({ label: name, type: "variable", detail: "control", boost: 1 })) ?? []),
  ];
  return { from: word?.from ?? context.pos, options, validFor: /^[\p{L}\p{N}_]*$/u };
}
