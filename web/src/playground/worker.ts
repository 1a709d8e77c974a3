// The compiler in a worker of the page: carries messages between the page and the WebAssembly of `crates/app/playground`, and gives it a clock and
// functions made of the WebAssembly that it writes itself.

import { hostOf, type Compiler, type Post } from "./host";

const post: Post = (kind, bytes) => self.postMessage({ kind, bytes }, { transfer: [bytes.buffer] });

let compiler: Compiler | null = null;
const early: { kind: number; bytes: Uint8Array }[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

// First comes the compiler, then messages; those that come before it is ready wait for it.
self.onmessage = ({ data }: MessageEvent<WebAssembly.Module | { kind: number; bytes: Uint8Array }>) => {
  if (data instanceof WebAssembly.Module) {
    void hostOf(data, post).then((ready) => {
      compiler = ready;
      for (const { kind, bytes } of early) compiler.receive(kind, bytes);
      turn();
    });
  } else if (compiler) {
    compiler.receive(data.kind, data.bytes);
    // Whatever has come in the meantime is handled before anything is computed.
    clearTimeout(timer);
    timer = setTimeout(turn, 0);
  } else early.push(data);
};

function turn(): void {
  const wait = compiler!.turn();
  clearTimeout(timer);
  if (wait >= 0) timer = setTimeout(turn, wait);
}
