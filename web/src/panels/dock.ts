// What is behind the motion, in tabs below the picture.

import { find, h, reveal } from "../dom";
import { remembered } from "../store";

export interface Tab {
  name: string;
  build(host: HTMLElement): void;
  shown?(): void;
}

export interface Dock {
  /// Opens the tab with this number, from 0.
  open(index: number): void;
  /// The tab that is open.
  current(): number;
}

export function createDock(tabs: Tab[]): Dock {
  const current = remembered("dock.tab", 0);
  const closed = remembered("dock.closed", false);
  const bodies = tabs.map((tab, index) => h("div", { class: "tab-body", role: "tabpanel", id: `panel-${index}`, "aria-labelledby": `tab-${index}`, "aria-label": tab.name, tabindex: 0 }));
  const handles = tabs.map((tab, index) => h("button", { role: "tab", id: `tab-${index}`, "aria-controls": `panel-${index}`, onclick: () => open(index) }, tab.name));
  const fold = h("button", { class: "square", onclick: () => closed.set(!closed.get()), "aria-label": "Fold the panels away" }, "⌄");
  const list = h("div", { role: "tablist", "aria-label": "Behind the motion", class: "tab-list" }, ...handles);
  list.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    open((current.get() + step + tabs.length) % tabs.length);
    handles[current.get()]!.focus();
  });
  find("dock").append(h("div", { class: "tabs" }, list, h("span", { class: "grow" }), fold), ...bodies);
  tabs.forEach((tab, index) => tab.build(bodies[index]!));

  function open(index: number): void {
    closed.set(false);
    current.set(index);
    show();
  }

  function show(): void {
    const chosen = Math.min(current.get(), tabs.length - 1);
    const folded = closed.get();
    find("right").classList.toggle("dock-closed", folded);
    fold.textContent = folded ? "⌃" : "⌄";
    fold.setAttribute("aria-expanded", String(!folded));
    tabs.forEach((tab, index) => {
      const active = index === chosen;
      handles[index]!.setAttribute("aria-selected", String(active));
      handles[index]!.tabIndex = active ? 0 : -1;
      reveal(bodies[index]!, active && !folded);
      if (active && !folded) tab.shown?.();
    });
  }
  closed.watch(show);
  return { open, current: () => current.get() };
}
