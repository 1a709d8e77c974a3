// Three arrows at a frame, along the axes of its parent: pulling at one moves the frame along it. Where it is turned about an axis, a ring around that axis
// with a knob: pulling at the ring turns the frame.

import * as THREE from "three";
import type { Frame, Scene } from "../protocol";
import type { Stage } from "./stage";

interface Wishes {
  /// Where the frame is along each axis, in metres, and its angle, in radians; none where it cannot be changed.
  coordinates(frame: Frame): (number | null)[];
  moved(frame: Frame, axis: number, value: number): void;
  /// What is being done, in words; nothing when it is over.
  say(words: string): void;
  changed(): void;
}

export interface Gizmo {
  readonly object: THREE.Object3D;
  show(scene: Scene | null, id: string | null): void;
  pose(row: Float64Array): void;
  /// Where the tips of the arrows and the knob of the ring are on the screen, in pixels of the canvas; for tests.
  tips(): { x: number; y: number }[];
}

const COLOURS = [0xd1363a, 0x1a8f5a, 0x1f4fc4, 0xb06a00];
const NAMES = ["x", "y", "z"];
const TURN = 3;
/// The ring is smaller than the arrows are long, so that their tips are free.
const RING = 0.7;
/// Where its knob is, in radians: between the arrows, not on one of them.
const KNOB = Math.PI / 4;
/// In radians: a step of snapping when something is turned.
const TURN_STEP = (5 * Math.PI) / 180;
const PALE = 0x9aa3b2;
/// The length of an arrow, as a part of the distance to the camera.
const LENGTH = 0.13;
/// A step of snapping is about this part of what an arrow is long.
const STEP = 0.06;

export function createGizmo(stage: Stage, host: HTMLElement, orbit: { enabled: boolean }, wishes: Wishes): Gizmo {
  const canvas = stage.renderer.domElement;
  const object = new THREE.Group();
  object.visible = false;
  const arrows = COLOURS.map((colour, axis) => (axis === TURN ? ring(colour) : arrow(colour, axis)));
  const mark = new THREE.Mesh(new THREE.SphereGeometry(0.06, 20, 14), new THREE.MeshBasicMaterial({ color: 0xe0663a, depthTest: false, toneMapped: false }));
  mark.visible = false;
  mark.renderOrder = 12;
  object.add(...arrows.map(({ group }) => group), mark);
  object.traverse((part) => (part.raycast = () => undefined));
  const ray = new THREE.Raycaster();
  let frame: Frame | null = null;
  let parent: Frame | null = null;
  let held: { axis: number; from: number; start: number; value: number; wanted: number } | null = null;

  function aim(event: PointerEvent): void {
    const box = canvas.getBoundingClientRect();
    ray.setFromCamera(new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), stage.camera);
  }

  const direction = (axis: number): THREE.Vector3 => (axis === TURN ? new THREE.Vector3(...frame!.axis).normalize() : new THREE.Vector3().setComponent(axis, 1)).applyQuaternion(object.quaternion);

  /// The angle of the pointer about the axis of the frame, from where the ring has its own x axis.
  function around(): number | null {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(direction(TURN), object.position);
    // Seen along the plane of the ring, the pointer says nothing about it.
    if (Math.abs(plane.normal.dot(ray.ray.direction)) < 0.05) return null;
    const at = ray.ray.intersectPlane(plane, new THREE.Vector3());
    if (!at) return null;
    const own = arrows[TURN]!.group.worldToLocal(at);
    return Math.atan2(own.y, own.x);
  }

  /// How far along an axis the pointer is, in metres from the frame.
  function along(axis: number): number | null {
    const [d, e] = [direction(axis), ray.ray.direction];
    const w = object.position.clone().sub(ray.ray.origin);
    const [b, dw, ew] = [d.dot(e), d.dot(w), e.dot(w)];
    // Seen along the axis, the pointer says nothing about it.
    return 1 - b * b < 1e-4 ? null : (b * ew - dw) / (1 - b * b);
  }

  /// Shows by how much it is being turned.
  function knob(angle: number): void {
    arrows[TURN]!.knob!.position.set(RING * Math.cos(KNOB + angle), RING * Math.sin(KNOB + angle), 0);
  }

  function under(): number {
    const hits = arrows.map(({ pick, group }) => {
      if (!group.visible) return Infinity;
      const found: THREE.Intersection[] = [];
      THREE.Mesh.prototype.raycast.call(pick, ray, found);
      return found[0]?.distance ?? Infinity;
    });
    const nearest = Math.min(...hits);
    return Number.isFinite(nearest) ? hits.indexOf(nearest) : -1;
  }

  // Before the canvas itself: whoever pulls at an arrow neither turns the view nor takes the body.
  host.addEventListener("pointerdown", (event) => {
    if (!frame || !object.visible || event.button !== 0 || event.target !== canvas) return;
    aim(event);
    const axis = under();
    if (axis < 0) return;
    event.stopPropagation();
    const value = wishes.coordinates(frame)[axis] ?? null;
    const from = axis === TURN ? around() : along(axis);
    if (value === null || from === null) return;
    held = { axis, from, start: value, value, wanted: value };
    orbit.enabled = false;
    canvas.setPointerCapture(event.pointerId);
  }, { capture: true });

  host.addEventListener("pointermove", (event) => {
    if (!held || !frame) return;
    event.stopPropagation();
    aim(event);
    const turns = held.axis === TURN;
    const now = turns ? around() : along(held.axis);
    if (now === null) return;
    if (turns) {
      // The shorter way from the last place of the pointer, so that turns add up beyond a whole one.
      const by = now - held.from;
      held.wanted += Math.atan2(Math.sin(by), Math.cos(by));
      held.from = now;
      held.value = event.altKey ? held.wanted : Math.round(held.wanted / TURN_STEP) * TURN_STEP;
      knob(held.value - held.start);
      wishes.say(`angle = ${Number(((held.value * 180) / Math.PI).toPrecision(6))}°`);
      return wishes.changed();
    }
    const wanted = held.start + now - held.from;
    const step = event.altKey ? 0 : roundStep(object.scale.x * STEP);
    held.value = step > 0 ? Math.round(wanted / step) * step : wanted;
    mark.visible = true;
    mark.position.set(0, 0, 0).setComponent(held.axis, (held.value - held.start) / object.scale.x);
    wishes.say(`${NAMES[held.axis]} = ${Number(held.value.toPrecision(6))} m`);
    wishes.changed();
  }, { capture: true });

  const release = (event: PointerEvent): void => {
    if (!held || !frame) return;
    event.stopPropagation();
    const { axis, value, start } = held;
    held = null;
    orbit.enabled = true;
    mark.visible = false;
    knob(0);
    wishes.say("");
    if (event.type === "pointerup" && value !== start) wishes.moved(frame, axis, value);
    wishes.changed();
  };
  host.addEventListener("pointerup", release, { capture: true });
  host.addEventListener("pointercancel", release, { capture: true });

  return {
    object,
    show(scene, id) {
      frame = scene?.frames.find((one) => one.id === id) ?? null;
      parent = scene?.frames.find((one) => one.id === frame?.parent) ?? null;
      object.visible = frame !== null;
      const coordinates = frame ? wishes.coordinates(frame) : [];
      arrows.forEach(({ material }, axis) => material.color.setHex(coordinates[axis] === null ? PALE : COLOURS[axis]!));
      const { group } = arrows[TURN]!;
      group.visible = (coordinates[TURN] ?? null) !== null;
      if (frame) group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...frame.axis).normalize());
      wishes.changed();
    },
    pose(row) {
      if (!frame) return;
      object.position.set(row[frame.at]!, row[frame.at + 1]!, row[frame.at + 2]!);
      if (parent) object.quaternion.set(row[parent.at + 4]!, row[parent.at + 5]!, row[parent.at + 6]!, row[parent.at + 3]!);
      else object.quaternion.identity();
      object.scale.setScalar(LENGTH * object.position.distanceTo(stage.camera.position));
      object.updateMatrixWorld(true);
    },
    tips() {
      const box = canvas.getBoundingClientRect();
      return arrows.map(({ knob }, axis) => {
        object.updateMatrixWorld(true);
        const place = knob ? knob.getWorldPosition(new THREE.Vector3()) : object.position.clone().addScaledVector(direction(axis), 0.8 * object.scale.x);
        const tip = place.project(stage.camera);
        return { x: box.left + ((tip.x + 1) / 2) * box.width, y: box.top + ((1 - tip.y) / 2) * box.height };
      });
    },
  };
}

