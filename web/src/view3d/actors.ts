// The shapes of a scene on the stage: made once, moved with every frame, lit up when selected.

import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { Frame, Scene, Shape } from "../protocol";
import { isosurface } from "./isosurface";
import { gridMarks, outline, setOpacity, solid, turningMarks } from "./materials";
import { FORMS, type Form } from "./shapes";

export interface Actors {
  readonly object: THREE.Group;
  readonly list: Actor[];
  pose(row: Float64Array): void;
  /// Draws tubes along the scene's curves, whose radius stands in the row.
  curves(points: number[][], row: Float64Array | null): void;
  /// Draws the scene's surfaces from values around them; how much of them stands in the row.
  surfaces(values: Float64Array[], row: Float64Array | null): void;
  light(ids: Set<string>, warned: Set<string>): void;
  paint(): void;
  wireframe(on: boolean): void;
  /// What is drawn, by id: how many triangles, and its extent.
  drawn(): Record<string, { triangles: number; size: number[] }>;
  /// Extent of what is there now, without endless floors.
  bounds(): THREE.Box3;
  /// How far what is drawn on a frame goes from its origin, as it was when somebody first asked.
  reach(frame: string): number;
  dispose(): void;
}

export interface Actor {
  id: string;
  /// The frame it is fixed to; rods and curves have none.
  frame: Frame | null;
  mesh: THREE.Object3D;
  material: THREE.MeshStandardMaterial;
  shape: Shape | null;
}

const GLASS = 0.26;
/// The extent of a scene, in sizes of what stands for a body that the text does not show.
const IMPLIED = 24;
/// How much thinner than a body is what holds it.
const THIN = 4;
/// The size of a plane that the text does not show, in extents of the scene.
const BROAD = 4;
/// Shapes whose first six numbers are places.
const ENDS = new Set(["rod", "arrow", "coil"]);

/// Where the files of meshes are, and what to do when one of them has come or cannot be had.
export interface Files {
  address(path: string): string;
  loaded(): void;
  missing(path: string): void;
}

