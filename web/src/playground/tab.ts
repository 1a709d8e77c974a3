// A source of frames without a server: the compiler is WebAssembly, in workers of this page. Does what `server/tab.rs` of the studio does: a new text
// gets a new worker, a newer one ends it, and when it is ready, and not before, it takes the place of the one that runs.

import type { Reply, Request } from "../protocol";
import { readBatch, type Batch, type Connection, type Source } from "../source";

/// A text that takes longer to compile, in milliseconds, is given up; a run that does not tell its state within a second is not continued.
const LONGEST_COMPILE = 60_000;
const LONGEST_SNAPSHOT = 1000;

/// Kinds of messages: see `pipe.rs`; the last is what went wrong in the compiler itself.
const [TEXT, BINARY, PRIVATE, DEFECT] = [0, 1, 2, 3];

interface Compiling {
  worker: Worker;
  keep: boolean;
  /// Ready, and waiting for the state of the run that it is to continue.
  ready: boolean;
  deadline: ReturnType<typeof setTimeout>;
}

export function openTab(compiler: Promise<WebAssembly.Module>): Source {
  const onConnection: ((state: Connection) => void)[] = [];
  const onReply: ((reply: Reply) => void)[] = [];
  const onBatch: ((batch: Batch) => void)[] = [];
  let spare: Worker | null = null;
  let answering: Worker | null = null;
  let sweeping: { worker: Worker; request: number } | null = null;
  let running: Worker | null = null;
  let compiling: Compiling | null = null;

  const tell = (reply: Reply): void => onReply.forEach((watcher) => watcher(reply));
  const limit = (message: string, hint: string): void => tell({ type: "limit", message, hint });
  const connected = (state: Connection): void => onConnection.forEach((watcher) => watcher(state));

  function newWorker(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<{ kind: number; bytes: Uint8Array<ArrayBuffer> }>) => heard(worker, data.kind, data.bytes);
    worker.onerror = (event) => fell(worker, event.message);
    void compiler.then((module) => worker.postMessage(module));
    return worker;
  }

  function send(worker: Worker, kind: number, message: unknown): void {
    worker.postMessage({ kind, bytes: new TextEncoder().encode(JSON.stringify(message)) });
  }

  function heard(worker: Worker, kind: number, bytes: Uint8Array<ArrayBuffer>): void {
    if (kind === DEFECT) return fell(worker, new TextDecoder().decode(bytes));
    const told = kind === BINARY ? null : (JSON.parse(new TextDecoder().decode(bytes)) as unknown);
    // The last words of one that is not wanted any more are not passed on, but answers are.
    if (kind === PRIVATE) return confided(worker, told);
    if (worker !== running && worker !== compiling?.worker) return;
    if (kind === TEXT) {
      const reply = told as Reply;
      if (reply.type === "diagnostics" && !reply.ok && compiling) dismiss();
      tell(reply);
    }
    const batch = kind === BINARY ? readBatch(bytes.buffer) : null;
    if (batch) onBatch.forEach((watcher) => watcher(batch));
  }

  function confided(worker: Worker, told: unknown): void {
    const { Answer, Snapshot } = told as { Answer?: string; Snapshot?: unknown };
    if (Answer !== undefined) tell(JSON.parse(Answer) as Reply);
    else if (told === "Ready" && worker === compiling?.worker) {
      if (!compiling.keep || !running) return promote(null);
      send(running, PRIVATE, "TakeSnapshot");
      clearTimeout(compiling.deadline);
      compiling.ready = true;
      compiling.deadline = setTimeout(() => promote(null), LONGEST_SNAPSHOT);
    } else if (Snapshot !== undefined && worker === running && compiling?.ready) promote(Snapshot);
  }

  /// The newest text runs from now on.
  function promote(snapshot: unknown): void {
    if (!compiling) return;
    clearTimeout(compiling.deadline);
    running?.terminate();
    running = compiling.worker;
    compiling = null;
    send(running, PRIVATE, { Start: snapshot });
  }

  /// The newest text is not wanted any more.
  function dismiss(): void {
    if (!compiling) return;
    clearTimeout(compiling.deadline);
    compiling.worker.terminate();
    compiling = null;
  }

  function compile(keep: boolean, request: Request): void {
    dismiss();
    const worker = spare ?? newWorker();
    const deadline = setTimeout(() => {
      dismiss();
      limit(`compiling took longer than ${LONGEST_COMPILE / 1000} s and was given up`, "make the scene smaller; `ansatz run` has no such limit");
    }, LONGEST_COMPILE);
    compiling = { worker, keep, ready: false, deadline };
    send(worker, TEXT, request);
    spare = newWorker();
  }

  /// A worker can compute no more.
  function fell(worker: Worker, why: string): void {
    worker.terminate();
    const hint = "make the scene smaller; if it is small, this is a defect of Ansatz, please report it";
    if (worker === compiling?.worker) {
      dismiss();
      limit(`the compiler fell over this text: ${why}`, hint);
    } else if (worker === running) {
      running = null;
      limit(`the run ended unexpectedly: ${why}`, hint);
    } else if (worker === sweeping?.worker) {
      tell({ type: "swept", request: sweeping.request, unit: null, runs: [], trouble: { message: `the runs ended unexpectedly: ${why}`, hint: "make fewer runs, or shorter ones" } });
      sweeping = null;
    } else if (worker === spare) spare = null;
  }

  compiler.then(
    () => connected("open"),
    (error: Error) => {
      connected("lost");
      limit(`the compiler cannot be loaded: ${error.message}`, "it is the file `compiler.wasm` beside this page; serve the folder with a web server");
    },
  );
  // After the caller has said who listens.
  queueMicrotask(() => {
    connected("connecting");
    spare = newWorker();
  });
  return {
    compiles: true,
    send(request) {
      if (request.type === "compile") compile(request.keep, request);
      else if (request.type === "sweep" || request.type === "unsweep") {
        sweeping?.worker.terminate();
        sweeping = request.type === "sweep" ? { worker: newWorker(), request: request.request } : null;
        if (sweeping) send(sweeping.worker, TEXT, request);
      }
      else if (request.type !== "ask") running && send(running, TEXT, request);
      else if (request.what === "answers") {
        // What the text itself asks may need runs: nobody who types waits for that, and a newer one takes its place.
        answering?.terminate();
        answering = newWorker();
        send(answering, TEXT, request);
      } else send((spare ??= newWorker()), TEXT, request);
    },
    connection: (watcher) => void onConnection.push(watcher),
    replies: (watcher) => void onReply.push(watcher),
    batches: (watcher) => void onBatch.push(watcher),
  };
}

/// The compiler, which lies beside the page.
export async function loadCompiler(): Promise<WebAssembly.Module> {
  const answer = await fetch("./compiler.wasm");
  if (!answer.ok) throw new Error(`the server says ${answer.status}`);
  // Not every server knows what kind of file it is.
  return answer.headers.get("Content-Type")?.startsWith("application/wasm") ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
