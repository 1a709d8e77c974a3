// The dialog that makes a file of the run: films and pictures by the page itself, as `ansatz export` makes them; the rest by the program, where there is one.

import { download, h, reveal } from "../dom";
import { KINDS as FILMS, shoot, type Film, type Kind as FilmKind } from "../film/film";
import { MOST_GIF_PICTURES } from "../film/gif";
import type { Export } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";
import type { View } from "../view3d/view";
import { createDialog } from "./help";
import { fileName } from "./plots";

/// More pictures than these fill the memory.
const MOST_PICTURES = 10_000;
const SIZES = ["1280 × 720", "1920 × 1080", "640 × 360", "1080 × 1080", "1080 × 1920"];

type Field = "size" | "from" | "to" | "speed" | "rate";

interface Row {
  text: string;
  /// What the file depends on besides the scene.
  fields: Field[];
  words: string;
  /// How the command line makes it, where the page cannot.
  command?: (name: string) => string;
}

const FILM: Pick<Row, "fields" | "words"> = { fields: ["size", "from", "to", "speed", "rate"], words: "The run is made anew for it, from the start, with the present parameters; each picture is exact." };

/// What can be made, by the endings of the files.
const ROWS: Record<string, Row> = {
  mp4: { text: "Film, MP4", ...FILM },
  webm: { text: "Film, WebM", ...FILM },
  gif: { text: "Film, GIF", ...FILM },
  png: { text: "Picture, PNG", fields: ["size", "from"], words: FILM.words },
  svg: { text: "Drawing, SVG", fields: ["from"], words: "Lines and faces that stay sharp, from where you look now; of one moment, with the present parameters.", command: (name) => `ansatz export ${name}.anz -o ${name}.svg` },
  html: { text: "Page that runs by itself, HTML", fields: [], words: "One file with the scene, its sliders and plots; it needs neither a server nor a network.", command: (name) => `ansatz build ${name}.anz --target html` },
  glb: { text: "Motion, glTF", fields: ["from", "to"], words: "An animation for Blender and for pages, with the present parameters.", command: (name) => `ansatz export ${name}.anz -o ${name}.glb` },
  mcap: { text: "Poses and numbers, MCAP", fields: ["from", "to"], words: "Frames, shapes and what is plotted, for Foxglove and Rerun, with the present parameters.", command: (name) => `ansatz export ${name}.anz -o ${name}.mcap` },
  csv: { text: "Numbers, CSV", fields: [], words: "All that is plotted, at every recorded time of the run that is shown." },
  parquet: { text: "Numbers, Parquet", fields: ["to"], words: "All that the scene plots, of a run from the start with the present parameters.", command: (name) => `ansatz run ${name}.anz -o ${name}.parquet` },
  pdf: { text: "Plots, PDF", fields: ["to"], words: "The plots of the scene for a paper, of a run from the start with the present parameters.", command: (name) => `ansatz run ${name}.anz -o ${name}.pdf` },
  tex: { text: "Equations, LaTeX", fields: [], words: "The equations that were derived, each with the line of the text that it comes from." },
  fmu: { text: "Unit for other simulators, FMU", fields: ["to"], words: "For model exchange and co-simulation, FMI 3.0; with a run inside to be compared with.", command: (name) => `ansatz build ${name}.anz --target fmu` },
};

/// Where files come from that the page itself cannot make.
export interface Makers {
  /// All that is plotted, at all recorded times, as CSV.
  numbers(): Promise<Blob>;
  /// The text that is open, where there is one.
  text?(): { path: string; source: string };
  /// What the program writes, and what to know about it; where a server has one.
  program?(order: Export): Promise<{ file: Blob; note: string }>;
}

