// Points and forces of contact, drawn where things touch.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, choose, goTo, keep, startStudio, until, write, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/dropped_ball.anz");
  await page.click("#layers");
  await page.click("[data-overlay=contacts]");
  await page.keyboard.press("Escape");
});
afterAll(() => studio?.close());

describe("contact", () => {
  test("of a ball in the air has no points, that of one at rest bears its weight", async () => {
    await goTo(page, 0.3);
    expect(await ask(page, (ansatz) => ansatz.touches())).toEqual([]);
    await goTo(page, 5);
    const [only, ...others] = await ask(page, (ansatz) => ansatz.touches());
    expect(others).toEqual([]);
    expect(only!.pair).toEqual(["floor", "ball"]);
    expect(only!.state).toBe("sticking");
    expect(only!.point[2]).toBeCloseTo(0, 9);
    expect(only!.force[2]).toBeCloseTo(9.81, 6);
    await keep(page, "contact/rest");
  });

  test("slides, then rolls", async () => {
    await choose(page, "sliding_ball");
    await goTo(page, 0.2);
    const [sliding] = await ask(page, (ansatz) => ansatz.touches());
    expect(sliding!.state).toBe("sliding");
    // Friction acts against the slip, with 0.2 of the weight.
    expect(sliding!.force[0]).toBeCloseTo(-0.2 * 9.81, 6);
    await keep(page, "contact/sliding");
    await goTo(page, 1.5);
    const [rolling] = await ask(page, (ansatz) => ansatz.touches());
    expect(rolling!.state).toBe("sticking");
    expect(rolling!.force[0]).toBeCloseTo(0, 6);
  });

  test("of a face is in its corners", async () => {
    await choose(page, "slope_block");
    await goTo(page, 0.5);
    const points = await ask(page, (ansatz) => ansatz.touches());
    expect(points.length).toBe(4);
    const normal = points.reduce((sum, { force, normal }) => sum + Math.abs(force[0]! * normal[0]! + force[1]! * normal[1]! + force[2]! * normal[2]!), 0);
    expect(normal).toBeCloseTo(9.81 * Math.cos(Math.PI / 9), 6);
    await keep(page, "contact/corners");
  });

  test("is seen where the text shows nothing: a shape, and the plane that it falls on", async () => {
    await write(page, "scene bare\n\ngravity 9.81 [m/s^2]\nsurface slope: z == -0.3 * x\nbody ball: sphere(10 [cm]) mass 1 [kg] { position = free((0, 0, 0.5) [m]) }\ninitially ball.position == (0, 0, 0.5) [m]\ncontact ball, slope { friction = 0.5 }\n");
    await until(page, (ansatz) => ansatz.state().scene === "bare");
    await goTo(page, 0.6);
    const sizes = Object.values(await ask(page, (ansatz) => ansatz.drawn())).map(({ size }) => size);
    expect(sizes.length).toBe(2);
    // The ball is 20 cm across; the plane rises by 0.3 of its width.
    expect(sizes[0]![0]).toBeCloseTo(0.2, 2);
    expect(sizes[1]![2]! / sizes[1]![0]!).toBeCloseTo(0.3, 3);
    await keep(page, "contact/bare");
  });

  test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
});
