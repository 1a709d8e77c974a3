// Where frames come from: a server over a socket, or a program in the page itself. Whatever compiles and runs scenes
// understands the requests of `protocol.ts` and gives its replies; nothing else in the page knows which it is.

import { HEADER, type Reply, type Request } from "./protocol";

export interface Source {
  /// Whether it can compile: other texts, expressions to plot, a hand that pulls. A finished program only runs.
  readonly compiles: boolean;
  send(request: Request): void;
  /// Whether there is anyone to answer.
  connection(watcher: (state: Connection) => void): void;
  replies(watcher: (reply: Reply) => void): void;
  batches(watcher: (batch: Batch) => void): void;
}

export type Connection = "connecting" | "open" | "lost";

/// Rows of numbers, as laid out by the scene.
export interface Batch {
  /// LIVE, SHOWN or HISTORY.
  kind: number;
  /// The number of the batch, or of the request it answers.
  number: number;
  rows: Float64Array[];
}

/// Reads a binary message; none if it is not one.
export function readBatch(buffer: ArrayBuffer): Batch | null {
  if (buffer.byteLength % 8 !== 0 || buffer.byteLength < 8 * HEADER) return null;
  const numbers = new Float64Array(buffer);
  const [kind, number, stride] = numbers as unknown as [number, number, number];
  if (!(stride >= 1) || (numbers.length - HEADER) % stride !== 0) return null;
  const rows: Float64Array[] = [];
  for (let start = HEADER; start < numbers.length; start += stride) rows.push(numbers.subarray(start, start + stride));
  return { kind, number, rows };
}
