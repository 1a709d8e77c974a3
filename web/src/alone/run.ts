// A run in the page: what `worker/session` of the studio is, for a program that is there already.
//
// What is shown is a row of the recording, at the cursor. Playing goes through what is recorded first; at its end the simulation,
// which always stands at the end of the recording, goes on. Whatever changes the scene at a moment of the past forgets what was
// recorded after it.

import type { Diagnostic, Request } from "../protocol";
import { createPace, RATE } from "./pace";
import { Failure } from "./program";
import { createRows } from "./rows";
import type { Switched } from "./switched";
import { createTelling, type Out } from "./telling";

export interface Run {
  obey(request: Request): void;
  /// Milliseconds until something is to be computed; Infinity if nothing is.
  wait(): number;
  /// One frame on, or a part of one that takes long; as many as fit into a short while on the way to a far time.
  tick(): void;
  tell(): void;
}

/// Simulated seconds that a run may last at the speed of real time; faster runs may last longer in proportion.
const LONGEST_RUN = 3600;
/// Trial steps between two looks at the clock.
const STEPS = 200;
/// Milliseconds that requests wait at most while something is computed.
const PATIENCE = 20;
/// A row that takes longer never ends.
const LONGEST_ROW = 20_000;
/// Rows on the way to a time far ahead.
const ROWS_TO_GOAL = 2000;
const CURVE_POINTS = 257;

