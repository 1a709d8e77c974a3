// A page that stands alone: one scene that runs, with its sliders, plots and equations; no server, no text.

import "../style/fonts.css";
import "../style/tokens.css";
import "../style/components.css";
import "../style/layout.css";
import "../style/view.css";
import "../style/strip.css";
import "../style/panels.css";
import "../style/alone.css";
import "../style/narrow.css";
import { createControls } from "../controls";
import { announce, find, h, reveal } from "../dom";
import { installHook } from "../hook";
import { icon } from "../icons";
import { listenToKeys } from "../keys";
import { nameOf, wordFor } from "../links";
import { themeButtons, titleOf } from "../panels/bar";
import { createDock } from "../panels/dock";
import { createEquations } from "../panels/equations";
import { createExportDialog } from "../panels/export";
import { createHelp } from "../panels/help";
import { createMaking } from "../panels/making";
import { createModes } from "../panels/modes";
import { createPlots, type Plots } from "../panels/plots";
import { createPrescriptions } from "../panels/prescriptions";
import { createSelectedCard } from "../panels/selected";
import { createSchematic } from "../panels/schematic";
import { createSliders } from "../panels/sliders";
import { createStrip } from "../panels/strip";
import { createToast, createViewTools } from "../panels/viewtools";
import { createSession } from "../session";
import { createSplitter } from "../splitter";
import { fromFragment, offer, present, show as showShared, toFragment } from "../share";
import * as state from "../state";
import { createView } from "../view3d/view";
import { readContent } from "./content";
import { fillOrder } from "./order";
import { openProgram } from "./source";

const content = readContent();
const session = createSession(openProgram(content));

// The picture. Files of meshes are in the scene already.
const view = createView(find("motion"), session, (address) => address);
const exporting = createExportDialog(view, session, { numbers: () => plots.table() });
const tools = createViewTools(find("motion"), view, () => exporting());
createSchematic(find("motion"), session);
createToast(find("motion"));
createSelectedCard(find("motion"), { focus: (id) => view.focus(id) });

// What is behind it.
let plots: Plots;
const dock = createDock([
  {
    name: "Parameters and plots",
    build(host) {
      const left = h("div", { role: "region", "aria-label": "Parameters", tabindex: 0 });
      const right = h("div", { role: "region", "aria-label": "Plots", tabindex: 0 });
      host.append(h("div", { class: "live" }, left, right));
      createPrescriptions(left, session);
      createSliders(left, session, {});
      plots = createPlots(right, session);
    },
  },
  { name: "Equations", build: createEquations },
  ...(content.scene.modes.length > 0 ? [{ name: "Modes", build: createModes }] : []),
  { name: "How it was made", build: createMaking, shown: () => window.dispatchEvent(new Event("resize")) },
]);

// Bars and keys.
const help = createHelp(session);
const status = h("span", { class: "status broken", id: "status" });
find("bar").append(
  h("h1", { class: "brand" }, titleOf(content.scene.name)),
  h("span", { class: "quiet description", title: content.scene.description }, content.scene.description),
  h("span", { class: "grow" }),
  status,
  h("button", { class: "square", onclick: () => void share(), "aria-label": "Copy a link to this moment", title: "Copy a link to this moment, with its parameters and the view", id: "share" }, icon("share")),
  themeButtons(),
  h("button", { class: "square", onclick: help, "aria-label": "Help", title: "Keys (?)", id: "help" }, icon("help")),
);
createStrip(session, {
  showPlot(which) {
    dock.open(0);
    plots.show(which);
  },
});
listenToKeys(session, createControls(session), {
  help,
  nextCamera: () => tools.nextCamera(),
  focusSelected: () => state.selection.get() && view.focus(state.selection.get()!),
  tab: (index) => dock.open(Math.min(index, 3) - 1),
});
createSplitter({ bar: find("split-dock"), grid: find("right"), property: "--dock-share", label: "Height of the panels", direction: "horizontal", initial: 40 });

state.selection.watch((id) => {
  if (id) announce(`Selected: ${wordFor(content.scene, id)} ${nameOf(id)}`);
});
state.failure.watch((failure) => {
  status.textContent = failure ? `the run cannot go on: ${failure.diagnostic.message}` : "";
  reveal(status, failure !== null);
});
state.connection.watch((now) => {
  if (now === "open") void (content.order ? fillOrder(content.order, view, session) : begin());
});
/// A link to this page may hold parameters, a time and a view.
async function begin(): Promise<void> {
  const shared = await fromFragment(location.hash);
  session.compile("", "fresh", shared ?? {});
  if (shared) showShared(shared, view, session, (tab) => dock.open(tab));
}

async function share(): Promise<void> {
  await offer(location.href.replace(/#.*$/, "") + (await toFragment(present(view, session, null, dock.current()))));
}

document.title = `${titleOf(content.scene.name)} – Ansatz`;

installHook(view);
