// The derived equations as they would stand on a board, in a form to choose, with what can be opened, copied and checked.

import { announce, h, reveal } from "../dom";
import { typeset } from "../latex";
import { aliases, lights } from "../links";
import type { Copy, Definition, Equation, Equations, Scene } from "../protocol";
import * as state from "../state";
import { remembered } from "../store";

interface Row {
  id: string;
  mentions: string[];
  element: HTMLElement;
  more: HTMLElement | null;
}

/// How people call the forms; the first is the one that a scene has without being asked.
const FORMS: Record<string, string> = { lagrangian: "Lagrangian", "newton-euler": "Newton–Euler", "state-space": "State space", derivation: "Derivation" };
const NOTATIONS: Record<string, string> = { latex: "LaTeX", typst: "Typst", sympy: "SymPy" };

export function createEquations(host: HTMLElement): void {
  const only = remembered("equations.only", false);
  const form = remembered("equations.form", "lagrangian");
  const box = h("input", { type: "checkbox", id: "only-selected" });
  box.checked = only.get();
  box.addEventListener("change", () => only.set(box.checked));
  const choice = h("select", { id: "equations-form", "aria-label": "Form of the equations", onchange: () => form.set(choice.value) });
  const count = h("span", { class: "quiet" });
  const all = h("span", { class: "copies", role: "group", "aria-label": "Copy all equations" });
  const body = h("div", { class: "equations" });
  host.append(h("div", { class: "panel-tools" }, choice, count, h("span", { class: "grow" }), all, h("label", {}, box, "Only what concerns the selection")), body);
  let rows: Row[] = [];
  let definitions: Definition[] = [];

  // A formula is set when it comes into sight: a train of cars has hundreds of them.
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      target.replaceChildren(typeset((target as HTMLElement).dataset.latex!));
    }
  }, { root: host, rootMargin: "200px" });

  /// A formula whose named parts open where they are clicked.
  function formula(latex: string): HTMLElement {
    const element = h("span", { class: "formula", "data-latex": latex });
    element.addEventListener("click", (event) => {
      const part = (event.target as HTMLElement).closest<HTMLElement>("[data-part]");
      if (!part) return;
      event.stopPropagation();
      open(element, Number(part.dataset.part));
    });
    sight.observe(element);
    return element;
  }

  function open(element: HTMLElement, part: number): void {
    element.dataset.latex = opened(element.dataset.latex!, part, definitions[part]!.value);
    element.replaceChildren(typeset(element.dataset.latex));
  }

  function row(id: string, label: string, latex: string, mentions: string[], more: HTMLElement | null): HTMLElement {
    const element = h("button", { class: "equation", "data-id": id, onclick: () => state.selection.set(state.selection.get() === id ? null : id) }, h("span", { class: "equation-label" }, label), formula(latex));
    rows.push({ id, mentions, element, more });
    return h("li", {}, element, more);
  }

  /// What is said of an equation that is selected, and what can be done with it.
  function remarks({ label, latex, copies, remarks }: Equation): HTMLElement {
    const parts = h("button", { class: "small", onclick: () => {
      const element = parts.closest("li")!.querySelector<HTMLElement>(".formula")!;
      for (const part of partsOf(element.dataset.latex!)) open(element, part);
      reveal(parts, partsOf(element.dataset.latex!).length > 0);
    } }, "Open named parts");
    reveal(parts, partsOf(latex).length > 0);
    const said = remarks.map((remark) => h("span", { class: "quiet" }, remark));
    return h("div", { class: "equation-more", hidden: true }, ...said, parts, h("span", { class: "copies", role: "group", "aria-label": `Copy ${label}` }, ...copyButtons(copies)));
  }

  function group(title: string, items: HTMLElement[]): HTMLElement | null {
    return items.length ? h("section", {}, h("h2", {}, title), h("ul", {}, ...items)) : null;
  }

  function build(): void {
    sight.disconnect();
    rows = [];
    const scene = state.scene.get();
    if (!scene) return body.replaceChildren();
    const shown = inForm(scene, form.get());
    // Where there are many equations, they come in one form only.
    const forms = Object.entries(FORMS).filter(([value]) => value === "lagrangian" || scene.equations.others.some(({ name }) => name === value));
    choice.replaceChildren(...forms.map(([value, name]) => h("option", { value }, name)));
    choice.value = forms.some(([value]) => value === form.get()) ? form.get() : "lagrangian";
    definitions = shown.definitions;
    const { list } = shown;
    const roles = [...new Set(list.map((equation) => equation.role))];
    const sections = roles.map((role) => group(headingFor(role), list.filter((equation) => equation.role === role).map((equation) => row(equation.id, equation.label, equation.latex, equation.mentions, remarks(equation)))));
    const where = group("Where", definitions.map(({ id, name, latex, mentions }) => row(id, name, latex, mentions, null)));
    const legend = shown.legend.length ? h("section", { class: "letters" }, h("h2", {}, "Letters"), h("p", {}, ...shown.legend.map(({ latex, word }) => h("span", {}, typeset(latex), " ", h("code", {}, word))))) : null;
    body.replaceChildren(...[...sections, where, legend].filter((section) => section !== null));
    const named = definitions.length ? `, ${definitions.length} named parts` : "";
    const checked = list.filter(({ remarks }) => remarks.some((remark) => remark.includes("random points"))).length;
    count.textContent = `${list.length} equations${named}; ${checked} simplified and checked`;
    all.replaceChildren("Copy all: ", ...copyButtons(shown.copies));
    lightUp();
  }

  function lightUp(): void {
    const selected = state.selection.get();
    const scene = state.scene.get();
    const names = scene ? aliases(scene, selected) : new Set<string>();
    for (const { id, mentions, element, more } of rows) {
      const lit = lights(names, id, mentions);
      element.classList.toggle("picked", lit);
      element.setAttribute("aria-pressed", String(selected === id));
      if (more) reveal(more, selected === id);
      reveal(element.parentElement!, !only.get() || selected === null || lit);
    }
    for (const section of body.querySelectorAll<HTMLElement>("section:not(.letters)")) reveal(section, section.querySelector("li:not([hidden])") !== null);
    const first = rows.find(({ element }) => element.classList.contains("picked"));
    if (first && host.offsetParent && document.activeElement?.closest(".equations") === null) first.element.scrollIntoView({ block: "nearest" });
  }

  state.scene.watch(build);
  form.watch(build);
  state.selection.watch(lightUp);
  only.watch(lightUp);
}

