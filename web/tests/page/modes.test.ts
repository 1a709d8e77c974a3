// What changes all at once: transitions on the strip of time, and the automaton lit up as it runs.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, choose, goTo, headless, keep, startStudio, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/bouncing_ball.anz");
});
afterAll(() => studio?.close());

describe("a ball that bounces and comes to rest", () => {
  test("is where a headless run has it, before and after bounces, and back again", async () => {
    for (const wanted of [1.5, 0.25, 3, 4.5]) {
      await goTo(page, wanted);
      const { t } = await ask(page, (ansatz) => ansatz.state());
      const truth = headless("examples/bouncing_ball.anz", "ball.position.z", "--until", String(t), "--every", String(t));
      const { ball } = await ask(page, (ansatz) => ansatz.poses());
      expect(ball!.position[2]).toBeCloseTo(truth["ball.position.z"]!.at(-1)!, 5);
    }
  });

  test("has a tick for each transition that can be told apart", async () => {
    await goTo(page, 4.5);
    const ticks = await page.locator(".transitions span").count();
    expect(ticks).toBeGreaterThan(10);
    expect(await page.locator(".transition-list li").first().textContent()).toContain("rest");
  });

  test("lights up the mode of the moment that is shown", async () => {
    await page.click("role=tab[name=Modes]");
    const lit = (): Promise<string | null> => page.locator(".automaton .value.now").textContent();
    await goTo(page, 4.5);
    expect(await lit()).toBe("resting");
    await goTo(page, 1);
    expect(await lit()).toBe("bouncing");
    await keep(page, "modes");
  });
});

test("a scene without modes says so", async () => {
  await choose(page, "pendulum");
  await page.click("role=tab[name=Modes]");
  expect(await page.locator(".automata").textContent()).toContain("one mode");
});
