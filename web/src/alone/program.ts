// One instance of a program: its memory, and the entry points of the kernel's protocol. Rows are those of the studio, number by number.

import type { Transition } from "../protocol";
import type { ProgramData } from "./content";

export interface Program {
  /// In SI units; undefined if there is none of this name.
  parameter(name: string): number | undefined;
  setParameter(name: string, value: number): void;
  control(name: string): number | undefined;
  /// Within its range.
  setControl(name: string, value: number): void;
  parameters(): Record<string, number>;
  controls(): Record<string, number>;
  configure(horizon: number): void;
  /// Finds a consistent start, at time zero.
  initialize(): void;
  /// Integrates to the target or beyond, with at most so many trial steps; whether it got there.
  advance(target: number, limit: number): boolean;
  /// When the run ended, if the last `advance` asked for a later time.
  stopped(): number | undefined;
  /// Begins at a time from a state, moved onto the constraints.
  resume(t: number, states: Float64Array): void;
  /// All numbers of a moment of the last step: time, energy, kinetic energy, drift, states, picture, what is plotted.
  row(t: number): Float64Array;
  /// The states in a row.
  states(row: Float64Array): Float64Array;
  /// The states where the program is, even if it was never begun.
  captured(): Float64Array;
  /// The transitions that happened so far, as far as the program remembers them.
  events(): Transition[];
  /// Remembers these instead.
  setEvents(list: Transition[]): void;
  /// The names of the states, in their order.
  readonly stateNames: string[];
  /// The points of all curves, for the state of the last row.
  curves(t: number): Float64Array;
  /// The values around all surfaces, for the state of the last row.
  surfaces(t: number): Float64Array;
  readonly surfaceCount: number;
}

/// Why a program cannot go on.
export class Failure extends Error {
  constructor(
    readonly t: number,
    what: string,
  ) {
    super(what);
  }
}

/// Points along each edge of the cube in which a surface is seen.
const SURFACE_POINTS = 33;
const DONE = 0;
const UNFINISHED = 1;
/// The run ended before the target, with its last transition.
const STOPPED = 100;
/// Where the states begin in a row.
export const FIRST_STATE = 4;

type Entry = (...numbers: (number | bigint)[]) => bigint;

export async function loadProgram(data: ProgramData): Promise<Program> {
  const bytes = Uint8Array.from(atob(data.wasm), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes);
  return createProgram(instance.exports, data);
}

function createProgram(exports: WebAssembly.Exports, data: ProgramData): Program {
  const memory = (exports.memory as WebAssembly.Memory).buffer;
  const cells = (name: string): Float64Array => {
    const { first, length } = data.arrays[name] ?? { first: 0, length: 0 };
    return new Float64Array(memory, 8 * first, length);
  };
  const [parameters, controls, outputs, monitors] = [cells("parameters"), cells("controls"), cells("outputs"), cells("monitors")];
  const [states, picture, points, failureValues] = [cells("states"), cells("picture_values"), cells("curve_points"), cells("failure_values")];
  const around = cells("surface_values");
  const integers = (name: string): BigInt64Array => {
    const { first, length } = data.arrays[name] ?? { first: 0, length: 0 };
    return new BigInt64Array(memory, 8 * first, length);
  };
  const place = integers("failure");
  const [eventCount, eventTimes, eventTransitions] = [integers("event_count"), cells("event_times"), integers("event_transitions")];
  const controlNames = data.controls.map(({ name }) => name);

  let stopped: number | undefined;

  function call(name: string, ...numbers: (number | bigint)[]): number {
    const status = Number((exports[name] as Entry)(...numbers));
    if (status === DONE || status === UNFINISHED || status === STOPPED) return status;
    const [words, names] = data.failures[status] ?? [`code ${status}`, null];
    const about = names === null ? undefined : data[names][Number(place[0])];
    throw new Failure(failureValues[0]!, about === undefined ? words : `${words}: ${about}`);
  }

  const named = (names: string[], values: Float64Array): Record<string, number> => Object.fromEntries(names.map((name, at) => [name, values[at]!]));

  return {
    parameter: (name) => parameters[data.parameters.indexOf(name)],
    setParameter: (name, value) => void (parameters[data.parameters.indexOf(name)] = value),
    control: (name) => controls[controlNames.indexOf(name)],
    setControl(name, value) {
      const at = controlNames.indexOf(name);
      const [low, high] = data.controls[at]!.range ?? [-Infinity, Infinity];
      controls[at] = Math.min(Math.max(value, low), high);
    },
    parameters: () => named(data.parameters, parameters),
    controls: () => named(controlNames, controls),
    configure: (horizon) => void call("configure", data.tolerance, horizon),
    initialize: () => void call("initialize"),
    advance(target, limit) {
      const status = call("advance", target, BigInt(limit));
      const last = Number(eventCount[0] ?? 0) - 1;
      stopped = status === STOPPED ? eventTimes[last % eventTimes.length] : undefined;
      return status !== UNFINISHED;
    },
    stopped: () => stopped,
    resume(t, from) {
      states.set(from);
      call("resume", t);
    },
    row(t) {
      for (const entry of ["sample", "observe", "monitor"]) call(entry, t);
      call("capture");
      if (exports.picture) call("picture", t);
      const drift = monitors.subarray(2).reduce((worst, residual) => Math.max(worst, Math.abs(residual)), 0);
      const row = new Float64Array(FIRST_STATE + states.length + picture.length + outputs.length);
      row.set([t, monitors[0]!, monitors[1]!, drift]);
      row.set(states, FIRST_STATE);
      row.set(picture, FIRST_STATE + states.length);
      row.set(outputs, FIRST_STATE + states.length + picture.length);
      // A picture with holes would be believed.
      if (!row.every(Number.isFinite)) throw new Failure(t, "a quantity that is shown is not finite");
      return row;
    },
    events() {
      const count = Number(eventCount[0] ?? 0);
      const kept = Math.min(count, eventTimes.length);
      return Array.from({ length: kept }, (_, at) => {
        const number = (count - kept + at) % eventTimes.length;
        return { t: eventTimes[number]!, name: data.transitions[Number(eventTransitions[number])]! };
      });
    },
    setEvents(list) {
      if (eventTimes.length === 0) return;
      eventCount[0] = BigInt(list.length);
      list.forEach(({ t, name }, at) => {
        eventTimes[at % eventTimes.length] = t;
        eventTransitions[at % eventTimes.length] = BigInt(data.transitions.indexOf(name));
      });
    },
    captured() {
      call("capture");
      return states.slice();
    },
    stateNames: data.states,
    states: (row) => row.slice(FIRST_STATE, FIRST_STATE + states.length),
    curves(t) {
      if (exports.curves) call("curves", t);
      return points.slice();
    },
    surfaces(t) {
      if (exports.surfaces) call("surfaces", t);
      return around.slice();
    },
    surfaceCount: around.length / SURFACE_POINTS ** 3,
  };
}
