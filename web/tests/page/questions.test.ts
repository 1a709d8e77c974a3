// What the scene asks, answered beside the motion: values, what they rest on, and what would close an open question.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { keep, startStudio, write, type Studio } from "./studio";

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

test("the polar is drawn: a line where the boat stays, points where it does not", async () => {
  const curve = page.locator(".card-answers svg.found-curve");
  expect(await curve.count()).toBe(1);
  expect(await curve.getAttribute("aria-label")).toBe("boat.speed [ft/s] over course [deg], from 3.123 to 23.57");
  expect(await curve.locator("path").count()).toBe(1);
  expect(await curve.locator("circle").count()).toBe(11);
  // The fast speed grows with every step of the course.
  const path = (await curve.locator("path").getAttribute("d"))!;
  const heights = [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map((point) => Number(point[2]));
  expect(heights.length).toBe(11);
  expect(heights.every((height, at) => at === 0 || height < heights[at - 1]!)).toBe(true);
  await curve.scrollIntoViewIfNeeded();
  await keep(page, "polar");
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

test.each([
  {
    what: "a word",
    button: "assume elastic",
    answer: "p.x = 1.5 [m]",
    scene: "scene words\nkind part { x: [m] in [0, 10]; y: [m] }\nlaw bent for p: part assuming elastic { p.x == p.y / 2 }\np: part\nfind p.x given p.y == 3 [m]\n",
  },
  {
    what: "a line less",
    button: "drop neglect air",
    answer: "s.speed = 5 [m/s]",
    scene: "scene sledge\nkind sled { speed: [m/s] in [0, 100]; drag: [N]; pull: [N] }\nlaw air for s: sled { s.drag == 2 [N*s^2/m^2] * s.speed^2 }\nlaw balance for s: sled { s.pull == s.drag }\ns: sled\nneglect air\nfind s.speed given s.pull == 50 [N]\n",
  },
  {
    what: "a connection of the theory",
    button: "surface1: surface(hot, yard) { area = 1 [m^2] }",
    answer: "hot.temperature = 303 [K]",
    scene: "scene warm\nuse thermal\nhot: store { capacity = 1 [kJ/K] }\nyard: surroundings { temperature = 268 [K] }\nlaw heating for s: store { s.heat += 350 [W] }\ninitially hot.temperature == 300 [K]\nfind hot.temperature given steady(hot)\n",
  },
  {
    what: "a law of the library",
    button: "law newton for s: ball { s.force == der(s.momentum) }",
    answer: "b.force.x = 2 [N]",
    scene: "scene pushed\nkind ball { force: vec [N]; momentum: vec [kg*m/s] }\nb: ball\nlaw speeding for b: ball { der(b.momentum) == (2, 0, 0) [N] }\nfind b.force.x\n",
  },
])("$what that would close a question is a button that writes it", async ({ button, answer, scene }) => {
  await write(page, scene);
  await page.locator(".dead-end").getByRole("button", { name: button, exact: true }).click();
  await expect.poll(async () => (await answers())[0] ?? "", { timeout: 20_000 }).toContain(answer);
});
