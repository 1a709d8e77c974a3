// Every part of the studio in every theme and on a phone: axe finds nothing, nothing is wider than the window, and the pictures are there to be looked at,
// all of them in `tests/artefacts/looks/index.html`.

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violations } from "./axe";
import { ARTEFACTS, choose, goTo, keep, startStudio, until, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => {
  const folder = join(ARTEFACTS, "looks");
  const pictures = readdirSync(folder).filter((name) => name.endsWith(".png"));
  const figures = pictures.map((name) => `<figure><img src="${name}" alt="" loading="lazy"><figcaption>${name}</figcaption></figure>`);
  writeFileSync(join(folder, "index.html"), `<!doctype html><title>Looks</title><style>body{display:flex;flex-wrap:wrap;gap:12px;background:#777}figure{margin:0}img{max-height:640px}</style>${figures.join("\n")}`);
  return studio?.close();
});

describe.each([
  ["light", 1280, 800],
  ["dark", 1280, 800],
  ["projector", 1600, 1000],
  ["phone", 390, 844],
] as const)("%s", (name, width, height) => {
  let page: Page;
  beforeAll(async () => {
    page = await studio.open("examples/pendulum.anz", { theme: name === "phone" ? "light" : name, width, height });
  });

  async function look(part: string): Promise<void> {
    expect(await violations(page), part).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth"), `${part} is too wide`).toBeLessThanOrEqual(width);
    // A dialog hides what sticks out of it.
    const ends = await page.locator("dialog[open] :is(input, select, button):visible").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    for (const end of ends) expect(end, `${part} is cut off`).toBeLessThanOrEqual(width);
    const legends = await page.locator(".plot .legend li:visible").evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
    for (const hidden of legends) expect(hidden, `a legend of ${part} is cut off`).toBeLessThanOrEqual(1);
    await keep(page, `looks/${name}-${part}`);
  }

  const tab = (title: string): Promise<void> => page.getByRole("tab", { name: title, exact: true }).click();

  test("a future beside another", async () => {
    await goTo(page, 2);
    await goTo(page, 1);
    await page.fill("[aria-label='length, value']", "1.4");
    await page.press("[aria-label='length, value']", "Enter");
    await page.waitForSelector("#branches:not([hidden]) li:nth-child(2)");
    await goTo(page, 1.6);
    await look("futures");
  });

  test("equations, how it was made, the export dialog", async () => {
    await tab("Equations");
    await page.waitForSelector(".equations .katex");
    await look("equations");
    await tab("How it was made");
    await look("made");
    await page.click("#export");
    await look("export");
    await page.click("#film [aria-label=Close]");
  });

  test("switches of prescribed motions, the linear model", async () => {
    await choose(page, "arm_inverse");
    await tab("Parameters and plots");
    await goTo(page, 1);
    await look("switches");
    await choose(page, "roller_coaster_1");
    await tab("Linear model");
    await page.waitForSelector(".linear-model .poles");
    await look("linear");
  });

  test("a circuit, modes, the gallery", async () => {
    await choose(page, "ac_circuit");
    await goTo(page, 0.3);
    await look("circuit");
    await choose(page, "bouncing_ball");
    await tab("Modes");
    await until(page, "document.querySelector('.automaton .value') !== null");
    await look("modes");
    await page.click("#open-gallery");
    await page.waitForSelector(".card");
    await look("gallery");
    await page.keyboard.press("Escape");
  });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
