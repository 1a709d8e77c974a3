// Other futures of the run. The worker keeps them; here are the rows of those that are shown, to draw them as ghosts and as curves.

import type { BranchEntry } from "./protocol";
import type { Session } from "./session";
import * as state from "./state";
import { store } from "./store";

export interface Ghost {
  entry: BranchEntry;
  /// Whole rows, as laid out by the scene, by rising times.
  rows: Float64Array[];
}

/// Those that are drawn, the oldest first.
export const ghosts = store<Ghost[]>([]);
/// Those that the user does not want to see.
export const unseen = store<ReadonlySet<number>>(new Set());

/// Reads the rows of branches that are new, and forgets those that are gone.
export function followBranches(session: Session): void {
  const known = new Map<number, Ghost>();

  async function read(entry: BranchEntry): Promise<void> {
    const scene = state.scene.get();
    const stride = state.row.get()?.length ?? 0;
    if (!scene || known.has(entry.id) || stride === 0) return;
    const ghost: Ghost = { entry, rows: [] };
    known.set(entry.id, ghost);
    // The time comes first in any case.
    const columns = Array.from({ length: stride }, (_, at) => at);
    ghost.rows = (await session.history(columns, entry.id)).map((row) => row.subarray(1));
    show();
  }

  function show(): void {
    const list = state.branches.get()?.list ?? [];
    for (const id of known.keys()) if (!list.some((entry) => entry.id === id)) known.delete(id);
    const seen = list.filter(({ id }) => !unseen.get().has(id)).flatMap((entry) => (known.get(entry.id)?.rows.length ? [{ entry, rows: known.get(entry.id)!.rows }] : []));
    if (seen.length || ghosts.get().length) ghosts.set(seen);
  }

  state.scene.watch(() => {
    known.clear();
    ghosts.set([]);
  });
  state.branches.watch((branches) => {
    branches?.list.forEach((entry) => void read(entry));
    show();
  });
  unseen.watch(show);
}

/// The numbers of a ghost at a time, between its rows; none while it is the present run's own past, or after its end.
export function rowAt({ entry, rows }: Ghost, t: number): Float64Array | null {
  if (t < entry.from || rows.length === 0 || t > rows.at(-1)![0]! + 1e-9) return null;
  const after = firstAfter(rows, t);
  const [before, next] = [rows[Math.max(0, after - 1)]!, rows[Math.min(rows.length - 1, after)]!];
  const share = next[0]! > before[0]! ? (t - before[0]!) / (next[0]! - before[0]!) : 0;
  return before.map((value, at) => value + share * (next[at]! - value));
}

function firstAfter(rows: Float64Array[], t: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]![0]! <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}
