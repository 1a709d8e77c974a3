// The source of a page that stands alone: the program, in a worker made from this very file, or in the page where there are no such workers.

import type { Reply, Request } from "../protocol";
import { readBatch, type Batch, type Connection, type Source } from "../source";
import type { Content, ProgramData } from "./content";
import { startEngine } from "./engine";
import type { Out } from "./telling";
import Thread from "./worker?worker&inline";

export function openProgram({ scene, program }: Content): Source {
  const onConnection: ((state: Connection) => void)[] = [];
  const onReply: ((reply: Reply) => void)[] = [];
  const onBatch: ((batch: Batch) => void)[] = [];
  const reply = (told: Reply): void => onReply.forEach((watcher) => watcher(told));
  const send = start(program, {
    reply,
    numbers(numbers) {
      const batch = readBatch(numbers.buffer as ArrayBuffer);
      if (batch) onBatch.forEach((watcher) => watcher(batch));
    },
  });
  // After the caller has said who listens.
  queueMicrotask(() => onConnection.forEach((watcher) => watcher("open")));
  return {
    compiles: false,
    send(request: Request) {
      if (request.type !== "compile") return send(request);
      reply({ type: "compiled", revision: request.revision, scene });
      send({ ...request, speed: request.speed ?? scene.tempo });
    },
    connection: (watcher) => void onConnection.push(watcher),
    replies: (watcher) => void onReply.push(watcher),
    batches: (watcher) => void onBatch.push(watcher),
  };
}

/// Some browsers start no worker in a page that came from a file, and say so when it is too late to do anything but start again here.
function start(program: ProgramData, out: Out): (request: Request) => void {
  const unheard: Request[] = [];
  const here = (): void => {
    send = startEngine(program, out);
    unheard.splice(0).forEach((request) => send(request));
  };
  let heard = false;
  let send = (request: Request): void => void unheard.push(request);
  try {
    const worker: Worker = new Thread();
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      heard = true;
      if (data instanceof ArrayBuffer) out.numbers(new Float64Array(data));
      else out.reply(data as Reply);
    };
    worker.onerror = () => {
      if (heard) return out.reply({ type: "limit", message: "the program came to a sudden end", hint: "load the page again" });
      heard = true;
      here();
    };
    worker.postMessage(program);
    send = (request) => {
      if (!heard) unheard.push(request);
      worker.postMessage(request);
    };
  } catch {
    here();
  }
  return (request) => send(request);
}
