// Nothing is lost: drafts, recent work, files that change on disk, plots by hand.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, choose, example, keep, startStudio, until, write, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => studio?.close());

const textOf = (page: Page): Promise<string> => page.evaluate("[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')") as Promise<string>;
const dirty = (page: Page): Promise<boolean> => page.evaluate("document.title.startsWith('•')") as Promise<boolean>;
const mine = example("pendulum").replace("60 [deg]", "75 [deg]");

test("the gallery begins with what is simplest, and shows one's own scenes as they were left, with a finger too", async () => {
  for (const name of ["first", "second"]) writeFileSync(join(studio.folder, `${name}.anz`), example("pendulum").replace("scene pendulum", `scene ${name}`));
  const page = await studio.open("first.anz", { width: 390, height: 844 });
  await page.click("#open-gallery");
  await page.waitForSelector(".card[data-path='first.anz'] img[src^='data:image/']");
  expect(await page.locator(".card[data-path='second.anz'] .blank").evaluate((blank) => blank.clientWidth / blank.parentElement!.clientWidth)).toBeGreaterThan(0.95);
  const heads = await page.locator(".gallery-head").allTextContents();
  expect(heads.filter((head) => !head.includes("/") && head !== "Recent work")[0]).toBe("Pendulums and springs");
  await keep(page, "own_scenes");
  await page.keyboard.press("Escape");
  // Every tool over the picture is whole, and the name of the camera can be read.
  const tools = await page.locator(".view-tools > select, .view-tools button:visible").evaluateAll((list) => list.map((tool) => tool.getBoundingClientRect()).map(({ left, right, width }) => [left, right, width]));
  for (const [left, right, width] of tools) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(390);
    expect(width).toBeGreaterThan(30);
  }
  expect(await page.locator("#camera").evaluate((camera) => camera.clientWidth)).toBeGreaterThan(70);
});

describe("an example that was edited and not saved", () => {
  test("is there again after another scene, after a reload, in a new tab, and one step of undoing from what is saved", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await write(page, mine);
    await until(page, (ansatz) => ansatz.state().revision > 1);
    await choose(page, "double_pendulum");
    expect(await textOf(page)).not.toContain("75 [deg]");
    await page.click("#open-gallery");
    expect(await page.textContent("[data-recent='examples/pendulum.anz']")).toContain("not saved");
    await keep(page, "recent");
    await page.click("[data-recent='examples/pendulum.anz']");
    await until(page, "window.ansatz.state().path === 'examples/pendulum.anz' && document.querySelector('.cm-content').textContent.includes('75 [deg]')");
    expect(await dirty(page)).toBe(true);

    await page.reload();
    await until(page, "window.ansatz.state().t > 0 && document.querySelector('.cm-content').textContent.includes('75 [deg]')");

    // A tab that is closed a moment after the last key.
    await write(page, mine.replace("75 [deg]", "76 [deg]"));
    await page.close();
    const again = await studio.open("examples/pendulum.anz", { drafts: true });
    // What the old tab sent last may arrive after the new one asked.
    for (let tries = 0; tries < 20 && !(await textOf(again)).includes("76 [deg]"); tries++) {
      await again.reload();
      await until(again, (ansatz) => ansatz.state().t > 0);
    }
    expect(await textOf(again)).toContain("76 [deg]");
    await again.click(".cm-content");
    await again.keyboard.press("Control+z");
    expect(await textOf(again)).toBe(example("pendulum").trimEnd() + "\n");
    expect(await dirty(again)).toBe(false);
  });

  test("is there again after the studio and the browser have crashed", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await write(page, mine.replace("75 [deg]", "77 [deg]"));
    const kept = (): boolean => readdirSync(studio.state, { recursive: true, withFileTypes: true }).some((file) => file.isFile() && readFileSync(join(file.parentPath, file.name), "utf8").includes("77 [deg]"));
    while (!kept()) await page.waitForTimeout(50);
    await studio.crash(page);
    const again = await studio.open("examples/pendulum.anz", { drafts: true });
    expect(await textOf(again)).toContain("77 [deg]");
    expect(await dirty(again)).toBe(true);
    // As it was before, for the tests that follow.
    await again.click(".cm-content");
    await again.keyboard.press("Control+z");
    expect(await dirty(again)).toBe(false);
  });

  test("saved as a copy, is no draft of the example any more", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await write(page, mine);
    await until(page, (ansatz) => ansatz.state().revision > 1);
    await page.keyboard.press("Control+s");
    await page.fill("[aria-label='File name']", "kept.anz");
    await page.press("[aria-label='File name']", "Enter");
    await until(page, "window.ansatz.state().path === 'kept.anz'");
    await choose(page, "pendulum");
    expect(await textOf(page)).toContain("60 [deg]");
    expect(await dirty(page)).toBe(false);
  });
});

