// What the page remembers of a run: for the columns someone looks at, their values at every recorded time.

const NOTHING = new Float64Array(0);

export interface Recording {
  /// Times of the recorded rows, rising.
  times(): Float64Array;
  /// Values at these times; NaN where they are not known.
  column(index: number): Float64Array;
  /// Begins to remember columns. Gives those whose past has to be asked for.
  follow(columns: number[]): number[];
  append(row: Float64Array): void;
  /// Puts in what was recorded before: rows of t and the columns.
  recall(columns: number[], rows: Float64Array[]): void;
  /// Forgets everything after this time.
  cut(t: number): void;
  /// How many rows are at or before this time.
  until(t: number): number;
  clear(timeColumn: number): void;
  /// Counts changes, so that a drawing knows whether it is old.
  version(): number;
}

export function createRecording(): Recording {
  const times = growable();
  const columns = new Map<number, Growable>();
  let timeColumn = 0;
  let version = 0;

  function until(t: number): number {
    const known = times.view();
    let low = 0;
    let high = known.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (known[middle]! <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    times: () => times.view(),
    column: (index) => columns.get(index)?.view() ?? NOTHING,
    follow(wanted) {
      const fresh = [...new Set(wanted)].filter((index) => !columns.has(index));
      for (const index of fresh) {
        const values = growable();
        for (let row = 0; row < times.length(); row++) values.push(NaN);
        columns.set(index, values);
      }
      return times.length() > 0 ? fresh : [];
    },
    append(row) {
      const t = row[timeColumn]!;
      // A time that is known already was computed anew.
      if (times.length() > 0 && t <= times.last()) this.cut(t - 1e-12);
      times.push(t);
      for (const [index, values] of columns) values.push(row[index] ?? NaN);
      version++;
    },
    recall(asked, rows) {
      const known = times.view();
      let at = 0;
      for (const row of rows) {
        while (at < known.length && known[at]! < row[0]!) at++;
        if (at < known.length && known[at] === row[0]) asked.forEach((index, place) => columns.get(index)?.put(at, row[place + 1]!));
      }
      version++;
    },
    cut(t) {
      const length = until(t);
      if (length === times.length()) return;
      times.shorten(length);
      for (const values of columns.values()) values.shorten(length);
      version++;
    },
    until,
    clear(column) {
      timeColumn = column;
      times.shorten(0);
      columns.clear();
      version++;
    },
    version: () => version,
  };
}

interface Growable {
  push(value: number): void;
  put(index: number, value: number): void;
  view(): Float64Array;
  shorten(length: number): void;
  length(): number;
  last(): number;
}

function growable(): Growable {
  let values = new Float64Array(1024);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const wider = new Float64Array(2 * length);
        wider.set(values);
        values = wider;
      }
      values[length++] = value;
    },
    put: (index, value) => void (values[index] = value),
    view: () => values.subarray(0, length),
    shorten: (to) => void (length = to),
    length: () => length,
    last: () => values[length - 1]!,
  };
}
