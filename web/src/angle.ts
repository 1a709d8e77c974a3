// Angles are computed in radians and shown in degrees, unless someone prefers radians.

import type { Unit } from "./protocol";
import { remembered } from "./store";

export const degrees = remembered("degrees", true);

/// The unit in which a quantity is shown: degrees for angles. Rates stay in rad/s, in which people give them, as in the terminal and in files.
export function shownIn(unit: Unit): Unit {
  if (!degrees.get() || unit.text !== "rad") return unit;
  return { text: "deg", scale: (unit.scale * Math.PI) / 180 };
}
