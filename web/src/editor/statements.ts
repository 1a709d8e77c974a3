// Where a new statement belongs in a text: behind the last one of its kind, else where a person would begin to write such statements.

/// The order in which scenes are written; words of one row stand together.
const ORDER = [["scene", "theory"], ["use"], ["param", "let", "fn", "data", "control"], ["gravity"], ["surface"], ["frame", "body", "group"], ["join", "actuator", "prescribe", "always", "potential"], ["force", "torque"], ["contact"], ["mode", "when", "every"], ["initially"], ["show", "light"], ["camera"], ["trace"], ["plot"]];

/// As much of a document of the editor as is needed.
export interface Lines {
  lines: number;
  line(number: number): { text: string; from: number; to: number };
}

/// Where to insert a line behind; `empty` if there is nothing to stand behind.
export interface Slot {
  at: number;
  empty: boolean;
}

export function placeFor(doc: Lines, statement: string): Slot {
  const word = firstWord(statement);
  const all = statementsOf(doc);
  const same = [...all].reverse().find((one) => one.word === word);
  const rank = rankOf(word);
  // What is not in the table may stand anywhere: it says nothing about places.
  const before = [...all].reverse().find((one) => rankOf(one.word) <= rank && rankOf(one.word) >= 0);
  const found = same ?? (rank >= 0 ? before : all.at(-1));
  return found ? { at: doc.line(found.last).to, empty: false } : { at: 0, empty: true };
}

interface Found {
  word: string;
  /// Its last line.
  last: number;
}

/// The statements of a text that stand in no braces. One begins where a line begins with a word, and goes on in lines that are indented or in braces.
function statementsOf(doc: Lines): Found[] {
  const all: Found[] = [];
  let depth = 0;
  for (let number = 1; number <= doc.lines; number++) {
    const text = doc.line(number).text.replace(/"[^"]*"/g, '""').replace(/\/\/.*$/, "");
    const word = firstWord(text);
    if (depth === 0 && word !== "") all.push({ word, last: number });
    else if (text.trim() !== "" && all.length > 0) all.at(-1)!.last = number;
    depth = Math.max(0, depth + (text.match(/[{([]/g)?.length ?? 0) - (text.match(/[})\]]/g)?.length ?? 0));
  }
  return all;
}

function firstWord(text: string): string {
  return /^[A-Za-z_]\w*/.exec(text)?.[0] ?? "";
}

function rankOf(word: string): number {
  return ORDER.findIndex((words) => words.includes(word));
}
