// A film of a run: each picture is drawn at its exact instant, in full, however long that takes; then it is handed to whoever writes the file.

import type { Session } from "../session";
import * as state from "../state";
import type { View } from "../view3d/view";
import { createGif } from "./gif";
import { createVideo } from "./video";

export const KINDS = ["png", "gif", "webm", "mp4"] as const;
export type Kind = (typeof KINDS)[number];

export interface Film {
  kind: Kind;
  /// The instants of the motion, ascending, in seconds; a still has one.
  times: number[];
  /// Pictures in a second of the film.
  rate: number;
  /// In pixels.
  width: number;
  height: number;
}

export interface Filmed {
  file: Blob;
  /// How many pictures there are; fewer than asked for where the run ended before.
  pictures: number;
  /// What somebody should know about the file; empty if nothing.
  note: string;
}

/// Takes pictures one after the other, and makes a file of them.
export interface Writer {
  add(picture: HTMLCanvasElement): Promise<void>;
  finish(): Promise<Blob>;
  readonly note: string;
}

/// Runs the scene from its start and films it. Where `wanted` says no more, the film ends there.
export async function shoot(film: Film, view: View, session: Session, wanted: (pictures: number) => boolean): Promise<Filmed> {
  const writer = await createWriter(film);
  session.send({ type: "pause" });
  // Recorded rows are near the instants, not at them; a run that is made anew stops at each.
  session.send({ type: "reset" });
  state.failure.set(null);
  await next(() => !view.waiting());
  const release = view.hold(film.width, film.height);
  let pictures = 0;
  try {
    for (const t of film.times) {
      if (!wanted(pictures) || !(await arrive(session, t))) break;
      await writer.add(view.picture());
      pictures++;
    }
    if (pictures === 0) throw new Error(state.failure.get()?.diagnostic.message ?? "the run ends before the first picture");
    return { file: await writer.finish(), pictures, note: writer.note };
  } finally {
    release();
  }
}

async function createWriter(film: Film): Promise<Writer> {
  if (film.kind === "gif") return createGif(film);
  return film.kind === "png" ? createStill() : createVideo(film.kind, film);
}

/// The last picture, as it is.
function createStill(): Writer {
  let still: HTMLCanvasElement;
  return {
    note: "",
    add: async (picture) => void (still = picture),
    finish: () => new Promise((answer, refuse) => still.toBlob((blob) => (blob ? answer(blob) : refuse(new Error("no picture could be made"))), "image/png")),
  };
}

/// Goes on to an instant; whether the run gets there.
async function arrive(session: Session, t: number): Promise<boolean> {
  const there = (): boolean => {
    const [scene, row] = [state.scene.get(), state.row.get()];
    return !!scene && !!row && row[scene.layout.t] === t;
  };
  session.seek(t);
  await next(() => there() || state.failure.get() !== null || state.status.get()?.full === true);
  return there();
}

/// Waits until something holds; the page goes on meanwhile.
async function next(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((answer) => requestAnimationFrame(answer));
}
