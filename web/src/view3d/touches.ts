// Where things touch: a disc for each point, blue where it sticks and orange where it slides, and its force as an arrow, in
// the scale of all other forces.

import * as THREE from "three";
import type { Scene } from "../protocol";
import { overlays } from "../state";
import type { Scale } from "./scale";
import { arrow, lay } from "./shapes";

/// Numbers of a point: see `Contacts` in `protocol.ts`.
const POINT = 11;
const SLIDING = 2;

/// A point of contact at one moment.
export interface Touch {
  pair: [string, string];
  state: "sliding" | "sticking";
  point: number[];
  normal: number[];
  /// On what can be moved: the second thing of the pair, or the first if the second has no mass.
  force: number[];
}

export interface Touches {
  readonly object: THREE.Group;
  /// Places discs, which are as large on the screen from near as from this far, and arrows; the scene is this large.
  pose(row: Float64Array, distance: number, size: number): void;
}

/// The points of a moment.
export function touches(scene: Scene, row: Float64Array): Touch[] {
  const { at, count, pairs } = scene.contacts ?? { at: 0, count: 0, pairs: [] };
  const bodies = new Set(scene.frames.filter((frame) => frame.body).map((frame) => frame.id));
  const found: Touch[] = [];
  for (let first = at; first < at + POINT * count; first += POINT) {
    const [state, which, ...rest] = row.subarray(first, first + POINT);
    const pair = pairs[which!];
    if (!state || !pair) continue;
    const sign = pair.frames[1] !== null && bodies.has(pair.frames[1]) ? 1 : -1;
    const [point, normal, force] = [0, 3, 6].map((from) => rest.slice(from, from + 3)) as [number[], number[], number[]];
    found.push({ pair: pair.names, state: state === SLIDING ? "sliding" : "sticking", point, normal, force: force.map((part) => sign * part) });
  }
  return found;
}

export const TOUCH_COLOURS = { sticking: "#2f6fdb", sliding: "#e8821a" };
const DISC = new THREE.CylinderGeometry(1, 1, 0.12, 32).rotateX(Math.PI / 2);
const Z = new THREE.Vector3(0, 0, 1);

export function createTouches(scene: Scene, forces: Scale): Touches {
  const object = new THREE.Group();
  // What touches is hidden between what touches, so it is drawn over everything.
  const paint = (color: string) => new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.9, toneMapped: false });
  const paints = { sticking: paint(TOUCH_COLOURS.sticking), sliding: paint(TOUCH_COLOURS.sliding) };
  const marks: { disc: THREE.Mesh; force: THREE.Mesh }[] = [];

  function mark(index: number): { disc: THREE.Mesh; force: THREE.Mesh } {
    const known = marks[index];
    if (known) return known;
    const made = { disc: new THREE.Mesh(DISC, paints.sticking), force: arrow(paints.sticking) };
    for (const part of [made.disc, made.force]) {
      part.raycast = () => undefined;
      part.renderOrder = 4;
      object.add(part);
    }
    marks.push(made);
    return made;
  }

  return {
    object,
    pose(row, distance, size) {
      object.visible = overlays.contacts.get();
      const now = touches(scene, row);
      for (const { force } of now) forces.note(Math.hypot(...force));
      if (!object.visible) return;
      const scale = forces.metres(size);
      now.forEach(({ state, point, normal, force }, index) => {
        const { disc, force: pointer } = mark(index);
        disc.material = pointer.material = paints[state];
        disc.visible = true;
        disc.position.fromArray(point);
        disc.quaternion.setFromUnitVectors(Z, new THREE.Vector3().fromArray(normal).normalize());
        disc.scale.setScalar(0.006 * distance);
        const length = Math.hypot(...force) * scale;
        pointer.visible = length > 0.002 * distance;
        lay(pointer, [...point, ...point.map((part, axis) => part + scale * force[axis]!)]);
        const thick = Math.min(0.0025 * distance, 0.06 * length);
        pointer.scale.set(thick, thick, length);
      });
      for (const { disc, force } of marks.slice(now.length)) disc.visible = force.visible = false;
    },
  };
}
