// Paths of things: a line through recorded positions up to the present moment, which fades into the ground the older it is.

import * as THREE from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { Scene } from "../protocol";
import { recording } from "../state";
import { PALETTE } from "./materials";

/// The most points in one line; longer paths are thinned out.
const MOST = 3000;

export interface Traces {
  readonly object: THREE.Group;
  /// Columns of the frames that have to be remembered.
  readonly columns: number[];
  draw(t: number): void;
  width(pixels: number): void;
}

export function createTraces(scene: Scene): Traces {
  const object = new THREE.Group();
  const shown = scene.traces.map(({ frame, at, color }, index) => ({
    at,
    colour: new THREE.Color(color ?? colourOf(scene, frame) ?? PALETTE[index % PALETTE.length]!),
    line: createLine(),
  }));
  for (const { line } of shown) object.add(line);
  let drawn = "";

  return {
    object,
    columns: shown.flatMap(({ at }) => [at, at + 1, at + 2]),
    draw(t) {
      const length = recording.until(t + 1e-9);
      const version = `${length}:${recording.version()}`;
      if (version === drawn) return;
      drawn = version;
      const ground = new THREE.Color(getComputedStyle(document.documentElement).getPropertyValue("--surface").trim());
      for (const { at: column, line, colour } of shown) {
        const [xs, ys, zs] = [0, 1, 2].map((axis) => recording.column(column + axis)) as [Float64Array, Float64Array, Float64Array];
        const stride = Math.max(1, Math.ceil(length / MOST));
        const points: number[] = [];
        for (let at = (length - 1) % stride; at < length; at += stride) if (!Number.isNaN(xs[at]!)) points.push(xs[at]!, ys[at]!, zs[at]!);
        line.visible = points.length >= 6;
        if (!line.visible) continue;
        line.geometry.dispose();
        line.geometry = new LineGeometry();
        line.geometry.setPositions(points);
        line.geometry.setColors(faded(colour, ground, points.length / 3));
      }
    },
    width(pixels) {
      for (const { line } of shown) line.material.linewidth = pixels;
    },
  };
}

/// How much of its colour the oldest point has.
const OLDEST = 0.12;

/// A colour for each of so many points, from nearly the ground's to its own.
function faded(colour: THREE.Color, ground: THREE.Color, count: number): number[] {
  const mixed = new THREE.Color();
  return Array.from({ length: count }, (_, at) => mixed.lerpColors(ground, colour, OLDEST + (1 - OLDEST) * (at / Math.max(1, count - 1)) ** 1.5).toArray()).flat();
}

function createLine(): Line2 {
  const line = new Line2(new LineGeometry(), new LineMaterial({ vertexColors: true, linewidth: 2.5, transparent: true, opacity: 0.85 }));
  line.frustumCulled = false;
  line.raycast = () => undefined;
  return line;
}

/// A path has the colour of what draws it.
function colourOf(scene: Scene, frame: string | null): string | null {
  const named = scene.shapes.find((shape) => frame !== null && shape.frame === frame)?.color ?? null;
  // A pale line is not seen on a pale ground.
  return named && !["white", "snow", "ivory", "lightgray", "black"].includes(named) ? named : null;
}
