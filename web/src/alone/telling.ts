// Telling the page: frames as fast as it draws them, how the run stands, and curves and surfaces where they changed.

import { HEADER, HISTORY, LIVE, SHOWN, SURFACES, type Reply, type Status, type Transition } from "../protocol";

/// Where everything goes: replies, and rows as one array with a header.
export interface Out {
  reply(reply: Reply): void;
  numbers(numbers: Float64Array): void;
}

export interface Telling {
  /// A page may say twice, or too late, that it has drawn something.
  drawn(batch: number): void;
  /// Another row than the newest is to be shown.
  show(): void;
  statusDue(): void;
  /// Only so many rows are still what they were.
  forget(rows: number): void;
  /// So many rows need not be told.
  caughtUp(rows: number): void;
  /// Sends what is due.
  tell(run: Told): void;
  history(request: number, columns: number[], rows: Float64Array[]): void;
}

/// What is told of a run.
export interface Told {
  rows: Float64Array[];
  cursor: number;
  moving: boolean;
  status(): Status;
  curves(): Float64Array;
  /// Numbers of each curve.
  curveLength: number;
  surfaces(): Float64Array;
  /// How many there are.
  surfaceCount: number;
  events(): Transition[];
}

/// Batches that may be on their way to the page.
const MOST_UNDRAWN = 3;
/// In milliseconds.
const BETWEEN_STATUSES = 250;

export function createTelling(out: Out): Telling {
  let [batch, drawn, seen] = [0, 0, 0];
  let [shownDue, statusDue, forgotten] = [false, true, false];
  let lastStatus = 0;
  let curves = new Float64Array(0);
  let surfaces = new Float64Array(0);
  let told: Transition[] = [];

  function send(kind: number, number: number, rows: Float64Array[]): void {
    const stride = rows[0]?.length ?? 1;
    const numbers = new Float64Array(HEADER + stride * rows.length);
    numbers.set([kind, number, stride]);
    rows.forEach((row, at) => numbers.set(row, HEADER + at * stride));
    out.numbers(numbers);
  }

  function tellRows({ rows, cursor }: Told): void {
    if (seen < rows.length) {
      send(LIVE, ++batch, rows.slice(seen));
      seen = rows.length;
    }
    const row = rows[cursor];
    if (shownDue && row) send(SHOWN, ++batch, [row]);
    shownDue = false;
  }

  function tellStatus(run: Told): void {
    statusDue = false;
    lastStatus = performance.now();
    out.reply(run.status());
  }

  function tellCurves(run: Told): void {
    if (run.curveLength === 0 || run.rows.length === 0) return;
    const now = run.curves();
    if (same(now, curves)) return;
    curves = now.slice();
    const points: number[][] = [];
    for (let at = 0; at < now.length; at += run.curveLength) points.push([...now.subarray(at, at + run.curveLength)]);
    out.reply({ type: "curves", points });
  }

  /// They move with their frames; what else may change in them as time goes by is not followed.
  function tellSurfaces(run: Told): void {
    if (run.surfaceCount === 0 || run.rows.length === 0) return;
    const now = run.surfaces();
    if (same(now, surfaces)) return;
    surfaces = now.slice();
    const length = now.length / run.surfaceCount;
    send(SURFACES, 0, Array.from({ length: run.surfaceCount }, (_, at) => now.subarray(at * length, (at + 1) * length)));
  }

  /// The latest transitions; a program forgets those of long ago, and so does the page.
  function tellEvents(run: Told): void {
    const now = run.events();
    const last = now.at(-1);
    if (now.length === told.length && last?.t === told.at(-1)?.t && last?.name === told.at(-1)?.name) return;
    told = now;
    out.reply({ type: "events", from: 0, list: now });
  }

  return {
    drawn: (number) => void (drawn = Math.max(drawn, Math.min(number, batch))),
    show: () => void (shownDue = statusDue = true),
    statusDue: () => void (statusDue = true),
    forget(rows) {
      seen = Math.min(seen, rows);
      forgotten = true;
    },
    caughtUp: (rows) => void (seen = rows),
    tell(run) {
      tellCurves(run);
      // What is to be forgotten is told before anything new comes.
      if (forgotten) {
        forgotten = false;
        tellSurfaces(run);
        tellStatus(run);
        statusDue = true;
      }
      tellEvents(run);
      if (batch - drawn < MOST_UNDRAWN) tellRows(run);
      if (statusDue || (run.moving && performance.now() - lastStatus > BETWEEN_STATUSES)) tellStatus(run);
    },
    history: (request, columns, rows) => send(HISTORY, request, rows.map((row) => Float64Array.of(row[0]!, ...columns.map((column) => row[column] ?? NaN)))),
  };
}

function same(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((number, at) => number === other[at]);
}
