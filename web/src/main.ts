// The studio's page: makes its parts and lets them know of each other's wishes.

import "./style/fonts.css";
import "./style/tokens.css";
import "./style/components.css";
import "./style/layout.css";
import "./style/view.css";
import "./style/strip.css";
import "./style/editor.css";
import "./style/panels.css";
import "./style/narrow.css";
import { createControls } from "./controls";
import { announce, find, h } from "./dom";
import { createEditor } from "./editor/editor";
import { createDocuments } from "./documents";
import { files, inPlayground } from "./files";
import { installHook } from "./hook";
import { listenToKeys } from "./keys";
import { nameOf, wordFor } from "./links";
import { createMoving, moved } from "./moving";
import { loadCompiler, openTab } from "./playground/tab";
import { followBranches } from "./branches";
import { createPalette } from "./panels/add";
import { createBar } from "./panels/bar";
import { createBodies } from "./panels/bodies";
import { createBranches } from "./panels/branches";
import { createGallery } from "./panels/dialogs";
import { createConflictBar } from "./panels/conflict";
import { createCard, type CardPanel } from "./panels/card";
import { createDock } from "./panels/dock";
import { createEquations } from "./panels/equations";
import { createExportDialog } from "./panels/export";
import { createHelp } from "./panels/help";
import { createLinear, type LinearPanel } from "./panels/linear";
import { createMaking } from "./panels/making";
import { createMovePanel } from "./panels/move";
import { createModes } from "./panels/modes";
import { createPlots, type Plots } from "./panels/plots";
import { createPrescriptions } from "./panels/prescriptions";
import { createProblems } from "./panels/problems";
import { createProgram, type ProgramPanel } from "./panels/program";
import { createSelectedCard, expressionFor } from "./panels/selected";
import { createSchematic } from "./panels/schematic";
import { createSliders } from "./panels/sliders";
import { createStrip } from "./panels/strip";
import { createSweep } from "./panels/sweep";
import { createToast, createViewTools } from "./panels/viewtools";
import { createSession } from "./session";
import { fromFragment, offer, present, show as showShared, toFragment } from "./share";
import { openSocket } from "./socket";
import { createSplitter } from "./splitter";
import * as state from "./state";
import { createView } from "./view3d/view";

const session = createSession(inPlayground ? openTab(loadCompiler()) : openSocket());

/// What a new scene begins with.
const NEW = `// A body that falls.
scene untitled

gravity 9.81 [m/s^2]

body ball { position = (0, 0, free); mass = 1 [kg] }
initially ball.position.z == 2 [m]

show sphere(10 [cm]) on ball color "tomato"
plot ball.position
`;

const plot = (expression: string): void => {
  dock.open(0);
  session.probe(expression);
};

// The text and its problems.
const text = h("div", { class: "editor" });
find("text").append(text);
const editor = createEditor(text, session, plot, () => documents.changed());
const documents = createDocuments(editor, session);
createProblems(find("text"), editor);
createConflictBar(find("text"), () => void documents.compare());

// The picture.
const view = createView(find("motion"), session, (path) => files.address(beside(path)));
const exporting = createExportDialog(view, session, {
  numbers: () => plots.table(),
  text: () => ({ path: state.open.get()?.path ?? "", source: editor.text() }),
  ...(files.export && { program: files.export }),
});
const tools = createViewTools(find("motion"), view, () => exporting("mp4"));
createPalette(tools.element, editor, session);
createBodies(find("motion"));
createSchematic(find("motion"), session, { goTo: (span) => editor.goTo(span, "scene") });
createToast(find("motion"));
createSelectedCard(find("motion"), { plot, focus: (id) => view.focus(id), goTo: (span) => editor.goTo(span, "scene"), move: (id) => moved.set(id) });

// A hand on the text: arrows and fields that change the number a place comes from.
const moving = createMoving(editor, session);
createMovePanel(find("motion"), moving);
const gizmo = view.gizmo({
  coordinates: (frame) => moving.coordinates(frame).map((coordinate) => ("why" in coordinate ? null : coordinate.value)),
  moved: (frame, axis, value) => moving.move(frame, axis, value),
  say: announce,
});
for (const watched of [moved, state.scene]) watched.watch(() => gizmo.show(state.scene.get(), moved.get()));
state.selection.watch((id) => moved.get() !== null && id !== moved.get() && moved.set(null));

