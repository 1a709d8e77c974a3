// For tests and the curious: what the page shows, as numbers, at `window.ansatz`.

import { ghosts, rowAt } from "./branches";
import * as state from "./state";
import { efforts, type Effort } from "./view3d/efforts";
import { touches, type Touch } from "./view3d/touches";
import type { Gizmo } from "./view3d/gizmo";
import type { View } from "./view3d/view";

export interface Hook {
  /// Settled: it is paused, and what is shown is where the run stands; nothing is on its way.
  state(): { scene: string | null; path: string | null; t: number; playing: boolean; settled: boolean; recorded: number; speed: number; achieved: number; selection: string | null; errors: number; revision: number; parameters: Record<string, number>; controls: Record<string, number>; released: string[] };
  /// Position and quaternion (w, x, y, z) of each frame, by name.
  poses(): Record<string, { position: number[]; rotation: number[] }>;
  /// Present values of the coordinates, of the plotted series, of energy and drift.
  values(): Record<string, number>;
  /// Recorded times, and values of a plotted series by name.
  recorded(name: string): { t: number[]; values: number[] };
  /// Where the frames of other futures are at the moment that is shown: positions by name, by the names of those that are seen and reach it.
  ghosts(): Record<string, Record<string, number[]>>;
  /// The points in which things touch.
  touches(): Touch[];
  /// What the actuators exert.
  efforts(): Effort[];
  select(id: string | null): void;
  screen(id: string): { x: number; y: number } | null;
  /// Where the arrows that move a frame are on the screen, one for each axis, and the knob that turns it.
  tips(): { x: number; y: number }[];
  camera(): { position: number[]; target: number[] };
  /// Shapes and curves, by id: how many triangles, and the extent in metres.
  drawn(): Record<string, { triangles: number; size: number[] }>;
  /// Draws now; gives a sample of pixels: how many differ from the first, of how many.
  pixels(): { different: number; total: number; lost: boolean };
  /// The picture in this size, as a data: address; without its sky, or before this colour.
  thumbnail(width: number, height: number, sky?: string): string;
}

declare global {
  interface Window {
    ansatz?: Hook;
  }
}

export function installHook(view: View, gizmo?: Gizmo): void {
  window.ansatz = {
    state() {
      const status = state.status.get();
      const scene = state.scene.get();
      const row = state.row.get();
      const t = scene && row ? row[scene.layout.t]! : NaN;
      return {
        scene: scene?.name ?? null,
        path: state.open.get()?.path ?? null,
        t,
        playing: status?.playing ?? false,
        settled: status?.playing === false && status.t === t,
        recorded: status?.recorded ?? 0,
        speed: status?.speed ?? 1,
        achieved: status?.achieved ?? 0,
        selection: state.selection.get(),
        errors: state.report.get()?.list.filter((diagnostic) => diagnostic.severity === "error").length ?? 0,
        revision: state.compiledRevision.get(),
        parameters: status?.parameters ?? {},
        controls: status?.controls ?? {},
        released: status?.released ?? [],
      };
    },
    poses() {
      const row = state.row.get();
      const frames = row ? (state.scene.get()?.frames ?? []) : [];
      return Object.fromEntries(frames.map(({ name, at }) => [name, { position: [...row!.subarray(at, at + 3)], rotation: [...row!.subarray(at + 3, at + 7)] }]));
    },
    values() {
      const scene = state.scene.get();
      const row = state.row.get();
      if (!scene || !row) return {};
      const entries = [...series(), ...scene.quantities].map(({ name, at }) => [name, row[at]!]);
      const { energy } = scene.layout;
      return { ...Object.fromEntries(entries), ...(energy !== null && { energy: row[energy]! }), drift: row[scene.layout.drift]!, t: row[scene.layout.t]! };
    },
    recorded(name) {
      const found = series().find((entry) => entry.name === name);
      return { t: [...state.recording.times()], values: found ? [...state.recording.column(found.at)] : [] };
    },
    ghosts() {
      const [scene, row] = [state.scene.get(), state.row.get()];
      if (!scene || !row) return {};
      const poses = ghosts.get().flatMap((ghost) => {
        const then = rowAt(ghost, row[scene.layout.t]!);
        return then ? [[ghost.entry.name, Object.fromEntries(scene.frames.map(({ name, at }) => [name, [...then.subarray(at, at + 3)]]))]] : [];
      });
      return Object.fromEntries(poses) as Record<string, Record<string, number[]>>;
    },
    touches() {
      const [scene, row] = [state.scene.get(), state.row.get()];
      return scene && row ? touches(scene, row) : [];
    },
    efforts() {
      const [scene, row] = [state.scene.get(), state.row.get()];
      return scene && row ? efforts(scene, row) : [];
    },
    select: (id) => state.selection.set(id),
    screen: (id) => view.screen(id),
    tips() {
      view.draw();
      return gizmo?.tips() ?? [];
    },
    camera: () => view.looking(),
    drawn: () => view.drawn(),
    pixels() {
      view.draw();
      const gl = view.stage.renderer.getContext() as WebGLRenderingContext | null;
      if (!gl) return { different: 0, total: 0, lost: true };
      const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
      const data = new Uint8Array(4 * width * height);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
      let different = 0;
      for (let at = 4; at < data.length; at += 4) if (Math.abs(data[at]! - data[0]!) + Math.abs(data[at + 1]! - data[1]!) + Math.abs(data[at + 2]! - data[2]!) > 24) different++;
      return { different, total: width * height, lost: gl.isContextLost() };
    },
    thumbnail: (width, height, sky) => view.thumbnail(width, height, sky),
  };

  function series() {
    const plots = [...(state.scene.get()?.plots.filter((plot) => !plot.probe) ?? []), ...state.probes.get()];
    return plots.flatMap((plot) => plot.series);
  }
}
