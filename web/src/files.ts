// Scenes on the server: the gallery, their texts, saving.

import type { Gallery, Refusal, Work } from "./protocol";
import { address } from "./socket";

export async function loadGallery(): Promise<Gallery> {
  const answer = await ask(address("/api/gallery"));
  return (await answer.json()) as Gallery;
}

/// A text of the server, and which version of it this is.
export interface Loaded {
  text: string;
  version: string;
}

export async function loadText(path: string): Promise<Loaded> {
  const answer = await ask(address("/api/file", { path }));
  return { text: await answer.text(), version: answer.headers.get("ETag") ?? "" };
}

/// The text of a file if it is another than the one that is known; none if it is still that one.
export async function loadChanged(path: string, known: string): Promise<Loaded | null> {
  const answer = await ask(address("/api/file", { path }), { headers: { "If-None-Match": known } });
  return answer.status === 304 ? null : { text: await answer.text(), version: answer.headers.get("ETag") ?? "" };
}

export async function loadWork(path: string): Promise<Work | null> {
  return (await (await ask(address("/api/work", { path }))).json()) as Work | null;
}

/// Gives the time at which it was kept. A page that goes away cannot wait for the answer.
export async function keepWork(work: Work, leaving: boolean): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  const answer = await ask(address("/api/work"), { method: "PUT", headers, body: JSON.stringify(work), keepalive: leaving });
  return (await answer.json()) as number;
}

/// The server's file is not what it was when it was loaded, or there is one where none was known.
export class Changed extends Error {}

/// Saves over the version that is known, over none if none is, or over anything; gives the version that is there now.
export async function saveText(path: string, text: string, over: string | "nothing" | "anything"): Promise<string> {
  const headers: Record<string, string> = over === "anything" ? {} : over === "nothing" ? { "If-None-Match": "*" } : { "If-Match": over };
  const answer = await ask(address("/api/file", { path }), { method: "PUT", body: text, headers });
  return answer.headers.get("ETag") ?? "";
}

/// A page of the manual, which the server has too; it opens beside the studio, in one tab for all of them.
export function manualLink(page: string): { href: string; target: string } {
  return { href: address(`/docs/${page}`), target: "ansatz-manual" };
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
