// The manual as a folder of pages: its scenes move in the page, opened as a file, without a server.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "./axe";
import { keep, program, startBrowser, type Browser } from "./studio";

let browser: Browser;
let folder: string;
let page: Page;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ansatz-manual-"));
  const { status, stderr } = spawnSync(program(), ["docs", "-o", folder], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  browser = await startBrowser();
  page = await browser.tab("manual", { width: 1280, height: 900 });
});
afterAll(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const open = (name: string): Promise<unknown> => page.goto(pathToFileURL(join(folder, `${name}.html`)).href);

/// The first scene that runs in the page, once it has got somewhere.
async function running(): Promise<Frame> {
  const frame = (await (await page.waitForSelector("figure.scene iframe")).contentFrame())!;
  const deadline = Date.now() + 60_000;
  while (!((await frame.evaluate("(window.ansatz?.state().t ?? 0) > 0.2")) as boolean)) {
    if (Date.now() > deadline) throw new Error("the scene does not move");
    await page.waitForTimeout(50);
  }
  return frame;
}

test("a scene of the tutorial runs where it stands, and ends when it is told to", async () => {
  await open("tutorial/pendulum");
  expect(await page.locator("iframe").count()).toBe(0);
  await page.click("figure.scene .run >> nth=0");
  const frame = await running();
  expect(await frame.evaluate("window.ansatz.state().scene")).toBe("pendulum");
  await keep(page, "manual/living");
  await page.click("figure.scene .run >> nth=0");
  expect(await page.locator("iframe").count()).toBe(0);
});

test("an example runs by itself, on a phone as well", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open("examples/double_pendulum");
  await running();
  await keep(page, "manual/living_phone");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
});

test("every scene that is offered has its program, and what is wrong is not offered", () => {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
  const offered = pages.flatMap((path) => [...readFileSync(join(folder, path), "utf8").matchAll(/<figure class="scene (\w*)">(?:(?!<\/figure>)[^])*?<button class="run" type="button" data-run="([^"]*)"/g)]);
  expect(offered.length).toBeGreaterThan(200);
  expect(offered.filter(([, kind, path]) => kind === "wrong" || !existsSync(join(folder, `${path}.js`))).map(([, , path]) => path)).toEqual([]);
});

test("browsers had nothing to complain of, nor has axe", async () => {
  // Axe comes last: it reads style sheets, which a page that was opened as a file may not.
  expect(browser.complaints).toEqual([]);
  expect(await violations(page)).toEqual([]);
});
