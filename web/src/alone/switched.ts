// A program and those of the scene without some prescribed motions, as one: whichever runs, rows and states have the layout of the whole scene.

import type { ProgramData } from "./content";
import { FIRST_STATE, loadProgram, type Program } from "./program";

export interface Switched extends Program {
  /// Switches these prescribed motions off, and all others on; false where there is no program for that. The state is not touched.
  release(labels: string[]): boolean;
  /// Those that are off.
  released(): string[];
}

interface Other {
  off: string[];
  program: Program;
}

export async function loadSwitched(data: ProgramData): Promise<Switched> {
  const [main, ...others] = await Promise.all([data, ...data.without.map(({ program }) => program)].map(loadProgram));
  return switched(main!, data.without.map(({ off }, at) => ({ off, program: others[at]! })));
}

export function switched(main: Program, others: Other[]): Switched {
  let live: Other = { off: [], program: main };
  const both = (action: (program: Program) => void): void => new Set([main, live.program]).forEach(action);

  /// The states of the whole scene, as the program has them that runs; what it knows alone stays as it is.
  function handed(states: Float64Array): Float64Array {
    const { program } = live;
    if (program === main) return states;
    const own = program.captured();
    program.stateNames.forEach((name, at) => {
      const place = main.stateNames.indexOf(name);
      if (place >= 0) own[at] = states[place]!;
    });
    return own;
  }

  /// A row in the layout of the whole scene. What does not exist without what is off is zero: prices of choices that are not made, forces that are not exerted.
  function whole(row: Float64Array): Float64Array {
    const { program } = live;
    if (program === main) return row;
    const value = (name: string): number => {
      const at = program.stateNames.indexOf(name);
      return at < 0 ? 0 : row[FIRST_STATE + at]!;
    };
    const after = row.subarray(FIRST_STATE + program.stateNames.length);
    const all = new Float64Array(FIRST_STATE + main.stateNames.length + after.length);
    all.set(row.subarray(0, FIRST_STATE));
    all.set(main.stateNames.map(value), FIRST_STATE);
    all.set(after, FIRST_STATE + main.stateNames.length);
    return all;
  }

  const resume = (t: number, states: Float64Array): void => live.program.resume(t, handed(states));
  return {
    ...main,
    setParameter: (name, value) => both((program) => program.setParameter(name, value)),
    setControl: (name, value) => both((program) => program.setControl(name, value)),
    configure: (horizon) => both((program) => program.configure(horizon)),
    initialize() {
      // What is prescribed says where the start is, so motions that are off are so from there on.
      main.initialize();
      if (live.program === main) return;
      live.program.setEvents(main.events());
      resume(0, main.states(main.row(0)));
    },
    advance: (target, limit) => live.program.advance(target, limit),
    stopped: () => live.program.stopped(),
    resume,
    row: (t) => whole(live.program.row(t)),
    events: () => live.program.events(),
    setEvents: (list) => live.program.setEvents(list),
    curves: (t) => live.program.curves(t),
    surfaces: (t) => live.program.surfaces(t),
    release(labels) {
      const off = new Set(labels);
      const wanted = off.size === 0 ? { off: [], program: main } : others.find((other) => other.off.length === off.size && other.off.every((label) => off.has(label)));
      if (!wanted) return false;
      const { program } = wanted;
      for (const [name, value] of Object.entries(main.parameters())) program.setParameter(name, value);
      for (const [name, value] of Object.entries(main.controls())) program.setControl(name, value);
      if (program !== live.program) program.setEvents(live.program.events());
      live = wanted;
      return true;
    },
    released: () => live.off,
  };
}
