// The layout of a schematic: each node is a wire that lies, each element stands in a column of its own between the wires of its ends. So nothing
// lies on anything else; where an element passes a wire that it has nothing to do with, there is no dot.

import type { Circuit, CircuitElement } from "./protocol";

export interface Wire {
  name: string;
  /// Which row from the top, and the first and last column that it reaches.
  row: number;
  from: number;
  to: number;
}

export interface Standing {
  element: CircuitElement;
  column: number;
  /// The rows of its ends, in their order.
  rows: number[];
}

export interface Schematic {
  wires: Wire[];
  elements: Standing[];
}

/// Up to so many nodes all orders are tried.
const MOST_TRIED = 7;
/// A crossing is worse than a long wire.
const CROSSING = 4;

export function arrange({ nodes, elements }: Circuit): Schematic {
  const names = nodes.map(({ name }) => name);
  // What most elements end at, and whatever is called ground, lies below.
  const degree = (name: string): number => elements.filter(({ ends }) => ends.includes(name)).length;
  const ground = names.find((name) => /^(ground|gnd|earth)$/i.test(name)) ?? [...names].sort((a, b) => degree(b) - degree(a) || names.indexOf(b) - names.indexOf(a))[0];
  const rest = names.filter((name) => name !== ground);
  const orders = names.length <= MOST_TRIED ? permutations(rest) : [rest];
  let best: Schematic | null = null;
  let least = Infinity;
  for (const order of orders) {
    const tried = place([...order, ...(ground === undefined ? [] : [ground])], elements);
    const cost = costOf(tried);
    // The first of several equal ones is the one in the order of the text.
    if (cost < least) [best, least] = [tried, cost];
  }
  return best ?? { wires: [], elements: [] };
}

function place(order: string[], list: CircuitElement[]): Schematic {
  const elements = list.map((element, column) => ({ element, column, rows: element.ends.map((end) => order.indexOf(end)) }));
  const wires = order.map((name, row) => {
    const columns = elements.filter(({ rows }) => rows.includes(row)).map(({ column }) => column);
    return { name, row, from: Math.min(...columns), to: Math.max(...columns) };
  });
  return { wires, elements };
}

function costOf({ wires, elements }: Schematic): number {
  let cost = 0;
  for (const { column, rows } of elements) {
    const [top, bottom] = [Math.min(...rows), Math.max(...rows)];
    cost += bottom - top;
    for (const wire of wires) if (wire.row > top && wire.row < bottom && !rows.includes(wire.row) && wire.from <= column && column <= wire.to) cost += CROSSING;
  }
  return cost;
}

/// All orders of a few, that of the list first.
function permutations(list: string[]): string[][] {
  if (list.length < 2) return [list];
  return list.flatMap((first, at) => permutations(list.filter((_, other) => other !== at)).map((others) => [first, ...others]));
}

/// A stretch of a wire between two columns, and the current in it, positive to the right.
export interface Stretch {
  row: number;
  from: number;
  to: number;
  current: number;
}

/// What flows along the wires, by the current law: what has come in from the left goes on to the right. Needs: the currents of all elements, from the first end to the second.
export function flows({ wires, elements }: Schematic, currents: Map<string, number>): Stretch[] {
  return wires.flatMap(({ row }) => {
    const meeting = elements.filter(({ rows }) => rows.includes(row));
    let sum = 0;
    return meeting.slice(0, -1).map(({ element, rows, column }, at) => {
      const current = currents.get(element.name) ?? 0;
      // Out of the wire at the first end, into it at the second.
      rows.forEach((end, which) => {
        if (end === row) sum += which === 0 ? -current : which === 1 ? current : 0;
      });
      return { row, from: column, to: meeting[at + 1]!.column, current: sum };
    });
  });
}
