// Moving a frame changes the one number of the text that its place comes from, or the parameter; the text stays the only authority.

import type { Editor } from "./editor/editor";
import { readNumber, written } from "./number";
import { asWritten } from "./panels/sliders";
import type { Frame, Handle } from "./protocol";
import type { Session } from "./session";
import * as state from "./state";
import { store } from "./store";

/// The id of the frame that is being moved.
export const moved = store<string | null>(null);

export const AXES = ["x", "y", "z"] as const;
/// The place of the angle among what can be changed, behind those of the axes.
export const TURN = 3;

/// A coordinate in the axes of the parent, in metres, or the angle, in radians; or why it cannot be changed.
export type Coordinate = { value: number } | { why: string };

export interface Moving {
  coordinates(frame: Frame): Coordinate[];
  /// Gives a coordinate another value; says so where that fails.
  move(frame: Frame, axis: number, value: number): void;
  /// Shows the moment at which the numbers of the text hold.
  begin(frame: Frame): void;
}

export function createMoving(editor: Editor, session: Session): Moving {
  function read(handle: Handle): Coordinate {
    if (handle.type === "fixed") return { why: handle.why };
    if (handle.type === "parameter") {
      const parameter = state.scene.get()?.parameters.find(({ name }) => name === handle.name);
      const value = state.status.get()?.parameters[handle.name] ?? parameter?.default;
      if (!parameter || value === undefined) return { why: `${handle.name} is no parameter` };
      return parameter.valueSpan === null ? { why: `the parameter ${handle.name} is not one number of the text` } : { value: handle.sign * value };
    }
    const text = editor.textAt(handle.span, "scene");
    const number = text === null ? null : readNumber(text.replaceAll(" ", ""));
    return number === null ? { why: "the text has moved on; wait until it is compiled" } : { value: number * handle.scale };
  }

  return {
    coordinates: (frame) => frame.handles.map(read),
    begin(frame) {
      session.send({ type: "pause" });
      if (frame.handles.some((handle) => handle.type === "literal" && handle.start)) session.send({ type: "reset" });
    },
    move(frame, axis, value) {
      const handle = frame.handles[axis]!;
      const now = read(handle);
      if ("why" in now) return state.notice.set({ text: `${frame.name} cannot be ${axis === TURN ? "turned" : `moved along ${AXES[axis]}`}: ${now.why}.`, hint: "", bad: true });
      if (Math.abs(now.value - value) < 1e-12) return;
      if (handle.type === "parameter") {
        const parameter = state.scene.get()!.parameters.find(({ name }) => name === handle.name)!;
        session.parameter(handle.name, handle.sign * value);
        editor.apply([{ span: parameter.valueSpan!, text: asWritten(handle.sign * value, parameter) }], "scene");
      } else if (handle.type === "literal") {
        if (handle.start) startAnew(session);
        editor.apply([{ span: handle.span, text: `${written(value / handle.scale)}${handle.unit && ` [${handle.unit}]`}` }], "scene");
      }
    },
  };
}

/// Once the next text runs, it begins at its start, and plays if that is wanted.
export function startAnew(session: Session, plays = false): void {
  const before = state.compiledRevision.get();
  let done = false;
  const end = state.compiledRevision.watch((revision) => {
    if (done || revision === before) return;
    done = true;
    queueMicrotask(() => end());
    session.send({ type: "reset" });
    if (plays) session.send({ type: "play" });
  });
}
