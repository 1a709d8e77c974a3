// What the scene asks, answered beside the motion: values, what they rest on, and what would close an open question.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { keep, startStudio, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/sailboat.anz");
  await page.click("role=tab[name=Answers]");
});
afterAll(() => studio?.close());

const answers = (): Promise<string[]> => page.locator(".card-answers .found li").allTextContents();

test("both speeds of a boat are told, and the one that a run comes to is marked", async () => {
  await page.waitForSelector(".card-answers .found .reached");
  const [fast, slow] = await answers();
  expect(fast).toContain("boat.speed = 15.70469433 [ft/s]");
  expect(fast).toContain("stable");
  expect(slow).toContain("boat.speed = 3.251626814 [ft/s]");
  expect(slow).toContain("unstable");
  expect(await page.locator(".card-answers table tbody tr").count()).toBe(11);
  expect(await page.locator(".card-answers").textContent()).toContain("algebraic, 3 unknowns; newton 1, drag 2, lift 2");
  await keep(page, "answers");
});

test("laws and assumptions lead to their lines", async () => {
  await page.locator(".card-answers").getByRole("button", { name: "trimmed", exact: true }).click();
  const line = await page.evaluate(() => getSelection()?.toString() ?? "");
  expect(line).toContain("assume trimmed");
  await page.locator(".card-answers").getByRole("button", { name: "drag(hull, water)", exact: true }).click();
  expect(await page.locator(".card-answers .theory:visible").textContent()).toContain("law drag for s: foil, f: fluid");
});

test("a question without an assumption is open, and ticking it again answers", async () => {
  await page.getByRole("checkbox", { name: "Assume trimmed" }).uncheck();
  await page.waitForSelector(".card-answers .dead-end");
  expect(await page.locator(".dead-end .say").first().textContent()).toContain("3 unknowns for 2 equations");
  await page.getByRole("checkbox", { name: "Assume trimmed" }).check();
  await page.waitForSelector(".card-answers .found");
  expect((await answers())[0]).toContain("15.70469433");
});

test("what closes a question is written into the text where it is clicked", async () => {
  const before = await page.locator(".cm-content").evaluate((element) => (element as HTMLElement).innerText);
  expect(before).toContain("assume trimmed");
  // The line of the assumption is taken out by hand, as its author would.
  await page.locator(".card-answers").getByRole("button", { name: "trimmed", exact: true }).click();
  await page.keyboard.press("Delete");
  await page.waitForSelector(".card-answers .dead-end");
  await page.locator(".dead-end").getByRole("button", { name: "assume trimmed: partial(boat.force.x, sail.lift) == 0" }).first().click();
  await page.waitForSelector(".card-answers .found .reached");
  expect((await answers())[0]).toContain("15.70469433");
});

test("a slider asks again", async () => {
  await page.click("role=tab[name='Parameters and plots']");
  await page.fill("input[aria-label='course, value']", "60");
  await page.press("input[aria-label='course, value']", "Enter");
  await page.click("role=tab[name=Answers]");
  await expect.poll(async () => (await answers())[0], { timeout: 20_000 }).toContain("18.79475949");
});
