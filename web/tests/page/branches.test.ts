// Branches of time: a change in the past starts another future, and the one before stays to be seen, named, compared, taken up again and deleted.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, goTo, headless, keep, startStudio, until, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz");
});
afterAll(() => studio?.close());

const names = (): Promise<string[]> => page.evaluate("[...document.querySelectorAll('#branches li input')].map((field) => field.value)") as Promise<string[]>;

async function setLength(value: number): Promise<void> {
  await page.fill("[aria-label='length, value']", String(value));
  await page.press("[aria-label='length, value']", "Enter");
  await until(page, `window.ansatz.state().parameters.length === ${value}`);
}

/// What goes before holds: 3 s of a pendulum of one metre.
test("a run without a past that was changed has one future, and says nothing of it", async () => {
  await goTo(page, 3);
  expect(await page.locator("#branches").isVisible()).toBe(false);
  expect(await ask(page, (ansatz) => ansatz.ghosts())).toEqual({});
});

test("a slider moved after scrubbing back starts another future; the old one stays as a ghost", async () => {
  const truth = headless("examples/pendulum.anz", "bob.position.z", "--until", "3", "--every", "0.5");
  await goTo(page, 1);
  await setLength(1.4);
  await page.waitForSelector("#branches:not([hidden]) li:nth-child(2)");
  expect((await ask(page, (ansatz) => ansatz.state())).recorded, "the new future has only begun").toBeCloseTo(1, 1);
  expect(await names()).toEqual(["run 2", "run 1"]);
  expect(await page.textContent("#branches li[data-branch='1']")).toContain("length 1 m");
  // The new future is another one, the ghost is where the run without a change is.
  await goTo(page, 2);
  await until(page, "window.ansatz.ghosts()['run 1'] !== undefined");
  const ghost = (await ask(page, (ansatz) => ansatz.ghosts()))["run 1"]!.bob!;
  expect(ghost[2]).toBeCloseTo(truth["bob.position.z"]![4]!, 3);
  const { position } = (await ask(page, (ansatz) => ansatz.poses())).bob!;
  expect(Math.hypot(...position)).toBeCloseTo(1.4, 6);
  expect(Math.hypot(...ghost)).toBeCloseTo(1, 3);
  await keep(page, "branches");
});

test("a past that both have in common has no ghost", async () => {
  await goTo(page, 0.5);
  expect(await ask(page, (ansatz) => ansatz.ghosts())).toEqual({});
});

test("futures have names, also the present one", async () => {
  await page.fill("[aria-label='Name of run 1']", "short rod");
  await page.press("[aria-label='Name of run 1']", "Enter");
  await page.waitForSelector("[aria-label='Name of short rod']");
  await page.fill("[aria-label='Name of run 2']", "long rod");
  await page.press("[aria-label='Name of run 2']", "Enter");
  await page.waitForSelector("[aria-label='Name of long rod']");
  expect(await names()).toEqual(["long rod", "short rod"]);
});

test("a ghost can be hidden and shown", async () => {
  await goTo(page, 2);
  await until(page, "'short rod' in window.ansatz.ghosts()");
  await page.click("[aria-label='Show short rod']");
  await until(page, "!('short rod' in window.ansatz.ghosts())");
  expect(await page.getAttribute("[aria-label='Show short rod']", "aria-pressed")).toBe("false");
  await page.click("[aria-label='Show short rod']");
  await until(page, "'short rod' in window.ansatz.ghosts()");
});

test("curves of both are in one plot, the other one dashed and up to its own end", async () => {
  // The present run ends at 2 s, the other at 3 s: what is dashed reaches further.
  const reach = (): Promise<number> =>
    page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>("figure[aria-label^='Plot: swing.angle'] canvas")!;
      const { width, height } = canvas;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height);
      let last = 0;
      // Strong colours are curves; the grid is grey, and what is written stands outside.
      const [all, plot] = [canvas.getBoundingClientRect(), document.querySelector("figure[aria-label^='Plot: swing.angle'] .u-over")!.getBoundingClientRect()];
      const end = Math.floor(((plot.right - all.left) / all.width) * width);
      for (let x = 0; x < end; x++) for (let y = 0; y < height; y++) {
        const at = 4 * (y * width + x);
        const [r, g, b, a] = [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!];
        if (a > 120 && Math.max(r, g, b) - Math.min(r, g, b) > 90) last = x;
      }
      return last / width;
    });
  await page.locator("figure[aria-label^='Plot: swing.angle']").scrollIntoViewIfNeeded();
  let [seen, hidden] = [0, 1];
  const deadline = Date.now() + 60_000;
  while (seen <= hidden + 0.03 && Date.now() < deadline) {
    await page.waitForTimeout(300);
    seen = await reach();
    await page.click("[aria-label='Show short rod']");
    await page.waitForTimeout(600);
    hidden = await reach();
    await page.click("[aria-label='Show short rod']");
  }
  expect(seen, "with the other future the curves reach further").toBeGreaterThan(hidden + 0.03);
});

test("another future can be taken up again, with its numbers", async () => {
  await page.click("[aria-label='Go to short rod']");
  await until(page, (ansatz) => ansatz.state().parameters.length === 1);
  await until(page, (ansatz) => Math.abs(ansatz.state().recorded - 3) < 0.05);
  expect(await names()).toEqual(["short rod", "long rod"]);
  const { t } = await ask(page, (ansatz) => ansatz.state());
  expect(t, "the moment that is shown stays").toBeCloseTo(2, 1);
  const { bob } = await ask(page, (ansatz) => ansatz.poses());
  expect(Math.hypot(...bob!.position)).toBeCloseTo(1, 6);
  // It goes on beyond its end as the run without any change.
  await goTo(page, 4);
  const truth = headless("examples/pendulum.anz", "bob.position.z", "--until", "4", "--every", "4");
  expect((await ask(page, (ansatz) => ansatz.poses())).bob!.position[2]).toBeCloseTo(truth["bob.position.z"]!.at(-1)!, 5);
});

test("a future can be deleted", async () => {
  await page.click("[aria-label='Delete long rod']");
  await page.waitForSelector("#branches", { state: "hidden" });
  expect(await ask(page, (ansatz) => ansatz.ghosts())).toEqual({});
  expect((await ask(page, (ansatz) => ansatz.state())).parameters.length).toBe(1);
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
