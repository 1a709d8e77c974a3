// The picture of the run: shapes on the stage, overlays, camera, pointer. It draws only when something changed.

import * as THREE from "three";
import { ghosts } from "../branches";
import { h } from "../dom";
import { kin } from "../links";
import type { Scene } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";
import { theme } from "../theme";
import { createActors, type Actors, type Files } from "./actors";
import { createArrows, FAMILIES, type Arrows } from "./arrows";
import { createGizmo, type Gizmo } from "./gizmo";
import { createHand } from "./hand";
import { createGhosts, type Ghosts } from "./ghosts";
import { createLabels, type Labels } from "./labels";
import { axes } from "./shapes";
import { createEfforts, EFFORT_COLOUR, type Efforts } from "./efforts";
import { createLegend, createScale, type Kind, type Scale } from "./scale";
import { createStage, type Stage } from "./stage";
import { createTouches, TOUCH_COLOURS, type Touches } from "./touches";
import { createTraces, type Traces } from "./traces";
import { createViewpoint, type Viewpoint } from "./viewpoint";

export interface View {
  readonly stage: Stage;
  readonly viewpoint: Viewpoint;
  /// Looks closer at a thing.
  focus(id: string): void;
  /// Where the camera is, and what it looks at.
  looking(): { position: number[]; target: number[] };
  lookFrom(position: number[], target: number[]): void;
  /// Arrows to move a frame with, where something is done with it.
  gizmo(wishes: Pick<Parameters<typeof createGizmo>[3], "coordinates" | "moved" | "say">): Gizmo;
  /// Draws now, whatever changed.
  draw(): void;
  /// Draws now; the picture as it is seen, with the sky and the names.
  picture(): HTMLCanvasElement;
  /// Draws only when it is told to, in exactly so many pixels, until the function that this gives is called.
  hold(width: number, height: number): () => void;
  /// Whether files of meshes are still on their way.
  waiting(): boolean;
  /// The picture as it is seen, for a file.
  png(): Promise<Blob>;
  /// As much of the middle of the picture as has these proportions, as an address; before a sky, or transparent where nothing is.
  thumbnail(width: number, height: number, sky?: string): string;
  /// What is drawn: see `Actors`; for tests.
  drawn(): ReturnType<Actors["drawn"]>;
  /// Where a frame's origin is on the screen, in pixels of the page; for tests.
  screen(id: string): { x: number; y: number } | null;
}

/// What belongs to one scene and is thrown away with it.
interface Cast {
  scene: Scene;
  actors: Actors;
  arrows: Arrows;
  efforts: Efforts;
  touches: Touches;
  kinds: Kind[];
  traces: Traces;
  ghosts: Ghosts;
  labels: Labels;
  triads: { at: number; object: THREE.Object3D }[];
  centre: THREE.Mesh;
  /// Diagonal of what is there, in metres.
  size: number;
  /// The lowest point at the start.
  bottom: number;
  posed: boolean;
}

/// All arrows by their scales: velocities have one, forces another, torques a third.
function kindsOf(scene: Scene, velocities: Scale, forces: Scale, torques: Scale): Kind[] {
  const words: Partial<Record<state.Overlay, string>> = { velocities: "velocity", forces: "applied", constraints: "of constraints" };
  const drawn = FAMILIES.map(({ overlay, colour, place }) => ({ overlay, colour, place, word: words[overlay] ?? overlay }));
  const contacts = { overlay: "contacts" as const, word: "of contact", colour: TOUCH_COLOURS.sticking };
  const acting = (turns: boolean) => (scene.actuators.some((actuator) => actuator.turns === turns) ? [{ overlay: "actuators" as const, word: "of actuators", colour: EFFORT_COLOUR }] : []);
  return [
    { scale: velocities, unit: "m/s", drawn: drawn.filter(({ place }) => place === 0) },
    { scale: forces, unit: "N", drawn: [...drawn.filter(({ place }) => place > 0), contacts, ...acting(false)] },
    { scale: torques, unit: "N·m", drawn: acting(true) },
  ];
}

/// A picture that takes longer than this, in milliseconds, is slow; so many in a row, and detail is given up for motion.
const SLOW = 60;
const PATIENCE = 6;
/// After so long without a new picture, in milliseconds, the last one is drawn in full.
const REST = 250;

