// Everything that was computed, row by row, so that any of it can be seen again.

/// Above this, every second row is forgotten.
const MOST_NUMBERS = (256 << 20) / 8;

export interface Rows {
  readonly list: Float64Array[];
  push(row: Float64Array): void;
  /// Rows that were recorded closer than this apart have been thinned out.
  leastInterval(): number;
  clear(): void;
  truncate(rows: number): void;
  end(): number;
  /// The first row at or after a time.
  from(t: number): number;
  nearest(t: number): number;
}

export function createRows(most = MOST_NUMBERS): Rows {
  const list: Float64Array[] = [];
  let leastInterval = 0;
  const end = (): number => list.at(-1)?.[0] ?? 0;

  /// Forgets every second row, but never the first or the last.
  function thin(): void {
    const kept = list.filter((_, at) => at % 2 === 0 || at === list.length - 1);
    list.splice(0, list.length, ...kept);
    leastInterval = (end() - list[0]![0]!) / list.length;
  }

  function from(t: number): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle]![0]! < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    list,
    push(row) {
      list.push(row);
      if (list.length * row.length > most) thin();
    },
    leastInterval: () => leastInterval,
    clear() {
      list.length = 0;
      leastInterval = 0;
    },
    truncate: (rows) => void (list.length = rows),
    end,
    from,
    nearest(t) {
      const after = Math.min(from(t), list.length - 1);
      const before = Math.max(after - 1, 0);
      return Math.abs(list[before]![0]! - t) < Math.abs(list[after]![0]! - t) ? before : after;
    },
  };
}
