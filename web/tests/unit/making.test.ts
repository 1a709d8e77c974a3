import { describe, expect, test } from "vitest";
import { layers } from "../../src/panels/layers";
import type { SystemNode } from "../../src/protocol";

const system = (id: string, ...after: string[]): SystemNode => ({ id, after, function: "derivative", role: "", kind: "linear", equations: [], unknowns: [], spans: [] });

describe("the diagram of the decomposition", () => {
  test("puts a system to the right of everything it needs", () => {
    const rows = layers([system("a"), system("c", "a", "b"), system("b", "a"), system("d")]);
    expect(rows.map((row) => row.map(({ id }) => id))).toEqual([["a", "d"], ["b"], ["c"]]);
  });

  test("ends on a circle", () => {
    expect(layers([system("a", "b"), system("b", "a")]).flat().length).toBe(2);
  });
});
