// The shapes of the language as meshes: one row of a table for each kind. Sizes are those of `Shape` in `protocol.ts`.

import * as THREE from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { ShapeKind } from "../protocol";
import { niceNumber } from "./ground";

/// A shape that is drawn, and how it takes new sizes.
export interface Form {
  object: THREE.Object3D;
  resize(sizes: ArrayLike<number>): void;
}

type Maker = (material: THREE.Material, sizes: ArrayLike<number>) => Form;

const SPHERE = new THREE.SphereGeometry(1, 64, 40).rotateX(Math.PI / 2);
const CYLINDER = new THREE.CylinderGeometry(1, 1, 1, 48).rotateX(Math.PI / 2);
const CONE = new THREE.ConeGeometry(1, 1, 48).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const TIP = 0.22;
const ARROW = merged(
  new THREE.CylinderGeometry(1, 1, 1 - TIP, 24).rotateX(Math.PI / 2).translate(0, 0, (1 - TIP) / 2),
  new THREE.ConeGeometry(2.6, TIP, 32).rotateX(Math.PI / 2).translate(0, 0, 1 - TIP / 2),
);

export const FORMS: Record<Exclude<ShapeKind, "mesh">, Maker> = {
  sphere: scaled(SPHERE, ([r]) => [r!, r!, r!]),
  ellipsoid: scaled(SPHERE, ([a, b, c]) => [a!, b!, c!]),
  cylinder: scaled(CYLINDER, ([r, height]) => [r!, r!, height!]),
  cone: scaled(CONE, ([r, height]) => [r!, r!, height!]),
  box: rebuilt(([x, y, z]) => new RoundedBoxGeometry(x!, y!, z!, 3, 0.03 * Math.min(x!, y!, z!))),
  capsule: rebuilt(([r, height]) => new THREE.CapsuleGeometry(r!, height!, 12, 40).rotateX(Math.PI / 2)),
  torus: rebuilt(([major, minor]) => new THREE.TorusGeometry(major!, minor!, 40, 120)),
  ring: rebuilt(([radius, width]) => ring(radius!, width!)),
  wheels: rebuilt(([radius, gauge]) => wheels(radius!, gauge!)),
  plane: rebuilt(([size]) => plane(size!)),
  hull: rebuilt((sizes) => new ConvexGeometry(corners(sizes))),
  axes: (_, sizes) => axes(sizes[0]!),
  rod: between(CYLINDER.clone().translate(0, 0, 0.5), ([, , , , , , radius]) => radius!),
  arrow: between(ARROW, ([, , , , , , radius]) => radius!),
  coil: coil,
};

function corners(sizes: number[]): THREE.Vector3[] {
  return Array.from({ length: sizes.length / 3 }, (_, at) => new THREE.Vector3().fromArray(sizes, 3 * at));
}

/// A unit geometry, stretched.
function scaled(geometry: THREE.BufferGeometry, scale: (sizes: number[]) => [number, number, number]): Maker {
  return (material, sizes) => {
    const object = new THREE.Mesh(geometry, material);
    const resize = (now: ArrayLike<number>): void => void object.scale.set(...scale(Array.from(now)));
    resize(sizes);
    return { object, resize };
  };
}

/// A geometry that is made anew when its sizes change.
function rebuilt(make: (sizes: number[]) => THREE.BufferGeometry): Maker {
  return (material, sizes) => {
    const object = new THREE.Mesh(make(Array.from(sizes)), material);
    return {
      object,
      resize(now) {
        object.geometry.dispose();
        object.geometry = make(Array.from(now));
        // The hull of a selected shape hangs on it.
        for (const child of object.children) if (child instanceof THREE.Mesh) child.geometry = object.geometry;
      },
    };
  };
}

/// A geometry along z from 0 to 1, laid between two points.
function between(geometry: THREE.BufferGeometry, radius: (sizes: number[]) => number): Maker {
  return (material, sizes) => {
    const object = new THREE.Mesh(geometry, material);
    const resize = (now: ArrayLike<number>): void => {
      const length = lay(object, now);
      const thick = radius(Array.from(now));
      object.scale.set(thick, thick, length);
    };
    resize(sizes);
    return { object, resize };
  };
}

/// Puts an object's z axis from the first to the second point; gives their distance.
export function lay(object: THREE.Object3D, ends: ArrayLike<number>): number {
  from.set(ends[0]!, ends[1]!, ends[2]!);
  to.set(ends[3]!, ends[4]!, ends[5]!).sub(from);
  const length = to.length();
  object.position.copy(from);
  if (length > 0) object.quaternion.setFromUnitVectors(Z, to.divideScalar(length));
  return Math.max(length, 1e-9);
}
const Z = new THREE.Vector3(0, 0, 1);
const from = new THREE.Vector3();
const to = new THREE.Vector3();

