// Where a function of space is zero, as triangles: marching tetrahedra over a grid of its values.

/// Six tetrahedra that fill a cube, all around its diagonal from corner 0 to corner 7; bits of a corner are its x, y and z.
const TETRAHEDRA = [
  [0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7],
];

export interface Triangles {
  /** x, y, z of each point. */
  points: number[];
  /** Three numbers of points for each triangle; seen from where the function is positive, they go round to the left. */
  corners: number[];
}

/// The values are those at n³ points of a cube of this size around the origin; z varies fastest, x slowest.
export function isosurface(values: ArrayLike<number>, n: number, size: number): Triangles {
  const points: number[] = [];
  const corners: number[] = [];
  const known = new Map<number, number>();
  const step = size / (n - 1);
  const offset = [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => ((corner & 1) * n + ((corner >> 1) & 1)) * n + (corner >> 2));

  /// The point between two grid points of different sign; each is made once.
  function between(a: number, b: number): number {
    const [low, high] = a < b ? [a, b] : [b, a];
    const key = low * n * n * n + high;
    const found = known.get(key);
    if (found !== undefined) return found;
    const share = values[low]! / (values[low]! - values[high]!);
    const at = (index: number): number[] => [Math.floor(index / (n * n)), Math.floor(index / n) % n, index % n].map((place) => place * step - size / 2);
    const [from, to] = [at(low), at(high)];
    points.push(...from.map((start, axis) => start + share * (to[axis]! - start)));
    known.set(key, points.length / 3 - 1);
    return points.length / 3 - 1;
  }

  /// A triangle, turned so that the inner grid point is behind it.
  function triangle(a: number, b: number, c: number, inner: number): void {
    const p = (index: number, axis: number): number => points[3 * index + axis]!;
    const [u, v] = [b, c].map((end) => [0, 1, 2].map((axis) => p(end, axis) - p(a, axis)));
    const inside = [Math.floor(inner / (n * n)), Math.floor(inner / n) % n, inner % n].map((place, axis) => place * step - size / 2 - p(a, axis));
    const volume = inside[0]! * (u![1]! * v![2]! - u![2]! * v![1]!) + inside[1]! * (u![2]! * v![0]! - u![0]! * v![2]!) + inside[2]! * (u![0]! * v![1]! - u![1]! * v![0]!);
    if (volume > 0) corners.push(a, c, b);
    else corners.push(a, b, c);
  }

  for (let x = 0; x + 1 < n; x++) {
    for (let y = 0; y + 1 < n; y++) {
      for (let z = 0; z + 1 < n; z++) {
        const base = (x * n + y) * n + z;
        for (const tetrahedron of TETRAHEDRA) {
          const all = tetrahedron.map((corner) => base + offset[corner]!);
          const inside = all.filter((corner) => values[corner]! < 0);
          const outside = all.filter((corner) => values[corner]! >= 0);
          if (inside.length === 0 || outside.length === 0) continue;
          if (inside.length === 2) {
            const [a, b, c, d] = [between(inside[0]!, outside[0]!), between(inside[0]!, outside[1]!), between(inside[1]!, outside[1]!), between(inside[1]!, outside[0]!)] as [number, number, number, number];
            triangle(a, b, c, inside[0]!);
            triangle(a, c, d, inside[1]!);
          } else {
            const [alone, others] = inside.length === 1 ? [inside[0]!, outside] : [outside[0]!, inside];
            const [a, b, c] = others.map((other) => between(alone, other)) as [number, number, number];
            triangle(a, b, c, inside[0]!);
          }
        }
      }
    }
  }
  return { points, corners };
}
