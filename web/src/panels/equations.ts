// The derived equations, typeset, with their named parts.

import { h, reveal } from "../dom";
import { typeset } from "../latex";
import { aliases, lights } from "../links";
import type { Scene } from "../protocol";
import * as state from "../state";
import { remembered } from "../store";

interface Row {
  id: string;
  mentions: string[];
  element: HTMLElement;
}

export function createEquations(host: HTMLElement): void {
  const only = remembered("equations.only", false);
  const box = h("input", { type: "checkbox", id: "only-selected" });
  box.checked = only.get();
  box.addEventListener("change", () => only.set(box.checked));
  const count = h("span", { class: "quiet" });
  const body = h("div", { class: "equations" });
  host.append(h("div", { class: "panel-tools" }, count, h("span", { class: "grow" }), h("label", {}, box, "Only what concerns the selection")), body);
  let rows: Row[] = [];

  // A formula is set when it comes into sight: a train of cars has hundreds of them.
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      target.replaceChildren(typeset((target as HTMLElement).dataset.latex!));
    }
  }, { root: host, rootMargin: "200px" });

  function row(id: string, label: string, latex: string, mentions: string[]): HTMLElement {
    const formula = h("span", { class: "formula", "data-latex": latex });
    sight.observe(formula);
    const element = h("button", { class: "equation", "data-id": id, onclick: () => state.selection.set(state.selection.get() === id ? null : id) }, h("span", { class: "equation-label" }, label), formula);
    rows.push({ id, mentions, element });
    return h("li", {}, element);
  }

  function group(title: string, items: HTMLElement[]): HTMLElement | null {
    return items.length ? h("section", {}, h("h2", {}, title), h("ul", {}, ...items)) : null;
  }

  function build(scene: Scene | null): void {
    sight.disconnect();
    rows = [];
    if (!scene) return body.replaceChildren();
    const { list, definitions } = scene.equations;
    const roles = [...new Set(list.map((equation) => equation.role))];
    const sections = roles.map((role) => group(headingFor(role), list.filter((equation) => equation.role === role).map(({ id, label, latex, mentions }) => row(id, label, latex, mentions))));
    const where = group("Where", definitions.map(({ name, latex, mentions }) => row(`definition:${name}`, name, latex, mentions)));
    body.replaceChildren(...[...sections, where].filter((section) => section !== null));
    const named = definitions.length ? `, ${definitions.length} named parts` : "";
    count.textContent = `${list.length} equations${named}`;
    lightUp();
  }

  function lightUp(): void {
    const selected = state.selection.get();
    const scene = state.scene.get();
    const names = scene ? aliases(scene, selected) : new Set<string>();
    for (const { id, mentions, element } of rows) {
      const lit = lights(names, id, mentions);
      element.classList.toggle("picked", lit);
      element.setAttribute("aria-pressed", String(selected === id));
      reveal(element.parentElement!, !only.get() || selected === null || lit);
    }
    for (const section of body.querySelectorAll("section")) reveal(section, section.querySelector("li:not([hidden])") !== null);
    const first = rows.find(({ element }) => element.classList.contains("picked"));
    if (first && host.offsetParent && document.activeElement?.closest(".equations") === null) first.element.scrollIntoView({ block: "nearest" });
  }

  state.scene.watch(build);
  state.selection.watch(lightUp);
  only.watch(lightUp);
}

/// `equations of motion` as a heading.
function headingFor(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}
