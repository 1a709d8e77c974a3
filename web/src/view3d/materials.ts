// What shapes are made of: colour, gloss, glass, marks that show a ball rolling, and the outline of what is selected.

import * as THREE from "three";

/// For shapes without a colour of their own.
export const PALETTE = ["#3b6fd4", "#e0663a", "#3d9970", "#b5508f", "#c9a227", "#4aa3b8", "#8c6bc0"];

/// CSS names that look wrong as the colour of a solid in light: pure black swallows all shape.
const SOFTENED: Record<string, string> = { black: "#2b2e33", white: "#f4f4f2" };

export function solid(colour: string | null, index: number, opacity: number): THREE.MeshStandardMaterial {
  const name = colour?.toLowerCase() ?? PALETTE[index % PALETTE.length]!;
  const material = new THREE.MeshStandardMaterial({ color: SOFTENED[name] ?? name, roughness: 0.42, metalness: 0.02 });
  if (/silver|gray|grey|steel|gold/.test(name)) {
    material.metalness = 0.2;
    material.roughness = 0.36;
  }
  setOpacity(material, opacity);
  return material;
}

export function setOpacity(material: THREE.MeshStandardMaterial, opacity: number): void {
  material.opacity = opacity;
  material.transparent = opacity < 1;
  material.depthWrite = opacity >= 1;
  material.side = opacity < 1 ? THREE.DoubleSide : THREE.FrontSide;
  // Both sides of glass are drawn, the far one first.
  material.forceSinglePass = false;
  material.needsUpdate = true;
}

let grid: THREE.Texture | null = null;

/// Fine lines on a floor, one cell of them.
export function gridMarks(): THREE.Texture {
  if (grid) return grid;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, 256, 256);
  pen.strokeStyle = "#b2b8c2";
  pen.lineWidth = 3;
  pen.strokeRect(0, 0, 256, 256);
  grid = new THREE.CanvasTexture(canvas);
  grid.wrapS = grid.wrapT = THREE.RepeatWrapping;
  grid.colorSpace = THREE.SRGBColorSpace;
  grid.anisotropy = 8;
  return grid;
}

let marks: THREE.Texture | null = null;

/// A faint chequer, so that one sees a round thing turn.
export function turningMarks(): THREE.Texture {
  if (marks) return marks;
  const canvas = document.createElement("canvas");
  canvas.width = 512;
  canvas.height = 256;
  const pen = canvas.getContext("2d")!;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, 512, 256);
  pen.fillStyle = "#b9bcc4";
  for (let column = 0; column < 8; column++) {
    for (let row = 0; row < 4; row++) if ((column + row) % 2) pen.fillRect(column * 64, row * 64, 64, 64);
  }
  marks = new THREE.CanvasTexture(canvas);
  marks.colorSpace = THREE.SRGBColorSpace;
  marks.anisotropy = 4;
  return marks;
}

/// A hull around what is selected: the mesh drawn inside out, moved outwards by a width on the screen.
export function outline(): THREE.ShaderMaterial {
  return new THREE.ShaderMaterial({
    side: THREE.BackSide,
    uniforms: { colour: { value: new THREE.Color() }, width: { value: 0.006 } },
    vertexShader: `
      uniform float width;
      void main() {
        vec4 clip = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        vec3 outward = normalize(normalMatrix * normal);
        vec2 shift = normalize((projectionMatrix * vec4(outward, 0.0)).xy + 1e-6);
        clip.xy += shift * width * clip.w;
        gl_Position = clip;
      }`,
    fragmentShader: `
      uniform vec3 colour;
      void main() {
        gl_FragColor = vec4(colour, 1.0);
        #include <colorspace_fragment>
      }`,
  });
}
