// Sticks: a pretended gamepad pushes a control as far as it leans, and lets go of it.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, goTo, startStudio, until, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/roller_coaster_3.anz");
  await goTo(page, 0.5);
});
afterAll(() => studio?.close());

const lean = (axes: number[]): Promise<unknown> =>
  page.evaluate((axes) => {
    const pad = { axes, buttons: [], connected: true, id: "pretended", index: 0, mapping: "standard" };
    navigator.getGamepads = () => [pad as unknown as Gamepad];
  }, axes);

// `control up_down in [-1, 1] = 0`
test("a stick that leans pushes the first control, upwards for up", async () => {
  await lean([0, 0, 0, 0]);
  await page.evaluate("window.dispatchEvent(new Event('gamepadconnected'))");
  await lean([0, -1, 0, 0]);
  await until(page, "window.ansatz.state().controls.up_down === 1");
  await lean([0, 0.5, 0, 0]);
  await until(page, "window.ansatz.state().controls.up_down === -0.5");
  // At rest a stick is never quite at zero.
  await lean([0, 0.05, 0, 0]);
  await until(page, "window.ansatz.state().controls.up_down === 0");
});

test("the push is felt: a newton along the way does work", async () => {
  const energy = async (t: number): Promise<number> => {
    await goTo(page, t);
    return (await ask(page, (ansatz) => ansatz.values())).energy!;
  };
  const before = await energy(1);
  expect(Math.abs((await energy(1.5)) - before)).toBeLessThan(1e-2);
  await goTo(page, 1);
  await lean([0, -1, 0, 0]);
  await until(page, "window.ansatz.state().controls.up_down === 1");
  expect((await energy(1.5)) - before).toBeGreaterThan(0.5);
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
