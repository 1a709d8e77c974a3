// The strip of time: play, step, back, reset, a time to type, everything recorded to scrub over, speed, energy and drift.

import { find, h, reveal } from "../dom";
import { icon, type Icon } from "../icons";
import { readNumber, show, steady } from "../number";
import type { Status } from "../protocol";
import type { Session } from "../session";
import * as state from "../state";

interface Wishes {
  /// Shows the plot of the energy, or of the constraints' error.
  showPlot(which: "energy" | "drift"): void;
}

export function createStrip(session: Session, wishes: Wishes): void {
  const play = button("play", "Play", " ", () => session.toggle());
  const buttons = h(
    "div",
    { class: "transport", role: "group", "aria-label": "Playing" },
    button("reset", "Reset to the start", "Backspace", () => session.send({ type: "reset" })),
    button("back", "One frame back", "←", () => session.send({ type: "back" })),
    play,
    button("step", "One frame on", "→", () => session.send({ type: "step" })),
  );
  const time = h("input", { type: "text", class: "time number", "aria-label": "Time in seconds; type one to go there", inputmode: "decimal", spellcheck: "false", id: "time" });
  const track = h("input", { type: "range", class: "track", min: 0, max: 10, step: "any", value: 0, "aria-label": "Scrub through the recording", id: "scrub" });
  const ticks = h("div", { class: "ticks", "aria-hidden": "true" });
  const transitions = h("div", { class: "transitions", "aria-hidden": "true" });
  const slower = button("slower", "Slower", "-", () => session.hasten(-1));
  const faster = button("faster", "Faster", "=", () => session.hasten(1));
  const asked = h("span", { class: "number asked", title: "asked for" });
  const achieved = h("span", { class: "number achieved quiet", title: "achieved" });
  const speed = h("div", { class: "speed", role: "group", "aria-label": "Speed" }, slower, h("span", { class: "speeds" }, asked, achieved), faster);
  const energyNow = h("span", { class: "number" });
  const driftNow = h("span", { class: "number" });
  const energy = h("button", { class: "reading", title: "Show energy over time", onclick: () => wishes.showPlot("energy") }, h("span", { class: "quiet" }, "energy"), energyNow);
  const drift = h("button", { class: "reading", title: "Show the constraints' error over time", onclick: () => wishes.showPlot("drift") }, h("span", { class: "quiet" }, "drift"), driftNow);
  find("strip").append(
    buttons,
    h("label", { class: "time-field" }, time, h("span", { class: "quiet" }, "s")),
    h("div", { class: "scrub" }, track, transitions, ticks),
    speed,
    h("div", { class: "readings" }, energy, drift),
  );

  let scrubbing = false;
  let horizon = 0;
  track.addEventListener("pointerdown", () => (scrubbing = true));
  track.addEventListener("pointerup", () => (scrubbing = false));
  track.addEventListener("input", () => session.seek(Number(track.value)));
  // The keys of the strip mean frames and pauses, not the slider's own steps.
  track.addEventListener("keydown", (event) => {
    if (["ArrowLeft", "ArrowRight", " "].includes(event.key)) event.preventDefault();
  });

  const go = (): void => {
    const t = readNumber(time.value.replace(/s\s*$/, ""));
    time.setAttribute("aria-invalid", String(t === null || t < 0));
    if (t !== null && t >= 0) session.seek(t);
  };
  time.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      go();
      time.blur();
    } else if (event.key === "Escape") {
      time.blur();
    }
  });
  time.addEventListener("focus", () => time.select());
  time.addEventListener("blur", () => {
    time.setAttribute("aria-invalid", "false");
    showTime();
  });

  function showTime(): void {
    const scene = state.scene.get();
    const row = state.row.get();
    const t = scene && row ? row[scene.layout.t]! : 0;
    const tempo = scene?.tempo ?? 1;
    const digits = Math.max(0, 3 - Math.floor(Math.log10(tempo)));
    const shown = digits > MOST_DIGITS ? t.toExponential(3) : t.toFixed(digits);
    if (document.activeElement !== time) time.value = shown;
    if (!scrubbing) track.value = String(t);
    track.setAttribute("aria-valuetext", `${shown} seconds`);
    const recorded = Math.max(state.status.get()?.recorded ?? 0, t);
    const end = tempo * horizonFor(recorded / tempo);
    if (end !== horizon) {
      horizon = end;
      track.max = String(end);
      ticks.replaceChildren(...marks(end));
      showTransitions();
    }
    track.style.setProperty("--played", `${(100 * t) / end}%`);
    track.style.setProperty("--recorded", `${(100 * recorded) / end}%`);
    if (!scene || !row) return;
    if (scene.layout.energy !== null) energyNow.textContent = `${steady(row[scene.layout.energy]!, 5)} J`;
    driftNow.textContent = steady(row[scene.layout.drift]!, 3);
  }

  function showStatus(status: Status | null): void {
    const playing = status?.playing ?? false;
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    play.title = `${playing ? "Pause" : "Play"} (Space)`;
    const wanted = status?.speed ?? 1;
    asked.textContent = `${show(wanted, 3)}×`;
    const real = wanted * (status?.achieved ?? 0);
    achieved.textContent = playing ? `runs ${show(real, 2)}×` : "paused";
    achieved.classList.toggle("short", playing && (status?.achieved ?? 1) < 0.9);
    showTime();
  }

  /// A tick for each transition; where they are too many to be told apart, some stand for all.
  function showTransitions(): void {
    const places = new Map(state.events.get().map(({ t, name }) => [Math.round((1000 * t) / horizon), name]));
    const tick = ([place, name]: [number, string]): HTMLElement => {
      const mark = h("span", { title: name });
      mark.style.left = `${place / 10}%`;
      return mark;
    };
    transitions.replaceChildren(...[...places].filter(([place]) => place <= 1000).map(tick));
  }
  state.events.watch(showTransitions);

  state.status.watch(showStatus);
  state.row.watch(showTime);
  state.scene.watch((scene) => {
    reveal(energy, !!scene && scene.layout.energy !== null);
    reveal(drift, !!scene && scene.making.constraints > 0);
  });
}

function button(name: Icon | "slower" | "faster", label: string, key: string, act: () => void): HTMLButtonElement {
  const shown = key === " " ? "Space" : key;
  const face = name === "slower" ? "−" : name === "faster" ? "+" : icon(name);
  return h("button", { class: name === "play" ? "square main" : "square", "aria-label": label, title: `${label} (${shown})`, onclick: act }, face);
}

/// Behind the point, in the field of the time; what is quicker has an exponent.
const MOST_DIGITS = 5;

const HORIZONS = [10, 20, 30, 60, 120, 300, 600];

/// The end of the track, in seconds of the picture: always a little room to go on.
function horizonFor(recorded: number): number {
  return HORIZONS.find((end) => recorded <= end) ?? Math.ceil(recorded / 600) * 600;
}

function marks(end: number): HTMLElement[] {
  return [0, 1, 2, 3, 4, 5].map((index) => {
    const mark = h("span", {}, show((end * index) / 5));
    mark.style.left = `${20 * index}%`;
    return mark;
  });
}
