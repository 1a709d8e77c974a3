// Elements of the page, made in one expression: h("button", { class: "quiet", onclick: run }, "Run").

type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;
type Child = Node | string | null | undefined | false;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  decorate(element, attributes, children);
  return element;
}

/// An element of a drawing.
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  decorate(element, attributes, children);
  return element;
}

export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/// A sentence in which `this` is code.
export function prose(sentence: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  sentence.split("`").forEach((part, index) => fragment.append(index % 2 ? h("code", {}, part) : part));
  return fragment;
}

/// Shows a node only when it should be seen; hidden nodes leave the focus order.
export function reveal(element: HTMLElement, visible: boolean): void {
  if (element.hidden === visible) element.hidden = !visible;
}

/// Says something to those who listen rather than look.
export function announce(sentence: string): void {
  find("announcer").textContent = sentence;
}

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function decorate(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child));
}