export function createActors(scene: Scene, { address, loaded, missing }: Files, changed: () => void): Actors {
  const object = new THREE.Group();
  const groups = new Map<string, THREE.Group>();
  const list: Actor[] = [];
  const sized: { form: Form; shape: Shape; last: number[] }[] = [];
  const hull = { picked: outline(), warned: outline() };
  const hulls: THREE.Mesh[] = [];
  const reaches = new Map<string, number>();
  /// Nothing has a size before the first row.
  let built = false;
  let glassDecided = false;

  for (const frame of scene.frames) {
    const group = new THREE.Group();
    groups.set(frame.id, group);
    object.add(group);
  }
  const turning = new Set(scene.quantities.filter((quantity) => /\.(orientation|spin|angle)/.test(quantity.name)).map((quantity) => quantity.frame));
  scene.shapes.forEach((shape, index) => {
    const frame = scene.frames.find((frame) => frame.id === shape.frame) ?? null;
    const material = solid(shape.color, index, shape.opacity);
    if (["sphere", "ellipsoid", "torus"].includes(shape.kind) && turning.has(shape.frame)) material.map = turningMarks();
    if (shape.kind === "plane") material.map = gridMarks();
    const holder = new THREE.Group();
    holder.quaternion.copy(quaternion(shape.turn));
    holder.userData.actor = list.length;
    (frame ? groups.get(frame.id)! : object).add(holder);
    list.push({ id: shape.id, frame, mesh: holder, material, shape });
  });

  function load(shape: Shape, holder: THREE.Object3D): void {
    if (!shape.file) return;
    new GLTFLoader().load(address(shape.file), (gltf) => {
      holder.add(gltf.scene);
      gltf.scene.traverse((part) => (part.castShadow = part.receiveShadow = true));
      loaded();
    }, undefined, () => missing(shape.file!));
  }

  function pose(row: Float64Array): void {
    for (const frame of scene.frames) {
      const group = groups.get(frame.id)!;
      const { at, scaleAt } = frame;
      group.position.set(row[at]!, row[at + 1]!, row[at + 2]!);
      group.quaternion.set(row[at + 4]!, row[at + 5]!, row[at + 6]!, row[at + 3]!);
      if (scaleAt !== null) group.scale.set(row[scaleAt]!, row[scaleAt + 1]!, row[scaleAt + 2]!);
    }
    for (const { shape, mesh } of list) {
      if (!shape) continue;
      const { offsetAt, turnAt, turn } = shape;
      if (offsetAt !== null) mesh.position.set(row[offsetAt]!, row[offsetAt + 1]!, row[offsetAt + 2]!);
      if (turnAt !== null) mesh.quaternion.set(row[turnAt + 1]!, row[turnAt + 2]!, row[turnAt + 3]!, row[turnAt]!).multiply(quaternion(turn));
      if (shape.kind === "mesh") mesh.scale.setScalar(row[shape.at]!);
    }
    if (!built) for (const actor of list) if (actor.shape) build(actor, actor.shape, row);
    built = true;
    for (const entry of sized) {
      const { at, count } = entry.shape;
      if (entry.last.every((size, index) => size === row[at + index])) continue;
      entry.last = Array.from(row.subarray(at, at + count));
      entry.form.resize(sizesOf(entry.shape, row));
    }
    if (!glassDecided) {
      glassDecided = true;
      object.updateMatrixWorld(true);
      for (const actor of list) if (encloses(actor, row)) setOpacity(actor.material, GLASS);
      for (const { material, mesh } of list) if (material.opacity < 1) mesh.traverse((part) => (part.castShadow = false));
    }
  }

  function build(actor: Actor, shape: Shape, row: Float64Array): void {
    if (shape.kind === "mesh") return load(shape, actor.mesh);
    const form = FORMS[shape.kind](actor.material, sizesOf(shape, row));
    const floor = shape.kind === "plane";
    form.object.traverse((part) => {
      part.castShadow = !floor;
      part.receiveShadow = true;
    });
    if (floor) actor.material.side = THREE.DoubleSide;
    actor.mesh.add(form.object);
    sized.push({ form, shape, last: Array.from(row.subarray(shape.at, shape.at + shape.count)) });
  }

  /// A shape that nobody wrote may leave its size to the page.
  function sizesOf(shape: Shape, row: Float64Array): number[] {
    const sizes = Array.from(row.subarray(shape.at, shape.at + shape.count));
    const usual = shape.kind === "plane" ? BROAD * extentOf(scene, row, [0, 0, 0]) : extentOf(scene, row) / (ENDS.has(shape.kind) ? THIN : 1) / IMPLIED;
    return shape.implied && shape.kind !== "hull" ? sizes.map((size, index) => (size === 0 && !(ENDS.has(shape.kind) && index < 6) ? usual : size)) : sizes;
  }

  /// Whether other moving things are inside: then it is drawn as glass.
  function encloses(actor: Actor, row: Float64Array): boolean {
    const inside = actor.shape && INSIDE[actor.shape.kind];
    if (!inside) return false;
    const sizes = Array.from(row.subarray(actor.shape!.at, actor.shape!.at + actor.shape!.count));
    const place = actor.mesh.matrixWorld.clone().invert();
    return list.some((other) => {
      if (other === actor || !other.frame?.body || attached(scene, other.frame, actor.frame)) return false;
      const point = new THREE.Vector3(row[other.frame.at]!, row[other.frame.at + 1]!, row[other.frame.at + 2]!);
      return inside(point.applyMatrix4(place), sizes);
    });
  }

  function curves(points: number[][], row: Float64Array | null): void {
    if (row) scene.curves.forEach((curve, index) => {
      const flat = points[index];
      if (!flat || flat.length < 6) return;
      const actor = actorOf(curve, null, index);
      const path: THREE.Vector3[] = [];
      for (let at = 0; at + 2 < flat.length; at += 3) path.push(new THREE.Vector3(flat[at]!, flat[at + 1]!, flat[at + 2]!));
      const radius = row[curve.at]!;
      const closed = path.length > 3 && path[0]!.distanceTo(path.at(-1)!) < 1e-3 * radius;
      if (closed) path.pop();
      const line = new THREE.CatmullRomCurve3(path, closed, "centripetal");
      const tube = new THREE.Mesh(new THREE.TubeGeometry(line, Math.min(2000, 3 * path.length), radius, 12, closed), actor.material);
      tube.castShadow = tube.receiveShadow = true;
      actor.mesh.clear();
      actor.mesh.add(tube);
    });
    changed();
  }

  function surfaces(values: Float64Array[], row: Float64Array | null): void {
    if (row) scene.surfaces.forEach((surface, index) => {
      const grid = values[index];
      if (!grid) return;
      const frame = scene.frames.find((frame) => frame.id === surface.frame) ?? null;
      const actor = actorOf(surface, frame, index);
      actor.material.side = THREE.DoubleSide;
      const { points, corners } = isosurface(grid, Math.round(Math.cbrt(grid.length)), row[surface.at]!);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
      geometry.setIndex(corners);
      geometry.computeVertexNormals();
      const skin = new THREE.Mesh(geometry, actor.material);
      skin.receiveShadow = true;
      actor.mesh.clear();
      actor.mesh.add(skin);
    });
    changed();
  }

  function boundsOf(which: (actor: Actor) => boolean): THREE.Box3 {
    const box = new THREE.Box3();
    object.updateMatrixWorld(true);
    for (const actor of list) if (actor.shape?.kind !== "plane" && which(actor)) box.expandByObject(actor.mesh);
    return box;
  }

  /// The actor of something that is drawn when its points come.
  function actorOf({ id, color, opacity }: { id: string; color: string | null; opacity: number }, frame: Frame | null, index: number): Actor {
    const known = list.find((actor) => actor.id === id);
    if (known) return known;
    const holder = new THREE.Group();
    holder.userData.actor = list.length;
    (frame ? groups.get(frame.id)! : object).add(holder);
    const actor: Actor = { id, frame, mesh: holder, material: solid(color, index, opacity), shape: null };
    list.push(actor);
    return actor;
  }

  function surround(actor: Actor, material: THREE.Material): void {
    const parts: THREE.Mesh[] = [];
    actor.mesh.traverse((part) => part instanceof THREE.Mesh && parts.push(part));
    for (const part of parts) {
      const shell = new THREE.Mesh(part.geometry, material);
      shell.raycast = () => undefined;
      part.add(shell);
      hulls.push(shell);
    }
  }

  return {
    object,
    list,
    pose,
    curves,
    surfaces,
    light(ids, warned) {
      hulls.splice(0).forEach((shell) => shell.removeFromParent());
      for (const actor of list) {
        const hit = (set: Set<string>) => set.has(actor.id) || (actor.frame !== null && set.has(actor.frame.id));
        const material = hit(ids) ? hull.picked : hit(warned) ? hull.warned : null;
        if (material) surround(actor, material);
      }
    },
    paint() {
      const style = getComputedStyle(document.documentElement);
      (hull.picked.uniforms.colour!.value as THREE.Color).set(style.getPropertyValue("--picked").trim());
      (hull.warned.uniforms.colour!.value as THREE.Color).set(style.getPropertyValue("--error").trim());
    },
    wireframe(on) {
      for (const { material } of list) material.wireframe = on;
    },
    drawn() {
      object.updateMatrixWorld(true);
      return Object.fromEntries(
        list.map(({ id, mesh }) => {
          let triangles = 0;
          mesh.traverse((part) => {
            if (!(part instanceof THREE.Mesh) || hulls.includes(part)) return;
            const { index, attributes } = part.geometry as THREE.BufferGeometry;
            triangles += (index?.count ?? attributes.position?.count ?? 0) / 3;
          });
          return [id, { triangles, size: new THREE.Box3().setFromObject(mesh, true).getSize(new THREE.Vector3()).toArray() }];
        }),
      );
    },
    bounds: () => boundsOf(() => true),
    reach(id) {
      const origin = groups.get(id)?.position;
      if (!built || !origin) return 0;
      if (!reaches.has(id)) {
        const box = boundsOf((actor) => actor.frame?.id === id);
        // A body that nothing is drawn on reaches nowhere.
        if (box.isEmpty()) box.expandByPoint(origin);
        const { min, max } = box;
        const farthest = new THREE.Vector3().fromArray([0, 1, 2].map((axis) => Math.max(max.getComponent(axis) - origin.getComponent(axis), origin.getComponent(axis) - min.getComponent(axis))));
        reaches.set(id, Math.max(0, farthest.length()));
      }
      return reaches.get(id)!;
    },
    dispose() {
      object.traverse((part) => {
        if (part instanceof THREE.Mesh && part.parent) (part.geometry as THREE.BufferGeometry).dispose();
      });
      for (const { material } of list) material.dispose();
    },
  };
}

