// Live inputs from keyboard and gamepad: a key held down pushes a control to its end, released it goes back.

import type { Control, Scene } from "./protocol";
import type { Session } from "./session";
import * as state from "./state";

interface Keys {
  low: string;
  high: string;
  shown: [string, string];
}

/// Pairs of keys, in the order in which controls get them, with the axis of a gamepad; up on a stick is negative.
const PAIRS: (Keys & { axis: number; sign: 1 | -1 })[] = [
  { low: "ArrowDown", high: "ArrowUp", shown: ["↓", "↑"], axis: 1, sign: -1 },
  { low: "a", high: "d", shown: ["A", "D"], axis: 0, sign: 1 },
  { low: "s", high: "w", shown: ["S", "W"], axis: 3, sign: -1 },
  { low: "j", high: "l", shown: ["J", "L"], axis: 2, sign: 1 },
];

/// Below this a stick is at rest.
const DEAD = 0.12;

export function controlKeys(scene: Scene, index: number): Keys | null {
  return index < scene.controls.length ? (PAIRS[index] ?? null) : null;
}

export interface Controls {
  /// Gives true if the key belongs to a control.
  down(key: string): boolean;
  up(key: string): void;
}

export function createControls(session: Session): Controls {
  const held = new Set<string>();
  const sent = new Map<string, number>();
  const sticks = new Set<string>();

  function push(control: Control, share: number): void {
    const { low, high } = control.range;
    const value = share >= 0 ? control.default + share * (high - control.default) : control.default + share * (control.default - low);
    if (sent.get(control.name) === value) return;
    sent.set(control.name, value);
    session.control(control.name, value);
  }

  function pair(key: string): { control: Control; keys: Keys } | null {
    const index = PAIRS.findIndex(({ low, high }) => low === key || high === key);
    const control = state.scene.get()?.controls[index];
    return control ? { control, keys: PAIRS[index]! } : null;
  }

  function apply(key: string): boolean {
    const found = pair(key);
    if (!found) return false;
    push(found.control, Number(held.has(found.keys.high)) - Number(held.has(found.keys.low)));
    return true;
  }

  /// Sticks are read once in each picture while one is plugged in.
  function read(): void {
    const pads = navigator.getGamepads().filter((pad) => pad !== null);
    if (pads.length === 0) return;
    state.scene.get()?.controls.forEach((control, index) => {
      const { axis, sign } = PAIRS[index] ?? {};
      if (axis === undefined || sign === undefined) return;
      const lean = sign * (pads[0]!.axes[axis] ?? 0);
      if (Math.abs(lean) > DEAD) {
        sticks.add(control.name);
        push(control, lean);
      } else if (sticks.delete(control.name)) {
        push(control, 0);
      }
    });
    requestAnimationFrame(read);
  }
  window.addEventListener("gamepadconnected", () => requestAnimationFrame(read));
  window.addEventListener("blur", () => {
    const released = [...held];
    held.clear();
    released.forEach(apply);
  });
  state.scene.watch(() => sent.clear());

  return {
    down(key) {
      if (!pair(key)) return false;
      held.add(key);
      return apply(key);
    },
    up(key) {
      if (held.delete(key)) apply(key);
    },
  };
}
