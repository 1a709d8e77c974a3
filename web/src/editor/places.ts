// Places in a text that changes: what the compiler said of an older text, found again in the present one.

import { ChangeSet, type ChangeDesc, type Text } from "@codemirror/state";
import type { Span } from "../protocol";

export interface Range {
  from: number;
  to: number;
}

export interface Places {
  /// The text of this revision was sent to the compiler.
  sent(revision: number, text: Text): void;
  changed(changes: ChangeSet): void;
  /// Where a span of that revision is now; none if that revision is forgotten.
  range(span: Span, revision: number): Range | null;
  /// Nothing before this revision will be asked for.
  forget(before: number): void;
}

export function createPlaces(): Places {
  const versions = new Map<number, { text: Text; since: ChangeSet | null }>();
  return {
    sent: (revision, text) => void versions.set(revision, { text, since: null }),
    changed(changes) {
      for (const version of versions.values()) version.since = version.since ? version.since.compose(changes) : changes;
    },
    range(span, revision) {
      const version = versions.get(revision);
      return version ? moved(rangeIn(version.text, span), version.since) : null;
    },
    forget(before) {
      for (const revision of versions.keys()) if (revision < before) versions.delete(revision);
    },
  };
}

function moved({ from, to }: Range, since: ChangeDesc | null): Range {
  if (!since) return { from, to };
  const start = since.mapPos(from, 1);
  return { from: start, to: Math.max(start, since.mapPos(to, -1)) };
}

/// A span as offsets; what lies outside the text is brought to its edge.
export function rangeIn(text: Text, span: Span): Range {
  const from = offset(text, span.line, span.column);
  return { from, to: Math.max(from, offset(text, span.endLine, span.endColumn)) };
}

function offset(text: Text, line: number, column: number): number {
  if (line < 1) return 0;
  if (line > text.lines) return text.length;
  const { from, to } = text.line(line);
  return Math.min(to, from + Math.max(0, column - 1));
}
