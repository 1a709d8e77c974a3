// Numbers before pixels: what the page shows is what a headless run computes.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, choose, goTo, headless, startStudio, until, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz");
});
afterAll(() => studio?.close());

const CASES = [
  { scene: "pendulum", bodies: ["bob"] },
  { scene: "double_pendulum", bodies: ["bob1", "bob2"] },
  { scene: "ball_in_torus", bodies: ["ball"] },
  { scene: "roller_coaster_3", bodies: ["car[1]"] },
];

describe("poses and energy are those of a headless run", () => {
  test.each(CASES)("$scene", async ({ scene, bodies }) => {
    await choose(page, scene);
    for (const wanted of [1.5, 0.5, 2.5]) {
      await goTo(page, wanted);
      const { t } = await ask(page, (ansatz) => ansatz.state());
      const poses = await ask(page, (ansatz) => ansatz.poses());
      const { energy } = await ask(page, (ansatz) => ansatz.values());
      const probe = [...bodies.map((body) => `${body}.position`), "energy"].join(", ");
      const truth = headless(`examples/${scene}.anz`, probe, "--until", String(t), "--every", String(t));
      for (const body of bodies) {
        const expected = ["x", "y", "z"].map((axis) => truth[`${body}.position.${axis}`]!.at(-1)!);
        poses[body]!.position.forEach((value, axis) => expect(value).toBeCloseTo(expected[axis]!, 5));
      }
      expect(energy).toBeCloseTo(truth.energy!.at(-1)!, 4);
    }
      });

  test("a parameter changes the run as it changes a headless one", async () => {
    await choose(page, "pendulum");
    const revision = (await ask(page, (ansatz) => ansatz.state())).revision;
    await page.fill("[aria-label='length, value']", "2");
    await page.press("[aria-label='length, value']", "Enter");
    await until(page, "window.ansatz.state().parameters.length === 2");
    await page.click("[aria-label='Reset to the start']");
    await goTo(page, 1);
    const { t, revision: after } = await ask(page, (ansatz) => ansatz.state());
    const poses = await ask(page, (ansatz) => ansatz.poses());
    const truth = headless("examples/pendulum.anz", "bob.position", "--set", "length=2", "--until", String(t), "--every", String(t));
    expect(poses.bob!.position[1]).toBeCloseTo(truth["bob.position.y"]!.at(-1)!, 5);
    expect(poses.bob!.position[2]).toBeCloseTo(truth["bob.position.z"]!.at(-1)!, 5);
    expect(after, "no recompilation").toBe(revision);
      });
});

describe("energy in the strip", () => {
  const reading = "#strip button:has-text('energy')";

  test("is not there for a scene that has none", async () => {
    await choose(page, "ac_circuit");
    expect(await page.isVisible(reading)).toBe(false);
    expect(await page.locator("[data-plot='standing:energy']").count()).toBe(0);
  });

  test("is what the author calls so, where bodies are the author's own", async () => {
    await choose(page, "spring_block_1");
    await goTo(page, 1);
    const { t } = await ask(page, (ansatz) => ansatz.state());
    const { energy } = await ask(page, (ansatz) => ansatz.values());
    const truth = headless("examples/spring_block_1.anz", "energy", "--until", String(t), "--every", String(t)).energy!.at(-1)!;
    expect(Math.abs(truth)).toBeGreaterThan(1e-3);
    expect(energy).toBeCloseTo(truth, 6);
    expect(Number((await page.textContent(reading))!.replace("−", "-").replace(/[^-\d.]/g, ""))).toBeCloseTo(truth, 2);
  });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
