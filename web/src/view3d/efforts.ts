// What actuators exert: a force as an arrow along its joint, a torque as an arc around its axis, by the right hand. Arcs are as long as arrows would be.

import * as THREE from "three";
import type { Actuator, Scene } from "../protocol";
import { overlays } from "../state";
import type { Scale } from "./scale";
import { arrow, lay } from "./shapes";

export const EFFORT_COLOUR = "#0b84a5";

/// The most that an arc goes round, in radians: a full circle would have no direction.
const ROUND = 5.2;
/// Of the arc, in its radii: half of its thickness.
const THICK = 0.09;
const SEGMENTS = 96;
const SIDES = 10;

/// What an actuator exerts at one moment, in N or N·m.
export interface Effort {
  name: string;
  turns: boolean;
  place: number[];
  vector: number[];
}

export interface Efforts {
  readonly object: THREE.Group;
  /// Places arrows and arcs; the scene is this large.
  pose(row: Float64Array, size: number): void;
}

export function efforts(scene: Scene, row: Float64Array): Effort[] {
  return scene.actuators.map(({ name, turns, at }) => ({ name, turns, place: [...row.subarray(at, at + 3)], vector: [...row.subarray(at + 3, at + 6)] }));
}

class Arc extends THREE.Curve<THREE.Vector3> {
  constructor() {
    super();
  }

  override getPoint(part: number, to = new THREE.Vector3()): THREE.Vector3 {
    return to.set(Math.cos(part * ROUND), Math.sin(part * ROUND), 0);
  }
}

const HEAD = new THREE.ConeGeometry(3 * THICK, 0.55, 24).translate(0, 0.275, 0);
const Z = new THREE.Vector3(0, 0, 1);

/// An arc of unit radius around z, of which as much is drawn as is asked for, with a tip at its end.
function arc(material: THREE.Material): { object: THREE.Group; bend(angle: number): void } {
  const tube = new THREE.Mesh(new THREE.TubeGeometry(new Arc(), SEGMENTS, THICK, SIDES), material);
  const head = new THREE.Mesh(HEAD, material);
  const object = new THREE.Group().add(tube, head);
  return {
    object,
    bend(angle) {
      tube.geometry.setDrawRange(0, Math.round((angle / ROUND) * SEGMENTS) * SIDES * 6);
      head.position.set(Math.cos(angle), Math.sin(angle), 0);
      head.rotation.z = angle;
    },
  };
}

export function createEfforts(scene: Scene, forces: Scale, torques: Scale): Efforts {
  const object = new THREE.Group();
  // Joints are inside of what they move, so it is drawn over everything.
  const material = new THREE.MeshBasicMaterial({ color: EFFORT_COLOUR, depthTest: false, transparent: true, opacity: 0.85, toneMapped: false });
  const draw = (actuator: Actuator) => (actuator.turns ? arcOf() : arrowOf());

  function arrowOf() {
    const mesh = arrow(material);
    return {
      object: mesh as THREE.Object3D,
      pose(place: number[], vector: number[], scale: number, size: number) {
        const length = Math.hypot(...vector) * scale;
        lay(mesh, [...place, ...place.map((part, axis) => part + scale * vector[axis]!)]);
        const thick = Math.min(0.008 * size, 0.06 * length);
        mesh.scale.set(thick, thick, length);
      },
    };
  }

  function arcOf() {
    const { object: mesh, bend } = arc(material);
    return {
      object: mesh as THREE.Object3D,
      pose(place: number[], vector: number[], scale: number) {
        const exerted = Math.hypot(...vector);
        // The longest goes round once, so that all have the same radius.
        const radius = (scale * torques.longest()) / ROUND;
        mesh.position.fromArray(place);
        mesh.quaternion.setFromUnitVectors(Z, new THREE.Vector3().fromArray(vector).divideScalar(exerted));
        mesh.scale.setScalar(radius);
        bend((exerted * scale) / radius);
      },
    };
  }

  const drawn = scene.actuators.map((actuator) => ({ ...draw(actuator), scale: actuator.turns ? torques : forces }));
  for (const { object: part } of drawn) {
    part.traverse((mesh) => {
      mesh.raycast = () => undefined;
      mesh.renderOrder = 4;
    });
    object.add(part);
  }

  return {
    object,
    pose(row, size) {
      object.visible = overlays.actuators.get();
      const now = efforts(scene, row);
      now.forEach(({ vector }, index) => drawn[index]!.scale.note(Math.hypot(...vector)));
      if (!object.visible) return;
      now.forEach(({ place, vector }, index) => {
        const { object: part, scale, pose } = drawn[index]!;
        part.visible = Math.hypot(...vector) * scale.metres(size) > 0.004 * size;
        if (part.visible) pose(place, vector, scale.metres(size), size);
      });
    },
  };
}
