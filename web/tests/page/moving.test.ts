// Moving a frame in the picture: one number of the text changes, and nothing else of it.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violations } from "./axe";
import { ask, keep, startStudio, until, write, type Studio } from "./studio";

const TEXT = `// A lamp on a pole, and a ball.
scene lamps

param height = 2 [m]   "of the lamp"

gravity 9.81 [m/s^2]   // as everywhere

body lamp { position = (0.5 [m],   -40 [cm], height); mass = 1 [kg] } // stands
body ball { position = (0, 0, free); mass = 1 [kg] }
frame vane in lamp { position = (0, 0, 20 [cm]); rotation = about z 30 [deg] } // turns
frame swing { position = (-1, 0, 1) [m]; rotation = about y free }
body bob in swing { position = (0, 0, -50 [cm]); mass = 1 [kg] }
initially swing.angle == 0.5
body odd { position = (1 [m], 2 * height - 1 [m], 0); mass = 1 [kg] }
initially ball.position.z == 1.5 [m]

show sphere(10 [cm]) on lamp
show sphere(10 [cm]) on ball
show sphere(10 [cm]) on odd
show sphere(10 [cm]) on bob
`;

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz");
  await write(page, TEXT);
  await until(page, (ansatz) => ansatz.state().scene === "lamps");
});
afterAll(() => studio?.close());

const text = async (): Promise<string> => (await page.evaluate("document.querySelector('.cm-content').cmTile?.root?.view?.state.doc.toString() ?? [...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')")) as string;

async function begin(name: string): Promise<void> {
  await page.evaluate(`window.ansatz.select("frame:${name}")`);
  await page.click("#selected button:has-text('Move')");
  await page.waitForSelector(`#move:has-text('${name}')`);
}

