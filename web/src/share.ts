// A scene as a link: text, parameters, plots, time, camera and layout, compressed into the fragment of an address. No server sees it.

import { h } from "./dom";
import type { Session } from "./session";
import * as state from "./state";
import { readPath, type KeptView } from "./view3d/path";
import type { View } from "./view3d/view";

export interface Shared {
  /// What the scene is called.
  name: string;
  /// None where the page has no text.
  text: string | null;
  parameters: Record<string, number>;
  plots: string[];
  t: number;
  camera: { position: number[]; target: number[] };
  /// The path of the camera; empty if there is none.
  path: KeptView[];
  /// Which tab is open below the picture, from 0.
  tab: number;
}

const MARK = "#scene=";

/// Links beyond this many characters are cut off by some programs that pass them on.
export const LONGEST = 8000;

export async function toFragment(shared: Shared): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"));
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return MARK + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/// What a link holds; none if it is no such link, or was cut off on its way.
export async function fromFragment(link: string): Promise<Shared | null> {
  const at = link.indexOf(MARK);
  if (at < 0) return null;
  try {
    const base64 = link.slice(at + MARK.length).trim().replaceAll("-", "+").replaceAll("_", "/");
    const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const text = new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw")));
    return checked(JSON.parse(text));
  } catch {
    return null;
  }
}

/// Anyone can write a link: what is not as it should be is left out.
function checked(read: unknown): Shared | null {
  if (typeof read !== "object" || read === null) return null;
  const { name, text, parameters, plots, t, camera, path, tab } = read as Partial<Record<keyof Shared, unknown>>;
  const numbers = (list: unknown): list is number[] => Array.isArray(list) && list.length === 3 && list.every((value) => Number.isFinite(value));
  const { position, target } = (camera ?? {}) as Partial<Shared["camera"]>;
  if (!numbers(position) || !numbers(target)) return null;
  const entries = typeof parameters === "object" && parameters !== null ? Object.entries(parameters) : [];
  return {
    name: typeof name === "string" ? name.replace(/[^\w -]/g, "").slice(0, 60) || "shared" : "shared",
    text: typeof text === "string" ? text : null,
    parameters: Object.fromEntries(entries.filter((entry): entry is [string, number] => Number.isFinite(entry[1]))),
    plots: Array.isArray(plots) ? plots.filter((plot): plot is string => typeof plot === "string") : [],
    t: typeof t === "number" && Number.isFinite(t) && t > 0 ? t : 0,
    camera: { position, target },
    path: readPath(path),
    tab: typeof tab === "number" && Number.isInteger(tab) && tab >= 0 ? tab : 0,
  };
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/// What the page shows now.
export function present(view: View, session: Session, text: string | null, tab: number): Shared {
  const scene = state.scene.get();
  const given = state.status.get()?.parameters ?? {};
  const parameters = Object.fromEntries((scene?.parameters ?? []).filter(({ name, default: usual }) => given[name] !== undefined && given[name] !== usual).map(({ name }) => [name, given[name]!]));
  const t = scene && state.row.get() ? state.row.get()![scene.layout.t]! : 0;
  const { position, target } = view.looking();
  return { name: scene?.name ?? "scene", text, parameters, plots: session.plots(), t, camera: { position, target }, path: state.cameraPath.get(), tab };
}

/// Goes to the moment and the view of a link, once its scene is there.
export function show(shared: Shared, view: View, session: Session, open: (tab: number) => void): void {
  open(shared.tab);
  // Rows of the scene before may still be on their way.
  const before = state.compiledRevision.get();
  let done = false;
  const end = state.row.watch((row) => {
    if (!row || done || state.compiledRevision.get() === before) return;
    done = true;
    queueMicrotask(() => end());
    session.send({ type: "pause" });
    session.seek(shared.t);
    view.lookFrom(shared.camera.position, shared.camera.target);
    state.cameraPath.set(shared.path);
    if (shared.path.length > 1) view.viewpoint.choose({ kind: "path" });
  });
}

/// Copies a link; where the clipboard is out of reach, there is a field to copy from.
export async function offer(link: string): Promise<void> {
  const long = link.length > LONGEST ? `It has ${link.length} characters; some programs cut such links off.` : "";
  try {
    await navigator.clipboard.writeText(link);
    state.notice.set({ text: "The link is in the clipboard.", hint: long || "It holds the text, the parameters, the time and the view.", bad: false });
  } catch {
    const field = h("input", { type: "text", value: link, readonly: true, "aria-label": "Link to this scene", id: "link" });
    const dialog = h("dialog", { "aria-label": "Link", class: "dialog-body" }, field, h("p", { class: "quiet" }, long), h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  }
}
