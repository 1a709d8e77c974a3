// Paths of things: a line through recorded positions up to the present moment.

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
    line: createLine(color ?? colourOf(scene, frame) ?? PALETTE[index % PALETTE.length]!),
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
      for (const { at: column, line } of shown) {
        const [xs, ys, zs] = [0, 1, 2].map((axis) => recording.column(column + axis)) as [Float64Array, Float64Array, Float64Array];
        const stride = Math.max(1, Math.ceil(length / MOST));
        const points: number[] = [];
        for (let at = (length - 1) % stride; at < length; at += stride) if (!Number.isNaN(xs[at]!)) points.push(xs[at]!, ys[at]!, zs[at]!);
        line.visible = points.length >= 6;
        if (!line.visible) continue;
        line.geometry.dispose();
        line.geometry = new LineGeometry();
        line.geometry.setPositions(points);
      }
    },
    width(pixels) {
      for (const { line } of shown) line.material.linewidth = pixels;
    },
  };
}

function createLine(colour: string): Line2 {
  const line = new Line2(new LineGeometry(), new LineMaterial({ color: colour, linewidth: 2.5, transparent: true, opacity: 0.75 }));
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
