// Work in progress is kept while one types, so that a reload, a closed tab or a crash loses nothing.

import { files } from "./files";
import type { Work } from "./protocol";

/// Time after the last change, in milliseconds, before it is kept.
const PAUSE = 250;

export interface Keeper {
  /// What is kept of a scene; from now on changes of that scene are kept.
  open(path: string): Promise<Work | null>;
  /// Something changed, and is kept in a moment.
  changed(): void;
  /// Keeps what has changed at once: before another scene is opened, or while the page goes away.
  flush(): Promise<void>;
  /// Whether all of it is kept.
  safe(): boolean;
}

export function createKeeper(snapshot: () => Omit<Work, "at"> | null, complain: (message: string) => void): Keeper {
  let at = 0;
  let timer = 0;
  // A change is kept when the server says so: a page that is closed meanwhile cuts the request off, and has to send it again.
  let changes = 0;
  let kept = 0;
  let complained = false;

  async function keep(leaving: boolean): Promise<void> {
    clearTimeout(timer);
    const latest = changes;
    const work = kept < latest ? snapshot() : null;
    if (!work) return;
    try {
      at = Math.max(at, await files.keepWork({ ...work, at }, leaving));
      kept = Math.max(kept, latest);
      complained = false;
    } catch (error) {
      // Said once: it is tried again with the next change, and the browser asks before the tab is closed.
      if (!complained) complain((error as Error).message);
      complained = true;
    }
  }

  // Two requests at a time would overtake each other; a page that goes away cannot wait for the one before.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (): Promise<void> => (last = last.then(() => keep(false)));

  window.addEventListener("pagehide", () => void keep(true));
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && void inTurn());
  return {
    async open(path) {
      const work = await files.work(path);
      at = work?.at ?? 0;
      [kept, complained] = [changes, false];
      return work;
    },
    changed() {
      changes += 1;
      clearTimeout(timer);
      timer = window.setTimeout(() => void inTurn(), PAUSE);
    },
    flush: inTurn,
    safe: () => kept === changes,
  };
}
