// The palette: what one adds to a scene by hand becomes statements of the text, at the place where a person would write them. The text stays the only authority.

import * as THREE from "three";
import { announce, h, reveal } from "../dom";
import type { Editor } from "../editor/editor";
import { icon } from "../icons";
import { nameOf } from "../links";
import { startAnew } from "../moving";
import { written } from "../number";
import type { Frame, Scene } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";
import { createMenu } from "./menu";

/// A thing to choose, in the picture or from a list.
interface Choice {
  label: string;
  offers(scene: Scene): string[];
  /// Whether a click in the picture may choose it.
  picked: boolean;
}

interface Entry {
  name: string;
  meaning: string;
  choices: Choice[];
  /// The statements, in the order of the text; each goes behind the last of its kind.
  write(scene: Scene, chosen: string[], text: string): string[];
}

const frames = (scene: Scene): string[] => scene.frames.map(({ name }) => name);
const bodies = (scene: Scene): string[] => scene.frames.filter(({ body }) => body).map(({ name }) => name);
const thing = (label: string, offers: Choice["offers"] = frames): Choice => ({ label, offers, picked: true });

/// With what a joint is written, besides its name in the library.
const JOINTS: Record<string, string> = {
  "ball and socket": "ball_and_socket",
  hinge: "revolute(axis: (0, 1, 0))",
  slider: "prismatic(axis: (1, 0, 0))",
  weld: "weld",
  spring: "spring(stiffness: 100 [N/m], rest: REST)",
  rod: "distance(length: REST)",
};

const ENTRIES: Entry[] = [
  {
    name: "Body",
    meaning: "a ball that moves freely",
    choices: [],
    write(scene, _, text) {
      const name = fresh(scene, text, "ball");
      // Above all that is there, so that it overlaps nothing.
      const [x, z] = [0, round(Math.max(0, ...scene.frames.map((frame) => position(frame)?.z ?? 0)) + 1)];
      return [`body ${name}: sphere(10 [cm]) mass 1 [kg] { position = free((${x}, 0, ${z}) [m]) }`, `initially ${name}.position == (${x}, 0, ${z}) [m]`, `show sphere(10 [cm]) on ${name} color "tomato"`];
    },
  },
  {
    name: "Joint",
    meaning: "holds the second thing where the first is",
    choices: [{ label: "Kind", offers: () => Object.keys(JOINTS), picked: false }, thing("From", (scene) => ["world", ...frames(scene)]), thing("To")],
    write(scene, [kind, from, to], text) {
      const [a, b] = [from!, to!].map((name) => pose(scene, name));
      // A spring and a rod go from one to the other; any other joint is at the place of the first.
      const apart = ["spring", "rod"].includes(kind!);
      const end = apart ? to! : pointOf(to!, b!, a!.at);
      const joint = JOINTS[kind!]!.replace("REST", `${written(round(a!.at.distanceTo(b!.at)))} [m]`);
      const library = /^\s*use\s+mechanics\b/m.test(text) ? [] : ["use mechanics"];
      return [...library, `join ${from} to ${end} with ${joint}`];
    },
  },
  {
    name: "Force",
    meaning: "pulls at a body",
    choices: [thing("On", bodies)],
    write: (_, [on]) => [`force on ${on} = (0, 0, 1) [N]`],
  },
  {
    name: "Surface",
    meaning: "a floor, below all that is there",
    choices: [],
    write(scene, _, text) {
      const lowest = Math.min(...bodies(scene).map((name) => pose(scene, name).at.z), 0);
      const height = lowest < 0 ? Math.floor(lowest) - 1 : -1;
      return [`surface ${fresh(scene, text, "floor")}: z == ${height} [m]`];
    },
  },
  {
    name: "Contact",
    meaning: "lets two things with shapes touch",
    choices: [thing("Of", bodies), thing("With", (scene) => [...surfacesOf(), ...frames(scene)])],
    write: (_, [first, second]) => [`contact ${first}, ${second} { restitution = 0.5; friction = 0.3 }`],
  },
];

/// The text that is open, for names of surfaces, which have no place in the picture.
let textNow: () => string = () => "";

