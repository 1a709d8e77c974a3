// Films from the studio: the dialog makes a file whose pictures are at their exact instants.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "./axe";
import { ask, keep, startStudio, until, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => {
  studio = await startStudio();
});
afterAll(() => studio?.close());

test("a film has its pictures, and the run ends at the exact instant of the last", async () => {
  const page = await studio.open("examples/pendulum.anz");
  await page.click("#make-film");
  expect(await violations(page)).toEqual([]);
  await page.selectOption("#film-kind", "gif");
  await page.selectOption("#film-size", "640 × 360");
  await page.fill("#film-to", "0.37");
  await page.fill("#film-rate", "60");
  await page.click("#film-make");
  await until(page, "document.querySelector('#film [role=status]').textContent.includes('50 pictures in a second')");
  await page.fill("#film-rate", "10");
  await page.fill("#film-from", "0.07");
  const coming = page.waitForEvent("download");
  await page.click("#film-make");
  const file = readFileSync((await (await coming).path())!);
  await keep(page, "film");
  expect(file.subarray(0, 6).toString("latin1")).toBe("GIF89a");
  expect([file.readUInt16LE(6), file.readUInt16LE(8)]).toEqual([640, 360]);
  // Each picture begins with how long it stays: 0.07, 0.17, 0.27 and 0.37 s.
  const pictures = file.toString("latin1").split("\x21\xf9\x04\x05\x0a\x00\xff\x00\x2c").length - 1;
  expect(pictures).toBe(4);
  expect(await page.textContent("#film [role=status]")).toContain("4 pictures");
  expect((await ask(page, (ansatz) => ansatz.state())).t).toBe(0.07 + 3 / 10);
  // Afterwards the view is the page's own again.
  await page.click("#film [aria-label=Close]");
  const drawn = await page.evaluate("[document.querySelector('#motion canvas').width, document.querySelector('#motion').clientWidth]");
  const [width, place] = drawn as [number, number];
  // A machine that is too slow for all points has half of them.
  expect([place, Math.floor(place / 2)]).toContain(width);
  expect(studio.complaints).toEqual([]);
});
