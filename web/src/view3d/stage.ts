// The stage: renderer, light and ground. It knows nothing of mechanics.

import * as THREE from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { h } from "../dom";
import { createGround, type Ground } from "./ground";

export interface Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene: THREE.Scene;
  readonly camera: THREE.PerspectiveCamera;
  readonly ground: Ground;
  /// Sets light and camera range for a scene of this extent.
  fit(centre: THREE.Vector3, size: number): void;
  /// Gathers the shadows where one looks: a point, and how far away it is.
  aim(point: THREE.Vector3, distance: number): void;
  /// Directions from which light falls; none means the studio's own key light.
  lights(directions: THREE.Vector3[]): void;
  shadows(on: boolean): void;
  /// Takes the colours of the theme from the style sheet.
  paint(): void;
  /// Fewer pixels while a slow machine has to draw many pictures, all of them when it rests.
  detail(level: "fine" | "coarse"): void;
  /// Takes the size of its place in the page.
  resize(): void;
  /// Exactly so many pixels, whatever there is place for.
  size(width: number, height: number): void;
  /// How many pixels of the page a metre has at a place.
  pixels(place: THREE.Vector3): number;
  render(): void;
}

const KEY_LIGHT = new THREE.Vector3(0.9, -1.1, 2.2);

export function createStage(host: HTMLElement): Stage {
  const renderer = createRenderer() ?? blind(host);
  const fine = Math.min(window.devicePixelRatio, 2);
  renderer.setPixelRatio(fine);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  renderer.toneMapping = THREE.NeutralToneMapping;
  host.append(renderer.domElement);

  const scene = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
  camera.up.set(0, 0, 1);
  camera.position.set(4, -4, 2);

  // Reflections of a bright room; without graphics hardware they cost seconds, and plain light from all sides has to do.
  const reflecting = !drawsInSoftware(renderer);
  if (reflecting) {
    const room = new THREE.PMREMGenerator(renderer);
    scene.environment = room.fromScene(new RoomEnvironment(), 0.04).texture;
    scene.environmentRotation.set(Math.PI / 2, 0, 0);
    room.dispose();
  }
  const fill = new THREE.HemisphereLight(0xffffff, 0xa8adb8, 0.5);
  fill.position.set(0, 0, 1);
  scene.add(fill);
  const ground = createGround();
  scene.add(ground.object);
  const suns = new THREE.Group();
  scene.add(suns);
  const extent = { centre: new THREE.Vector3(), size: 2 };
  /// Where shadows are cast: around a point, this far.
  const shade = { centre: new THREE.Vector3(), reach: 3 };
  let directions: THREE.Vector3[] = [];
  let casting = true;
  let dark = false;

  function light(): void {
    suns.clear();
    const from = directions.length ? directions : [KEY_LIGHT];
    from.forEach((direction, index) => suns.add(...sun(direction, index === 0)));
  }

  function sun(direction: THREE.Vector3, first: boolean): THREE.Object3D[] {
    const lamp = new THREE.DirectionalLight(0xfffaf2, (dark ? 2.6 : 2.9) / Math.max(1, directions.length));
    const { centre, reach } = shade;
    lamp.target.position.copy(centre);
    lamp.position.copy(centre).addScaledVector(direction.clone().normalize(), 3 * reach);
    if (first && casting) {
      lamp.castShadow = true;
      Object.assign(lamp.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * reach, far: 8 * reach });
      lamp.shadow.mapSize.set(2048, 2048);
      lamp.shadow.radius = 3;
      lamp.shadow.bias = -0.0004;
      lamp.shadow.normalBias = 0.0012 * reach;
    }
    return [lamp, lamp.target];
  }

  function size(width: number, height: number): void {
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
  }

  return {
    renderer,
    scene,
    camera,
    ground,
    fit(centre, size) {
      extent.centre.copy(centre);
      extent.size = size;
      camera.near = size / 500;
      camera.far = size * 60;
      camera.updateProjectionMatrix();
      ground.fit(size, centre);
      shade.centre.copy(centre);
      shade.reach = 1.6 * size;
      light();
    },
    aim(point, distance) {
      const reach = Math.min(1.6 * extent.size, Math.max(1.4 * distance, 0.1 * extent.size));
      const near = point.distanceTo(shade.centre) < 0.35 * reach && reach > 0.6 * shade.reach && reach < 1.4 * shade.reach;
      const everything = reach === 1.6 * extent.size && shade.reach === reach;
      if (near || everything) return;
      shade.centre.copy(point);
      shade.reach = reach;
      light();
    },
    lights(from) {
      directions = from;
      light();
    },
    shadows(on) {
      casting = on;
      light();
    },
    paint() {
      const style = getComputedStyle(document.documentElement);
      const colour = (name: string) => new THREE.Color(style.getPropertyValue(name).trim());
      const theme = document.documentElement.dataset.theme;
      dark = theme === "dark";
      scene.environmentIntensity = dark ? 0.3 : 0.42;
      fill.intensity = (dark ? 0.35 : 0.5) + (reflecting ? 0 : 1.8);
      renderer.toneMappingExposure = dark ? 0.78 : 1;
      ground.paint(colour("--ink-2"), theme === "projector" ? 0.45 : dark ? 0.35 : 0.4, dark ? 0.55 : 0.3);
      light();
    },
    detail: (level) => renderer.setPixelRatio(level === "fine" ? fine : 0.5 * fine),
    resize() {
      if (host.clientWidth > 0 && host.clientHeight > 0) size(host.clientWidth, host.clientHeight);
    },
    size(width, height) {
      renderer.setPixelRatio(1);
      size(width, height);
    },
    pixels: (place) => host.clientHeight / (2 * camera.position.distanceTo(place) * Math.tan(THREE.MathUtils.degToRad(camera.fov) / 2)),
    render() {
      renderer.render(scene, camera);
    },
  };
}

/// None where the browser does not draw in three dimensions.
function createRenderer(): THREE.WebGLRenderer | null {
  // Asked before, because the library complains of it at length.
  if (!document.createElement("canvas").getContext("webgl2")) return null;
  try {
    return new THREE.WebGLRenderer({ antialias: true, alpha: true, powerPreference: "high-performance" });
  } catch {
    return null;
  }
}

/// Stands where a renderer would, draws nothing and says so: numbers, plots and equations are there all the same.
function blind(host: HTMLElement): THREE.WebGLRenderer {
  host.append(h("p", { class: "empty", role: "status" }, "This browser draws nothing in three dimensions: WebGL is missing or switched off. Plots, equations and numbers are all here."));
  const nothing = { domElement: h("canvas", {}), shadowMap: {}, setPixelRatio() {}, getPixelRatio: () => 1, setSize() {}, render() {}, getContext: () => null };
  return nothing as unknown as THREE.WebGLRenderer;
}

function drawsInSoftware(renderer: THREE.WebGLRenderer): boolean {
  const gl = renderer.getContext() as WebGLRenderingContext | null;
  // What draws nothing is spared the reflections too.
  if (!gl) return true;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  return names !== null && /swiftshader|llvmpipe|software/i.test(String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)));
}
