import { describe, expect, test } from "vitest";
import { createRows } from "../../src/alone/rows";

describe("rows of a page that stands alone", () => {
  const filled = (times: number[], most?: number) => {
    const rows = createRows(most);
    for (const t of times) rows.push(Float64Array.of(t, 0.5));
    return rows;
  };

  test("the nearest is found", () => {
    const rows = filled([0, 2, 4, 8]);
    expect([-1, 0.9, 1.1, 3.9, 6.5, 100].map((t) => rows.list[rows.nearest(t)]![0])).toEqual([0, 0, 2, 4, 8, 8]);
    expect([0, 0.1, 2, 9].map((t) => rows.from(t))).toEqual([0, 1, 1, 4]);
  });

  test("too many are thinned out, but for the ends", () => {
    const rows = filled([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 19);
    expect(rows.list.map((row) => row[0])).toEqual([0, 2, 4, 6, 8, 9]);
    expect(rows.leastInterval()).toBe(1.5);
  });
});
