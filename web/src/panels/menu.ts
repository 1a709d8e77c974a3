// A menu that drops from a button: arrows go through it, Escape and a press elsewhere close it.

import { h, reveal } from "../dom";

export interface Menu {
  /// The button with its menu.
  element: HTMLElement;
  close(): void;
}

export function createMenu(button: HTMLButtonElement, menu: HTMLElement, items: HTMLElement[]): Menu {
  const toggle = (open: boolean): void => {
    reveal(menu, open);
    button.setAttribute("aria-expanded", String(open));
    if (open) items[0]!.focus();
  };
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => toggle(menu.hidden === true));
  menu.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step) items[(at + step + items.length) % items.length]!.focus();
    else if (event.key === "Escape") {
      toggle(false);
      button.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const element = h("div", { class: "holder" }, button, menu);
  document.addEventListener("pointerdown", (event) => {
    if (!menu.hidden && !element.contains(event.target as Node)) toggle(false);
  });
  return { element, close: () => toggle(false) };
}
