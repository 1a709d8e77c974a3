// Which systems of the decomposition stand in which column of the diagram.

import type { SystemNode } from "../protocol";

/// Systems by the length of the longest chain that leads to them.
export function layers(systems: SystemNode[]): SystemNode[][] {
  const depth = new Map<string, number>();
  const measure = (system: SystemNode): number => {
    const known = depth.get(system.id);
    if (known !== undefined) return known;
    // Also ends on a circle, which there should not be.
    depth.set(system.id, 0);
    const before = systems.filter((other) => system.after.includes(other.id));
    const value = before.length ? 1 + Math.max(...before.map(measure)) : 0;
    depth.set(system.id, value);
    return value;
  };
  const result: SystemNode[][] = [];
  for (const system of systems) (result[measure(system)] ??= []).push(system);
  return result;
}
