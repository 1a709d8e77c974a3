// Equations as on a board: short, in forms to choose, with parts that open, and ready to be copied.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { keep, startStudio, until, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => {
  studio = await startStudio();
  await studio.context.grantPermissions(["clipboard-read", "clipboard-write"]);
});
afterAll(() => studio?.close());

async function equations(scene: string): Promise<Page> {
  const page = await studio.open(`examples/${scene}.anz`);
  await page.click("[role=tab]:has-text('Equations')");
  await page.waitForSelector(".equation .katex");
  return page;
}

const sources = (page: Page): Promise<string[]> => page.$$eval(".equation annotation", (found) => found.map((one) => one.textContent ?? ""));
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test("the pendulum reads as in books, with its check, its letters and its copies", async () => {
  const page = await equations("pendulum");
  expect((await sources(page))[0]).toBe("\\ddot{\\theta} + \\frac{g\\,\\sin\\left(\\theta\\right)}{l} = 0");
  expect(await page.textContent(".letters")).toContain("swing.angle");
  await page.click(".equation >> nth=0");
  const more = page.locator(".equation-more:not([hidden])");
  expect(await more.textContent()).toContain("random points");
  expect(await more.textContent()).toContain("divided by l²·m");
  for (const [name, text] of [["LaTeX", "\\ddot{\\theta}"], ["Typst", "dot.double(theta) + frac(g sin(theta), l) = 0"], ["SymPy", "Eq(swing_angle_ddot + g*sin(swing_angle)/length, 0)"]] as const) {
    await more.locator(`button:text-is('${name}')`).click();
    await until(page, `document.body.textContent.includes('Copied as ${name}.')`);
    expect(await clipboard(page)).toContain(text);
  }
  await keep(page, "equations/pendulum");
  await page.selectOption("#equations-form", "state-space");
  await page.waitForSelector("h2:text-is('Rates of the states')");
  await page.selectOption("#equations-form", "derivation");
  await page.waitForSelector("h2:text-is('Energies')");
  await keep(page, "equations/derivation");
});

test("the double pendulum has no named parts left", async () => {
  const page = await equations("double_pendulum");
  expect((await sources(page)).join()).not.toContain("htmlData");
  expect(await page.locator("h2:text-is('Where')").count()).toBe(0);
  await keep(page, "equations/double_pendulum");
});

test("a named part opens where it is clicked, and all of them by a button", async () => {
  const page = await equations("rolling_ellipsoid");
  const row = page.locator("li:has([data-part])").first();
  const formula = row.locator(".formula");
  const before = (await formula.getAttribute("data-latex"))!;
  await row.locator("[data-part]").first().click();
  await until(page, `document.querySelector(".formula[data-latex]") !== null`);
  expect((await formula.getAttribute("data-latex"))!.length).toBeGreaterThan(before.length);
  expect(await page.locator(".equation[aria-pressed=true]").count(), "opening a part selects nothing").toBe(0);
  expect(studio.complaints).toEqual([]);
});
