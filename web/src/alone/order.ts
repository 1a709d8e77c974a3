// A page that makes one film and is gone: `ansatz export` opens it in a browser without a window, and waits for the file.

import { shoot } from "../film/film";
import type { Session } from "../session";
import * as state from "../state";
import type { Overlay } from "../state";
import { theme } from "../theme";
import type { View } from "../view3d/view";
import { PRESETS, type Preset } from "../view3d/viewpoint";
import type { Look, Order } from "./content";

/// Milliseconds between two words about how far it is.
const BETWEEN_WORDS = 2000;

export async function fillOrder(order: Order, view: View, session: Session): Promise<void> {
  let made = 0;
  setInterval(() => void say("progress", String(made)), BETWEEN_WORDS);
  try {
    theme.set(order.theme);
    for (const [name, shown] of Object.entries(state.overlays)) shown.set(order.overlays.includes(name as Overlay));
    session.compile("", "fresh", { parameters: order.parameters });
    while (!state.scene.get() || !state.row.get()) await new Promise((answer) => requestAnimationFrame(answer));
    for (const [name, value] of Object.entries(order.controls)) session.control(name, value);
    look(order.camera, view);
    await document.fonts.ready;
    const { file, pictures, note } = await shoot(order, view, session, (pictures) => {
      made = pictures;
      return true;
    });
    const failure = state.failure.get();
    await say("told", JSON.stringify({ pictures, note, failure: failure && pictures < order.times.length ? failure.diagnostic.message : "" }));
    await say("file", file);
  } catch (problem) {
    await say("trouble", problem instanceof Error ? problem.message : String(problem));
  }
}

async function say(about: string, body: Blob | string): Promise<void> {
  await fetch(`${location.pathname}/${about}`, { method: "POST", body });
}

function look(from: Look, view: View): void {
  const scene = state.scene.get()!;
  if (from.kind === "point") return view.lookFrom(from.position, from.target);
  if (from.kind === "path") {
    state.cameraPath.set(from.views);
    return view.viewpoint.choose({ kind: "path" });
  }
  if (from.kind === "scene") return view.viewpoint.choose({ kind: "scene", camera: scene.cameras[from.number]! });
  if (from.kind === "follow") return view.viewpoint.choose({ kind: "follow", frame: from.frame });
  view.viewpoint.choose({ kind: "all", from: from.from && from.from in PRESETS ? (from.from as Preset) : null });
}
