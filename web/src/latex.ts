// Formulas as the page shows them.

import katex from "katex";
import "katex/dist/katex.min.css";
import { h } from "./dom";

/// A formula; if it cannot be set, its source.
export function typeset(latex: string): HTMLElement {
  const element = h("span", { class: "math" });
  try {
    // Fractions as large as on a board.
    katex.render(`\\displaystyle ${latex}`, element, { displayMode: false, throwOnError: true, strict: "ignore", trust: ({ command }) => command === "\\htmlData", maxExpand: 2000 });
    // Whoever reads the source wants the formula alone.
    element.querySelector("annotation")?.replaceChildren(latex);
  } catch {
    element.replaceChildren(h("code", {}, latex));
  }
  return element;
}
