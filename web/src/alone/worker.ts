// The engine in a thread of its own, so that computing never holds up drawing. The first message is the program, all others are requests.

import type { Request } from "../protocol";
import type { ProgramData } from "./content";
import { startEngine } from "./engine";

const thread = globalThis as unknown as { onmessage: (event: MessageEvent<unknown>) => void; postMessage(message: unknown, transfer?: Transferable[]): void };

thread.onmessage = ({ data }) => {
  const obey = startEngine(data as ProgramData, {
    reply: (reply) => thread.postMessage(reply),
    numbers: (numbers) => thread.postMessage(numbers.buffer, [numbers.buffer]),
  });
  thread.onmessage = ({ data }) => obey(data as Request);
};