interface Part {
  group: THREE.Group;
  pick: THREE.Mesh;
  material: THREE.MeshBasicMaterial;
  knob?: THREE.Mesh;
}

/// A thin ring about z with a knob to be seen, and a thick one to be found.
function ring(colour: number): Part {
  const material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, toneMapped: false });
  const line = new THREE.Mesh(new THREE.TorusGeometry(RING, 0.012, 8, 72), material);
  const knob = new THREE.Mesh(new THREE.SphereGeometry(0.06, 20, 14), material);
  knob.position.set(RING * Math.cos(KNOB), RING * Math.sin(KNOB), 0);
  const pick = new THREE.Mesh(new THREE.TorusGeometry(RING, 0.07, 6, 48), new THREE.MeshBasicMaterial({ visible: false }));
  for (const part of [line, knob]) part.renderOrder = 11;
  const group = new THREE.Group();
  group.add(line, knob, pick);
  return { group, pick, material, knob };
}

/// A thin arrow to be seen, and a thick one to be found.
function arrow(colour: number, axis: number): Part {
  const material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, toneMapped: false });
  const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.016, 0.016, 0.8, 12).translate(0, 0.4, 0), material);
  const tip = new THREE.Mesh(new THREE.ConeGeometry(0.06, 0.2, 18).translate(0, 0.9, 0), material);
  const pick = new THREE.Mesh(new THREE.CylinderGeometry(0.09, 0.09, 1, 8).translate(0, 0.5, 0), new THREE.MeshBasicMaterial({ visible: false }));
  for (const part of [shaft, tip]) part.renderOrder = 11;
  const group = new THREE.Group();
  group.add(shaft, tip, pick);
  // Cylinders stand along y.
  if (axis === 0) group.rotation.z = -Math.PI / 2;
  if (axis === 2) group.rotation.x = Math.PI / 2;
  return { group, pick, material };
}

/// 1, 2 or 5 times a power of ten, near a size.
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].map((part) => part * power).find((step) => step >= size) ?? power;
}
