// Pacing: when the next frame is due, and how fast the run really is. Times are in milliseconds.

/// Frames in a second.
export const RATE = 60;

/// Over how long the achieved speed is measured, and from when on it is known.
const WINDOW = 1000;
const KNOWN = 100;

export interface Pace {
  /// Starts anew: the next frame is due now, and nothing is known of the speed.
  restart(): void;
  wait(): number;
  /// A frame at this simulated time is done. Time that was lost is lost: a slow run does not hurry afterwards.
  done(t: number): void;
  /// Simulated seconds in a second; null while it is not known.
  achieved(): number | null;
}

export function createPace(): Pace {
  let due = performance.now();
  let reached: { when: number; t: number }[] = [];
  return {
    restart() {
      due = performance.now();
      reached = [];
    },
    wait: () => Math.max(0, due - performance.now()),
    done(t) {
      const when = performance.now();
      due = Math.max(due + 1000 / RATE, when);
      reached.push({ when, t });
      while (reached.length > 2 && when - reached[0]!.when > WINDOW) reached.shift();
    },
    achieved() {
      const [first, last] = [reached[0], reached.at(-1)];
      return first && last && last.when - first.when > KNOWN ? (1000 * (last.t - first.t)) / (last.when - first.when) : null;
    },
  };
}