export function createRun(program: Switched, out: Out): Run {
  const rows = createRows();
  const pace = createPace();
  const telling = createTelling(out);
  let cursor = 0;
  let playing = true;
  let speed = 1;
  // New rows are at origin + k · interval.
  let [origin, k, interval] = [0, 0, 1 / RATE];
  /// Compute to this time as fast as possible, and show it.
  let goal: number | null = null;
  let [failed, full] = [false, false];
  let rowBegun: number | null = null;

  const now = (): number => rows.list[cursor]?.[0] ?? 0;
  const atEnd = (): boolean => cursor + 1 >= rows.list.length;
  const moving = (): boolean => (playing || goal !== null) && !(atEnd() && (failed || full));
  const limit = (): number => LONGEST_RUN * Math.max(speed, 1);

  /// At the start, with the present parameters.
  function begin(): void {
    rows.clear();
    cursor = 0;
    [failed, full, goal, rowBegun] = [false, false, null, null];
    attempt(() => {
      start();
      rows.push(program.row(0));
    });
    setOut(0);
    telling.forget(0);
  }

  function start(): void {
    program.configure(LONGEST_RUN);
    program.initialize();
    program.configure(limit());
  }

  /// From now on rows follow this time.
  function setOut(t: number): void {
    [origin, k, rowBegun] = [t, 0, null];
    interval = Math.max(speed / RATE, rows.leastInterval());
    pace.restart();
  }

  function show(row: number): void {
    cursor = Math.max(0, Math.min(row, rows.list.length - 1));
    telling.show();
  }

  function pause(): void {
    playing = false;
    goal = null;
  }

  function seek(t: number): void {
    pace.restart();
    goal = null;
    if (t <= rows.end() || failed) return show(rows.nearest(t));
    show(rows.list.length - 1);
    const last = rows.end();
    setOut(last);
    interval = Math.max(interval, (t - last) / ROWS_TO_GOAL);
    goal = t;
  }

  function setSpeed(asked: number): void {
    speed = asked;
    program.configure(rows.end() + limit());
    full = false;
    setOut(rows.end());
  }

  /// Begins anew from the state that is shown, with the present parameters and controls; at the start, from a new start. What was
  /// recorded after it is forgotten.
  function renew(): void {
    const shown = rows.list[cursor];
    if (!shown) return;
    const t = shown[0]!;
    if (t === 0 && cursor === 0) {
      start();
    } else {
      program.configure(t + limit());
      program.resume(t, program.states(shown));
    }
    const row = program.row(t);
    rows.truncate(cursor);
    rows.push(row);
    [failed, full, goal] = [false, false, null];
    setOut(t);
    telling.forget(rows.list.length);
    telling.show();
  }

  function setParameter(name: string, value: number): void {
    const before = program.parameter(name);
    if (before === undefined) return;
    program.setParameter(name, value);
    try {
      renew();
    } catch (problem) {
      program.setParameter(name, before);
      // It worked before, so it will again.
      renew();
      out.reply({ type: "refused", request: "parameter", diagnostic: diagnostic(`\`${name}\` cannot be ${value}: ${words(problem)}`) });
    }
  }

  /// Switches these prescribed motions off, and all others on.
  function release(labels: string[]): void {
    const before = program.released();
    try {
      if (!program.release(labels)) throw new Error("nothing would hold what is left together");
      renew();
    } catch (problem) {
      program.release(before);
      // It worked before, so it will again.
      renew();
      out.reply({ type: "refused", request: "release", diagnostic: diagnostic(`this cannot be switched so: ${words(problem)}`) });
    }
  }

  function replay(): void {
    const t = now() + speed / RATE;
    // Rounding must not skip a row.
    show(Math.max(rows.from(t - 1e-9 * interval), cursor + 1));
    pace.done(now());
  }

  function simulate(): void {
    const begun = (rowBegun ??= performance.now());
    let t = origin + (k + 1) * interval;
    if (goal !== null && goal - t < 1e-9 * interval) t = goal;
    if (t > limit()) return fillUp();
    attempt(() => {
      const slice = performance.now();
      while (!program.advance(t, STEPS)) {
        if (performance.now() - begun > LONGEST_ROW) throw new Failure(rows.end(), "the steps became too short");
        if (performance.now() - slice > PATIENCE) return;
      }
      const stopped = program.stopped();
      add(program.row(stopped ?? t));
      if (stopped !== undefined) end(stopped);
    });
  }

  function add(row: Float64Array): void {
    const t = row[0]!;
    const before = rows.list.length;
    rows.push(row);
    // Thinned out: the page keeps what it has.
    if (rows.list.length <= before) telling.caughtUp(rows.list.length - 1);
    cursor = rows.list.length - 1;
    rowBegun = null;
    k++;
    if (goal !== null && t >= goal) {
      goal = null;
      setOut(t);
      telling.statusDue();
    }
    if (interval < rows.leastInterval()) setOut(t);
    pace.done(t);
  }

  /// What fails ends the run, not the page.
  function attempt(action: () => void): void {
    try {
      action();
    } catch (problem) {
      [playing, failed, goal, rowBegun] = [false, true, null, null];
      out.reply({ type: "failed", t: problem instanceof Failure ? problem.t : now(), diagnostic: diagnostic(words(problem)) });
      telling.statusDue();
    }
  }

  /// The scene says that the run ends here.
  function end(t: number): void {
    [playing, full, goal, rowBegun] = [false, true, null, null];
    out.reply({ type: "limit", message: `the run stops at t = ${t} s, as the scene says`, hint: "go back and play from there, or reset it" });
    telling.statusDue();
  }

  function fillUp(): void {
    [playing, full, goal, rowBegun] = [false, true, null, null];
    out.reply({ type: "limit", message: `a run ends after ${limit()} simulated seconds`, hint: "reset it, or run it faster: the limit grows with the speed" });
    telling.statusDue();
  }

  function obey(request: Request): void {
    switch (request.type) {
      case "compile":
        ({ playing } = request);
        speed = request.speed ?? 1;
        for (const [name, value] of Object.entries(request.parameters)) if (program.parameter(name) !== undefined) program.setParameter(name, value);
        begin();
        break;
      case "play":
        playing = true;
        pace.restart();
        break;
      case "pause":
        pause();
        break;
      case "step":
        pause();
        if (!atEnd()) show(cursor + 1);
        else if (!failed) goal = origin + (k + 1) * interval;
        break;
      case "back":
        pause();
        show(cursor - 1);
        break;
      case "reset":
        begin();
        break;
      case "speed":
        setSpeed(request.speed);
        break;
      case "seek":
        seek(request.t);
        break;
      case "parameter":
        setParameter(request.name, request.value);
        break;
      case "control": {
        const before = program.control(request.name);
        if (before === undefined) break;
        program.setControl(request.name, request.value);
        if (program.control(request.name) !== before) attempt(renew);
        break;
      }
      case "release":
        release(request.labels);
        break;
      case "history":
        telling.history(request.request, request.columns, rows.list);
        break;
      case "drawn":
        return telling.drawn(request.batch);
    }
    telling.statusDue();
  }

  return {
    obey,
    wait: () => (!moving() ? Infinity : rowBegun !== null || goal !== null ? 0 : pace.wait()),
    tick() {
      const slice = performance.now();
      do {
        if (!moving()) return;
        if (atEnd()) simulate();
        else replay();
      } while (goal !== null && performance.now() - slice < PATIENCE);
    },
    tell: () =>
      telling.tell({
        rows: rows.list,
        cursor,
        moving: moving(),
        status: () => ({
          type: "status",
          playing,
          t: now(),
          recorded: rows.end(),
          frames: rows.list.length,
          speed,
          achieved: ((moving() ? pace.achieved() : null) ?? speed) / speed,
          parameters: program.parameters(),
          controls: program.controls(),
          released: program.released(),
          dragging: null,
          full,
        }),
        curves: () => program.curves(rows.end()),
        curveLength: 3 * CURVE_POINTS,
        surfaces: () => program.surfaces(rows.end()),
        surfaceCount: program.surfaceCount,
        events: () => program.events(),
      }),
  };
}

function words(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function diagnostic(message: string): Diagnostic {
  return { severity: "error", code: "", message, labels: [], notes: [], hints: [], fixes: [], about: [], page: "" };
}
