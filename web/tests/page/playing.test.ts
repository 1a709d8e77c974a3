// Time: play, pause, step, back, reset, speed, scrub, a typed time, a click on a plot.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, goTo, startStudio, until, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz");
});
afterAll(() => studio?.close());
beforeEach(() => goTo(page, 2));

const now = async (): Promise<number> => (await ask(page, (ansatz) => ansatz.state())).t;

describe("the strip of time", () => {
  test("steps on and back by one frame", async () => {
    const start = await now();
    await page.click("[aria-label='One frame on']");
    await until(page, `window.ansatz.state().t > ${start}`);
    const next = await now();
    expect(next - start).toBeLessThan(0.1);
    await page.click("[aria-label='One frame back']");
    await until(page, `Math.abs(window.ansatz.state().t - ${start}) < 1e-9`);
  });

  test("plays on from where it is, and pauses", async () => {
    await page.click("[aria-label=Play]");
    await until(page, "window.ansatz.state().t > 2.2");
    await page.click("[aria-label=Pause]");
    await until(page, (ansatz) => !ansatz.state().playing);
  });

  test("scrubs over what is recorded", async () => {
    const track = await page.locator("#scrub").boundingBox();
    await page.mouse.click(track!.x + 0.1 * track!.width, track!.y + 10);
    await until(page, "Math.abs(window.ansatz.state().t - 1) < 0.15");
    expect((await ask(page, (ansatz) => ansatz.state())).recorded).toBeGreaterThan(1.9);
  });

  test("refuses a time that is none", async () => {
    await page.fill("#time", "soon");
    await page.press("#time", "Enter");
    expect(await now()).toBeCloseTo(2, 1);
  });

  test("resets to the start", async () => {
    await page.click("[aria-label='Reset to the start']");
    await until(page, (ansatz) => ansatz.state().t === 0);
    const { "swing.angle": angle } = await ask(page, (ansatz) => ansatz.values());
    expect(angle).toBeCloseTo(Math.PI / 3, 6);
  });

  test("speeds up and slows down, asked and achieved", async () => {
    await page.click("[aria-label=Faster]");
    await until(page, (ansatz) => ansatz.state().speed === 2);
    await page.click("[aria-label=Slower]");
    await page.click("[aria-label=Slower]");
    await until(page, (ansatz) => ansatz.state().speed === 0.5);
    expect(await page.textContent(".speeds .asked")).toBe("0.5×");
    await page.click("[aria-label=Faster]");
  });
});

describe("plots", () => {
  test("a click on a plot goes to that time", async () => {
    const chart = page.locator("[data-plot='standing:energy'] .u-over");
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox())!;
    await page.mouse.click(box.x + 0.1 * box.width, box.y + box.height / 2);
    await until(page, "Math.abs(window.ansatz.state().t - 1) < 0.15");
  });

  test("any expression can be typed, and has its past", async () => {
    await page.fill("#expression", "|bob.velocity|");
    await page.press("#expression", "Enter");
    await page.waitForSelector("figure[aria-label='Plot: |bob.velocity|']");
    await until(page, "window.ansatz.recorded('|bob.velocity|').values.filter(Number.isFinite).length > 50");
    const { t, values } = await ask(page, (ansatz) => ansatz.recorded("|bob.velocity|"));
    // Energy is conserved: v² / 2 = g (cos θ − cos 60°), which is largest at the lowest point.
    expect(t.length).toBe(values.length);
    expect(Math.max(...values)).toBeLessThanOrEqual(Math.sqrt(9.81) + 1e-6);
    expect(Math.max(...values)).toBeGreaterThan(0.99 * Math.sqrt(9.81));
    await page.click("[aria-label='Remove plot |bob.velocity|']");
    await page.waitForSelector("figure[aria-label='Plot: |bob.velocity|']", { state: "detached" });
  });

  test("an expression that makes no sense is refused in words", async () => {
    await page.fill("#expression", "bob.weight");
    await page.press("#expression", "Enter");
    await page.waitForSelector(".toast:not([hidden])");
    expect(await page.textContent(".toast")).toContain("bob.weight");
    await page.click("[aria-label='Close the message']");
  });

  test("CSV has every recorded time, in the unit it says", async () => {
    const waiting = page.waitForEvent("download");
    await page.click("[aria-label='CSV of swing.angle, energy']");
    const stream = await (await waiting).createReadStream();
    let text = "";
    for await (const part of stream) text += String(part);
    const lines = text.trim().split("\n");
    expect(lines[0]).toMatch(/^t \[s\],swing\.angle.*,energy \[J\]$/);
    const first = lines[1]!.split(",").map(Number);
    expect(first[0]).toBe(0);
    expect(first[2]).toBeCloseTo(-9.81 / 2, 6);
    expect(lines.length).toBeGreaterThan(100);
  });

  test("PNG of the picture is a picture", async () => {
    const waiting = page.waitForEvent("download");
    await page.click("#png");
    const stream = await (await waiting).createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.length).toBeGreaterThan(5000);
  });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
