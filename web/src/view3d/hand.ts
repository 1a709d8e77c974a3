// The pointer in the picture: a click selects, a double click focuses, pulling at a body drags it, anything else turns the view.

import * as THREE from "three";
import type { Frame, Vector } from "../protocol";
import type { Actor } from "./actors";
import type { Stage } from "./stage";

interface Wishes {
  actors(): Actor[];
  select(actor: Actor | null): void;
  hover(actor: Actor | null): void;
  focus(actor: Actor, point: THREE.Vector3): void;
  /// Without it bodies cannot be taken.
  drag?(frame: Frame, grasp: Vector, target: Vector): void;
  drop(): void;
  changed(): void;
}

/// How far a pointer may move, in pixels, while still clicking.
const CLICK = 4;

export interface Hand {
  /// The line from where a body is held to where it is pulled.
  readonly object: THREE.Object3D;
  /// Moves the line along with the body.
  pose(): void;
}

export function createHand(stage: Stage, orbit: { enabled: boolean }, wishes: Wishes): Hand {
  const canvas = stage.renderer.domElement;
  const ray = new THREE.Raycaster();
  const plane = new THREE.Plane();
  const target = new THREE.Vector3();
  const line = new THREE.Line(
    new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]),
    new THREE.LineDashedMaterial({ color: 0xe0663a, dashSize: 1, gapSize: 0.6, depthTest: false }),
  );
  line.visible = false;
  line.frustumCulled = false;
  line.raycast = () => undefined;
  let held: { actor: Actor; grasp: THREE.Vector3; pulling: boolean } | null = null;
  /// A pull waits for the next picture: a mouse may move more often than anything is drawn.
  let waiting = false;
  let down: { x: number; y: number } | null = null;

  function aim(event: PointerEvent | MouseEvent): void {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    ray.setFromCamera(new THREE.Vector2(x, y), stage.camera);
  }

  /// The nearest shape under the pointer; glass only if nothing is behind it.
  function under(event: PointerEvent | MouseEvent): { actor: Actor; point: THREE.Vector3 } | null {
    aim(event);
    const actors = wishes.actors();
    const hits = ray
      .intersectObjects(actors.map((actor) => actor.mesh))
      .map(({ object, point }) => ({ actor: owner(object, actors), point }))
      .filter((hit): hit is { actor: Actor; point: THREE.Vector3 } => hit.actor !== null && hit.actor.shape?.kind !== "plane");
    return hits.find((hit) => hit.actor.material.opacity >= 1) ?? hits[0] ?? null;
  }

  canvas.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, y: event.clientY };
    if (event.button !== 0 || event.shiftKey || event.ctrlKey) return;
    const hit = under(event);
    if (!hit?.actor.frame?.body || !wishes.drag) return;
    // The body is taken; the view stays.
    orbit.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    const group = hit.actor.mesh.parent!;
    const grasp = group.worldToLocal(hit.point.clone());
    held = { actor: hit.actor, grasp, pulling: false };
    plane.setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new THREE.Vector3()), hit.point);
  }, { capture: true });

  canvas.addEventListener("pointermove", (event) => {
    if (!held) {
      if (event.buttons === 0) wishes.hover(under(event)?.actor ?? null);
      return;
    }
    if (!held.pulling && down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < CLICK) return;
    held.pulling = true;
    aim(event);
    if (!ray.ray.intersectPlane(plane, target)) return;
    pull();
    line.visible = true;
    pose();
    wishes.changed();
  });

  function pull(): void {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (held?.pulling) wishes.drag?.(held.actor.frame!, held.grasp.toArray(), target.toArray());
    });
  }

  const release = (event: PointerEvent): void => {
    const clicked = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < CLICK;
    down = null;
    if (held?.pulling) wishes.drop();
    held = null;
    orbit.enabled = true;
    line.visible = false;
    if (clicked && event.button === 0 && event.type === "pointerup") wishes.select(under(event)?.actor ?? null);
    wishes.changed();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => wishes.hover(null));
  canvas.addEventListener("dblclick", (event) => {
    const hit = under(event);
    if (hit) wishes.focus(hit.actor, hit.point);
  });

  function pose(): void {
    if (!held || !line.visible) return;
    const grasp = held.actor.mesh.parent!.localToWorld(held.grasp.clone());
    const places = line.geometry.getAttribute("position");
    places.setXYZ(0, grasp.x, grasp.y, grasp.z);
    places.setXYZ(1, target.x, target.y, target.z);
    places.needsUpdate = true;
    const dash = grasp.distanceTo(stage.camera.position) / 60;
    Object.assign(line.material, { dashSize: dash, gapSize: dash * 0.6 });
    line.computeLineDistances();
  }

  return { object: line, pose };
}

function owner(object: THREE.Object3D | null, actors: Actor[]): Actor | null {
  for (let at = object; at; at = at.parent) {
    const index = at.userData.actor as number | undefined;
    if (index !== undefined) return actors[index] ?? null;
  }
  return null;
}
