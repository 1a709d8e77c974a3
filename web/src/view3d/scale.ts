// How long arrows are: one scale for all of a kind, in which the longest so far has a fixed length, so that they can be compared with one another and
// over time; and a bar with a round number that says what the scale is.

import { h, reveal } from "../dom";
import { show } from "../number";
import { overlays, type Overlay } from "../state";

/// The length of the longest arrow, in sizes of the scene.
const LONGEST = 0.32;

export interface Scale {
  /// A vector of this size is to be drawn.
  note(size: number): void;
  /// The largest vector so far.
  longest(): number;
  /// Metres in the picture for one unit; nothing before there is any vector.
  metres(sceneSize: number): number;
}

export function createScale(): Scale {
  let longest = 0;
  return {
    note: (size) => void (longest = Math.max(longest, size || 0)),
    longest: () => longest,
    metres: (sceneSize) => (longest > 0 ? (LONGEST * sceneSize) / longest : 0),
  };
}

/// What is drawn with which scale, and in which colour.
export interface Kind {
  scale: Scale;
  unit: string;
  drawn: { overlay: Overlay; word: string; colour: string }[];
}

export interface Legend {
  /// Shows how long a round number is, where a metre of the picture has so many pixels.
  show(kinds: Kind[], sceneSize: number, pixels: number): void;
}

/// Bars are about this long, in pixels.
const BAR = 90;

export function createLegend(host: HTMLElement): Legend {
  const element = h("div", { class: "scale-legend", role: "img", hidden: true });
  host.append(element);
  let last = "";
  return {
    show(kinds, sceneSize, pixels) {
      const rows = kinds.flatMap(({ scale, unit, drawn }) => {
        const seen = drawn.filter(({ overlay }) => overlays[overlay].get());
        const perUnit = scale.metres(sceneSize) * pixels;
        if (seen.length === 0 || !(perUnit > 0)) return [];
        const value = round(BAR / perUnit);
        return [{ seen, words: `${show(value)} ${unit}`, width: Math.round(value * perUnit) }];
      });
      const now = JSON.stringify(rows);
      if (now === last) return;
      last = now;
      reveal(element, rows.length > 0);
      element.setAttribute("aria-label", `Scale of arrows: ${rows.map(({ words, width }) => `${words} are ${width} pixels`).join(", ")}`);
      element.replaceChildren(...rows.flatMap(({ seen, words, width }) => [bar(words, width), ...seen.map(swatch)]));
    },
  };
}

function bar(words: string, width: number): HTMLElement {
  const line = h("span", { class: "scale-bar" });
  line.style.width = `${width}px`;
  return h("div", {}, line, h("span", { class: "number" }, words));
}

function swatch({ word, colour }: { word: string; colour: string }): HTMLElement {
  const dot = h("span", { class: "dot" });
  dot.style.background = colour;
  return h("div", { class: "quiet" }, dot, word);
}

/// The nearest of 1, 2, 5, 10, … that is not larger.
export function round(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}
