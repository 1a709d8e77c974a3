// One run, from the page's side: requests go out here, and what comes back is put into the state.

import { HISTORY, LIVE, SURFACES, type Answer, type Moment, type Plot, type Question, type Reply, type Request, type Sweep, type Vector } from "./protocol";
import type { Batch, Source } from "./source";
import * as state from "./state";
import { reducedMotion } from "./theme";

/// Speeds to choose from, for scenes that are followed in real time; for others in proportion to their tempo.
export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export interface Session {
  /// Whether there is a compiler: see `Source`.
  readonly compiles: boolean;
  /// Compiles a text; gives its revision.
  compile(source: string, how: How, byHand?: Partial<ByHand>): number;
  send(request: Request): void;
  toggle(): void;
  seek(t: number): void;
  /// Faster by a step of the table for 1, slower for -1.
  hasten(steps: number): void;
  speed(speed: number): void;
  parameter(name: string, value: number): void;
  control(name: string, value: number): void;
  /// Switches prescribed motions off, by their labels, and all others on.
  release(labels: string[]): void;
  /// The plots by hand, by expression.
  plots(): string[];
  probe(expression: string): void;
  unprobe(expression: string): void;
  /// Computes expressions for the page itself, at every moment and without a plot; gives their columns, or nothing where they make no sense.
  measure(expressions: string[]): Promise<number[] | null>;
  drag(frame: string, grasp: Vector, target: Vector): void;
  drop(): void;
  /// The text of a stage of the compiler.
  stage(name: Extract<Request, { type: "stage" }>["stage"]): Promise<string>;
  /// Asks about a place of a text; nothing if there is no answer.
  ask(question: Omit<Question, "type" | "request" | "path" | "moment"> & { moment?: Moment }): Promise<Answer | null>;
  /// All numbers of the moment that is shown; nothing if nothing runs.
  moment(): Promise<Moment | null>;
  /// Makes many runs of a text, with the parameters and controls as they are now; what comes of them is heard again and again. One sweep at a time.
  sweep(wanted: Wanted, heard: (swept: Swept) => void): void;
  /// No more is heard of the sweep.
  unsweep(): void;
  /// Begins to remember columns of the frames, with their past.
  follow(columns: number[]): void;
  /// Reads the recorded values of columns again, for all recorded times: rows of t and the columns; of another branch than the present run, if one is named.
  history(columns: number[], branch?: number): Promise<Float64Array[]>;
}

/// A fresh text starts anew and forgets what was set by hand, except for what is given; an edited one goes on from the present state; again is for a new
/// connection, which knows nothing yet.
export type How = "fresh" | "edited" | "again";

export type Swept = Extract<Reply, { type: "swept" }>;
export type Wanted = Omit<Sweep, "type" | "request" | "path">;

/// What a fresh text begins with besides itself.
export interface ByHand {
  plots: string[];
  parameters: Record<string, number>;
}