/// A helical spring with straight ends: wound once at its first length, then stretched along its axis.
function coil(material: THREE.Material, sizes: ArrayLike<number>): Form {
  const object = new THREE.Mesh(new THREE.BufferGeometry(), material);
  const length = lay(object, sizes);
  const helix = new Helix(sizes[6]!, sizes[7]!, length);
  const rings = Math.round(20 * sizes[7]!) + 20;
  object.geometry = new THREE.TubeGeometry(helix, rings, 0.14 * sizes[6]!, 8).scale(1, 1, 1 / length);
  const resize = (now: ArrayLike<number>): void => void object.scale.set(1, 1, lay(object, now));
  resize(sizes);
  return { object, resize };
}

class Helix extends THREE.Curve<THREE.Vector3> {
  constructor(
    private readonly radius: number,
    private readonly turns: number,
    private readonly length: number,
  ) {
    super();
  }

  override getPoint(u: number, point = new THREE.Vector3()): THREE.Vector3 {
    const END = 0.08;
    const wound = Math.min(1, Math.max(0, (u - END) / (1 - 2 * END)));
    const radius = this.radius * Math.min(1, 12 * wound, 12 * (1 - wound));
    const angle = 2 * Math.PI * this.turns * wound;
    return point.set(radius * Math.cos(angle), radius * Math.sin(angle), this.length * u);
  }
}

/// A square with as many cells of the grid as look right; see `gridMarks`.
function plane(size: number): THREE.BufferGeometry {
  // In many pieces: software interpolates badly over a large triangle that reaches behind the camera. A hair's breadth deeper than it
  // is, so that a path drawn on it is seen.
  const geometry = new THREE.PlaneGeometry(size, size, 48, 48).translate(0, 0, -2e-4 * size);
  const cells = size / niceNumber(size / 12);
  const places = geometry.getAttribute("uv");
  for (let index = 0; index < places.count; index++) places.setXY(index, (places.getX(index) - 0.5) * cells, (places.getY(index) - 0.5) * cells);
  return geometry;
}

/// A flat ring around z.
function ring(radius: number, width: number): THREE.BufferGeometry {
  const inner = Math.max(radius - width, 0);
  const half = width / 2;
  const bevel = 0.18 * width;
  const profile = [
    [inner, -half + bevel],
    [inner + bevel, -half],
    [radius - bevel, -half],
    [radius, -half + bevel],
    [radius, half - bevel],
    [radius - bevel, half],
    [inner + bevel, half],
    [inner, half - bevel],
    [inner, -half + bevel],
  ].map(([r, along]) => new THREE.Vector2(r, along));
  return new THREE.LatheGeometry(profile, 120).rotateX(Math.PI / 2);
}

/// Two wheels with spokes, so that one sees them turn, on an axle along z.
function wheels(radius: number, gauge: number): THREE.BufferGeometry {
  const parts: THREE.BufferGeometry[] = [new THREE.CylinderGeometry(0.12 * radius, 0.12 * radius, gauge, 20).rotateX(Math.PI / 2)];
  for (const side of [-gauge / 2, gauge / 2]) {
    parts.push(new THREE.TorusGeometry(0.84 * radius, 0.16 * radius, 16, 48).translate(0, 0, side));
    parts.push(new THREE.CylinderGeometry(0.2 * radius, 0.2 * radius, 0.3 * radius, 24).rotateX(Math.PI / 2).translate(0, 0, side));
    for (let spoke = 0; spoke < 3; spoke++) {
      parts.push(new THREE.BoxGeometry(1.6 * radius, 0.14 * radius, 0.1 * radius).rotateZ((spoke * Math.PI) / 3).translate(0, 0, side));
    }
  }
  return merged(...parts);
}

const AXIS_COLOURS = [0xd0342c, 0x2e8b3d, 0x2b5fd9];

/// The axes of a frame: x red, y green, z blue.
export function axes(size: number): Form {
  const object = new THREE.Group();
  const resize = (now: ArrayLike<number>): void => void object.scale.setScalar(now[0]!);
  AXIS_COLOURS.forEach((colour, axis) => {
    const arrow = new THREE.Mesh(ARROW, new THREE.MeshStandardMaterial({ color: colour, roughness: 0.6 }));
    arrow.scale.set(0.025, 0.025, 1);
    if (axis === 0) arrow.rotation.y = Math.PI / 2;
    if (axis === 1) arrow.rotation.x = -Math.PI / 2;
    object.add(arrow);
  });
  resize([size]);
  return { object, resize };
}

/// A slim arrow from the origin along z, one long.
export function arrow(material: THREE.Material): THREE.Mesh {
  return new THREE.Mesh(ARROW, material);
}

function merged(...parts: THREE.BufferGeometry[]): THREE.BufferGeometry {
  const geometry = mergeGeometries(parts.map((part) => (part.index ? part.toNonIndexed() : part)));
  if (!geometry) throw new Error("parts of a shape do not fit together");
  return geometry;
}
