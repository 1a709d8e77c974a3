// Scenes, wherever they are: the gallery, their texts, drafts, saving.

import { browserFiles } from "./playground/files";
import type { Export, Gallery, Refusal, Work } from "./protocol";
import { address } from "./socket";

/// A text, and which version of it this is.
export interface Loaded {
  text: string;
  version: string;
}

export interface Files {
  gallery(): Promise<Gallery>;
  text(path: string): Promise<Loaded>;
  /// The text of a file if it is another than the one that is known; none if it is still that one.
  changed(path: string, known: string): Promise<Loaded | null>;
  work(path: string): Promise<Work | null>;
  /// Gives the time at which it was kept. A page that goes away cannot wait for the answer.
  keepWork(work: Work, leaving: boolean): Promise<number>;
  /// Saves over the version that is known, over none if none is, or over anything; gives the version that is there now.
  save(path: string, text: string, over: string | "nothing" | "anything"): Promise<string>;
  /// A file of a scene for other programs, and what to know about it; where there is a program that writes them.
  export?(order: Export): Promise<{ file: Blob; note: string }>;
  /// Where the page finds a file, such as a mesh.
  address(path: string): string;
  /// Where a page of the manual is.
  manual(page: string): string;
}

/// The file is not what it was when it was loaded, or there is one where none was known.
export class Changed extends Error {}

/// Files on the server.
const serverFiles: Files = {
  gallery: async () => (await (await ask(address("/api/gallery"))).json()) as Gallery,
  async text(path) {
    const answer = await ask(address("/api/file", { path }));
    return { text: await answer.text(), version: answer.headers.get("ETag") ?? "" };
  },
  async changed(path, known) {
    const answer = await ask(address("/api/file", { path }), { headers: { "If-None-Match": known } });
    return answer.status === 304 ? null : { text: await answer.text(), version: answer.headers.get("ETag") ?? "" };
  },
  work: async (path) => (await (await ask(address("/api/work", { path }))).json()) as Work | null,
  async keepWork(work, leaving) {
    const headers = { "Content-Type": "application/json" };
    const answer = await ask(address("/api/work"), { method: "PUT", headers, body: JSON.stringify(work), keepalive: leaving });
    return (await answer.json()) as number;
  },
  async save(path, text, over) {
    const headers: Record<string, string> = over === "anything" ? {} : over === "nothing" ? { "If-None-Match": "*" } : { "If-Match": over };
    const answer = await ask(address("/api/file", { path }), { method: "PUT", body: text, headers });
    return answer.headers.get("ETag") ?? "";
  },
  async export(order) {
    const answer = await ask(address("/api/export"), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order) });
    return { file: await answer.blob(), note: decodeURIComponent(answer.headers.get("ansatz-note") ?? "") };
  },
  address: (path) => address("/api/file", { path }),
  manual: (page) => address(`/docs/${page}`),
};

/// Whether the compiler is in the page, and no server but one for files: `ansatz playground` marks its page so.
export const inPlayground = document.documentElement.dataset["playground"] !== undefined;

export const files: Files = inPlayground ? browserFiles : serverFiles;

/// A page of the manual opens beside the studio, in one tab for all of them.
export function manualLink(page: string): { href: string; target: string } {
  return { href: files.manual(page), target: "ansatz-manual" };
}

async function ask(url: string, options: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(url, options);
  } catch {
    throw new Error("the studio does not answer; is it still running?");
  }
  if (answer.ok || answer.status === 304) return answer;
  const refusal = (await answer.json().catch(() => null)) as Refusal | null;
  const Kind = answer.status === 412 ? Changed : Error;
  throw new Kind(refusal ? [refusal.message, refusal.hint].filter(Boolean).join("; ") : `the studio refused (${answer.status})`);
}
