// Schematics: nothing lies on anything else, and currents obey the law of their nodes.

import { expect, test } from "vitest";
import { arrange, flows } from "../../src/circuit";
import type { Circuit } from "../../src/protocol";

function circuit(elements: [string, ...string[]][]): Circuit {
  const nodes = [...new Set(elements.flatMap(([, ...ends]) => ends))].map((name) => ({ name, voltage: `${name}.voltage` }));
  const span = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { nodes, elements: elements.map(([name, ...ends]) => ({ name, kinds: ["two_terminal"], ends, current: `${name}.current`, span })) };
}

const FILTER = circuit([["source", "input", "ground"], ["r", "input", "output"], ["c", "output", "ground"]]);

test("ground lies below, each element has a column of its own, and no wire is crossed that need not be", () => {
  const { wires, elements } = arrange(FILTER);
  expect(wires.map(({ name }) => name).at(-1)).toBe("ground");
  expect(elements.map(({ column }) => column)).toEqual([0, 1, 2]);
  for (const { column, rows } of elements) {
    const between = wires.filter(({ row, from, to }) => row > Math.min(...rows) && row < Math.max(...rows) && from <= column && column <= to);
    expect(between).toEqual([]);
  }
});

test("the same circuit is drawn the same, whatever it was before", () => {
  expect(arrange(FILTER)).toEqual(arrange(structuredClone(FILTER)));
});

test("the current of a loop flows along all of its wires", () => {
  const schematic = arrange(FILTER);
  // The source drives 2 A out of its first end: its own current, from the first end to the second, is negative.
  const along = flows(schematic, new Map([["source", -2], ["r", 2], ["c", 2]]));
  const row = (name: string): number => schematic.wires.find((wire) => wire.name === name)!.row;
  const of = (name: string) => along.filter((stretch) => stretch.row === row(name)).map(({ current }) => current);
  expect(of("input")).toEqual([2]);
  expect(of("output")).toEqual([2]);
  // Back to the source, which is on the left.
  expect(of("ground")).toEqual([-2]);
});

test("a hundred nodes are laid out at once", () => {
  const ladder = circuit(Array.from({ length: 100 }, (_, at) => [`r${at}`, `n${at}`, `n${at + 1}`]));
  expect(arrange(ladder).wires.length).toBe(101);
});