/// A function that opens it, at a kind of file if one is named.
export function createExportDialog(view: View, session: Session, makers: Makers): (kind?: string) => void {
  const offered = Object.entries(ROWS).filter(([kind, { command }]) => session.compiles || (!command && kind !== "tex"));
  const kind = h("select", { id: "film-kind" }, ...offered.map(([value, { text }]) => h("option", { value }, text)));
  const size = h("select", { id: "film-size" }, ...SIZES.map((value) => h("option", { value }, value)));
  const number = (id: string, value: number): HTMLInputElement => h("input", { type: "number", id, value, step: "any", min: 0 });
  const [from, to, speed, rate] = [number("film-from", 0), number("film-to", 5), number("film-speed", 1), number("film-rate", 30)];
  const words = h("p", { class: "quiet export-words", role: "status" });
  const make = h("button", { class: "main", type: "submit", id: "film-make" }, "Make the file");
  const stop = h("button", { class: "framed", type: "button", id: "film-stop", hidden: true, onclick: () => (wanted = false) }, "End it here");
  const row = (text: string, field: HTMLElement): HTMLLabelElement => h("label", { class: "field" }, h("span", {}, text), field);
  const fields: Record<Field, HTMLLabelElement> = {
    size: row("Size in pixels", size),
    from: row("From, in s", from),
    to: row("To, in s", to),
    speed: row("Seconds of the motion in one of the film", speed),
    rate: row("Pictures in a second", rate),
  };
  const form = h("form", { class: "film-form" }, row("What", kind), ...Object.values(fields), h("div", { class: "film-ends" }, make, stop));
  const dialog = createDialog("Export", h("div", { class: "dialog-body" }, form, words));
  dialog.id = "film";
  let wanted = true;

  const name = (): string => fileName(state.scene.get()?.name ?? "scene");
  const chosen = (): Row => ROWS[kind.value]!;

  /// Shows what the chosen kind depends on; where nobody here can make it, how it is made elsewhere.
  function choose(): void {
    const { fields: needed, words: about, command } = chosen();
    for (const [field, label] of Object.entries(fields)) reveal(label, needed.includes(field as Field));
    const elsewhere = command && !makers.program;
    make.disabled = !!elsewhere;
    words.textContent = elsewhere ? `This page has no program that could write it. Where Ansatz is installed: ${command(name())}` : about;
  }

  async function begin(): Promise<void> {
    make.disabled = true;
    try {
      words.classList.remove("pointing");
      words.textContent = "Being made …";
      const { file, note } = await made();
      download(`${name()}.${kind.value}`, file);
      words.textContent = `${note ? `${note} ` : ""}${Math.ceil(file.size / 1000)} KB.`;
    } catch (problem) {
      words.textContent = `No file was made: ${problem instanceof Error ? problem.message : String(problem)}`;
      // The compiler points at places of a text.
      words.classList.toggle("pointing", words.textContent.includes("\n"));
    }
    make.disabled = false;
    reveal(stop, false);
  }

  async function made(): Promise<{ file: Blob; note: string }> {
    const [first, last] = [from, to].map((field) => field.valueAsNumber) as [number, number];
    const { fields: needed, command } = chosen();
    if (needed.includes("from") && !(first >= 0)) throw new Error("a run begins at 0 s.");
    if (needed.includes("to") && !(last > (needed.includes("from") ? first : 0))) throw new Error("it ends after it begins.");
    if (FILMS.includes(kind.value as FilmKind)) return film(order(first, last));
    if (kind.value === "csv") return { file: await makers.numbers(), note: "" };
    if (kind.value === "tex") return { file: new Blob([await session.stage("tex")], { type: "text/x-tex" }), note: "" };
    if (!command || !makers.program || !makers.text) throw new Error("nobody here can make it.");
    const { position, target } = view.looking();
    const { file, note } = await makers.program({ kind: kind.value, ...makers.text(), ...settings(), from: first, to: last, camera: [...position, ...target] as Export["camera"] });
    return { file, note: note && `Note: ${note}.` };
  }

  async function film(film: Film): Promise<{ file: Blob; note: string }> {
    wanted = true;
    reveal(stop, true);
    const made = await shoot(film, view, session, (pictures) => {
      words.textContent = `Picture ${Math.min(pictures + 1, film.times.length)} of ${film.times.length}`;
      return wanted;
    });
    const short = made.pictures < film.times.length ? ` The film ends there, at ${film.times[made.pictures - 1]} s.` : "";
    return { file: made.file, note: `${made.pictures === 1 ? "One picture" : `${made.pictures} pictures`}.${short}${made.note && ` Note: ${made.note}.`}` };
  }

  /// What the fields say of a film.
  function order(first: number, last: number): Film {
    const [width, height] = size.value.split(" × ").map(Number) as [number, number];
    const [pace, often] = [speed.valueAsNumber, rate.valueAsNumber];
    const which = kind.value as FilmKind;
    if (which === "png") return { kind: which, times: [first], rate: 1, width, height };
    if (!(pace > 0 && often > 0)) throw new Error("both speeds are more than nothing.");
    if (which === "gif" && often > MOST_GIF_PICTURES) throw new Error(`a GIF has ${MOST_GIF_PICTURES} pictures in a second at most.`);
    const count = Math.floor(((last - first) / pace) * often + 1e-9) + 1;
    if (count > MOST_PICTURES) throw new Error(`that would be ${count} pictures; ${MOST_PICTURES} are the most.`);
    return { kind: which, times: Array.from({ length: count }, (_, at) => first + (at * pace) / often), rate: often, width, height };
  }

  kind.addEventListener("change", choose);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void begin();
  });
  dialog.addEventListener("close", () => (wanted = false));
  return (wish) => {
    if (dialog.open) return;
    if (wish) kind.value = wish;
    choose();
    dialog.showModal();
  };
}

/// What was set by hand, in the units of the text.
function settings(): Pick<Export, "parameters" | "controls"> {
  const [scene, status] = [state.scene.get(), state.status.get()];
  const parameters = (scene?.parameters ?? []).flatMap(({ name, unit, default: usual }) => {
    const now = status?.parameters[name];
    return now === undefined || now === usual ? [] : [[name, now / unit.scale] as const];
  });
  const controls = (scene?.controls ?? []).flatMap(({ name, unit, default: usual }) => {
    const now = status?.controls[name];
    return now === undefined || now === usual ? [] : [[name, now / unit.scale] as const];
  });
  return { parameters: Object.fromEntries(parameters), controls: Object.fromEntries(controls) };
}
