// Where one looks from: orbit, pan and zoom by hand, cameras of the scene, cameras that go along with a frame.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Camera, Scene } from "../protocol";
import { cameraPath } from "../state";
import { store, type Store } from "../store";
import { viewAt } from "./path";

/// A choice in the camera menu: everything in view, or from where one stands; one of the scene; along with what is selected; along the path of kept views.
export type Choice = { kind: "all"; from: Preset | null; here?: true } | { kind: "path" } | { kind: "scene"; camera: Camera } | { kind: "follow"; frame: string };

/// Where to look from at everything: towards the viewer, z up.
export const PRESETS = { top: [0, -0.002, 1], front: [0, -1, 0], side: [1, 0, 0], isometric: [1, -1, 1] } as const;
export type Preset = keyof typeof PRESETS;

/// In sizes of what is there at the start: beyond this, what leaves the view is not followed, unless nothing would be left to see.
const FARTHEST = 12;

/// How much of the picture bodies may fill before the scene's own camera steps back, and how far it goes, in distances of its own.
const MARGIN = 0.86;
const FARTHEST_BACK = 2.5;

export interface Viewpoint {
  readonly choice: Store<Choice>;
  readonly controls: OrbitControls;
  choose(choice: Choice): void;
  /// Carries the camera along with what it follows.
  pose(row: Float64Array): void;
  /// Looks at this point from nearer by, in the present direction.
  focus(point: THREE.Vector3, size: number): void;
  /// Looks from a point at another, until somebody chooses otherwise.
  lookFrom(position: number[], target: number[]): void;
  /// The scene's own camera stays where it is written, whatever leaves the picture.
  keepStill(on: boolean): void;
  /// Looks at all of a box.
  frame(box: THREE.Box3): void;
}

/// What is in the picture: how far all of it goes, and how far what is drawn on a frame goes from its origin.
export interface Extents {
  bounds(): THREE.Box3;
  reach(frame: string): number;
}

