// What drives a run: loads the program, obeys requests, and comes back whenever there is something to compute. It does not hold up the
// thread that it is in for longer than a picture takes.

import type { Request } from "../protocol";
import type { ProgramData } from "./content";
import { createRun, type Run } from "./run";
import { loadSwitched } from "./switched";
import type { Out } from "./telling";

/// Takes requests from now on; they wait until the program is there.
export function startEngine(data: ProgramData, out: Out): (request: Request) => void {
  const early: Request[] = [];
  let run: Run | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function obey(request: Request): void {
    if (!run) return void early.push(request);
    run.obey(request);
    go(run);
  }

  function go(run: Run): void {
    run.tell();
    clearTimeout(timer);
    const wait = run.wait();
    if (wait === Infinity) return;
    timer = setTimeout(() => {
      run.tick();
      go(run);
    }, wait);
  }

  loadSwitched(data).then(
    (program) => {
      run = createRun(program, out);
      early.splice(0).forEach(obey);
    },
    (problem: unknown) => out.reply({ type: "limit", message: `the program cannot be loaded: ${String(problem)}`, hint: "try another browser: this one may not run WebAssembly" }),
  );
  return obey;
}
