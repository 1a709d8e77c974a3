// How the program was made: counts, classes, the decomposition into systems as a diagram, operations saved, time taken.

import { h, svg } from "../dom";
import { aliases, idsOf, lights, nameOf } from "../links";
import { show } from "../number";
import type { Making, Scene, SystemNode } from "../protocol";
import * as state from "../state";
import { inkFor } from "./chart";
import { layers } from "./layers";

export function createMaking(host: HTMLElement): void {
  const body = h("div", { class: "making" });
  host.append(body);
  let wires: () => void = () => undefined;

  state.scene.watch((scene) => {
    if (!scene) return body.replaceChildren();
    const { making } = scene;
    const flow = diagram(scene);
    wires = flow.wires;
    const parts = [
      h(
        "div",
        { class: "figures" },
        figure(making.variables, making.variables === 1 ? "coordinate" : "coordinates"),
        figure(making.constraints, making.constraints === 1 ? "constraint" : "constraints"),
        figure(making.degreesOfFreedom, making.degreesOfFreedom === 1 ? "degree of freedom" : "degrees of freedom"),
      ),
      h("section", {}, h("h2", {}, "Classification"), classes(making)),
      h("section", {}, h("h2", {}, "Decomposition"), flow.element),
      making.redundant.length > 0 && section("Redundant constraints, dropped", chips(making.redundant)),
      making.operations.length > 0 && section("Operations", operations(making)),
      making.timing.length > 0 && section(`Time to make: ${show(making.timing.reduce((sum, part) => sum + part.milliseconds, 0), 3)} ms`, timing(making)),
    ];
    body.replaceChildren(...parts.filter((part) => part !== false));
    lightUp();
    requestAnimationFrame(wires);
  });
  state.selection.watch(lightUp);
  new ResizeObserver(() => wires()).observe(host);

  function lightUp(): void {
    const selected = state.selection.get();
    const scene = state.scene.get();
    if (!scene) return;
    const names = aliases(scene, selected);
    for (const element of body.querySelectorAll<HTMLElement>("[data-id]")) {
      const id = element.dataset.id!;
      const members = element.dataset.members?.split("\n") ?? [];
      element.classList.toggle("picked", lights(names, id, members));
    }
  }
}

function section(title: string, ...content: HTMLElement[]): HTMLElement {
  return h("section", {}, h("h2", {}, title), ...content);
}

function figure(number: number, what: string): HTMLElement {
  return h("div", { class: "figure" }, h("strong", {}, String(number)), h("span", {}, what));
}

function chips(ids: string[]): HTMLElement {
  return h("div", { class: "chips" }, ...[...new Set(ids)].map((id) => h("button", { class: "chip", "data-id": id, onclick: () => state.selection.set(id) }, nameOf(id))));
}

function classes(making: Making): HTMLElement {
  const rows = making.classes.filter((entry) => entry.members.length > 0);
  return h("div", { class: "classes" }, ...rows.flatMap(({ name, meaning, members }) => [h("span", { class: "badge" }, name), h("span", { class: "quiet" }, meaning), chips(members)]));
}

/// One row for each function of the program; systems stand right of those whose results they need.
function diagram(scene: Scene): { element: HTMLElement; wires(): void } {
  const { making } = scene;
  const lines = svg("svg", { "aria-hidden": "true" });
  const nodes = new Map<string, HTMLElement>();
  const functions = [...new Set(making.systems.map((system) => system.function))];
  const rows = functions.map((name) => {
    const systems = making.systems.filter((system) => system.function === name);
    const columns = layers(systems).map((layer) => h("div", { class: "flow-column" }, ...layer.map((system) => keep(system.id, node(scene, system)))));
    return h("div", { class: "flow-row" }, h("span", { class: "function" }, name), h("div", { class: "flow-nodes" }, ...columns));
  });
  const integrals = making.integrals.map(({ states }, index) =>
    h("div", { class: "flow-row" }, h("span", { class: "function" }, making.integrals.length > 1 ? `integrate ${index + 1}` : "integrate"), chips(states)),
  );
  const element = h("div", { class: "flow" }, lines, ...rows, ...integrals);
  if (making.systems.length + making.integrals.length === 0) element.append(h("p", { class: "quiet" }, "Nothing has to be solved or integrated."));

  function keep(id: string, element: HTMLElement): HTMLElement {
    nodes.set(id, element);
    return element;
  }

  function wires(): void {
    const origin = element.getBoundingClientRect();
    if (origin.width === 0) return;
    const paths = making.systems.flatMap((system) =>
      system.after.flatMap((before) => {
        const [from, to] = [nodes.get(before)?.getBoundingClientRect(), nodes.get(system.id)?.getBoundingClientRect()];
        if (!from || !to || from.right > to.left) return [];
        const [x1, y1] = [from.right - origin.left + element.scrollLeft, from.top + from.height / 2 - origin.top];
        const [x2, y2] = [to.left - origin.left + element.scrollLeft, to.top + to.height / 2 - origin.top];
        const bend = (x2 - x1) / 2;
        return [svg("path", { d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` })];
      }),
    );
    lines.replaceChildren(...paths);
  }
  return { element, wires };
}

function node(scene: Scene, system: SystemNode): HTMLElement {
  const { id, role, kind, equations, unknowns } = system;
  const size = equations.length;
  return h(
    "button",
    { class: `node ${kind}`, "data-id": id, "data-members": [...equations, ...unknowns].flatMap((label) => idsOf(scene, label)).join("\n"), title: `for ${unknowns.join(", ")}`, onclick: () => state.selection.set(id) },
    h("span", { class: "what" }, role),
    h("span", { class: "size" }, `${kind}, ${size} ${size === 1 ? "equation" : "equations"}`),
  );
}

function operations(making: Making): HTMLElement {
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", {}, "function"), h("th", {}, "as derived"), h("th", {}, "optimized"))),
    h("tbody", {}, ...making.operations.map(({ function: name, before, after }) => h("tr", {}, h("td", { class: "number" }, name), h("td", { class: "number" }, String(before)), h("td", { class: "number" }, String(after))))),
  );
}

function timing(making: Making): HTMLElement {
  const total = making.timing.reduce((sum, part) => sum + part.milliseconds, 0) || 1;
  const bar = h("div", { class: "timing", "aria-hidden": "true" });
  const legend = h("div", { class: "timing-legend" });
  making.timing.forEach(({ stage, milliseconds }, index) => {
    const part = h("span");
    part.style.width = `${(100 * milliseconds) / total}%`;
    part.style.background = inkFor(index);
    bar.append(part);
    const entry = h("span", {}, `${stage} ${show(milliseconds, 2)} ms`);
    entry.style.setProperty("--tint", inkFor(index));
    legend.append(entry);
  });
  return h("div", {}, bar, legend);
}
