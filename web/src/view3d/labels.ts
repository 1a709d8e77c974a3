// Names beside things, as text of the page over the picture.

import * as THREE from "three";
import { h } from "../dom";
import type { Scene } from "../protocol";

export interface Labels {
  pose(row: Float64Array, camera: THREE.Camera, lit: Set<string>, all: boolean): void;
  remove(): void;
}

export function createLabels(scene: Scene, host: HTMLElement): Labels {
  const layer = h("div", { class: "labels", "aria-hidden": "true" });
  host.append(layer);
  const labels = scene.frames.map((frame) => {
    const element = h("span", { class: frame.body ? "label body" : "label" }, frame.name);
    layer.append(element);
    return { frame, element };
  });
  const point = new THREE.Vector3();

  return {
    pose(row, camera, lit, all) {
      const { clientWidth, clientHeight } = host;
      for (const { frame, element } of labels) {
        const picked = lit.has(frame.id);
        point.set(row[frame.at]!, row[frame.at + 1]!, row[frame.at + 2]!).project(camera);
        const visible = (all || picked) && Math.abs(point.z) < 1;
        element.hidden = !visible;
        if (!visible) continue;
        element.classList.toggle("picked", picked);
        const x = ((point.x + 1) / 2) * clientWidth;
        const y = ((1 - point.y) / 2) * clientHeight;
        element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(12px, -50%)`;
      }
    },
    remove: () => layer.remove(),
  };
}
