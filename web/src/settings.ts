// What was set by hand, as the command line has it.

import * as state from "./state";

/// Sliders that stand elsewhere than the text says, in the units of the text.
export function changedParameters(): string[] {
  const now = state.status.get()?.parameters ?? {};
  const moved = (state.scene.get()?.parameters ?? []).filter(({ name, default: written }) => now[name] !== undefined && now[name] !== written);
  return moved.map(({ name, unit }) => `${name}=${now[name]! / unit.scale}`);
}
