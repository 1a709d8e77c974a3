// The text of each stage down to machine code; names in it are linked to what they stand for.

import { h } from "../dom";
import { aliases, purpose } from "../links";
import type { Request, Scene } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";

type Stage = Extract<Request, { type: "stage" }>["stage"];

const STAGES: Record<Stage, string> = {
  program: "Functional program",
  kernel: "Kernel code",
  code: "Machine code",
  plan: "Plan",
  equations: "Equations as text",
  model: "Model",
};

/// Beyond this many characters names are not linked.
const LINKED = 400_000;

export interface ProgramPanel {
  /// The panel came into sight.
  shown(): void;
}

export function createProgram(host: HTMLElement, session: Session): ProgramPanel {
  const choice = h("select", { "aria-label": "Stage of the compiler", id: "stage" }, ...Object.entries(STAGES).map(([value, text]) => h("option", { value }, text)));
  const size = h("span", { class: "quiet" });
  const text = h("pre", { class: "program", tabindex: 0, "aria-label": "Text of the stage" });
  host.append(h("div", { class: "panel-tools" }, choice, size), text);
  let current = "";

  async function load(): Promise<void> {
    const scene = state.scene.get();
    if (!scene || host.offsetParent === null) return;
    const stage = choice.value as Stage;
    const key = `${state.compiledRevision.get()} ${stage}`;
    if (key === current) return;
    current = key;
    const words = stage === "program" ? scene.making.program : await session.stage(stage);
    if (key !== current) return;
    size.textContent = `${words.split("\n").length} lines`;
    text.replaceChildren(words.length < LINKED ? linked(words, scene) : words);
    lightUp();
  }

  function lightUp(): void {
    const scene = state.scene.get();
    const selected = state.selection.get();
    if (!scene || host.offsetParent === null) return;
    const names = aliases(scene, selected);
    let first: Element | null = null;
    for (const link of text.querySelectorAll<HTMLElement>(".link")) {
      const lit = names.has(link.dataset.id!);
      link.classList.toggle("picked", lit);
      if (lit) first ??= link;
    }
    if (!text.contains(document.activeElement)) first?.scrollIntoView({ block: "nearest" });
  }

  choice.addEventListener("change", () => void load());
  text.addEventListener("click", (event) => {
    const link = (event.target as HTMLElement).closest<HTMLElement>(".link");
    if (link) state.selection.set(link.dataset.id!);
  });
  state.scene.watch(() => {
    current = "";
    void load();
  });
  state.selection.watch(lightUp);
  return { shown: () => void load().then(lightUp) };
}

function linked(words: string, scene: Scene): DocumentFragment {
  const ids = new Map<string, string>();
  for (const { name, id } of [...scene.frames, ...scene.parameters, ...scene.controls, ...scene.quantities]) ids.set(name, id);
  for (const equation of scene.equations.list) {
    const constraint = equation.mentions[0];
    if (purpose(equation) === "constraint" && constraint && /^[\p{L}_][\p{L}\p{N}_.[\]]*$/u.test(equation.label)) ids.set(equation.label, constraint);
  }
  const names = [...ids.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const fragment = document.createDocumentFragment();
  if (names.length === 0) {
    fragment.append(words);
    return fragment;
  }
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_.])(${names.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
  let end = 0;
  for (const match of words.matchAll(pattern)) {
    fragment.append(words.slice(end, match.index), h("span", { class: "link", "data-id": ids.get(match[1]!) }, match[1]!));
    end = match.index + match[0].length;
  }
  fragment.append(words.slice(end));
  return fragment;
}
