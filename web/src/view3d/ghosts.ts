// Other futures of the run in the picture: the bodies as they would be now, pale and untouchable.

import * as THREE from "three";
import { ghosts, rowAt } from "../branches";
import type { Scene } from "../protocol";
import { createActors, type Actors, type Files } from "./actors";
import { setOpacity } from "./materials";

const PALE = 0.28;

export interface Ghosts {
  readonly object: THREE.Group;
  pose(t: number): void;
  dispose(): void;
}

export function createGhosts(scene: Scene, files: Files): Ghosts {
  const object = new THREE.Group();
  const drawn = new Map<number, Actors>();
  // What never moves is there already.
  const moving: Scene = { ...scene, shapes: scene.shapes.filter((shape) => shape.frame !== null || shape.kind === "rod" || shape.kind === "coil"), curves: [], surfaces: [] };

  function actorsOf(id: number, row: Float64Array): Actors {
    const known = drawn.get(id);
    if (known) return known;
    const actors = createActors(moving, files, () => undefined);
    actors.pose(row);
    for (const { material } of actors.list) setOpacity(material, PALE);
    actors.object.traverse((part) => {
      part.castShadow = part.receiveShadow = false;
      part.raycast = () => undefined;
    });
    object.add(actors.object);
    drawn.set(id, actors);
    return actors;
  }

  return {
    object,
    pose(t) {
      const present = new Set<number>();
      for (const ghost of ghosts.get()) {
        const row = rowAt(ghost, t);
        if (!row) continue;
        present.add(ghost.entry.id);
        actorsOf(ghost.entry.id, row).pose(row);
      }
      for (const [id, actors] of drawn) actors.object.visible = present.has(id);
    },
    dispose() {
      for (const actors of drawn.values()) actors.dispose();
    },
  };
}
