// Cameras: presets look from where they say, and views that are kept at moments of the run are a path that the camera goes along.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violations } from "./axe";
import { ask, goTo, keep, startStudio, until, write, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/double_pendulum.anz", { width: 1280, height: 900 });
});
afterAll(() => studio?.close());

const camera = (): Promise<{ position: number[]; target: number[] }> => ask(page, (ansatz) => ansatz.camera());
async function press(item: string): Promise<void> {
  await page.click("#path");
  await page.click(`[aria-label="Path of the camera"] >> text=${item}`);
  await page.keyboard.press("Escape");
}
async function turn(): Promise<void> {
  const box = (await page.locator("#motion canvas").first().boundingBox())!;
  await page.mouse.move(box.x + 60, box.y + box.height - 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + box.height - 130, { steps: 5 });
  await page.mouse.up();
}

test("presets look from above, from the front and from the side", async () => {
  const direction = async (preset: string): Promise<number[]> => {
    await page.selectOption("#camera", preset);
    await page.waitForTimeout(100);
    const { position, target } = await camera();
    const away = position.map((value, axis) => value - target[axis]!);
    return away.map((value) => Math.round((100 * value) / Math.hypot(...away)) / 100 + 0);
  };
  expect(await direction("top")).toEqual([0, 0, 1]);
  expect(await direction("front")).toEqual([0, -1, 0]);
  expect(await direction("side")).toEqual([1, 0, 0]);
  expect(await direction("isometric")).toEqual([0.58, -0.58, 0.58]);
});

test("the camera goes from view to view, and a hand takes it off its path", async () => {
  await goTo(page, 0.5);
  const first = await camera();
  await press("Keep this view for this moment");
  await goTo(page, 1.5);
  await turn();
  const second = await camera();
  expect(second).not.toEqual(first);
  await press("Keep this view for this moment");
  expect(await page.inputValue("#camera")).toBe("path");
  await goTo(page, 0.5);
  expect((await camera()).position.map((value, axis) => value - first.position[axis]!)).toEqual([0, 0, 0].map((zero) => expect.closeTo(zero, 6)));
  await goTo(page, 1);
  // Between the two it is as far from what it looks at as it was.
  const far = ({ position, target }: { position: number[]; target: number[] }): number => Math.hypot(...position.map((value, axis) => value - target[axis]!));
  const between = await camera();
  expect(far(between)).toBeCloseTo(far(first), 2);
  expect(between.position).not.toEqual(first.position);
  await keep(page, "camera/path");
  await turn();
  expect(await page.inputValue("#camera")).not.toBe("path");
  expect(await violations(page)).toEqual([]);
});

test("a path stays with its scene, goes along in a link, and can be forgotten", async () => {
  await page.selectOption("#camera", "path");
  await studio.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.click("#share");
  await until(page, "document.querySelector('.toast:not([hidden])')?.textContent.includes('clipboard')");
  const link = (await page.evaluate("navigator.clipboard.readText()")) as string;
  const kept = (await page.evaluate("Object.entries(localStorage).find(([name]) => name.startsWith('ansatz.path.'))")) as [string, string];
  expect(kept[0]).toBe("ansatz.path.examples/double_pendulum.anz");
  // A tab of a test begins with nothing; after a reload that of a person has what was kept.
  await page.addInitScript(([name, value]) => localStorage.setItem(name, value), kept);
  await page.reload();
  await until(page, (ansatz) => ansatz.state().t > 0);
  expect(await page.locator("#camera option[value=path]").count()).toBe(1);
  const other = await studio.context.newPage();
  await other.goto(studio.address + link.slice(link.indexOf("#")));
  await until(other, "window.ansatz?.state().scene === 'double_pendulum' && document.querySelector('#camera').value === 'path'");
  await other.close();
  await press("Forget the path");
  expect(await page.locator("#camera option[value=path]").count()).toBe(0);
  expect(studio.complaints).toEqual([]);
});

test("a body that nothing is drawn on does not lead the view astray", async () => {
  const bodies = "body seen { position = (0, 0, free(1 [m])); mass = 1 [kg] }\nbody bare { position = (0, free, 1 [m]); mass = 1 [kg] }";
  await write(page, `scene bare\n\n${bodies}\nshow sphere(10 [cm]) on seen\n`);
  await until(page, `window.ansatz.poses().bare !== undefined && window.ansatz.state().t > 0.1`);
  await page.selectOption("#camera", "top");
  await page.waitForTimeout(100);
  const { position, target } = await camera();
  expect([...position, ...target].every(Number.isFinite), `${position} ${target}`).toBe(true);
});
