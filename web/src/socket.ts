// The live source: one WebSocket for this tab, opened again when it is lost.

import type { Reply, Request } from "./protocol";
import { readBatch, type Batch, type Connection, type Source } from "./source";

const token = new URLSearchParams(location.search).get("token") ?? "";

/// An address of the server, with the token of this page.
export function address(path: string, query: Record<string, string> = {}): string {
  return `${path}?${new URLSearchParams({ ...query, token })}`;
}

export function openSocket(): Source {
  const onConnection: ((state: Connection) => void)[] = [];
  const onReply: ((reply: Reply) => void)[] = [];
  const onBatch: ((batch: Batch) => void)[] = [];
  let socket: WebSocket;
  let wait = 250;

  function connect(): void {
    tell("connecting");
    const url = new URL(address("/api/run"), location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      wait = 250;
      tell("open");
    };
    socket.onclose = () => {
      tell("lost");
      setTimeout(connect, wait);
      wait = Math.min(wait * 2, 5000);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") {
        const reply = JSON.parse(data) as Reply;
        for (const watcher of onReply) watcher(reply);
      } else {
        const batch = readBatch(data as ArrayBuffer);
        if (batch) for (const watcher of onBatch) watcher(batch);
      }
    };
  }

  function tell(state: Connection): void {
    for (const watcher of onConnection) watcher(state);
  }

  // After the caller has said who listens.
  queueMicrotask(connect);
  return {
    compiles: true,
    send(request: Request) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
    },
    connection: (watcher) => void onConnection.push(watcher),
    replies: (watcher) => void onReply.push(watcher),
    batches: (watcher) => void onBatch.push(watcher),
  };
}