function quaternion([w, x, y, z]: [number, number, number, number]): THREE.Quaternion {
  return new THREE.Quaternion(x, y, z, w);
}

/// Whether one frame hangs on the other: then the one is no stranger inside the other's shape.
function attached(scene: Scene, one: Frame, other: Frame | null): boolean {
  const carriers = (frame: Frame | null): Frame[] => (frame ? [frame, ...carriers(scene.frames.find(({ id }) => id === frame.parent) ?? null)] : []);
  return other !== null && (carriers(one).includes(other) || carriers(other).includes(one));
}

/// How far apart the frames, and other places, are, at least; one metre if they are all in one place.
function extentOf(scene: Scene, row: Float64Array, ...places: [number, number, number][]): number {
  const box = new THREE.Box3();
  for (const place of places) box.expandByPoint(new THREE.Vector3(...place));
  for (const { at } of scene.frames) box.expandByPoint(new THREE.Vector3(row[at], row[at + 1], row[at + 2]));
  return box.getSize(new THREE.Vector3()).length() || 1;
}

/// Whether a point, in the axes of a shape, is inside it.
const INSIDE: Partial<Record<Shape["kind"], (point: THREE.Vector3, sizes: number[]) => boolean>> = {
  sphere: (p, [r]) => p.length() < r!,
  ellipsoid: (p, [a, b, c]) => (p.x / a!) ** 2 + (p.y / b!) ** 2 + (p.z / c!) ** 2 < 1,
  box: (p, [x, y, z]) => Math.abs(p.x) < x! / 2 && Math.abs(p.y) < y! / 2 && Math.abs(p.z) < z! / 2,
  torus: (p, [major, minor]) => Math.hypot(Math.hypot(p.x, p.y) - major!, p.z) < minor!,
  cylinder: (p, [r, height]) => Math.hypot(p.x, p.y) < r! && Math.abs(p.z) < height! / 2,
};
