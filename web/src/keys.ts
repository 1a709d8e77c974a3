// The keys of the studio, in one table: what they do, and what the help says of them. They never act while someone types.

import type { Controls } from "./controls";
import { things } from "./links";
import type { Session } from "./session";
import * as state from "./state";
import { theme, THEMES, type Theme } from "./theme";

export interface Wishes {
  help(): void;
  nextCamera(): void;
  focusSelected(): void;
  /// The tab with this number, from 1.
  tab(index: number): void;
  /// What only the studio can do.
  studio?: { gallery(): void; plotSelected(): void; save(): void; editText(): void };
}

interface Key {
  keys: string[];
  shown: string;
  meaning: string;
  /// Means something only where there is a compiler, and so a text.
  studio?: true;
  act(session: Session, wishes: Wishes, key: string): void;
}

export const KEYS: Key[] = [
  { keys: [" "], shown: "Space", meaning: "play or pause", act: (session) => session.toggle() },
  { keys: ["ArrowRight"], shown: "→", meaning: "one frame on", act: (session) => session.send({ type: "step" }) },
  { keys: ["ArrowLeft"], shown: "←", meaning: "one frame back", act: (session) => session.send({ type: "back" }) },
  { keys: ["Backspace"], shown: "Backspace", meaning: "back to the start", act: (session) => session.send({ type: "reset" }) },
  { keys: ["-"], shown: "-", meaning: "slower", act: (session) => session.hasten(-1) },
  { keys: ["=", "+"], shown: "=", meaning: "faster", act: (session) => session.hasten(1) },
  { keys: ["]"], shown: "]", meaning: "select the next thing", act: () => walk(1) },
  { keys: ["["], shown: "[", meaning: "select the one before", act: () => walk(-1) },
  { keys: ["Escape"], shown: "Esc", meaning: "select nothing", act: () => state.selection.set(null) },
  { keys: ["p"], shown: "P", meaning: "plot what is selected", studio: true, act: (_, wishes) => wishes.studio?.plotSelected() },
  { keys: ["f"], shown: "F", meaning: "look closer at what is selected", act: (_, wishes) => wishes.focusSelected() },
  { keys: ["c"], shown: "C", meaning: "next camera", act: (_, wishes) => wishes.nextCamera() },
  { keys: ["e"], shown: "E", meaning: "edit the text", studio: true, act: (_, wishes) => wishes.studio?.editText() },
  { keys: ["g"], shown: "G", meaning: "gallery of scenes", studio: true, act: (_, wishes) => wishes.studio?.gallery() },
  { keys: ["1", "2", "3", "4", "5", "6", "7", "8"], shown: "1 … 8", meaning: "panels below the picture", act: (_, wishes, key) => wishes.tab(Number(key)) },
  ...(Object.entries(state.OVERLAYS) as [state.Overlay, string][]).map(([overlay, text]): Key => {
    const key = state.OVERLAY_KEYS[overlay];
    return { keys: [key], shown: key.toUpperCase(), meaning: `show or hide: ${text.toLowerCase()}`, act: () => state.overlays[overlay].set(!state.overlays[overlay].get()) };
  }),
  { keys: ["t"], shown: "T", meaning: "light, dark, projector", act: () => theme.set(THEMES[(THEMES.indexOf(theme.get() as Theme) + 1) % THEMES.length]!) },
  { keys: ["?"], shown: "?", meaning: "this help", act: (_, wishes) => wishes.help() },
];

/// Keys that act elsewhere, for the help.
export const ELSEWHERE: Pick<Key, "shown" | "meaning" | "studio">[] = [
  { shown: "Ctrl S", meaning: "save the text", studio: true },
  { shown: "Ctrl Enter", meaning: "plot the quantity at the cursor", studio: true },
  { shown: "F12", meaning: "go to where the name at the cursor is declared", studio: true },
  { shown: "F2", meaning: "give the name at the cursor another one", studio: true },
  { shown: "Ctrl Shift O", meaning: "list what there is in the text", studio: true },
  { shown: "drag a body", meaning: "pull it with a spring; while paused, pose it", studio: true },
  { shown: "drag the ground", meaning: "turn the view; right button: move it; wheel: zoom" },
  { shown: "double click", meaning: "focus on a thing and follow it" },
];

export function listenToKeys(session: Session, controls: Controls, wishes: Wishes): void {
  document.addEventListener("keydown", (event) => {
    if (wishes.studio && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      wishes.studio.save();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target) || document.querySelector("dialog[open]")) return;
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // A button that has the focus is pressed with Space and Enter, as everywhere.
    if (event.key === " " && event.target instanceof HTMLElement && event.target.closest("button, select, [role=tab], summary")) return;
    if (usesArrows(event.target) && event.key.startsWith("Arrow")) return;
    if (!event.repeat && controls.down(letter)) {
      event.preventDefault();
      return;
    }
    const key = KEYS.find(({ keys, studio }) => keys.includes(letter) && (!studio || wishes.studio));
    if (!key) return;
    event.preventDefault();
    key.act(session, wishes, letter);
  });
  document.addEventListener("keyup", (event) => controls.up(event.key.length === 1 ? event.key.toLowerCase() : event.key));
}

/// Whether keys go into a text.
function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "range");
}

/// Whether the arrows mean something where the focus is: a slider (but not the strip of time), a menu, a list.
function usesArrows(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (target instanceof HTMLInputElement && target.type === "range" && !target.classList.contains("track")) || target.closest("[role=tablist], [role=menu], select") !== null;
}

function walk(step: number): void {
  const scene = state.scene.get();
  if (!scene) return;
  const all = things(scene);
  if (all.length === 0) return;
  const at = all.indexOf(state.selection.get() ?? "");
  const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length;
  state.selection.set(all[next]!);
}
