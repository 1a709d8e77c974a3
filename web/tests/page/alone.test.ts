// A page that stands alone: built by `ansatz build --target html`, opened from the disk, and bit for bit what `ansatz run` computes.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, goTo, headless, keep, program, ROOT, startBrowser, until, type Browser } from "./studio";

let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ansatz-alone-"));
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/// Everything a tab asked anyone for.
const requests: string[] = [];

async function open(scene: string, before = "", largest = 2_000_000): Promise<Page> {
  const built = spawnSync(program(), ["build", `examples/${scene}.anz`, "--target", "html", "-o", join(folder, scene)], { encoding: "utf8", cwd: ROOT });
  expect(built.status, built.stderr).toBe(0);
  const file = join(folder, scene, `${scene}.html`);
  expect(statSync(file).size, "the page stays small").toBeLessThan(largest);
  // Whoever has the page has the terms of all that is in it.
  for (const one of ["three.js authors", "Khan Academy", "The Inter Project Authors"]) expect(readFileSync(file, "utf8")).toContain(one);
  const page = await browser.tab(scene);
  page.on("request", (request) => requests.push(request.url()));
  await page.addInitScript(before);
  await page.goto(pathToFileURL(file).href);
  await until(page, (ansatz) => ansatz.state().t > 0);
  return page;
}

/// How long a run in the page may last, in seconds. The first step is chosen by it, so a run to compare with lasts as long.
const LONGEST_RUN = 3600;

/// All columns of a headless run at a time.
function truthAt(scene: string, t: number, ...options: string[]): [string, number][] {
  const table = headless(`examples/${scene}.anz`, "", "--until", String(LONGEST_RUN), "--every", String(t), ...options);
  return Object.entries(table).map(([name, values]) => [name, values[1]!]);
}

async function compare(page: Page, scene: string, ...options: string[]): Promise<void> {
  const { t } = await ask(page, (ansatz) => ansatz.state());
  const values = await ask(page, (ansatz) => ansatz.values());
  const truth = truthAt(scene, t, ...options);
  expect(truth.length).toBeGreaterThan(1);
  for (const [name, value] of truth) expect(values[name], `${name} at ${t} s`).toBe(value);
}

describe.each(["pendulum", "roller_coaster_3", "ac_circuit"])("%s", (scene) => {
  let page: Page;
  beforeAll(async () => {
    page = await open(scene);
  });

  test("shows the numbers of a headless run, to the last bit", async () => {
    for (const t of [1, 2.5]) {
      await goTo(page, t);
      await compare(page, scene);
    }
  });

  test("draws, and typesets its equations", async () => {
    if (scene !== "ac_circuit") {
      const { different, total, lost } = await ask(page, (ansatz) => ansatz.pixels());
      expect(lost).toBe(false);
      expect(different / total, "the canvas is not blank").toBeGreaterThan(0.005);
    }
    await keep(page, `alone/${scene}`);
    await page.click("[role=tab]:has-text('Equations')");
    await page.waitForSelector(".equations .katex");
    expect(await page.locator(".equations .equation").count()).toBeGreaterThan(0);
    expect(await page.evaluate("[...document.fonts].filter((font) => font.status === 'error').map((font) => font.family)")).toEqual([]);
    await keep(page, `alone/${scene}-equations`);
    await page.click("[role=tab]:has-text('Parameters')");
    expect(await page.locator("figure.plot").count()).toBeGreaterThan(0);
  });
});

describe("a scene with modes", () => {
  let page: Page;
  beforeAll(async () => {
    page = await open("bouncing_ball");
  });

  test("changes them, and shows the numbers of a headless run", async () => {
    for (const t of [0.7, 2.5]) {
      await goTo(page, t);
      await compare(page, "bouncing_ball");
    }
    await page.click("[role=tab]:has-text('Modes')");
    expect(await page.textContent(".automaton .value.now")).toBe("bouncing");
    // The ball comes to rest after √(2 h/g) (1 + e) / (1 - e) = 4.06 s.
    await goTo(page, 4.2);
    await page.waitForFunction("document.querySelector('.automaton .value.now')?.textContent === 'resting'");
    await compare(page, "bouncing_ball");
    expect(await page.textContent(".transition-list li")).toMatch(/^4\.06\d\d s rest$/);
  });

  test("goes back to a moment before a transition, and on from there with other parameters", async () => {
    await goTo(page, 0.2);
    await page.click("[role=tab]:has-text('Parameters')");
    await page.fill("[aria-label='restitution, value']", "0.5");
    await page.press("[aria-label='restitution, value']", "Enter");
    await goTo(page, 1.5);
    // It falls 1 m in 0.4515 s, and comes to rest after three times as long.
    await page.click("[role=tab]:has-text('Modes')");
    await page.waitForFunction("document.querySelector('.automaton .value.now')?.textContent === 'resting'");
    expect(await page.textContent(".transition-list li")).toMatch(/^1\.354\d s rest$/);
  });
});

