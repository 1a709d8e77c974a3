// Names beside things, as text of the page over the picture.

import * as THREE from "three";
import { h } from "../dom";
import type { Scene } from "../protocol";

export interface Labels {
  pose(row: Float64Array, camera: THREE.Camera, lit: Set<string>, all: boolean): void;
  /// Those that are seen, into a picture that has so many pixels for one of the page.
  write(pen: CanvasRenderingContext2D, scale: number): void;
  remove(): void;
}

/// How far a name is from its point, in pixels of the page.
const BESIDE = 12;

export function createLabels(scene: Scene, host: HTMLElement): Labels {
  const layer = h("div", { class: "labels", "aria-hidden": "true" });
  host.append(layer);
  const labels = scene.frames.map((frame) => {
    const element = h("span", { class: frame.body ? "label body" : "label" }, frame.name);
    layer.append(element);
    return { frame, element, across: 0, down: 0 };
  });
  const point = new THREE.Vector3();

  return {
    pose(row, camera, lit, all) {
      const { clientWidth, clientHeight } = host;
      for (const label of labels) {
        const { frame, element } = label;
        const picked = lit.has(frame.id);
        point.set(row[frame.at]!, row[frame.at + 1]!, row[frame.at + 2]!).project(camera);
        const visible = (all || picked) && Math.abs(point.z) < 1;
        element.hidden = !visible;
        if (!visible) continue;
        element.classList.toggle("picked", picked);
        [label.across, label.down] = [(point.x + 1) / 2, (1 - point.y) / 2];
        element.style.transform = `translate(${(label.across * clientWidth).toFixed(1)}px, ${(label.down * clientHeight).toFixed(1)}px) translate(${BESIDE}px, -50%)`;
      }
    },
    write(pen, scale) {
      for (const { element, across, down } of labels) {
        if (element.hidden) continue;
        const style = getComputedStyle(element);
        pen.font = `${style.fontWeight} ${parseFloat(style.fontSize) * scale}px ${style.fontFamily}`;
        pen.textBaseline = "middle";
        pen.fillStyle = style.color;
        pen.fillText(element.textContent ?? "", across * pen.canvas.width + BESIDE * scale, down * pen.canvas.height);
      }
    },
    remove: () => layer.remove(),
  };
}
