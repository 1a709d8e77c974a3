// What the compiler finds around it in a page: the imports of `crates/app/host/src/browser.rs`, and the functions of `crates/app/playground`.

/// Sends a message of a kind out; the bytes are the receiver's.
export type Post = (kind: number, bytes: Uint8Array<ArrayBuffer>) => void;

export interface Compiler {
  receive(kind: number, bytes: Uint8Array): void;
  /// Computes what is due; gives the milliseconds until something is, or a negative number.
  turn(): number;
  /// Runs a text and posts the hash of its rows.
  hash(text: string, until: number, every: number): void;
}

interface Exports {
  memory: WebAssembly.Memory;
  room(bytes: number): number;
  receive(kind: number): void;
  turn(): number;
  hash(until: number, every: number): void;
}

export async function hostOf(module: WebAssembly.Module, post: Post): Promise<Compiler> {
  const programs = new Map<number, WebAssembly.Instance>();
  let next = 0;
  let exports: Exports;

  const page = {
    now: () => performance.now(),
    load(at: number, length: number): number {
      programs.set(++next, new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(exports.memory.buffer, at, length))));
      return next;
    },
    unload: (program: number) => void programs.delete(program),
    call(program: number, name: number, cellsAt: number, count: number, valuesAt: number, kindsAt: number, takes: number, gives: number): void {
      const { memory, [name]: called } = programs.get(program)!.exports as unknown as { memory: WebAssembly.Memory } & Record<number, (...values: (number | bigint)[]) => unknown>;
      const kinds = new Uint8Array(exports.memory.buffer, kindsAt, takes + gives);
      const reals = new Float64Array(exports.memory.buffer, valuesAt, takes + gives);
      const integers = new BigInt64Array(exports.memory.buffer, valuesAt, takes + gives);
      const cells = new BigUint64Array(exports.memory.buffer, cellsAt, count);
      const values = Array.from({ length: takes }, (_, at) => (kinds[at] ? integers[at]! : reals[at]!));
      const own = new BigUint64Array(memory.buffer, 0, count);
      own.set(cells);
      const result = called!(...values);
      cells.set(own);
      const results = gives === 1 ? [result] : ((result ?? []) as unknown[]);
      for (let at = 0; at < gives; at++) {
        if (kinds[takes + at]) integers[takes + at] = results[at] as bigint;
        else reals[takes + at] = results[at] as number;
      }
    },
    send: (kind: number, at: number, length: number) => post(kind, new Uint8Array(exports.memory.buffer, at, length).slice()),
  };

  exports = (await WebAssembly.instantiate(module, { page })).exports as unknown as Exports;
  const write = (bytes: Uint8Array): void => {
    // Making room may move the memory.
    const at = exports.room(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, at);
  };
  return {
    receive(kind, bytes) {
      write(bytes);
      exports.receive(kind);
    },
    turn: () => exports.turn(),
    hash(text, until, every) {
      write(new TextEncoder().encode(text));
      exports.hash(until, every);
    },
  };
}
