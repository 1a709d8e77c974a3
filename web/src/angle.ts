// Angles are computed in radians and shown in degrees, unless someone prefers radians.

import type { Unit } from "./protocol";
import { remembered } from "./store";

export const degrees = remembered("degrees", true);

/// The unit in which a quantity is shown: degrees for what turns.
export function shownIn(unit: Unit): Unit {
  if (!degrees.get() || !/^rad\b/.test(unit.text)) return unit;
  return { text: unit.text.replace("rad", "deg"), scale: (unit.scale * Math.PI) / 180 };
}
