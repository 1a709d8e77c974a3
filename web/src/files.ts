// Scenes on the server: the gallery, their texts, saving.

import type { Gallery, Refusal } from "./protocol";
import { address } from "./socket";

export async function loadGallery(): Promise<Gallery> {
  const answer = await ask(address("/api/gallery"));
  return (await answer.json()) as Gallery;
}

export async function loadText(path: string): Promise<string> {
  return (await ask(address("/api/file", { path }))).text();
}

export async function saveText(path: string, text: string): Promise<void> {
  await ask(address("/api/file", { path }), { method: "PUT", body: text });
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
  if (answer.ok) return answer;
  const refusal = (await answer.json().catch(() => null)) as Refusal | null;
  throw new Error(refusal ? [refusal.message, refusal.hint].filter(Boolean).join("; ") : `the studio refused (${answer.status})`);
}