describe("a file that another program writes", () => {
  test("is followed while nothing is unsaved; else both texts stay, and the user sees the difference", async () => {
    const file = join(studio.folder, "shared.anz");
    writeFileSync(file, example("pendulum"));
    const page = await studio.open("shared.anz");
    writeFileSync(file, example("pendulum").replace("60 [deg]", "20 [deg]"));
    await until(page, "document.querySelector('.cm-content').textContent.includes('20 [deg]')");
    expect(await dirty(page)).toBe(false);

    await write(page, mine);
    const theirs = example("pendulum").replace("60 [deg]", "30 [deg]");
    writeFileSync(file, theirs);
    await page.waitForSelector("#conflict:not([hidden])");
    expect(await textOf(page)).toContain("75 [deg]");
    expect(readFileSync(file, "utf8")).toBe(theirs);
    await page.click("#conflict button");
    await page.waitForSelector("#changed[open]");
    expect(await page.textContent("#changed .mine")).toContain("75 [deg]");
    expect(await page.textContent("#changed .theirs")).toContain("30 [deg]");
    await keep(page, "difference");
    await page.click("#changed [value=take]");
    await until(page, "document.querySelector('.cm-content').textContent.includes('30 [deg]')");
    expect(await dirty(page)).toBe(false);
    await page.click(".cm-content");
    await page.keyboard.press("Control+z");
    expect(await textOf(page)).toContain("75 [deg]");
    await page.keyboard.press("Control+s");
    await until(page, "!document.title.startsWith('•')");
    expect(readFileSync(file, "utf8")).toBe(mine);
  });

  test("behind a draft of yesterday is not replaced by it", async () => {
    const file = join(studio.folder, "yesterday.anz");
    writeFileSync(file, example("pendulum"));
    const page = await studio.open("yesterday.anz");
    await write(page, mine);
    await until(page, (ansatz) => ansatz.state().revision > 1);
    await page.close();
    const theirs = example("pendulum").replace("60 [deg]", "30 [deg]");
    writeFileSync(file, theirs);
    const again = await studio.open("yesterday.anz", { drafts: true });
    expect(await textOf(again)).toContain("75 [deg]");
    await again.waitForSelector("#conflict:not([hidden])");
    await again.keyboard.press("Control+s");
    await again.waitForSelector("#changed[open]");
    expect(readFileSync(file, "utf8")).toBe(theirs);
  });
});

describe("plots by hand", () => {
  test("survive edits, texts that lack them, and a reload; and become statements", async () => {
    const page = await studio.open("examples/pendulum.anz");
    const plotted = (name: string): string => `window.ansatz.recorded(${JSON.stringify(name)}).values.length > 3`;
    await page.fill("#expression", "|bob.velocity|");
    await page.press("#expression", "Enter");
    await until(page, plotted("|bob.velocity|"));
    await write(page, mine);
    await until(page, `window.ansatz.state().revision > 1 && ${plotted("|bob.velocity|")}`);
    await write(page, mine.replaceAll("bob", "ball"));
    await until(page, "'ball' in window.ansatz.poses()");
    expect((await ask(page, (ansatz) => ansatz.recorded("|bob.velocity|"))).values).toEqual([]);
    await write(page, mine);
    await until(page, `'bob' in window.ansatz.poses() && ${plotted("|bob.velocity|")}`);
    await page.waitForTimeout(600);
    await page.reload();
    await until(page, plotted("|bob.velocity|"));
    await page.click("[aria-label='Write plot |bob.velocity| to the text']");
    expect(await textOf(page)).toContain("\nplot |bob.velocity|");
    await until(page, `!document.querySelector("[aria-label='Remove plot |bob.velocity|']") && ${plotted("|bob.velocity|")}`);
  });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
