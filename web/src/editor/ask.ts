// Questions about the text, which the compiler answers whether or not the text is without errors.

import type { Text } from "@codemirror/state";
import type { Answer, Question } from "../protocol";
import type { Session } from "../session";

export type Ask = (what: Question["what"], text: Text, position: number, name?: string) => Promise<Answer | null>;

export function createAsk(session: Session): Ask {
  return (what, text, position, name = "") => {
    const line = text.lineAt(position);
    return session.ask({ what, source: text.toString(), line: line.number, column: position - line.from + 1, name, settings: [], without: [] });
  };
}
