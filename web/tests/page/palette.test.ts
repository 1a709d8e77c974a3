// What is added by hand becomes text: at the right place, in one step of undo, and it moves as that text says.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violations } from "./axe";
import { ask, goTo, keep, startStudio, until, write, type Studio } from "./studio";

const TEXT = `scene yard

gravity 9.81 [m/s^2]

body bob: sphere(10 [cm]) mass 1 [kg] {
  position = free((0.5, 0, 0) [m])
}
initially bob.position == (0.5, 0, 0) [m]

plot bob.position.z
`;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz");
  await start();
});
afterAll(() => studio?.close());

const textOf = (): Promise<string> => page.evaluate("[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')") as Promise<string>;

async function start(): Promise<void> {
  await added(() => write(page, TEXT));
  await until(page, (ansatz) => ansatz.state().scene === "yard");
}

async function choose(name: string): Promise<void> {
  await page.click("#add");
  await page.click(`.add-menu button:has-text("${name}")`);
}

/// Waits until what was written runs.
async function added(act: () => Promise<void>): Promise<void> {
  const { revision } = await ask(page, (ansatz) => ansatz.state());
  await act();
  await until(page, `window.ansatz.state().revision > ${revision} && window.ansatz.state().errors === 0`);
}

test("a body, a floor and a contact make a ball that comes to rest on the floor", async () => {
  await page.click("#add");
  await keep(page, "palette/menu");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await added(() => choose("Body"));
  expect(await textOf()).toContain("}\nbody ball: sphere(10 [cm]) mass 1 [kg]");
  await added(() => choose("Surface"));
  expect(await textOf()).toContain("gravity 9.81 [m/s^2]\nsurface floor: z == -1 [m]\n");
  await choose("Contact");
  await page.selectOption("#adding [aria-label=Of]", "ball");
  await page.selectOption("#adding [aria-label=With]", "floor");
  await keep(page, "palette/contact");
  await added(() => page.click("#adding button[type=submit]"));
  expect(await textOf()).toContain("contact ball, floor { restitution = 0.5; friction = 0.3 }");
  await goTo(page, 6);
  expect((await ask(page, (ansatz) => ansatz.poses())).ball!.position[2]).toBeCloseTo(-0.9, 3);
  await keep(page, "palette/rest");
});

test("one step of undo takes one addition back, byte for byte", async () => {
  const before = await textOf();
  await added(() => choose("Body"));
  expect(await textOf()).not.toBe(before);
  await page.click(".cm-content");
  await page.keyboard.press("Control+z");
  expect(await textOf()).toBe(before);
});

test("a joint holds what was pressed in the picture: a ball on a hinge is a pendulum", async () => {
  await start();
  await choose("Joint");
  await page.waitForSelector("#adding:not([hidden])");
  await page.selectOption("#adding [aria-label=Kind]", "hinge");
  await page.selectOption("#adding [aria-label=From]", "world");
  await page.evaluate("window.ansatz.select('frame:bob')");
  expect(await page.inputValue("#adding [aria-label=To]"), "the selected thing is taken").toBe("bob");
  await keep(page, "palette/joint");
  await added(() => page.click("#adding button[type=submit]"));
  expect(await textOf()).toContain("scene yard\nuse mechanics\n");
  expect(await textOf()).toContain("join world to bob.point((-0.5, 0, 0) [m]) with revolute(axis: (0, 1, 0))");
  await goTo(page, 1.3);
  const { position } = (await ask(page, (ansatz) => ansatz.poses())).bob!;
  expect(Math.hypot(...position)).toBeCloseTo(0.5, 5);
  expect(position[2]).toBeLessThan(-0.1);
});

test("a force pulls at a body", async () => {
  await start();
  await choose("Force");
  await page.selectOption("#adding [aria-label=On]", "bob");
  await added(() => page.click("#adding button[type=submit]"));
  expect(await textOf()).toContain("}\nforce on bob = (0, 0, 1) [N]\ninitially");
  await goTo(page, 1);
  // (−9.81 + 1) t² / 2
  expect((await ask(page, (ansatz) => ansatz.poses())).bob!.position[2]).toBeCloseTo(-4.405, 2);
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
