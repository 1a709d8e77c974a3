// The manual in the studio: read, searched, its scenes opened. With ANSATZ_PICTURES=write its pictures are made anew.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { animate } from "./animation";
import { violations } from "./axe";
import { ask, example, goTo, keep, ROOT, startStudio, until, type Studio } from "./studio";

const PICTURES = join(ROOT, "docs/pictures");
const writing = process.env.ANSATZ_PICTURES === "write";

/// Pictures of scenes: which, when.
const STILLS: Record<string, [path: string, t: number]> = {
  pendulum: ["docs/scenes/seeing_1.anz", 0.55],
  cart: ["docs/scenes/cart_1.anz", 0.9],
  balance: ["docs/scenes/balance_1.anz", 0.25],
  swing_up: ["docs/scenes/swing-up_1.anz", 2.6],
  plan: ["docs/scenes/plan_1.anz", 1.6],
  rolling: ["docs/scenes/rolling_2.anz", 1],
};
const SKY = "#e3eaf3";

let studio: Studio;
beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio?.close());

function manual(page: string): string {
  return studio.address.replace("/?", `/docs/${page}?`);
}

describe.skipIf(writing)("the manual", () => {
  let page: Page;
  beforeAll(async () => {
    page = await studio.context.newPage();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("a scene of the tutorial opens in the studio", async () => {
    await page.goto(manual("tutorial/pendulum.html"));
    await keep(page, "manual/tutorial");
    const [opened] = await Promise.all([studio.context.waitForEvent("page"), page.click("figure.scene .open >> nth=0")]);
    await until(opened, (ansatz) => ansatz.state().t > 0);
    const { scene, path, errors } = await ask(opened, (ansatz) => ansatz.state());
    expect({ scene, path, errors }).toEqual({ scene: "pendulum", path: "docs/scenes/pendulum_1.anz", errors: 0 });
    await opened.close();
  });

  test("the code of an error leads to its page", async () => {
    await page.goto(manual("errors/unknown-name.html"));
    const [opened] = await Promise.all([studio.context.waitForEvent("page"), page.click("figure.wrong .open")]);
    const code = opened.locator("#problems .code a", { hasText: "unknown-name" });
    expect(await code.getAttribute("href")).toMatch(/^\/docs\/errors\/unknown-name\.html\?token=/);
    await opened.close();
  });

  test("what is searched for is found, with the token kept", async () => {
    await page.goto(manual("index.html"));
    await page.fill("#search", "atan2");
    await page.press("#search", "Enter");
    await page.waitForURL(/reference\/language\.html\?token=\w+#atan2y-x$/);
    const row = page.locator("tr:has(.row:target)");
    expect(await row.innerText()).toContain("angle of the point (x, y)");
  });

  test("a phone shows it without scrolling sideways, in the dark as well", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const name of ["index", "tutorial/swing-up", "reference/language", "errors/over-determined"]) {
      await page.goto(manual(`${name}.html`));
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      expect(wide, name).toBeLessThanOrEqual(390);
    }
    await page.click(".theme");
    await keep(page, "manual/phone");
    expect(await violations(page)).toEqual([]);
  });

  test("axe finds nothing on a page with everything", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const name of ["tutorial/pendulum", "reference/library"]) {
      await page.goto(manual(`${name}.html`));
      expect(await violations(page), name).toEqual([]);
    }
  });

  test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
});

test.each(Object.keys(STILLS))("there is a picture of %s", (name) => {
  expect(writing || existsSync(join(PICTURES, `${name}.webp`)), "make it with `npm run pictures`").toBe(true);
});

describe.runIf(writing)("pictures for the manual", () => {
  const save = (name: string, data: string): void => {
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(join(PICTURES, `${name}.webp`), picture(data));
  };
  const picture = (data: string): Buffer => Buffer.from(data.split(",")[1]!, "base64");

  test.each(Object.entries(STILLS))("%s", async (name, [path, t]) => {
    const page = await studio.open(path, { width: 1100, height: 900 });
    await goTo(page, t);
    save(name, (await page.evaluate(`window.ansatz.thumbnail(720, 450, "${SKY}")`)) as string);
  });

  // Seen from beside the train, where hills stand behind it.
  const beside = (): string => {
    const text = example("roller_coaster_3").replace("(0, -16, 5) [m] looking at car1", "(15, -4, 2.5) [m] looking at car2").replace("darkseagreen", "gainsboro");
    writeFileSync(join(studio.folder, "roller_coaster.anz"), text);
    return "roller_coaster.anz";
  };

  test("the studio", async () => {
    const page = await studio.open(beside(), { width: 1440, height: 900 });
    await goTo(page, 4);
    const shot = (await page.screenshot()).toString("base64");
    const blank = await studio.context.newPage();
    save("studio", (await blank.evaluate(toWebp, `data:image/png;base64,${shot}`)) as string);
  });

  test("the roller coaster in motion", { timeout: 900_000 }, async () => {
    const [width, height, rate, from, count] = [640, 400, 20, 2, 100];
    const page = await studio.open(beside(), { width: 1000, height: 900 });
    await goTo(page, from + count / rate);
    const stills: Buffer[] = [];
    for (let at = 0; at < count; at++) {
      const t = from + at / rate;
      await page.fill("#time", String(t));
      await page.press("#time", "Enter");
      await until(page, `Math.abs(window.ansatz.state().t - ${t}) < 0.02 && window.ansatz.state().settled`);
      stills.push(picture((await page.evaluate(`window.ansatz.thumbnail(${width}, ${height}, "${SKY}")`)) as string));
    }
    writeFileSync(join(PICTURES, "coaster.webp"), animate(stills, width, height, 1000 / rate));
  });
});

/// In the browser, which knows how to make such pictures.
async function toWebp(data: string): Promise<string> {
  const image = new Image();
  image.src = data;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d", { alpha: false })!.drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", 0.85);
}