// What is behind it.
let plots: Plots;
let program: ProgramPanel;
let card: CardPanel;
let linear: LinearPanel;
const dock = createDock([
  {
    name: "Parameters and plots",
    build(host) {
      const left = h("div", { role: "region", "aria-label": "Parameters", tabindex: 0 });
      const right = h("div", { role: "region", "aria-label": "Plots", tabindex: 0 });
      host.append(h("div", { class: "live" }, left, right));
      createBranches(left, session);
      createPrescriptions(left, session);
      createSliders(left, session, { write: (parameter, value) => void (parameter.valueSpan !== null && editor.apply([{ span: parameter.valueSpan, text: value }], "scene")) });
      plots = createPlots(right, session, { write: (expression) => editor.add([`plot ${expression}`]) });
    },
  },
  { name: "Equations", build: createEquations },
  { name: "How it was made", build: createMaking, shown: () => window.dispatchEvent(new Event("resize")) },
  { name: "Program", build: (host) => (program = createProgram(host, session)), shown: () => program?.shown() },
  { name: "Modes", build: createModes },
  { name: "Answers", build: (host) => (card = createCard(host, session, editor)), shown: () => card?.shown() },
  { name: "Sweep", build: (host) => createSweep(host, session, () => editor.text()) },
  { name: "Linear model", build: (host) => (linear = createLinear(host, session, editor)), shown: () => linear?.shown() },
]);

// Bars, dialogs, keys.
createStrip(session, {
  showPlot(which) {
    dock.open(0);
    plots.show(which);
  },
});
const help = createHelp(session);
const gallery = createGallery({ open: (entry) => void documents.open(entry), create: () => void documents.bring("untitled", NEW, {}), link: openLink, thumbnail: (width, height) => (state.row.get() ? view.thumbnail(width, height) : null) });
createBar({ gallery: () => void gallery(), help, save: () => void documents.save(), share: () => void share(), export: () => exporting() });
listenToKeys(session, createControls(session), {
  help,
  nextCamera: () => tools.nextCamera(),
  focusSelected: () => state.selection.get() && view.focus(state.selection.get()!),
  tab: (index) => dock.open(index - 1),
  studio: {
    gallery: () => void gallery(),
    plotSelected() {
      const [scene, id] = [state.scene.get(), state.selection.get()];
      const expression = scene && id ? expressionFor(scene, id, state.pointed.get()) : null;
      if (expression) plot(expression);
    },
    save: () => void documents.save(),
    editText: () => editor.focus(),
  },
});
createSplitter({ bar: find("split-text"), grid: find("workspace"), property: "--text-share", label: "Width of the text", direction: "vertical", initial: 36 });
createSplitter({ bar: find("split-dock"), grid: find("right"), property: "--dock-share", label: "Height of the panels", direction: "horizontal", initial: 40 });

state.selection.watch((id) => {
  const scene = state.scene.get();
  if (id && scene) announce(`Selected: ${wordFor(scene, id)} ${nameOf(id)}`);
});

/// The path of a file that lies beside the scene.
function beside(path: string): string {
  return (state.open.get()?.path ?? "").replace(/[^/]*$/, "") + path;
}

/// The token of this page is nobody else's business.
async function share(): Promise<void> {
  await offer(location.origin + location.pathname + (await toFragment(present(view, session, editor.text(), dock.current()))));
}

async function openLink(link: string): Promise<boolean> {
  const shared = await fromFragment(link);
  if (!shared?.text) {
    state.notice.set({ text: "This link holds no scene.", hint: "It may have been cut off on its way.", bad: true });
    return false;
  }
  await documents.bring(shared.name.replaceAll(" ", "_"), shared.text, { plots: shared.plots, parameters: shared.parameters });
  showShared(shared, view, session, (tab) => dock.open(tab));
  return true;
}

/// What the address names; else the only scene of the opened folder; else the gallery, over the first scene there is.
async function begin(): Promise<void> {
  if (location.hash.startsWith("#scene=") && (await openLink(location.hash))) return history.replaceState(null, "", location.pathname + location.search);
  const wanted = new URLSearchParams(location.search).get("open");
  try {
    const { examples, files: own } = await files.gallery();
    const entry = [...own, ...examples].find(({ path }) => path === wanted) ?? (wanted ? { path: wanted, writable: !/^(examples|docs)\//.test(wanted) } : null);
    const first = entry ?? own[0] ?? examples.find(({ path }) => path === "examples/pendulum.anz") ?? examples[0];
    if (first) await documents.open(first);
    if (!entry && own.length !== 1) await gallery();
  } catch (error) {
    state.notice.set({ text: (error as Error).message, hint: "", bad: true });
  }
}

let begun = false;
state.connection.watch((now) => {
  if (now !== "open") return;
  if (begun) editor.recompile();
  else void begin();
  begun = true;
});

// Files of other programs, theories and data are followed; what was played stays.
state.outdated.watch((times) => times > 0 && editor.recompile("edited"));
followBranches(session);
installHook(view, gizmo);
