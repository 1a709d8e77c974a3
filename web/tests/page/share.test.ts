// A scene as a link, the gallery's search, new scenes, presets of the camera; and all of it on a phone.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violations } from "./axe";
import { ask, example, goTo, keep, program, ROOT, startStudio, until, write, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => {
  studio = await startStudio();
  await studio.context.grantPermissions(["clipboard-read", "clipboard-write"]);
});
afterAll(() => studio?.close());

const PHONE = { width: 390, height: 800 };
const copied = (page: Page): Promise<string> => page.evaluate("navigator.clipboard.readText()") as Promise<string>;
const wide = (page: Page): Promise<number> => page.evaluate("document.documentElement.scrollWidth") as Promise<number>;
const direction = async (page: Page): Promise<number[]> => {
  const { position, target } = await ask(page, (ansatz) => ansatz.camera());
  const from = position.map((value, axis) => value - target[axis]!);
  return from.map((value) => value / Math.hypot(...from));
};

async function lengthen(page: Page): Promise<number> {
  await page.locator("input[type=range][aria-label=length]").focus();
  await page.keyboard.press("ArrowRight");
  await until(page, (ansatz) => ansatz.state().parameters.length! > 1);
  return (await ask(page, (ansatz) => ansatz.state())).parameters.length!;
}

describe("a link", () => {
  test("brings text, parameters, plots, time and view into another studio, and no token", async () => {
    const page = await studio.open("examples/pendulum.anz");
    const text = example("pendulum").replace("tomato", "steelblue");
    await write(page, text);
    await until(page, (ansatz) => ansatz.state().revision > 1);
    await page.click("[aria-label='Reset to the start']");
    await page.fill("#expression", "|bob.velocity|");
    await page.press("#expression", "Enter");
    const length = await lengthen(page);
    await goTo(page, 1);
    await page.selectOption("#camera", "top");
    await page.click("#share");
    await until(page, "document.querySelector('.toast:not([hidden])')?.textContent.includes('clipboard')");
    const link = await copied(page);
    expect(link).not.toContain("token");
    const camera = await ask(page, (ansatz) => ansatz.camera());

    const other = await studio.open("examples/double_pendulum.anz");
    await other.click("#open-gallery");
    await other.fill("#search", link.slice(0, -20));
    await until(other, "document.querySelector('.toast:not([hidden])')?.textContent.includes('no scene')");
    await other.fill("#search", link);
    await until(other, "window.ansatz.state().scene === 'pendulum' && window.ansatz.state().settled && Math.abs(window.ansatz.state().t - 1) < 0.02");
    expect((await ask(other, (ansatz) => ansatz.state())).parameters.length).toBeCloseTo(length, 12);
    expect(await other.textContent(".cm-content")).toContain("steelblue");
    await until(other, "window.ansatz.recorded('|bob.velocity|').values.length > 1");
    const seen = await ask(other, (ansatz) => ansatz.camera());
    seen.position.forEach((value, axis) => expect(value).toBeCloseTo(camera.position[axis]!, 6));
  });

  test("opens at its moment in a page that stands alone", async () => {
    const built = spawnSync(program(), ["build", "examples/pendulum.anz", "--target", "html", "-o", join(studio.folder, "page")], { encoding: "utf8", cwd: ROOT });
    expect(built.status, built.stderr).toBe(0);
    const file = pathToFileURL(join(studio.folder, "page/pendulum.html")).href;
    const page = await studio.context.newPage();
    await page.setViewportSize(PHONE);
    await page.goto(file);
    await until(page, (ansatz) => ansatz.state().t > 0);
    await keep(page, "phone-alone");
    expect(await wide(page), "it fits on a phone").toBeLessThanOrEqual(PHONE.width);
    const length = await lengthen(page);
    await goTo(page, 1);
    await page.click("#share");
    await until(page, "document.querySelector('.toast:not([hidden])')?.textContent.includes('clipboard')");
    const link = await copied(page);
    await page.goto("about:blank");
    await page.goto(link);
    await until(page, "window.ansatz.state().settled && Math.abs(window.ansatz.state().t - 1) < 0.02");
    expect((await ask(page, (ansatz) => ansatz.state())).parameters.length).toBeCloseTo(length, 12);
    await page.close();
  });
});

describe("the gallery", () => {
  test("is sifted by words, and begins new scenes, which are drafts at once", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await page.click("#open-gallery");
    await page.waitForSelector(".card");
    await keep(page, "gallery");
    await page.fill("#search", "double pendulum");
    const titles = (await page.evaluate("[...document.querySelectorAll('.card')].filter((card) => card.offsetParent).map((card) => card.dataset.path)")) as string[];
    expect(titles).toContain("examples/double_pendulum.anz");
    expect(titles.length).toBeLessThan(8);
    await page.click("#new-scene");
    await until(page, "window.ansatz.state().scene === 'untitled'");
    await page.waitForTimeout(600);
    await page.click("#open-gallery");
    expect(await page.textContent("[data-recent='untitled.anz']")).toContain("not saved");
    await page.click("[data-recent='untitled.anz']");
    await until(page, "document.querySelector('.cm-content').textContent.includes('A body that falls')");
  });
});

describe("the camera", () => {
  test.each([["top", [0, 0, 1]], ["front", [0, -1, 0]], ["side", [1, 0, 0]]])("looks from the %s", async (name, from) => {
    const page = studio.context.pages().find((page) => page.url().includes("token")) ?? (await studio.open("examples/pendulum.anz"));
    await page.selectOption("#camera", name);
    await page.waitForTimeout(200);
    (await direction(page)).forEach((value, axis) => expect(value).toBeCloseTo(from[axis]!, 2));
  });
});

describe("a phone", () => {
  test.each(["light", "dark"])("has all of the studio in its width, in the %s theme", async (theme) => {
    const page = await studio.open("examples/double_pendulum.anz", { ...PHONE, theme });
    await keep(page, `phone-${theme}`);
    expect(await wide(page)).toBeLessThanOrEqual(PHONE.width);
    for (let tab = 0; tab < 5; tab++) {
      await page.click(`#tab-${tab}`);
      expect(await wide(page), `tab ${tab}`).toBeLessThanOrEqual(PHONE.width);
    }
    await page.click("#tab-0");
    await page.locator(".cm-content").scrollIntoViewIfNeeded();
    await keep(page, `phone-text-${theme}`);
    await page.click("#open-gallery");
    await page.waitForSelector(".card");
    await keep(page, `phone-gallery-${theme}`);
    expect(await wide(page)).toBeLessThanOrEqual(PHONE.width);
    await page.keyboard.press("Escape");
    expect(await violations(page)).toEqual([]);
  });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
