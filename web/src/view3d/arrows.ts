// Vectors drawn as arrows: velocities, applied forces, forces of constraints.

import * as THREE from "three";
import type { Scene } from "../protocol";
import { overlays, type Overlay } from "../state";
import type { Scale } from "./scale";
import { arrow, lay } from "./shapes";

export interface Family {
  overlay: Overlay;
  /// Which of the three vectors of a body.
  place: 0 | 1 | 2;
  colour: string;
}

export const FAMILIES: Family[] = [
  { overlay: "velocities", place: 0, colour: "#1a8f5a" },
  { overlay: "forces", place: 1, colour: "#d1363a" },
  { overlay: "constraints", place: 2, colour: "#8a4fd0" },
];

export interface Arrows {
  readonly object: THREE.Group;
  /// Places the arrows; the scene is this large.
  pose(row: Float64Array, size: number): void;
}

export function createArrows(scene: Scene, velocities: Scale, forces: Scale): Arrows {
  const object = new THREE.Group();
  const bodies = scene.frames.filter((frame) => frame.vectorsAt !== null);
  const families = FAMILIES.map((family) => {
    const material = new THREE.MeshBasicMaterial({ color: family.colour, toneMapped: false });
    const arrows = bodies.map(() => {
      const mesh = arrow(material);
      mesh.raycast = () => undefined;
      object.add(mesh);
      return mesh;
    });
    return { ...family, arrows, scale: family.place === 0 ? velocities : forces };
  });

  return {
    object,
    pose(row, size) {
      for (const family of families) {
        const visible = overlays[family.overlay].get();
        const vectors = bodies.map((body) => row.subarray(body.vectorsAt! + 3 * family.place, body.vectorsAt! + 3 * family.place + 3));
        for (const vector of vectors) family.scale.note(Math.hypot(...vector));
        const scale = family.scale.metres(size);
        bodies.forEach((body, index) => {
          const mesh = family.arrows[index]!;
          const [x, y, z] = vectors[index] as unknown as [number, number, number];
          const length = Math.hypot(x, y, z) * scale;
          mesh.visible = visible && length > 0.004 * size;
          if (!mesh.visible) return;
          const [px, py, pz] = row.subarray(body.at, body.at + 3) as unknown as [number, number, number];
          lay(mesh, [px, py, pz, px + x * scale, py + y * scale, pz + z * scale]);
          const thick = Math.min(0.008 * size, 0.06 * length);
          mesh.scale.set(thick, thick, length);
        });
      }
    },
  };
}
