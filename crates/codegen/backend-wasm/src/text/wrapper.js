// @NAME@: a simulation program, made by Ansatz from @SOURCE@. Numbers are in SI units.

/** Names and first cells of the arrays that are spoken of by name. */
const arrays = @ARRAYS@;

/** What can be set, and what comes out: names as in the scene, units, ranges, defaults. */
export const description = @DESCRIPTION@;

/** What a code means, and where the names are of what `failure` has the place of. */
const failures = {@FAILURES@
};

/** What a simulation throws when it cannot go on. */
export class Failure extends Error {
  constructor(code, place, part, time, residual) {
    const [words, names] = failures[code] ?? [`code ${code}`];
    const about = description[names]?.[place];
    super(`at t = ${time} s: ${words}${about === undefined ? "" : `: ${about}`}`);
    this.name = "Failure";
    Object.assign(this, { code, place, part, time, residual });
  }
}

/** An object whose properties are cells of the memory. */
function view(reals, { first, names }) {
  const properties = {};
  names.forEach((name, at) => {
    properties[name] = {
      enumerable: true,
      get: () => reals[first + at],
      set: (value) => {
        reals[first + at] = value;
      },
    };
  });
  return Object.defineProperties({}, properties);
}

export class Simulation {
  #exports;
  #reals;
  #integers;
  #initial;

  constructor(instance) {
    this.#exports = instance.exports;
    this.#reals = new Float64Array(this.#exports.memory.buffer);
    this.#integers = new BigInt64Array(this.#exports.memory.buffer);
    this.#initial = this.#reals.slice();
    for (const name of ["parameters", "controls", "outputs"]) this[name] = view(this.#reals, arrays[name]);
    this.states = arrays.states.map((array) => view(this.#reals, array));
  }

  /** Loads the program: from the file beside this one, from a URL, or from bytes or a module that are there already. */
  static async load(source = new URL("./@NAME@.wasm", import.meta.url)) {
    if (source instanceof URL && source.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      source = await readFile(source);
    } else if (source instanceof URL || typeof source === "string") {
      source = await (await fetch(source)).arrayBuffer();
    }
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    return new Simulation(await WebAssembly.instantiate(module));
  }

  /** Puts everything back to its default values. */
  reset() {
    this.#reals.set(this.#initial);
  }

  configure(tolerance, horizon) {
    this.#check(this.#exports.configure(tolerance, horizon));
  }

  initialize() {
    this.#check(this.#exports.initialize());
  }

@plain
  advance(target, limit = Number.MAX_SAFE_INTEGER) {
    return this.#check(this.#exports.advance(target, BigInt(limit))) === 0;
  }
@end
@changing
  advance(target, limit = Number.MAX_SAFE_INTEGER) {
    const status = Number(this.#exports.advance(target, BigInt(limit)));
    this.stopped = status === @STOPPED@ ? this.events(this.eventCount - 1)[0].t : undefined;
    return this.stopped !== undefined || this.#check(status) === 0;
  }
@end

  observe(t) {
    this.#check(this.#exports.sample(t));
    this.#check(this.#exports.observe(t));
    const { first, names } = arrays.outputs;
    return this.#reals.slice(first, first + names.length);
  }

  monitor(t) {
    this.#check(this.#exports.monitor(t));
    const [energy, kinetic, ...residuals] = this.#reals.slice(arrays.monitors.first, arrays.monitors.first + arrays.monitors.length);
    return { energy, kinetic, constraintError: residuals.reduce((worst, it) => Math.max(worst, Math.abs(it)), 0) };
  }

  statistics() {
    this.#exports.tally();
    const count = (at) => Number(this.#integers[arrays.statistics.first + at]);
    return { accepted: count(0), rejected: count(1), evaluations: count(2) };
  }

@changing
  /** The place of the present mode among `description.modes`. */
  get mode() {
    return Number(this.#integers[arrays.mode.first]);
  }

  /** How many transitions happened. */
  get eventCount() {
    return Number(this.#integers[arrays.event_count.first]);
  }

  /** The transitions that happened, from one number on, as far as they are still known: when, and their names. */
  events(first = 0) {
    const { event_times: times, event_transitions: transitions } = arrays;
    const found = [];
    for (let number = Math.max(first, this.eventCount - times.length, 0); number < this.eventCount; number++) {
      const place = number % times.length;
      found.push({ t: this.#reals[times.first + place], transition: description.transitions[Number(this.#integers[transitions.first + place])] });
    }
    return found;
  }

  /** What was met that is no reason to end the run: `rivals`, of which the first happened, and plans that were `disturbed`, and by what. */
  warnings() {
    const { warning_count: count, warning_times: times, warning_kinds: kinds, warning_transitions: transitions } = arrays;
    const name = (at) => description.transitions[Number(this.#integers[transitions.first + at])];
    return Array.from({ length: Number(this.#integers[count.first]) }, (_, at) => ({
      t: this.#reals[times.first + at],
      kind: Number(this.#integers[kinds.first + at]) === 1 ? "rivals" : "disturbed",
      transitions: [name(2 * at), name(2 * at + 1)],
    }));
  }

  /** Fills `states` from the state that was observed last. */
  capture() {
    this.#check(this.#exports.capture());
  }

  /** Begins at this time from `states`, moved onto the constraints. */
  resume(t) {
    this.#check(this.#exports.resume(t));
  }

  /** Throws if a claim does not hold if the run ends here. */
  conclude(t) {
    this.#check(this.#exports.conclude(t));
  }

@end
  #check(status) {
    const code = Number(status);
    if (code <= 1) return code;
    const { failure, failure_values } = arrays;
    const [place, part] = [0, 1].map((at) => Number(this.#integers[failure.first + at]));
    throw new Failure(code, place, part, this.#reals[failure_values.first], this.#reals[failure_values.first + 1]);
  }
}
