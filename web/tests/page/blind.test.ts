// A browser that draws nothing in three dimensions: the page says so, and everything else is there.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, keep, program, ROOT, startBrowser, until, type Browser } from "./studio";

let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), "ansatz-blind-"));
beforeAll(async () => void (browser = await startBrowser()));
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("without WebGL a page runs, plots and says why there is no picture", async () => {
  expect(spawnSync(program(), ["build", join(ROOT, "examples/pendulum.anz"), "--target", "html", "-o", folder]).status).toBe(0);
  const page = await browser.tab("blind");
  await page.addInitScript(() => {
    const usual = HTMLCanvasElement.prototype.getContext as (kind: string, ...rest: unknown[]) => unknown;
    Object.assign(HTMLCanvasElement.prototype, { getContext(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) { return kind.startsWith("webgl") ? null : usual.call(this, kind, ...rest); } });
  });
  await page.goto(pathToFileURL(join(folder, "pendulum.html")).href);
  await until(page, (ansatz) => ansatz.state().t > 0.3);
  expect(await page.textContent("#motion .empty[role=status]")).toContain("WebGL");
  expect((await ask(page, (ansatz) => ansatz.recorded("swing.angle"))).values.length).toBeGreaterThan(5);
  await keep(page, "alone/blind");
  expect(browser.complaints).toEqual([]);
});