export function createViewpoint(camera: THREE.PerspectiveCamera, canvas: HTMLElement, scene: () => Scene | null, { bounds, reach }: Extents): Viewpoint {
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  controls.zoomToCursor = true;
  controls.screenSpacePanning = true;
  const choice = store<Choice>({ kind: "all", from: null });
  /// The pose of the followed frame when the camera was last moved with it; none before the first row.
  let last: THREE.Matrix4 | null = null;
  let lastTarget: THREE.Vector3 | null = null;
  let still = false;
  let pending: Choice | null = choice.get();
  /// What the view of everything holds, and how large that was at first; none once somebody looks elsewhere.
  let held: { ball: THREE.Sphere; first: number } | null = null;
  /// How far the scene's own camera was from where it looks, as long as nobody moved it; it may step back from there.
  let written: number | null = null;
  controls.addEventListener("start", () => {
    held = written = null;
    // A hand takes the camera off its path.
    if (choice.get().kind === "path") choice.set({ kind: "all", from: null, here: true });
  });

  function settle(row: Float64Array): void {
    const now = pending!;
    pending = null;
    last = lastTarget = null;
    if (now.kind === "scene") {
      const at = vector(row, now.camera.at);
      camera.position.copy(at);
      controls.target.copy(vector(row, now.camera.targetAt));
      // Straight down there is no up; a slight tilt makes one.
      if (Math.hypot(at.x - controls.target.x, at.y - controls.target.y) < 1e-3 * at.distanceTo(controls.target)) {
        camera.position.y -= 2e-3 * at.distanceTo(controls.target);
      }
      written = now.camera.on ? null : at.distanceTo(controls.target);
    } else if (now.kind === "all" && !now.here) {
      const box = bounds();
      frame(box, now.from ? new THREE.Vector3(...PRESETS[now.from]) : undefined);
      const ball = box.getBoundingSphere(new THREE.Sphere());
      held = box.isEmpty() ? null : { ball, first: ball.radius };
    }
    controls.update();
  }

  /// A body that leaves the view of everything widens it, unless it leaves for good. Where all have left, the view goes along with the nearest.
  function widen(row: Float64Array): void {
    if (!held) return;
    const { ball, first } = held;
    const before = ball.clone();
    const bodies = (scene()?.frames ?? []).filter(({ body }) => body).map(({ id, at }) => new THREE.Sphere(vector(row, at), reach(id)));
    const away = (body: THREE.Sphere): number => body.center.distanceTo(ball.center);
    const near = bodies.filter((body) => away(body) < FARTHEST * first);
    near.forEach((body) => ball.union(body));
    if (near.length === 0 && bodies.length > 0) {
      const nearest = bodies.reduce((one, other) => (away(other) < away(one) ? other : one));
      ball.center.lerp(nearest.center, 1 - (0.8 * ball.radius) / away(nearest));
    }
    if (!ball.equals(before)) look(ball, camera.position.clone().sub(controls.target));
  }

  /// The scene's own camera steps back where a body would leave the picture, which may be flatter or narrower than its author's, unless it leaves for good.
  function stepBack(row: Float64Array): void {
    if (written === null) return;
    const back = camera.position.clone().sub(controls.target);
    const distance = back.length();
    back.normalize();
    camera.updateMatrixWorld();
    const slope = MARGIN * Math.tan(THREE.MathUtils.degToRad(camera.fov / 2));
    let step = 0;
    for (const { at, body } of scene()?.frames ?? []) {
      if (!body) continue;
      const seen = vector(row, at).applyMatrix4(camera.matrixWorldInverse);
      const needed = Math.max(Math.abs(seen.y), Math.abs(seen.x) / camera.aspect) / slope + seen.z;
      if (distance + needed <= FARTHEST_BACK * written) step = Math.max(step, needed);
    }
    if (step > 0) camera.position.addScaledVector(back, step);
  }

  function poseOf(id: string, row: Float64Array): THREE.Matrix4 {
    const found = scene()?.frames.find((frame) => frame.id === id);
    if (!found) return new THREE.Matrix4();
    const { at } = found;
    const turn = new THREE.Quaternion(row[at + 4], row[at + 5], row[at + 6], row[at + 3]);
    return new THREE.Matrix4().compose(vector(row, at), turn, new THREE.Vector3(1, 1, 1));
  }

  function frame(box: THREE.Box3, from = new THREE.Vector3(0.8, -1, 0.55)): void {
    if (!box.isEmpty()) look(box.getBoundingSphere(new THREE.Sphere()), from);
  }

  /// At all of a ball, from this direction.
  function look(ball: THREE.Sphere, from: THREE.Vector3): void {
    const narrow = Math.min(1, camera.aspect);
    const distance = (1.15 * Math.max(ball.radius, 1e-6)) / (Math.sin(THREE.MathUtils.degToRad(camera.fov / 2)) * narrow);
    controls.target.copy(ball.center);
    camera.position.copy(ball.center).addScaledVector(from.normalize(), distance);
    controls.update();
  }

  return {
    choice,
    controls,
    choose(next) {
      pending = next;
      held = written = null;
      choice.set(next);
    },
    pose(row) {
      if (pending) settle(row);
      widen(row);
      const now = choice.get();
      const kept = now.kind === "path" ? viewAt(cameraPath.get(), row[scene()!.layout.t]!) : null;
      if (kept) {
        camera.position.fromArray(kept.position);
        controls.target.fromArray(kept.target);
      } else if (now.kind === "scene" && now.camera.on) {
        const pose = poseOf(now.camera.on, row);
        if (last) {
          const step = pose.clone().multiply(last.invert());
          camera.position.applyMatrix4(step);
          controls.target.applyMatrix4(step);
        }
        last = pose;
      } else if (now.kind === "scene" || now.kind === "follow") {
        const target = now.kind === "scene" ? vector(row, now.camera.targetAt) : new THREE.Vector3().setFromMatrixPosition(poseOf(now.frame, row));
        if (lastTarget) {
          const step = target.clone().sub(lastTarget);
          controls.target.add(step);
          // A camera that stands somewhere turns its head; one that follows comes along.
          if (now.kind === "follow") camera.position.add(step);
        } else if (now.kind === "follow") {
          camera.position.add(target.clone().sub(controls.target));
          controls.target.copy(target);
        }
        lastTarget = target;
      }
      controls.update();
      if (!still) stepBack(row);
    },
    keepStill: (on) => void (still = on),
    focus(point, size) {
      held = written = null;
      const direction = camera.position.clone().sub(controls.target).normalize();
      const distance = Math.min(camera.position.distanceTo(point), Math.max(size * 6, 1e-3));
      controls.target.copy(point);
      camera.position.copy(point).addScaledVector(direction, distance);
      controls.update();
    },
    lookFrom(position, target) {
      held = written = pending = null;
      camera.position.fromArray(position);
      controls.target.fromArray(target);
      controls.update();
    },
    frame,
  };
}

function vector(row: Float64Array, at: number): THREE.Vector3 {
  return new THREE.Vector3(row[at], row[at + 1], row[at + 2]);
}
