// @NAME@: a simulation program, made by Ansatz from @SOURCE@. Numbers are in SI units.

@INTERFACES@
export interface Input {
  name: string;
  /** The unit in which people give it; `1` for plain numbers. */
  unit: string;
  /** One of this unit in SI units. */
  scale: number;
  /** In SI units. */
  default: number;
  /** Allowed values, in SI units. */
  range: [number, number] | null;
  note: string;
}

export interface Output {
  name: string;
  unit: string;
  /** What its values are called, where they are not numbers. */
  words?: string[];
}

export const description: {
  name: string;
  source: string;
  tolerance: number;
  parameters: Input[];
  controls: Input[];
  outputs: Output[];
  integrals: string[];
  systems: string[];
@changing
  modes: string[];
  transitions: string[];
  claims: string[];
@end
};

export interface Monitor {
  energy: number;
  kinetic: number;
  /** The largest amount by which a constraint on positions is off. */
  constraintError: number;
}

export interface Statistics {
  accepted: number;
  rejected: number;
  evaluations: number;
}

/** What a simulation throws when it cannot go on. */
export class Failure extends Error {
  code: number;
  /** The integral (codes 2 and 3) or the system of equations that failed. */
  place: number;
  /** The worst state, equation or unknown of it, or -1. */
  part: number;
  time: number;
  residual: number;
}

/** One running program. Set parameters, then `configure`, `initialize`, and `advance` and `observe` in turn. */
export class Simulation {
  constructor(instance: WebAssembly.Instance);
  /** Loads the program: from the file beside the wrapper, from a URL, or from bytes or a module that are there already. */
  static load(source?: URL | string | BufferSource | WebAssembly.Module): Promise<Simulation>;
  readonly parameters: Parameters;
  readonly controls: Controls;
  readonly outputs: Readonly<Outputs>;
@plain
  /** The states of each independent integration, after its last step. */
  readonly states: [@STATES@];
@end
@changing
  /** All that a run can be resumed from, as it was captured. */
  readonly states: [@STATES@];
  /** The place of the present mode among `description.modes`. */
  readonly mode: number;
  /** How many transitions happened. */
  readonly eventCount: number;
  /** The transitions that happened, from one number on, as far as they are still known. */
  events(first?: number): { t: number; transition: string }[];
  /** What was met that is no reason to end the run: rivals, of which the first happened, and plans that were disturbed, and by what. */
  warnings(): { t: number; kind: "rivals" | "disturbed"; transitions: [string, string] }[];
  /** Fills `states` from the state that was observed last. */
  capture(): void;
  /** Begins at this time from `states`, moved onto the constraints. */
  resume(t: number): void;
  /** Throws if a claim does not hold if the run ends here. */
  conclude(t: number): void;
@end
  /** Puts everything back to its default values. */
  reset(): void;
  /** The relative error allowed in each step, and the time beyond which no step goes. */
  configure(tolerance: number, horizon: number): void;
  /** Finds a consistent start and begins at time zero. */
  initialize(): void;
@changing
  /** When the run ended, if the last `advance` asked for a later time. */
  readonly stopped?: number;
  /** Integrates to the target or beyond, with at most so many trial steps; whether it got there, or to where the run ends. */
@end
@plain
  /** Integrates to the target or beyond, with at most so many trial steps; whether it got there. */
@end
  advance(target: number, limit?: number): boolean;
  /** The outputs at a time within the last step, in the order of the description. */
  observe(t: number): Float64Array;
  /** Energy and constraint error of the state that was observed last. */
  monitor(t: number): Monitor;
  statistics(): Statistics;
}
