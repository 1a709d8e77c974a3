// How the text of a scene is coloured. Only colours depend on this; meaning comes from the compiler.

import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting, type StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import lists from "./words.json";

// Written from the tables of the compiler, which its tests compare them with.
const statements = new Set(lists.statements);
const words = new Set(lists.words);
const known = new Set(lists.known);

const NAME = /^[\p{L}_][\p{L}\p{N}_]*/u;

interface State {
  /// At the beginning of a statement, where keywords are keywords.
  fresh: boolean;
  /// Within the brackets of a unit.
  unit: boolean;
}

const parser: StreamParser<State> = {
  name: "ansatz",
  startState: () => ({ fresh: true, unit: false }),
  token(stream, state) {
    if (stream.sol()) state.fresh = true;
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^"([^"\\]|\\.)*"?/)) return "string";
    if (state.unit) {
      if (stream.eat("]")) state.unit = false;
      else stream.next();
      return "unit";
    }
    const fresh = state.fresh;
    state.fresh = false;
    // A bracket after a number, a colon or a parenthesis and a space holds a unit; one after a name holds an index.
    if (stream.peek() === "[" && /(^|[\d\s):])$/.test(stream.string.slice(0, stream.pos)) && !/\bin\s*$/.test(stream.string.slice(0, stream.pos))) {
      stream.next();
      state.unit = true;
      return "unit";
    }
    if (stream.match(/^\d+(?=\.\.)/) || stream.match(/^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/)) return "number";
    const name = stream.match(NAME) as RegExpMatchArray | null;
    if (name) {
      const word = name[0];
      if (fresh && statements.has(word)) return "keyword";
      if (words.has(word)) return "modifier";
      if (known.has(word)) return "builtin";
      if (stream.peek() === "(") return "function";
      return "name";
    }
    const symbol = stream.next();
    if (symbol === "{" || symbol === "}" || symbol === ";") state.fresh = true;
    return "punctuation";
  },
  languageData: { commentTokens: { line: "//" } },
  tokenTable: {
    unit: tags.unit,
    function: tags.function(tags.variableName),
    builtin: tags.standard(tags.variableName),
    name: tags.variableName,
    modifier: tags.modifier,
  },
};

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--syntax-word)", fontWeight: "600" },
  { tag: tags.modifier, color: "var(--syntax-word)" },
  { tag: tags.comment, color: "var(--syntax-comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--syntax-text)" },
  { tag: tags.number, color: "var(--syntax-number)" },
  { tag: tags.unit, color: "var(--syntax-unit)" },
  { tag: tags.function(tags.variableName), color: "var(--syntax-function)" },
  { tag: tags.standard(tags.variableName), color: "var(--syntax-function)" },
  { tag: tags.variableName, color: "var(--syntax-name)" },
  { tag: tags.punctuation, color: "var(--ink-2)" },
]);

export function ansatz(): LanguageSupport {
  return new LanguageSupport(StreamLanguage.define(parser), [syntaxHighlighting(style)]);
}
