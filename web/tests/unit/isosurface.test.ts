import { describe, expect, test } from "vitest";
import { isosurface, type Triangles } from "../../src/view3d/isosurface";

function sampled(n: number, size: number, f: (x: number, y: number, z: number) => number): Triangles {
  const at = (place: number): number => (place * size) / (n - 1) - size / 2;
  const values: number[] = [];
  for (let x = 0; x < n; x++) for (let y = 0; y < n; y++) for (let z = 0; z < n; z++) values.push(f(at(x), at(y), at(z)));
  return isosurface(values, n, size);
}

const point = ({ points }: Triangles, index: number): number[] => points.slice(3 * index, 3 * index + 3);

/// Sums over all triangles: their areas, and the volumes of the tetrahedra with the origin.
function measure(surface: Triangles): { area: number; volume: number } {
  let [area, volume] = [0, 0];
  for (let at = 0; at < surface.corners.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => point(surface, surface.corners[at + corner]!)) as [number[], number[], number[]];
    const [u, v] = [b, c].map((end) => end.map((number, axis) => number - a[axis]!)) as [number[], number[]];
    const normal = [0, 1, 2].map((axis) => u[(axis + 1) % 3]! * v[(axis + 2) % 3]! - u[(axis + 2) % 3]! * v[(axis + 1) % 3]!);
    area += Math.hypot(...normal) / 2;
    volume += a.reduce((sum, number, axis) => sum + number * normal[axis]!, 0) / 6;
  }
  return { area, volume };
}

describe("where a function is zero", () => {
  const sphere = sampled(33, 3, (x, y, z) => x * x + y * y + z * z - 1);

  test("points lie on a sphere, to the square of the grid's step", () => {
    const step = 3 / 32;
    for (let at = 0; at < sphere.points.length / 3; at++) expect(Math.abs(Math.hypot(...point(sphere, at)) - 1)).toBeLessThan(step * step);
  });

  test("area and volume are those of a sphere, and its outside is outside", () => {
    const { area, volume } = measure(sphere);
    expect(area / (4 * Math.PI)).toBeCloseTo(1, 2);
    expect(volume / ((4 / 3) * Math.PI)).toBeCloseTo(1, 1);
    expect(volume).toBeGreaterThan(0);
  });

  test("it has no holes: each edge has a triangle on both sides, once in each direction", () => {
    const edges = new Map<string, number>();
    for (let at = 0; at < sphere.corners.length; at += 3) {
      for (let side = 0; side < 3; side++) {
        const [from, to] = [sphere.corners[at + side]!, sphere.corners[at + ((side + 1) % 3)]!];
        edges.set(`${from} ${to}`, (edges.get(`${from} ${to}`) ?? 0) + 1);
      }
    }
    for (const [edge, count] of edges) expect([count, edges.get(edge.split(" ").reverse().join(" "))]).toEqual([1, 1]);
  });

  test("a plane through grid points is flat, and as large as the cube", () => {
    const plane = sampled(9, 4, (_x, _y, z) => z);
    for (let at = 0; at < plane.points.length / 3; at++) expect(point(plane, at)[2]).toBe(0);
    expect(measure(plane).area).toBeCloseTo(16, 9);
  });

  test("nothing is drawn where nothing is zero", () => {
    expect(sampled(5, 1, () => 1).corners).toEqual([]);
  });
});
