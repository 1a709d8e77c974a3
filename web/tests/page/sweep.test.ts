// Many runs as one picture: a curve over one parameter, colours over two; pointing reads a run, pressing opens it.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violations } from "./axe";
import { ask, keep, startStudio, until, write, type Studio } from "./studio";

/// A stone thrown upwards: it rises to up² / 2g, and at 1 s it is at up − g/2.
const STONE = `scene stone
param g = 9.81 [m/s^2]
param up = 5 [m/s]
gravity g
body stone { position = (0, 0, free); mass = 1 [kg] }
initially stone.velocity.z == up
plot stone.position.z
`;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz");
  await write(page, STONE);
  await until(page, (ansatz) => ansatz.state().scene === "stone");
  await page.click("#tab-6");
});
afterAll(() => studio?.close());

const fill = (label: string, value: string): Promise<void> => page.fill(`[aria-label='${label}']`, value);
const said = (): Promise<string> => page.innerText(".sweep-said");
const reading = (): Promise<string> => page.innerText(".sweep-reading");

async function sweep(): Promise<void> {
  await page.click("text=Run sweep");
  await page.waitForSelector(".sweep-buttons progress", { state: "hidden" });
}

/// Goes to a run with the keys: so many to the right, so many up, from the first.
async function point(across: number, up: number): Promise<void> {
  await page.focus(".sweep-map canvas");
  // The picture may be on its way still; what is pressed before it is there points at nothing.
  do await page.keyboard.press("ArrowRight");
  while ((await reading()) === "");
  for (let step = 0; step < across; step++) await page.keyboard.press("ArrowRight");
  for (let step = 0; step < up; step++) await page.keyboard.press("ArrowUp");
}

test("one parameter makes a curve, and every run can be read", async () => {
  await page.selectOption("[aria-label='What to vary']", "g");
  await fill("What to vary: from", "2");
  await fill("What to vary: to", "12");
  await fill("What to vary: how many values", "11");
  await page.selectOption("[aria-label='What of the quantity']", "max");
  await fill("Seconds of each run", "3");
  await sweep();
  expect(await said()).toContain("11 runs.");
  await point(3, 0);
  // 5² / (2 · 5) = 2.5 m for g = 5 m/s².
  expect(await reading()).toMatch(/^g 5 m\/s² → 2\.5 m$/);
  await keep(page, "sweep/curve");
});

test("a press opens the run: its parameters are set and it starts anew", async () => {
  await until(page, (ansatz) => ansatz.state().t > 0.2);
  const before = await ask(page, (ansatz) => ansatz.state().recorded);
  const canvas = (await page.locator(".sweep-map canvas").boundingBox())!;
  await page.mouse.click(canvas.x + canvas.width - 14, canvas.y + canvas.height / 2);
  await until(page, (ansatz) => ansatz.state().parameters.g === 12);
  expect(await reading()).toMatch(/^g 12 m\/s² → 1\.042 m$/);
  await until(page, `window.ansatz.state().recorded < ${before} || window.ansatz.state().t < 1`);
  await until(page, (ansatz) => ansatz.state().t > 0.1 && ansatz.state().playing);
});

test("two parameters make a map with a legend", async () => {
  await page.selectOption("[aria-label='Another one to vary']", "up");
  await fill("What to vary: how many values", "11");
  await fill("Another one to vary: from", "1");
  await fill("Another one to vary: to", "9");
  await fill("Another one to vary: how many values", "9");
  await page.selectOption("[aria-label='What of the quantity']", "last");
  await fill("Seconds of each run", "1");
  await sweep();
  expect(await said()).toContain("99 runs.");
  await point(6, 4);
  // 5 − 8/2
  expect(await reading()).toMatch(/^g 8 m\/s², up 5 m\/s → 1 m$/);
  await keep(page, "sweep/map");
  await page.keyboard.press("Enter");
  await until(page, (ansatz) => ansatz.state().parameters.g === 8 && ansatz.state().parameters.up === 5);
  expect(await violations(page)).toEqual([]);
});

test("the picture of another text says so", async () => {
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("\nplot stone.velocity.z\n");
  await page.waitForSelector(".sweep-picture.stale");
});

test("what makes no sense is said in words", async () => {
  await fill("Quantity of the sweep", "stone.position");
  await sweep();
  expect(await said()).toContain("is not one number");
  await fill("Quantity of the sweep", "stone.position.z");
  await fill("What to vary: how many values", "many");
  await page.click("text=Run sweep");
  expect(await said()).toContain("cannot be read");
});

test("a sweep can be stopped, and keeps what is there", async () => {
  await fill("What to vary: how many values", "99");
  await fill("Another one to vary: how many values", "99");
  await fill("Seconds of each run", "10000");
  await page.click("text=Run sweep");
  await until(page, "/[1-9]\\d* of 9801 runs/.test(document.querySelector('.sweep-said').textContent)");
  await page.click("text=Stop");
  expect(await said()).toMatch(/^\d+ of 9801 runs\./);
  const known = await said();
  await page.waitForTimeout(400);
  expect(await said(), "nothing more comes").toBe(known);
});

test("themes and phones", async () => {
  for (const [name, theme, width, height] of [["dark", "dark", 1280, 800], ["projector", "projector", 1600, 1000], ["phone", "light", 390, 844]] as const) {
    page = await studio.open("examples/double_pendulum.anz", { theme, width, height });
    await page.click("#tab-6");
    const names = (await page.locator("[aria-label='Another one to vary'] option").allInnerTexts()).length;
    if (names > 2) await page.selectOption("[aria-label='Another one to vary']", { index: 2 });
    await fill("Seconds of each run", "2");
    await sweep();
    await page.locator(".sweep-picture").scrollIntoViewIfNeeded();
    await keep(page, `sweep/${name}`);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  }
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