export function createPalette(host: HTMLElement, editor: Editor, session: Session): void {
  textNow = () => editor.text();
  const items = ENTRIES.map((entry) => h("button", { role: "menuitem", title: entry.meaning, onclick: () => void begin(entry) }, entry.name, h("span", { class: "quiet" }, entry.meaning)));
  const menu = h("div", { class: "menu add-menu", role: "menu", "aria-label": "What to add", hidden: true }, ...items);
  const button = h("button", { id: "add", title: "Add to the scene: it is written into the text" }, icon("plus"), "Add");
  const dropped = createMenu(button, menu, items);
  const panel = h("form", { class: "move-panel add-panel", id: "adding", "aria-label": "What to add", hidden: true });
  host.prepend(dropped.element);
  host.parentElement!.append(panel);

  let adding: Entry | null = null;
  let fields: HTMLSelectElement[] = [];
  /// Whether it played before something was added.
  let playing = false;

  panel.addEventListener("submit", (event) => {
    event.preventDefault();
    add();
  });
  state.selection.watch(pick);
  state.open.watch(() => end());

  async function begin(entry: Entry): Promise<void> {
    dropped.close();
    playing = state.status.get()?.playing ?? false;
    await atStart(session);
    const scene = state.scene.get();
    if (!scene) return;
    adding = entry;
    if (entry.choices.length === 0) return add();
    fields = entry.choices.map(({ label, offers, picked }) =>
      h("select", { "aria-label": label }, ...(picked ? [h("option", { value: "" }, "press it in the picture")] : []), ...offers(scene).map((name) => h("option", { value: name }, name))),
    );
    panel.replaceChildren(
      h("strong", {}, entry.name),
      ...fields.map((field, index) => h("label", {}, h("span", {}, entry.choices[index]!.label), field)),
      h("button", { class: "small main", type: "submit" }, "Write it"),
      h("button", { class: "small", type: "button", "aria-label": "Add nothing", onclick: () => end() }, icon("close")),
      h("p", { class: "quiet" }, entry.meaning),
    );
    reveal(panel, true);
    const selected = state.selection.get();
    if (selected) pick(selected);
  }

  /// What is pressed in the picture goes into the first field that is empty.
  function pick(id: string | null): void {
    if (!adding || !id?.startsWith("frame:")) return;
    const name = nameOf(id);
    const field = fields.find((field, index) => adding!.choices[index]!.picked && field.value === "" && [...field.options].some(({ value }) => value === name));
    if (!field || fields.some((other) => other.value === name)) return;
    field.value = name;
    announce(`${field.getAttribute("aria-label")}: ${name}`);
  }

  function add(): void {
    const scene = state.scene.get();
    if (!adding || !scene) return;
    const missing = fields.find((field) => field.value === "");
    if (missing) return missing.focus();
    const chosen = fields.map((field) => field.value);
    if (adding.choices.filter(({ picked }) => picked).length === 2 && chosen.at(-1) === chosen.at(-2)) {
      return state.notice.set({ text: "Choose two different things.", hint: "", bad: true });
    }
    startAnew(session, playing);
    editor.add(adding.write(scene, chosen, editor.text()));
    announce(`${adding.name} added to the text`);
    end();
  }

  function end(): void {
    adding = null;
    fields = [];
    reveal(panel, false);
  }
}

/// Shows the start, where the numbers of the text hold, and places are those that it says.
function atStart(session: Session): Promise<void> {
  const begins = (): boolean => {
    const [scene, row] = [state.scene.get(), state.row.get()];
    return !!scene && !!row && row[scene.layout.t] === 0;
  };
  session.send({ type: "pause" });
  session.send({ type: "reset" });
  return new Promise((reached) => {
    const end = state.row.watch(() => begins() && queueMicrotask(() => (end(), reached())));
  });
}

interface Pose {
  at: THREE.Vector3;
  turn: THREE.Quaternion;
}

function position(frame: Frame): THREE.Vector3 | null {
  const row = state.row.get();
  return row && new THREE.Vector3(row[frame.at]!, row[frame.at + 1]!, row[frame.at + 2]!);
}

function pose(scene: Scene, name: string): Pose {
  const frame = scene.frames.find((frame) => frame.name === name);
  const row = state.row.get();
  if (!frame || !row) return { at: new THREE.Vector3(), turn: new THREE.Quaternion() };
  const [w, x, y, z] = row.subarray(frame.at + 3, frame.at + 7);
  return { at: position(frame)!, turn: new THREE.Quaternion(x, y, z, w) };
}

/// A place of the world as a point of a frame; the frame itself, if it is its origin.
function pointOf(name: string, { at, turn }: Pose, place: THREE.Vector3): string {
  const inside = place.clone().sub(at).applyQuaternion(turn.clone().conjugate());
  if (inside.length() < 1e-6) return name;
  return `${name}.point((${inside.toArray().map((value) => written(round(value))).join(", ")}) [m])`;
}

/// To a tenth of a millimetre: closer than anyone places by hand, and the start of a run finds the rest.
function round(value: number): number {
  return Math.round(value * 1e4) / 1e4 + 0;
}

function surfacesOf(): string[] {
  return [...textNow().matchAll(/^\s*surface\s+(\w+)/gm)].map((found) => found[1]!);
}

/// A name that nothing has.
function fresh(scene: Scene, text: string, stem: string): string {
  const taken = (name: string): boolean => scene.frames.some((frame) => frame.name === name) || new RegExp(`\\b${name}\\b`).test(text);
  let name = stem;
  for (let number = 2; taken(name); number++) name = `${stem}_${number}`;
  return name;
}
