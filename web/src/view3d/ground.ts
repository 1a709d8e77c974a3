// The ground: a grid that fades with distance and catches shadows.

import * as THREE from "three";
import { reducedMotion } from "../theme";

export interface Ground {
  readonly object: THREE.Object3D;
  /// Chooses the width of cells for a scene of this size, in metres.
  fit(size: number, centre: THREE.Vector3): void;
  /// Lies just below this height; moves there softly.
  under(height: number): void;
  paint(line: THREE.Color, strength: number, shadow: number): void;
  step(): void;
}

export function createGround(): Ground {
  const plane = new THREE.PlaneGeometry(1, 1, 48, 48);
  const material = new THREE.ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    uniforms: {
      cell: { value: 1 },
      reach: { value: 10 },
      centre: { value: new THREE.Vector2() },
      colour: { value: new THREE.Color() },
      strength: { value: 1 },
    },
  });
  const uniforms = material.uniforms as Record<string, THREE.IUniform>;
  const grid = new THREE.Mesh(plane, material);
  const shade = new THREE.ShadowMaterial({ opacity: 0.2, depthWrite: false });
  const floor = new THREE.Mesh(plane, shade);
  floor.receiveShadow = true;
  grid.renderOrder = -2;
  floor.renderOrder = -1;
  const object = new THREE.Group();
  object.add(floor, grid);
  let cell = 1;
  let goal = 0;
  let placed = false;

  return {
    object,
    fit(size, centre) {
      cell = niceNumber(size / 6);
      const reach = size * 5;
      uniforms.cell!.value = cell;
      uniforms.reach!.value = reach;
      (uniforms.centre!.value as THREE.Vector2).set(centre.x, centre.y);
      for (const part of [floor, grid]) {
        part.scale.set(2 * reach, 2 * reach, 1);
        part.position.set(centre.x, centre.y, 0);
      }
      placed = false;
    },
    under(height) {
      // In whole steps, so that it does not creep along with a swinging bob.
      const step = cell / 2;
      const wanted = Math.floor(height / step + 1e-6) * step;
      if (!placed) object.position.z = goal = wanted;
      else goal = Math.min(goal, wanted);
      placed = true;
    },
    paint(line, strength, shadow) {
      (uniforms.colour!.value as THREE.Color).copy(line);
      uniforms.strength!.value = strength;
      shade.opacity = shadow;
    },
    step() {
      const rest = goal - object.position.z;
      object.position.z = reducedMotion() || Math.abs(rest) < cell * 1e-3 ? goal : object.position.z + 0.2 * rest;
    },
  };
}

/// The nearest of 1, 2, 5, 10, … not above x.
export function niceNumber(x: number): number {
  const decade = 10 ** Math.floor(Math.log10(x));
  const lead = x / decade;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * decade;
}

const VERTEX = `
  varying vec2 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const FRAGMENT = `
  varying vec2 place;
  uniform float cell, reach, strength;
  uniform vec2 centre;
  uniform vec3 colour;
  float lines(float width) {
    vec2 at = place / width;
    vec2 slope = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(slope, 1e-6);
    float fine = 1.0 - clamp(max(slope.x, slope.y) * 2.0, 0.0, 1.0);
    return (1.0 - min(min(near.x, near.y), 1.0)) * fine;
  }
  void main() {
    float far = length(place - centre) / reach;
    float fade = pow(clamp(1.0 - far, 0.0, 1.0), 1.6);
    float line = max(0.45 * lines(cell), lines(cell * 5.0));
    float alpha = line * fade * strength;
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(colour, alpha);
    #include <colorspace_fragment>
  }`;