/// The equations in a form; in that of Lagrange if there is no such form.
export function inForm(scene: Scene, name: string): Equations {
  return scene.equations.others.find((other) => other.name === name)?.equations ?? scene.equations;
}

const PART = /\\htmlData\{part=(\d+)\}\{k_\{\d+\}\}/g;

/// The named parts of a formula, by their places.
export function partsOf(latex: string): number[] {
  return [...new Set([...latex.matchAll(PART)].map((match) => Number(match[1])))];
}

/// A formula with what a part stands for in its place.
export function opened(latex: string, part: number, value: string): string {
  return latex.replace(PART, (mark, at: string) => (Number(at) === part ? `\\left(${value}\\right)` : mark));
}

function copyButtons(copies: Copy[]): HTMLElement[] {
  return copies.map(({ notation, text }) => h("button", { class: "small", onclick: () => void copy(text, NOTATIONS[notation] ?? notation) }, NOTATIONS[notation] ?? notation));
}

async function copy(text: string, notation: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied as ${notation}.`);
    state.notice.set({ text: `Copied as ${notation}.`, hint: text.length > 120 ? `${text.slice(0, 120)}…` : text, bad: false });
  } catch {
    state.notice.set({ text: "The clipboard is out of reach here.", hint: `\`ansatz explain --equations --as ${notation.toLowerCase()}\` prints the same.`, bad: true });
  }
}

/// `equations of motion` as a heading.
function headingFor(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}
