// Scenes of a page without a server: examples lie beside the page, and what one writes is kept in this browser.

import { Changed, type Files, type Loaded } from "../files";
import type { Gallery, GalleryEntry, Recent, Work } from "../protocol";

const [FILE, WORK] = ["ansatz.file.", "ansatz.work."];

export const browserFiles: Files = {
  async gallery() {
    const { examples } = (await (await beside("gallery.json")).json()) as Gallery;
    const files = stored(FILE).map(([path, text]): GalleryEntry => ({ path, title: title(path), description: firstComment(text), writable: true }));
    const recent = stored(WORK).map(([path, work]): Recent => ({ path, title: title(path), unsaved: (JSON.parse(work) as Work).text !== null, at: (JSON.parse(work) as Work).at }));
    return { examples, files, recent: recent.sort((one, other) => other.at - one.at), folder: "this browser" };
  },
  async text(path) {
    const text = localStorage.getItem(FILE + path) ?? (await (await beside(path)).text());
    return { text, version: versionOf(text) };
  },
  async changed(path, known) {
    const loaded: Loaded = await browserFiles.text(path);
    return loaded.version === known ? null : loaded;
  },
  async work(path) {
    const kept = localStorage.getItem(WORK + path);
    return kept === null ? null : (JSON.parse(kept) as Work);
  },
  async keepWork(work) {
    const known = await browserFiles.work(work.path);
    if (known && known.at > work.at && known.text !== null && known.text !== work.text) throw new Error(`\`${work.path}\` is being changed in another tab; save one of the two under another name`);
    const at = Math.max(Date.now(), (known?.at ?? 0) + 1);
    keep(WORK + work.path, JSON.stringify({ ...work, at }));
    return at;
  },
  async save(path, text, over) {
    const present = localStorage.getItem(FILE + path);
    if (over === "nothing" && present !== null) throw new Changed(`\`${path}\` is there already`);
    if (over !== "nothing" && over !== "anything" && present !== null && versionOf(present) !== over) throw new Changed(`\`${path}\` was changed in another tab since it was opened`);
    keep(FILE + path, text);
    return versionOf(text);
  },
  address: (path) => `./${path}`,
  manual: (page) => `./docs/${page}`,
};

async function beside(path: string): Promise<Response> {
  const answer = await fetch(`./${path}`);
  if (!answer.ok) throw new Error(`\`${path}\` is not there`);
  return answer;
}

function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    throw new Error("this browser has no room for it; share the scene as a link, or delete what it keeps of other pages");
  }
}

function stored(kind: string): [path: string, text: string][] {
  const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at)!).filter((name) => name.startsWith(kind));
  return names.sort().map((name) => [name.slice(kind.length), localStorage.getItem(name)!]);
}

/// Tells texts apart.
function versionOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return `${text.length}-${hash}`;
}

const title = (path: string): string => path.replace(/^.*\//, "").replace(/\.anz$/, "").replaceAll("_", " ");

function firstComment(text: string): string {
  const lines = text.trimStart().split("\n");
  const end = lines.findIndex((line) => !line.trim().startsWith("//"));
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.trim().slice(2).trim()).join(" ");
}