describe("playing with it", () => {
  let page: Page;
  beforeAll(async () => {
    page = await open("pendulum");
  });
  const now = async (): Promise<number> => (await ask(page, (ansatz) => ansatz.state())).t;

  test("a slider changes the motion at once, and the state is kept", async () => {
    await goTo(page, 1);
    const before = await ask(page, (ansatz) => ansatz.values());
    await page.fill("[aria-label='length, value']", "2");
    await page.press("[aria-label='length, value']", "Enter");
    await until(page, "window.ansatz.state().parameters.length === 2 && window.ansatz.poses().bob.position[2] < -0.9");
    const after = await ask(page, (ansatz) => ansatz.values());
    expect(after.t).toBe(before.t);
    expect(after["swing.angle"]).toBe(before["swing.angle"]);
    expect(after["swing.angle'"]).toBe(before["swing.angle'"]);
    const { bob } = await ask(page, (ansatz) => ansatz.poses());
    expect(bob!.position[2]).toBeCloseTo(-2 * Math.cos(after["swing.angle"]!), 12);
    await page.click("[aria-label='Reset to the start']");
    await until(page, (ansatz) => ansatz.state().t === 0);
    await goTo(page, 1);
    await compare(page, "pendulum", "--set", "length=2");
  });

  test("steps, goes back, plays, runs faster", async () => {
    await goTo(page, 2);
    const start = await now();
    await page.click("[aria-label='One frame on']");
    await until(page, `window.ansatz.state().t > ${start}`);
    await page.click("[aria-label='One frame back']");
    await until(page, `window.ansatz.state().t === ${start}`);
    await page.click("[aria-label=Faster]");
    await until(page, (ansatz) => ansatz.state().speed === 2);
    await page.click("[aria-label=Play]");
    await until(page, `window.ansatz.state().t > ${start} + 0.3`);
    await page.keyboard.press("Space");
    await until(page, (ansatz) => ansatz.state().settled);
    expect(await now()).toBeGreaterThan(start + 0.3);
  });

  test("offers nothing that needs a compiler", async () => {
    expect(await page.locator("#expression, .cm-editor, [title='Write to source']").count()).toBe(0);
    await page.keyboard.press("?");
    expect(await page.textContent("dialog[open]")).not.toMatch(/edit|save|gallery|plot|pull/);
    await page.keyboard.press("Escape");
  });
});

describe("prescribed motions", () => {
  test("are switched off and on while it runs, as in the studio", async () => {
    const page = await open("arm_inverse");
    const values = (): Promise<Record<string, number>> => ask(page, (ansatz) => ansatz.values());
    await goTo(page, 1);
    const before = await values();
    await page.getByRole("switch", { name: "All prescribed motions" }).click();
    await until(page, (ansatz) => ansatz.state().released.length === 2);
    const after = await values();
    for (const name of ["shoulder.angle", "elbow.angle", "shoulder.angle'", "elbow.angle'"]) expect(after[name]).toBeCloseTo(before[name]!, 9);
    expect(after["shoulder.torque"]).toBe(0);
    // It falls: nothing drives it, and nothing brakes it.
    await goTo(page, 3);
    const later = await values();
    expect(Math.abs(later.energy! - after.energy!)).toBeLessThan(1e-5 * Math.abs(after.energy!) + 1e-5);
    expect(Math.abs(later["shoulder.angle"]! - 0.5 * Math.sin(2 * later.t!))).toBeGreaterThan(0.1);
    await keep(page, "alone/released");
    // The elbow alone: the shoulder is on its path again.
    await page.getByRole("switch", { name: /Prescribed: shoulder\.angle/ }).click();
    await until(page, (ansatz) => ansatz.state().released.length === 1);
    await goTo(page, 4);
    const half = await values();
    expect(half["shoulder.angle"]).toBeCloseTo(0.5 * Math.sin(2 * half.t!), 6);
    expect(half["elbow.torque"]).toBe(0);
    await page.getByRole("switch", { name: "All prescribed motions" }).click();
    await until(page, (ansatz) => ansatz.state().released.length === 0);
    const again = await values();
    expect(again["elbow.angle"]).toBeCloseTo(-0.8 + 0.3 * Math.cos(3 * again.t!), 6);
    // From the start, with all of them on, it is the run without a page.
    await page.click("[aria-label='Reset to the start']");
    await until(page, (ansatz) => ansatz.state().t === 0);
    await goTo(page, 1);
    await compare(page, "arm_inverse");
  });

  test("of a figure with more of them have one switch for all", async () => {
    // A second program, as large as the first.
    const page = await open("walking_figure", "", 4_000_000);
    await goTo(page, 0.5);
    expect(await page.getByRole("switch").count()).toBe(1);
    await page.getByRole("switch", { name: "Prescribed: All prescribed motions" }).click();
    await until(page, (ansatz) => ansatz.state().released.length === 1);
    await page.fill("#time", "0.9");
    await page.press("#time", "Enter");
    await page.getByText("does not hold").first().waitFor();
  });
});

test("where no worker starts, the program runs in the page", async () => {
  const page = await open("pendulum", "window.Worker = class { constructor() { setTimeout(() => this.onerror?.(new Event('error'))); } postMessage() {} };");
  await goTo(page, 1.5);
  await compare(page, "pendulum");
});

test("nothing was asked of anyone, and browsers had nothing to complain of", () => {
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter((address) => !/^(file|blob|data):/.test(address))).toEqual([]);
  expect(browser.complaints).toEqual([]);
});