export function createSession(source: Source): Session {
  let revision = 0;
  let text = "";
  let playing = true;
  // Nothing until somebody asks for one, or the scene's tempo is known.
  let speed: number | null = null;
  let requests = 0;
  let parameters: Record<string, number> = {};
  let controls: Record<string, number> = {};
  let released: string[] = [];
  // Plots by hand that are wanted, whether or not the present text has them; and those that were asked for and not answered yet.
  let expressions: string[] = [];
  const asked = new Set<string>();
  const measures = new Map<string, (columns: number[] | null) => void>();
  // Plots of the scene that takes the stage next.
  let arriving: Plot[] = [];
  let next: Extract<Reply, { type: "compiled" }> | null = null;
  const stages = new Map<string, ((text: string) => void)[]>();
  let moments: ((moment: Moment | null) => void)[] = [];
  const answers = new Map<number, (answer: Answer | null) => void>();
  let sweeping: { request: number; heard(swept: Swept): void } | null = null;
  const histories = new Map<number, (rows: Float64Array[]) => void>();

  function compile(keep: boolean): void {
    const path = state.open.get()?.path ?? "scene.anz";
    // Whoever did not ask for another speed follows the tempo of what the text becomes.
    const asked = speed === state.scene.get()?.tempo ? null : speed;
    source.send({ type: "compile", revision, path, source: text, parameters, controls, released, probes: expressions, playing, speed: asked, keep });
  }

  function receive(reply: Reply): void {
    switch (reply.type) {
      case "diagnostics":
        if (reply.revision === revision) state.report.set(reply);
        break;
      case "compiled":
        next = reply;
        arriving = [];
        break;
      case "status":
        ({ playing, speed, released } = reply);
        if (!next) state.recording.cut(reply.recorded + 1e-9);
        if (reply.full && !state.status.get()?.full) {
          state.notice.set({ text: "The recording is as long as it can be; the run stops here.", hint: "Reset starts a new one.", bad: true });
        }
        state.status.set(reply);
        break;
      case "failed":
        takeOver();
        state.failure.set(reply);
        break;
      case "refused":
        state.notice.set({ text: reply.diagnostic.message, hint: reply.diagnostic.hints[0] ?? "", bad: true });
        break;
      case "probed":
        probed(reply);
        break;
      case "curves":
        state.curves.set(reply.points);
        break;
      case "events":
        state.events.set([...state.events.get().slice(0, reply.from), ...reply.list]);
        break;
      case "branches":
        state.branches.set(reply);
        break;
      case "stage":
        stages.get(reply.stage)?.forEach((answer) => answer(reply.text));
        stages.delete(reply.stage);
        break;
      case "moment":
        moments.splice(0).forEach((answer) => answer(reply.moment));
        break;
      case "answered":
        answers.get(reply.request)?.(reply.answer);
        answers.delete(reply.request);
        break;
      case "outdated":
        state.outdated.set(state.outdated.get() + 1);
        break;
      case "swept":
        if (reply.request === sweeping?.request) sweeping.heard(reply);
        break;
      case "limit":
        state.notice.set({ text: reply.message, hint: reply.hint, bad: true });
        break;
    }
  }

  /// The new scene takes the stage together with its first frame, so that nothing flickers while someone types.
  function takeOver(): void {
    if (!next) return;
    const { scene, revision } = next;
    next = null;
    state.failure.set(null);
    state.recording.clear(scene.layout.t);
    state.row.set(null);
    state.probes.set(arriving);
    state.compiledRevision.set(revision);
    state.scene.set(scene);
    // Those that the run before was asked for may have got lost with it.
    for (const expression of asked) source.send({ type: "probe", expression });
  }

  function probed({ expression, plot, list }: Extract<Reply, { type: "probed" }>): void {
    const measured = measures.get(expression);
    if (measured) {
      measures.delete(expression);
      return measured(plot?.series.map(({ at }) => at) ?? null);
    }
    const isNew = asked.delete(expression);
    if (!plot) {
      // What an edited text has not got any more may come back with the next edit.
      if (isNew) state.notice.set({ text: `${expression}: ${list[0]?.message ?? "cannot be plotted"}`, hint: list[0]?.hints[0] ?? "", bad: true });
      return;
    }
    if (!expressions.includes(expression)) expressions = [...expressions, expression];
    if (next) arriving = [...arriving.filter((known) => known.id !== plot.id), plot];
    else state.probes.set([...state.probes.get().filter((known) => known.id !== plot.id), plot]);
  }

  function show(batch: Batch): void {
    if (batch.kind === HISTORY) {
      histories.get(batch.number)?.(batch.rows);
      histories.delete(batch.number);
      return;
    }
    if (batch.kind === SURFACES) return state.surfaces.set(batch.rows);
    takeOver();
    if (batch.kind === LIVE) batch.rows.forEach((row) => state.recording.append(row));
    const last = batch.rows.at(-1);
    if (last) state.row.set(last);
    // Drawn by then; a tab that nobody sees draws nothing, asks for nothing, and so computes nothing.
    requestAnimationFrame(() => source.send({ type: "drawn", batch: batch.number }));
  }

  source.replies(receive);
  source.batches(show);
  source.connection((now) => state.connection.set(now));

  const session: Session = {
    compiles: source.compiles,
    plots: () => expressions,
    compile(source, how, byHand = {}) {
      text = source;
      if (how === "fresh") {
        parameters = { ...byHand.parameters };
        controls = {};
        released = [];
        expressions = byHand.plots ?? [];
        asked.clear();
        playing = !reducedMotion();
        speed = null;
        state.selection.set(null);
      }
      revision++;
      compile(how === "edited");
      return revision;
    },
    send: (request) => source.send(request),
    toggle() {
      source.send({ type: playing ? "pause" : "play" });
    },
    seek: (t) => source.send({ type: "seek", t: Math.max(0, t) }),
    hasten(steps) {
      const tempo = state.scene.get()?.tempo ?? 1;
      const off = (value: number): number => Math.abs(Math.log((tempo * value) / (speed ?? tempo)));
      const near = SPEEDS.reduce((best, value) => (off(value) < off(best) ? value : best));
      const index = Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(near) + steps));
      session.speed(Number((tempo * SPEEDS[index]!).toPrecision(12)));
    },
    speed(asked) {
      speed = asked;
      source.send({ type: "speed", speed });
    },
    parameter(name, value) {
      const known = state.scene.get()?.parameters.find((parameter) => parameter.name === name);
      if (known?.default === value) delete parameters[name];
      else parameters[name] = value;
      source.send({ type: "parameter", name, value });
    },
    control(name, value) {
      controls[name] = value;
      source.send({ type: "control", name, value });
    },
    release(labels) {
      released = labels;
      source.send({ type: "release", labels });
    },
    probe(expression) {
      asked.add(expression);
      source.send({ type: "probe", expression });
    },
    unprobe(expression) {
      expressions = expressions.filter((known) => known !== expression);
      state.probes.set(state.probes.get().filter((plot) => expressionOf(plot) !== expression));
    },
    measure(expressions) {
      const expression = expressions.join(", ");
      return new Promise((answer) => {
        measures.set(expression, answer);
        source.send({ type: "probe", expression });
      });
    },
    drag: (frame, grasp, target) => source.send({ type: "drag", frame, grasp, target }),
    drop: () => source.send({ type: "drop" }),
    stage(name) {
      return new Promise((answer) => {
        stages.set(name, [...(stages.get(name) ?? []), answer]);
        source.send({ type: "stage", stage: name });
      });
    },
    ask(question) {
      const request = ++requests;
      return new Promise((answer) => {
        // A question that was lost is not waited for.
        setTimeout(() => answers.delete(request) && answer(null), ["answers", "linear"].includes(question.what) ? 60_000 : 5000);
        answers.set(request, answer);
        source.send({ type: "ask", request, path: state.open.get()?.path ?? "scene.anz", ...question, moment: question.moment ?? null });
      });
    },
    moment() {
      return new Promise((answer) => {
        moments.push(answer);
        setTimeout(() => {
          moments = moments.filter((known) => known !== answer);
          answer(null);
        }, 5000);
        source.send({ type: "moment" });
      });
    },
    sweep(wanted, heard) {
      sweeping = { request: ++requests, heard };
      source.send({ type: "sweep", request: sweeping.request, path: state.open.get()?.path ?? "scene.anz", ...wanted });
    },
    unsweep() {
      sweeping = null;
      source.send({ type: "unsweep" });
    },
    follow(columns) {
      const past = state.recording.follow(columns);
      if (past.length === 0) return;
      void session.history(past).then((rows) => state.recording.recall(past, rows));
    },
    history(columns, branch) {
      const request = ++requests;
      return new Promise((answer) => {
        histories.set(request, answer);
        source.send({ type: "history", request, columns, branch: branch ?? null });
      });
    },
  };
  return session;
}

/// What to probe for this plot again.
export function expressionOf(plot: { series: { expression: string }[] }): string {
  return [...new Set(plot.series.map((series) => series.expression))].join(", ");
}