/// Pulls the arrow of an axis away from the frame, in steps, as a hand would.
async function pull(name: string, axis: number, part: number): Promise<void> {
  const tip = (await ask(page, (ansatz) => ansatz.tips()))[axis]!;
  const root = (await page.evaluate(`window.ansatz.screen("frame:${name}")`)) as { x: number; y: number };
  const to = { x: tip.x + part * (tip.x - root.x), y: tip.y + part * (tip.y - root.y) };
  await page.mouse.move(tip.x, tip.y);
  await page.mouse.down();
  await page.mouse.move((tip.x + to.x) / 2, (tip.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

test("pulling at an arrow changes one number, with its unit and all around it as it was", async () => {
  await begin("lamp");
  expect(await violations(page)).toEqual([]);
  const before = await text();
  const revision = (await ask(page, (ansatz) => ansatz.state())).revision;
  await pull("lamp", 1, 1);
  await until(page, `window.ansatz.state().revision > ${revision}`);
  const after = await text();
  const number = /-40 \[cm\]/;
  const [, changed] = /\(0\.5 \[m\], {3}(-?[\d.]+) \[cm\], height\)/.exec(after)!;
  expect(Number(changed), "it was pulled towards positive y").toBeGreaterThan(-40);
  expect(after).toBe(before.replace(number, `${changed} [cm]`));
  await until(page, `Math.abs(window.ansatz.poses().lamp.position[1] - ${Number(changed) / 100}) < 1e-9`);
  // Snapping: a round number of the steps that fit the view.
  expect(Number(changed)).toBe(Math.round(Number(changed)));
  await keep(page, "moving");
});

test("one step of undo takes one pull back", async () => {
  const before = await text();
  const revision = (await ask(page, (ansatz) => ansatz.state())).revision;
  await pull("lamp", 0, 1);
  await until(page, `window.ansatz.state().revision > ${revision}`);
  expect(await text()).not.toBe(before);
  await page.click(".cm-content");
  await page.keyboard.press("Control+z");
  await until(page, `window.ansatz.state().revision > ${revision + 1}`);
  expect(await text()).toBe(before);
});

test("a coordinate that is a parameter changes the parameter", async () => {
  await begin("lamp");
  const before = await text();
  await page.fill("[aria-label='z of lamp, in m']", "2.5");
  await page.press("[aria-label='z of lamp, in m']", "Enter");
  await until(page, "Math.abs(window.ansatz.poses().lamp.position[2] - 2.5) < 1e-9");
  expect(await text()).toBe(before.replace("param height = 2 [m]", "param height = 2.5 [m]"));
});

test("what is an expression is not changed, and it is said why", async () => {
  await begin("odd");
  expect(await page.locator("[aria-label='y of odd, in m']").isDisabled()).toBe(true);
  expect(await page.textContent("#move")).toContain("y: it is an expression");
  const before = await text();
  await pull("odd", 1, 1);
  expect(await text()).toBe(before);
});

test("zero gets the unit that it did without", async () => {
  await page.fill("[aria-label='z of odd, in m']", "0.25");
  await page.press("[aria-label='z of odd, in m']", "Enter");
  await until(page, "Math.abs(window.ansatz.poses().odd.position[2] - 0.25) < 1e-9");
  expect(await text()).toContain("(1 [m], 2 * height - 1 [m], 0.25 [m])");
});

test("what moves freely is moved at its start, and begins there", async () => {
  await begin("ball");
  await until(page, (ansatz) => ansatz.state().t === 0 && !ansatz.state().playing);
  await page.fill("[aria-label='z of ball, in m']", "3");
  await page.press("[aria-label='z of ball, in m']", "Enter");
  await until(page, "Math.abs(window.ansatz.poses().ball.position[2] - 3) < 1e-9 && window.ansatz.state().t === 0");
  expect(await text()).toContain("initially ball.position.z == 3 [m]");
});

test("pulling at the ring turns a frame: the one number of its angle changes", async () => {
  await begin("vane");
  expect(await violations(page)).toEqual([]);
  const before = await text();
  const revision = (await ask(page, (ansatz) => ansatz.state())).revision;
  const knob = (await ask(page, (ansatz) => ansatz.tips()))[3]!;
  const root = (await page.evaluate('window.ansatz.screen("frame:vane")')) as { x: number; y: number };
  // A quarter of the way round, as it looks on the screen.
  const to = { x: root.x - (knob.y - root.y), y: root.y + (knob.x - root.x) };
  await page.mouse.move(knob.x, knob.y);
  await page.mouse.down();
  await page.mouse.move((knob.x + to.x) / 2, (knob.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await keep(page, "turning");
  await page.mouse.up();
  await until(page, `window.ansatz.state().revision > ${revision}`);
  const after = await text();
  const degrees = Number(/about z (-?[\d.]+) \[deg\]/.exec(after)![1]);
  expect(degrees).not.toBe(30);
  expect(Math.abs(degrees / 5 - Math.round(degrees / 5)), "snapping").toBeLessThan(1e-9);
  expect(after).toBe(before.replace("about z 30 [deg]", `about z ${/about z (-?[\d.]+)/.exec(after)![1]} [deg]`));
  await page.click(".cm-content");
  await page.keyboard.press("Control+z");
  await until(page, `window.ansatz.state().revision > ${revision + 1}`);
  expect(await text()).toBe(before);
});

test("what turns freely is turned at its start; what has no rotation says so", async () => {
  await begin("swing");
  await page.fill("[aria-label='angle of swing, in °']", "90");
  await page.press("[aria-label='angle of swing, in °']", "Enter");
  await until(page, "Math.abs(Math.abs(window.ansatz.poses().swing.rotation[2]) - Math.SQRT1_2) < 1e-9 && window.ansatz.state().t === 0");
  expect(await text()).toMatch(/initially swing.angle == 1\.57079632/);
  await begin("odd");
  expect(await page.locator("[aria-label='angle of odd, in °']").isDisabled()).toBe(true);
  expect(await page.textContent("#move")).toContain("angle: no rotation is written for it");
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