/// Draws whenever there is something to draw, and once more when it came to rest; not while somebody else says when.
function watchPace(stage: Stage, held: () => boolean, due: () => boolean, draw: () => void): void {
  let coarse = false;
  let slow = 0;
  let last = 0;
  let between = 0;
  let previous = false;
  const loop = (now: number): void => {
    if (held()) return void requestAnimationFrame(loop);
    const drew = due();
    // Where pictures come more slowly than that, the time between two is no rest: changing the detail costs as much as a picture.
    const rested = coarse && !drew && now - last > Math.max(REST, 4 * between);
    if (rested) {
      coarse = false;
      stage.detail("fine");
    }
    if (drew || rested) draw();
    if (drew && previous) slow = now - last > SLOW ? slow + 1 : 0;
    if (drew && slow > PATIENCE && !coarse) {
      coarse = true;
      stage.detail("coarse");
    }
    if (drew) [between, last] = [now - last, now];
    previous = drew;
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
}

export function createView(host: HTMLElement, session: Session, fileAddress: (path: string) => string): View {
  let coming = 0;
  const files: Files = {
    address(path) {
      coming++;
      return fileAddress(path);
    },
    loaded() {
      coming--;
      // There is more to see than was there at first.
      if (cast) cast.posed = false;
      if (viewpoint.choice.get().kind === "all") viewpoint.choose({ kind: "all", from: null });
      changed();
    },
    missing(path) {
      coming--;
      state.notice.set({ text: `The mesh \`${path}\` cannot be shown.`, hint: "It should be a glTF file beside the scene.", bad: true });
    },
  };
  const stage = createStage(host);
  const legend = createLegend(host);
  const canvas = stage.renderer.domElement;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Motion of the scene in three dimensions");
  let cast: Cast | null = null;
  let lit = new Set<string>();
  let dirty = true;
  let held = false;
  let gizmo: Gizmo | null = null;
  const changed = (): void => void (dirty = true);

  const viewpoint = createViewpoint(stage.camera, canvas, () => cast?.scene ?? null, {
    bounds: () => cast?.actors.bounds() ?? new THREE.Box3(),
    reach: (frame) => cast?.actors.reach(frame) ?? 0,
  });
  viewpoint.controls.addEventListener("change", changed);
  const hand = createHand(stage, viewpoint.controls, {
    actors: () => cast?.actors.list ?? [],
    select: (actor) => state.selection.set(actor ? (actor.frame?.id ?? actor.id) : null),
    hover: (actor) => {
      state.hovered.set(actor ? (actor.frame?.id ?? actor.id) : null);
      canvas.style.cursor = actor?.frame?.body && session.compiles ? "grab" : actor ? "pointer" : "";
    },
    focus: (actor, point) => {
      const ball = new THREE.Box3().setFromObject(actor.mesh).getBoundingSphere(new THREE.Sphere());
      const size = Math.min(ball.radius, 0.25 * (cast?.size ?? 1));
      viewpoint.focus(actor.frame?.body ? ball.center : point, size);
      if (actor.frame) viewpoint.choose({ kind: "follow", frame: actor.frame.id });
    },
    ...(session.compiles && { drag: (frame, grasp, target) => session.drag(frame.id, grasp, target) }),
    drop: () => session.drop(),
    changed,
  });
  stage.scene.add(hand.object);

  function stageScene(scene: Scene | null): void {
    const before = cast?.scene;
    if (cast) {
      stage.scene.remove(cast.actors.object, cast.arrows.object, cast.efforts.object, cast.touches.object, cast.traces.object, cast.ghosts.object, cast.centre, ...cast.triads.map((triad) => triad.object));
      cast.actors.dispose();
      cast.ghosts.dispose();
      cast.labels.remove();
      cast = null;
    }
    if (!scene) return;
    const triads = scene.frames.map((frame) => ({ at: frame.at, object: axes(1).object }));
    const centre = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), new THREE.MeshBasicMaterial({ color: 0xe0a021, depthTest: false, transparent: true, toneMapped: false }));
    centre.renderOrder = 5;
    for (const object of [centre, ...triads.map((triad) => triad.object)]) object.traverse((part) => (part.raycast = () => undefined));
    const [velocities, forces, torques] = [createScale(), createScale(), createScale()];
    cast = {
      scene,
      actors: createActors(scene, files, changed),
      arrows: createArrows(scene, velocities, forces),
      touches: createTouches(scene, forces),
      efforts: createEfforts(scene, forces, torques),
      kinds: kindsOf(scene, velocities, forces, torques),
      ghosts: createGhosts(scene, files),
      traces: createTraces(scene),
      labels: createLabels(scene, host),
      triads,
      centre,
      size: 1,
      bottom: 0,
      posed: false,
    };
    stage.scene.add(cast.actors.object, cast.arrows.object, cast.efforts.object, cast.touches.object, cast.traces.object, cast.ghosts.object, centre, ...triads.map((triad) => triad.object));
    stage.lights(scene.lights.map(({ from }) => new THREE.Vector3(...from)));
    session.follow(cast.traces.columns);
    cast.actors.paint();
    cast.actors.wireframe(state.overlays.wireframe.get());
    cast.actors.curves(state.curves.get(), state.row.get());
    cast.actors.surfaces(state.surfaces.get(), state.row.get());
    relight();
    // An edited scene is seen from where one stood, unless it is another scene.
    if (before?.name !== scene.name) {
      const first = scene.cameras[0];
      viewpoint.choose(first ? { kind: "scene", camera: first } : { kind: "all", from: null });
    } else {
      const now = viewpoint.choice.get();
      const same = now.kind === "scene" && scene.cameras.find((camera) => camera.id === now.camera.id);
      if (same) viewpoint.choice.set({ kind: "scene", camera: same });
    }
    changed();
  }

  /// Measures a new scene and sets light and ground for it.
  function measure(cast: Cast, row: Float64Array): void {
    const box = cast.actors.bounds();
    if (box.isEmpty()) box.expandByPoint(new THREE.Vector3(1, 1, 1)).expandByPoint(new THREE.Vector3(-1, -1, -1));
    for (const { at } of cast.scene.frames) box.expandByPoint(new THREE.Vector3(row[at], row[at + 1], row[at + 2]));
    cast.bottom = box.min.z;
    cast.size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
    stage.fit(box.getCenter(new THREE.Vector3()), cast.size);
    const floor = cast.scene.shapes.some((shape) => shape.kind === "plane" && shape.frame === null);
    stage.ground.object.visible = !floor;
    cast.posed = true;
  }

  function pose(row: Float64Array): void {
    if (!cast) return;
    cast.actors.pose(row);
    if (!cast.posed) {
      cast.actors.curves(state.curves.get(), row);
      cast.actors.surfaces(state.surfaces.get(), row);
      measure(cast, row);
    }
    stage.ground.under(lowest(cast, row));
    viewpoint.pose(row);
    stage.aim(viewpoint.controls.target, stage.camera.position.distanceTo(viewpoint.controls.target));
    cast.arrows.pose(row, cast.size);
    cast.efforts.pose(row, cast.size);
    cast.touches.pose(row, stage.camera.position.distanceTo(viewpoint.controls.target), cast.size);
    legend.show(cast.kinds, cast.size, stage.pixels(viewpoint.controls.target));
    const traces = state.overlays.traces.get();
    cast.traces.object.visible = traces;
    if (traces) cast.traces.draw(row[cast.scene.layout.t]!);
    cast.ghosts.pose(row[cast.scene.layout.t]!);
    const showFrames = state.overlays.frames.get();
    for (const { at, object } of cast.triads) {
      object.visible = showFrames;
      object.position.set(row[at]!, row[at + 1]!, row[at + 2]!);
      object.quaternion.set(row[at + 4]!, row[at + 5]!, row[at + 6]!, row[at + 3]!);
      object.scale.setScalar(0.12 * cast.size);
    }
    const { centre } = cast.scene.layout;
    cast.centre.visible = centre !== null && state.overlays.centre.get();
    if (centre !== null) cast.centre.position.set(row[centre]!, row[centre + 1]!, row[centre + 2]!);
    cast.centre.scale.setScalar(0.012 * cast.size);
  }

  /// A little below the lowest body and everything that was there at the start.
  function lowest(cast: Cast, row: Float64Array): number {
    let low = cast.bottom;
    for (const { at, body } of cast.scene.frames) if (body) low = Math.min(low, row[at + 2]! - 0.05 * cast.size);
    return low;
  }

  function relight(): void {
    const scene = cast?.scene;
    if (!cast || !scene) return;
    const selected = state.selection.get();
    lit = selected ? kin(scene, selected) : new Set();
    const hovered = state.hovered.get();
    if (hovered) lit.add(hovered);
    const errors = state.report.get()?.list.filter((diagnostic) => diagnostic.severity === "error") ?? [];
    const warned = new Set(errors.flatMap((diagnostic) => diagnostic.about));
    state.failure.get()?.diagnostic.about.forEach((id) => warned.add(id));
    cast.actors.light(lit, warned);
    changed();
  }

  function draw(): void {
    dirty = false;
    const row = state.row.get();
    if (row) pose(row);
    stage.ground.step();
    hand.pose();
    if (row) gizmo?.pose(row);
    stage.render();
    if (cast && row) cast.labels.pose(row, stage.camera, lit, state.overlays.names.get());
  }

  function picture(): HTMLCanvasElement {
    draw();
    const still = h("canvas", { width: canvas.width, height: canvas.height });
    const pen = still.getContext("2d", { alpha: false, willReadFrequently: true })!;
    // The sky is the page's own.
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--surface").trim();
    pen.fillRect(0, 0, still.width, still.height);
    pen.drawImage(canvas, 0, 0);
    cast?.labels.write(pen, stage.renderer.getPixelRatio());
    return still;
  }

  state.scene.watch(stageScene);
  state.row.watch(changed);
  ghosts.watch(changed);
  state.curves.watch((points) => cast?.actors.curves(points, state.row.get()));
  state.surfaces.watch((values) => cast?.actors.surfaces(values, state.row.get()));
  state.selection.watch(relight);
  state.hovered.watch(relight);
  state.report.watch(relight);
  state.failure.watch(relight);
  for (const overlay of Object.values(state.overlays)) overlay.watch(changed);
  state.overlays.shadows.watch((on) => stage.shadows(on));
  state.overlays.wireframe.watch((on) => cast?.actors.wireframe(on));
  theme.watch((name) => {
    stage.paint();
    cast?.actors.paint();
    cast?.traces.width(name === "projector" ? 4 : 2.5);
    changed();
  });
  new ResizeObserver(() => {
    if (!held) stage.resize();
    changed();
  }).observe(host);
  stage.resize();

  watchPace(stage, () => held, () => dirty, draw);

  return {
    stage,
    viewpoint,
    focus(id) {
      const row = state.row.get();
      if (!cast || !row) return;
      const ids = kin(cast.scene, id);
      const frame = cast.scene.frames.find((frame) => ids.has(frame.id));
      if (!frame) return;
      viewpoint.focus(new THREE.Vector3(row[frame.at], row[frame.at + 1], row[frame.at + 2]), 0.08 * cast.size);
      viewpoint.choose({ kind: "follow", frame: frame.id });
      changed();
    },
    looking: () => ({ position: stage.camera.position.toArray(), target: viewpoint.controls.target.toArray() }),
    lookFrom(position, target) {
      viewpoint.lookFrom(position, target);
      changed();
    },
    gizmo(wishes) {
      gizmo = createGizmo(stage, host, viewpoint.controls, { ...wishes, changed });
      stage.scene.add(gizmo.object);
      return gizmo;
    },
    draw,
    picture,
    hold(width, height) {
      held = true;
      viewpoint.keepStill(true);
      stage.size(width, height);
      return () => {
        held = false;
        viewpoint.keepStill(false);
        stage.detail("fine");
        stage.resize();
        changed();
      };
    },
    waiting: () => coming > 0,
    thumbnail(width, height, sky) {
      draw();
      const small = h("canvas", { width, height });
      const scale = Math.min(canvas.width / width, canvas.height / height);
      const [w, t] = [width * scale, height * scale];
      const pen = small.getContext("2d", { alpha: !sky })!;
      if (sky) {
        pen.fillStyle = sky;
        pen.fillRect(0, 0, width, height);
      }
      pen.imageSmoothingQuality = "high";
      pen.drawImage(canvas, (canvas.width - w) / 2, (canvas.height - t) / 2, w, t, 0, 0, width, height);
      return small.toDataURL("image/webp", 0.7);
    },
    png: () => new Promise((answer, refuse) => picture().toBlob((blob) => (blob ? answer(blob) : refuse(new Error("no picture"))), "image/png")),
    drawn: () => cast?.actors.drawn() ?? {},
    screen(id) {
      // Where it is drawn, not where it will be with the next picture.
      draw();
      const row = state.row.get();
      const frame = cast?.scene.frames.find((frame) => frame.id === id);
      if (!row || !frame) return null;
      const point = new THREE.Vector3(row[frame.at], row[frame.at + 1], row[frame.at + 2]).project(stage.camera);
      const box = canvas.getBoundingClientRect();
      return { x: box.left + ((point.x + 1) / 2) * box.width, y: box.top + ((1 - point.y) / 2) * box.height };
    },
  };
}
