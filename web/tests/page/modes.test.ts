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

test("arrows begin and end at values, and their names lie on none", async () => {
  for (const scene of ["bouncing_ball", "robot_on_track"]) {
    await choose(page, scene);
    await page.click("role=tab[name=Modes]");
    const astray = await page.evaluate(() =>
      [...document.querySelectorAll(".automaton")].flatMap((figure) => {
        const all = <T extends SVGElement>(selector: string): T[] => [...figure.querySelectorAll<T>(selector)];
        const values = all<SVGRectElement>(".value rect").map((rect) => rect.getBBox());
        const meets = (box: DOMRect, other: DOMRect, room: number): boolean =>
          box.x - room < other.x + other.width && other.x < box.x + box.width + room && box.y - room < other.y + other.height && other.y < box.y + box.height + room;
        const loose = all<SVGPathElement>(".arrow path").filter((path) => {
          const ends = [0, path.getTotalLength()].map((at) => path.getPointAtLength(at));
          return ends.some(({ x, y }) => !values.some((box) => meets(box, new DOMRect(x, y, 0, 0), 1)));
        });
        const hidden = all<SVGTextElement>(".arrow text").filter((name) => values.some((box) => meets(box, name.getBBox(), 0)));
        return [...loose.map((path) => path.getAttribute("d")), ...hidden.map((name) => name.textContent)];
      }),
    );
    expect(astray).toEqual([]);
    expect(await page.locator(".automaton .arrow").count()).toBeGreaterThan(1);
  }
});

test("a scene without modes says so", async () => {
  await choose(page, "pendulum");
  await page.click("role=tab[name=Modes]");
  expect(await page.locator(".automata").textContent()).toContain("one mode");
});
