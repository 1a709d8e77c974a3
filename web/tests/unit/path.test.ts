// The path of the camera is smooth, goes through its views, and rests at its ends.

import { describe, expect, test } from "vitest";
import { readPath, viewAt, withView, type KeptView } from "../../src/view3d/path";

const view = (t: number, x: number): KeptView => ({ t, position: [x, 2 * x, 1], target: [0, 0, x] });
const path = [view(1, 0), view(2, 3), view(4, -1)].reduce<KeptView[]>(withView, []);
const x = (t: number): number => viewAt(path, t)!.position[0]!;

describe("a path of the camera", () => {
  test("has no view where none was kept, and stands still with one", () => {
    expect(viewAt([], 1)).toBeNull();
    expect(viewAt([view(3, 5)], 0)!.position).toEqual([5, 10, 1]);
    expect(viewAt([view(3, 5)], 9)!.position).toEqual([5, 10, 1]);
  });

  test("goes through its views", () => {
    for (const { t, position, target } of path) {
      const there = viewAt(path, t)!;
      position.forEach((value, axis) => expect(there.position[axis]).toBeCloseTo(value, 12));
      target.forEach((value, axis) => expect(there.target[axis]).toBeCloseTo(value, 12));
    }
  });

  test("goes around what it looks at, as far away as it was", () => {
    const around = [{ t: 0, position: [5, 0, 1], target: [0, 0, 1] }, { t: 1, position: [0, 5, 1], target: [0, 0, 1] }];
    for (const t of [0.1, 0.5, 0.8]) {
      const { position, target } = viewAt(around, t)!;
      expect(target).toEqual([0, 0, 1]);
      expect(Math.hypot(position[0]!, position[1]!)).toBeCloseTo(5, 12);
    }
    expect(viewAt(around, 0.5)!.position[0]).toBeCloseTo(5 / Math.SQRT2, 12);
  });

  test("neither jumps nor jerks, and rests at its ends", () => {
    const slope = (t: number): number => (x(t + 1e-6) - x(t - 1e-6)) / 2e-6;
    for (const t of [1, 2, 4]) expect(slope(t - 1e-4)).toBeCloseTo(slope(t + 1e-4), 2);
    expect(slope(1 + 1e-5)).toBeCloseTo(0, 3);
    expect(slope(4 - 1e-5)).toBeCloseTo(0, 3);
  });

  test("a view at the same moment gives way, and what is no view is left out", () => {
    expect(withView(path, view(2, 7)).map(({ t, position }) => [t, position[0]])).toEqual([[1, 0], [2, 7], [4, -1]]);
    expect(readPath([view(2, 1), { t: "soon" }, null, { t: 1, position: [1, 2], target: [0, 0, 0] }, view(1, 0)]).map(({ t }) => t)).toEqual([1, 2]);
    expect(readPath("nothing")).toEqual([]);
  });
});
