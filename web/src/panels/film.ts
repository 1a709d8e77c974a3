// The dialog that makes a film or a picture of the run: its parts are those of `ansatz export`.

import { download, h, reveal } from "../dom";
import { shoot, type Film, type Kind } from "../film/film";
import { MOST_GIF_PICTURES } from "../film/gif";
import type { Session } from "../session";
import * as state from "../state";
import type { View } from "../view3d/view";
import { createDialog } from "./help";
import { fileName } from "./plots";

/// More pictures than these fill the memory.
const MOST_PICTURES = 10_000;
const SIZES = ["1280 × 720", "1920 × 1080", "640 × 360", "1080 × 1080", "1080 × 1920"];
const KINDS: [Kind, string][] = [
  ["mp4", "Film, MP4"],
  ["webm", "Film, WebM"],
  ["gif", "Film, GIF"],
  ["png", "Picture, PNG"],
];

/// A function that opens it.
export function createFilmDialog(view: View, session: Session): () => void {
  const kind = h("select", { id: "film-kind" }, ...KINDS.map(([value, text]) => h("option", { value }, text)));
  const size = h("select", { id: "film-size" }, ...SIZES.map((value) => h("option", { value }, value)));
  const number = (id: string, value: number, step: string): HTMLInputElement => h("input", { type: "number", id, value, step, min: 0 });
  const [from, to, speed, rate] = [number("film-from", 0, "any"), number("film-to", 5, "any"), number("film-speed", 1, "any"), number("film-rate", 30, "any")];
  const words = h("p", { class: "quiet", role: "status" }, "The run is made anew for it, from the start, with the present parameters; each picture is exact.");
  const make = h("button", { class: "main", type: "submit", id: "film-make" }, "Make the file");
  const stop = h("button", { class: "framed", type: "button", id: "film-stop", hidden: true, onclick: () => (wanted = false) }, "End it here");
  const row = (text: string, field: HTMLElement): HTMLElement => h("label", { class: "field" }, h("span", {}, text), field);
  const form = h(
    "form",
    { class: "film-form" },
    row("What", kind),
    row("Size in pixels", size),
    row("From, in s", from),
    row("To, in s", to),
    row("Seconds of the motion in one of the film", speed),
    row("Pictures in a second", rate),
    h("div", { class: "film-ends" }, make, stop),
  );
  const dialog = createDialog("Picture or film", h("div", { class: "dialog-body" }, form, words));
  dialog.id = "film";
  let wanted = true;
  kind.addEventListener("change", () => [to, speed, rate].forEach((field) => (field.disabled = kind.value === "png")));

  async function begin(): Promise<void> {
    const film = order();
    if (typeof film === "string") return void (words.textContent = film);
    wanted = true;
    make.disabled = true;
    reveal(stop, true);
    try {
      const made = await shoot(film, view, session, (pictures) => {
        words.textContent = `Picture ${Math.min(pictures + 1, film.times.length)} of ${film.times.length}`;
        return wanted;
      });
      download(`${fileName(state.scene.get()?.name ?? "scene")}.${film.kind}`, made.file);
      const short = made.pictures < film.times.length ? ` The film ends there, at ${film.times[made.pictures - 1]} s.` : "";
      words.textContent = `${made.pictures === 1 ? "One picture" : `${made.pictures} pictures`}, ${Math.ceil(made.file.size / 1000)} KB.${short}${made.note && ` Note: ${made.note}.`}`;
    } catch (problem) {
      words.textContent = `No file was made: ${problem instanceof Error ? problem.message : String(problem)}`;
    }
    make.disabled = false;
    reveal(stop, false);
  }

  /// What the fields say, or what is wrong with that.
  function order(): Film | string {
    const [width, height] = size.value.split(" × ").map(Number) as [number, number];
    const [first, last, pace, often] = [from, to, speed, rate].map((field) => field.valueAsNumber) as [number, number, number, number];
    const which = kind.value as Kind;
    if (!(first >= 0)) return "A run begins at 0 s.";
    if (which === "png") return { kind: which, times: [first], rate: 1, width, height };
    if (!(last >= first && pace > 0 && often > 0)) return "It ends after it begins, and both speeds are more than nothing.";
    if (which === "gif" && often > MOST_GIF_PICTURES) return `A GIF has ${MOST_GIF_PICTURES} pictures in a second at most.`;
    const count = Math.floor(((last - first) / pace) * often + 1e-9) + 1;
    if (count > MOST_PICTURES) return `That would be ${count} pictures; ${MOST_PICTURES} are the most.`;
    return { kind: which, times: Array.from({ length: count }, (_, at) => first + (at * pace) / often), rate: often, width, height };
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void begin();
  });
  dialog.addEventListener("close", () => (wanted = false));
  return () => dialog.open || dialog.showModal();
}
