// Light, dark, projector.

import { remembered } from "./store";

export const THEMES = ["light", "dark", "projector"] as const;
export type Theme = (typeof THEMES)[number];

const preferred: Theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

export const theme = remembered("theme", preferred as string);

theme.watch((name) => {
  document.documentElement.dataset.theme = THEMES.includes(name as Theme) ? name : preferred;
});

/// Whether the user asked the system for less motion; then nothing glides, it jumps.
export const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
