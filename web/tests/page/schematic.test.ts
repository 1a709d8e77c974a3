// Circuits: a schematic in place of an empty floor, with the voltages and currents of the moment, and dots that go as the currents do.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violations } from "./axe";
import { choose, goTo, headless, keep, startStudio, until, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/ac_circuit.anz");
});
afterAll(() => studio?.close());

const PREFIX: Record<string, number> = { M: 1e6, k: 1e3, "": 1, m: 1e-3, µ: 1e-6, n: 1e-9, p: 1e-12 };
/// `−12.3 mA` in amperes.
function read(text: string): number {
  const [, number, prefix] = /^(−?[\d.]+) ([MkmµnpV]?)[VA]$/.exec(text) ?? [];
  return Number(number!.replace("−", "-")) * PREFIX[prefix!]!;
}

test("a circuit without anything in space fills the picture", async () => {
  expect(await page.locator("#schematic.whole").isVisible()).toBe(true);
  expect(await page.locator(".empty").isVisible()).toBe(false);
  expect(await page.locator("#schematic [data-element]").count()).toBe(5);
  expect(await page.locator("#schematic .node-name").count()).toBe(4);
  expect(await violations(page)).toEqual([]);
});

test("it shows the currents and voltages of the moment", async () => {
  await goTo(page, 0.5);
  const truth = headless("examples/ac_circuit.anz", "resistor1.current, node3.voltage", "--until", "0.5", "--every", "0.5");
  const wanted = truth["resistor1.current"]!.at(-1)!;
  const reading = (): Promise<string> => page.evaluate("document.querySelector('[data-element=resistor1] text.reading').textContent") as Promise<string>;
  await until(page, "document.querySelector('[data-element=resistor1] text.reading').textContent !== ''");
  const deadline = Date.now() + 60_000;
  while (Math.abs(read(await reading()) / wanted - 1) > 0.01 && Date.now() < deadline) await page.waitForTimeout(100);
  expect(read(await reading()) / wanted).toBeCloseTo(1, 2);
  const node = (await page.evaluate("[...document.querySelectorAll('.node-name')].find((name) => name.textContent.startsWith('node3')).querySelector('.reading').textContent")) as string;
  expect(read(node) / truth["node3.voltage"]!.at(-1)!).toBeCloseTo(1, 2);
  await keep(page, "schematic");
});

test("dots rest while it is paused and go while it plays", async () => {
  const offset = (): Promise<string> => page.evaluate("document.querySelector('[data-element=resistor1] .flow').getAttribute('stroke-dashoffset')") as Promise<string>;
  const still = await offset();
  await page.waitForTimeout(300);
  expect(await offset()).toBe(still);
  await page.click("[aria-label=Play]");
  await until(page, `document.querySelector('[data-element=resistor1] .flow').getAttribute('stroke-dashoffset') !== ${JSON.stringify(still)}`);
});

test("a press on an element goes to its line", async () => {
  await page.click("[data-element=inductor1] .symbol");
  await until(page, "document.querySelector('.cm-activeLine').textContent.startsWith('inductor1')");
});

test("beside bodies the circuit is a panel that opens", async () => {
  await choose(page, "motor_pendulum");
  expect(await page.locator("#schematic.whole").count()).toBe(0);
  await page.click("#schematic summary");
  await page.waitForSelector("[data-element=motor]");
  await until(page, "document.querySelector('[data-element=motor] text.reading').textContent !== ''");
  await keep(page, "schematic-motor");
});

test("a scene without a circuit has none", async () => {
  await choose(page, "pendulum");
  expect(await page.locator("#schematic").isVisible()).toBe(false);
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
