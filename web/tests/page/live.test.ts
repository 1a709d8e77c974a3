// Live: editing, broken texts, sliders, controls, a hand on a body, two tabs, saving.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, example, goTo, keep, startStudio, until, write, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => studio?.close());

describe("the text", () => {
  test("broken, keeps the last good run going; its problem is named and fixed by a click", async () => {
    const page = await studio.open("examples/pendulum.anz");
    const revision = (await ask(page, (ansatz) => ansatz.state())).revision;
    await write(page, example("pendulum").replace("-length)", "-lenght)"));
    await until(page, (ansatz) => ansatz.state().errors > 0);
    await page.waitForSelector(".cm-lintRange-error");
    expect(await page.textContent("#problems")).toContain("lenght");
    const { t } = await ask(page, (ansatz) => ansatz.state());
    await until(page, `window.ansatz.state().t > ${t}`);
    expect((await ask(page, (ansatz) => ansatz.state())).revision).toBe(revision);
    await keep(page, "broken");
    await page.click("#problems .fixes button");
    await until(page, (ansatz) => ansatz.state().errors === 0);
    await until(page, `window.ansatz.state().revision > ${revision}`);
    expect(await page.textContent(".cm-content")).not.toContain("lenght");
      });

  test("edited, goes on from the present moment", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await goTo(page, 1);
    const before = await ask(page, (ansatz) => ansatz.poses());
    await write(page, example("pendulum").replace("tomato", "steelblue"));
    await until(page, "window.ansatz.state().revision > 1 && window.ansatz.state().t > 0.9");
    const after = await ask(page, (ansatz) => ansatz.poses());
    after.bob!.position.forEach((value, axis) => expect(value).toBeCloseTo(before.bob!.position[axis]!, 6));
      });
});

/// Where the picture is, the origin of this frame being in it.
async function expectInPicture(page: Page, id: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const { x, y } = (await page.evaluate(`window.ansatz.screen("${id}")`)) as { x: number; y: number };
  const canvas = (await page.locator("canvas").first().boundingBox())!;
  expect(x).toBeGreaterThan(canvas.x);
  expect(x).toBeLessThan(canvas.x + canvas.width);
  expect(y).toBeGreaterThan(canvas.y);
  expect(y).toBeLessThan(canvas.y + canvas.height);
  return canvas;
}

describe("the view of everything", () => {
  test("goes along with a body that is all there is to see, and back", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await write(page, "scene stone\ngravity 9.81 [m/s^2]\nbody stone { position = (0, 0, free); mass = 1 [kg] }\ninitially stone.velocity.z == 5 [m/s]\n");
    await until(page, (ansatz) => ansatz.state().scene === "stone");
    for (const time of [6, 0.5]) {
      await goTo(page, time);
      await expectInPicture(page, "frame:stone");
    }
  });

  test("widens for what leaves it, until somebody looks elsewhere", async () => {
    const page = await studio.open("examples/pendulum.anz");
    const text = "scene swing\ngravity 9.81 [m/s^2]\nframe arm { rotation = about x free }\nbody bob in arm { position = (0, 0, -1) [m]; mass = 1 [kg] }\ninitially arm.angle == 80 [deg]\n";
    await write(page, text);
    await until(page, (ansatz) => ansatz.state().scene === "swing");
    const distance = async (): Promise<number> => {
      const { position, target } = await ask(page, (ansatz) => ansatz.camera());
      return Math.hypot(...position.map((value, axis) => value - target[axis]!));
    };
    await goTo(page, 1.2);
    // What was passed on the way is still being drawn for a moment.
    let wide = 0;
    for (let still = 0; still < 5; await page.waitForTimeout(100)) {
      const now = await distance();
      still = now === wide ? still + 1 : 0;
      wide = now;
    }
    const canvas = await expectInPicture(page, "frame:bob");
    await page.mouse.move(canvas.x + 0.9 * canvas.width, canvas.y + 0.2 * canvas.height);
    await page.mouse.wheel(0, -400);
    await until(page, `(({ position, target }) => Math.hypot(...position.map((value, axis) => value - target[axis])) < ${0.95 * wide})(window.ansatz.camera())`);
    const near = await distance();
    await goTo(page, 2.4);
    await goTo(page, 3.6);
    expect(await distance()).toBeCloseTo(near, 6);
  });
});

/// A year for a turn, 6.3 µs for a swing.
const ORBIT = "scene orbit\nparam pull = 1.33e20 [m^3/s^2]\nbody earth { position = (free(1.5e11 [m]), free, 0); mass = 6e24 [kg] }\npotential = -pull * earth.mass / |earth.position|\ninitially earth.velocity.x == 0 [m/s]\ninitially earth.velocity.y == 29.8 [km/s]\n";
const SWING = "scene swing\nx: real = 1\nrate: [1/s] = 0 [1/s]\nalways x' == rate\nalways rate' == -1e12 [1/s^2] * x\nplot x\n";

describe("the tempo", () => {
  test("is that of the scene, however slow or quick it is, until somebody asks for another", async () => {
    const page = await studio.open("examples/pendulum.anz");
    const speed = async (): Promise<number> => (await ask(page, (ansatz) => ansatz.state())).speed;
    expect(await speed()).toBe(1);
    await write(page, ORBIT);
    await until(page, (ansatz) => ansatz.state().scene === "orbit" && ansatz.state().speed !== 1);
    const year = 3.2e7 / (await speed());
    expect(year).toBeGreaterThan(2);
    expect(year).toBeLessThan(60);
    await until(page, "window.ansatz.state().t > 1e6");
    await write(page, SWING);
    await until(page, "window.ansatz.state().scene === 'swing' && window.ansatz.state().speed < 1e-3");
    expect(await page.inputValue("#time")).toMatch(/e-/);
    const slow = await speed();
    await page.click("[aria-label=Faster]");
    await until(page, `window.ansatz.state().speed > ${1.5 * slow}`);
    const { revision } = await ask(page, (ansatz) => ansatz.state());
    await write(page, SWING.replace("= 1\n", "= 2\n"));
    await until(page, `window.ansatz.state().revision > ${revision}`);
    expect(await speed()).toBeCloseTo(2 * slow, 12);
  });
});

describe("sliders", () => {
  test("keep the state, reset, and write to the text", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await goTo(page, 1);
    const before = (await ask(page, (ansatz) => ansatz.values()))["swing.angle"]!;
    // In one go: a slider that is drawn anew between focus and key would never hear of it.
    await page.locator("input[type=range][aria-label=length]").press("ArrowRight");
    await until(page, (ansatz) => ansatz.state().parameters.length! > 1);
    const { parameters } = await ask(page, (ansatz) => ansatz.state());
    expect((await ask(page, (ansatz) => ansatz.values()))["swing.angle"]).toBeCloseTo(before, 9);
    expect((await ask(page, (ansatz) => ansatz.poses())).bob!.position[2]).toBeCloseTo(-parameters.length! * Math.cos(before), 9);
    await page.click("[aria-label='Write length to the text']");
    await until(page, (ansatz) => ansatz.state().revision > 1);
    const line = await page.textContent(".cm-line:has-text('param length')");
    expect(line).toMatch(/param length = [\d.]+ \[m\]/);
    expect(Number(/= ([\d.]+)/.exec(line!)![1])).toBeCloseTo(parameters.length!, 6);
      });
});

describe("controls", () => {
  test("a key held pushes, released it lets go", async () => {
    const page = await studio.open("examples/roller_coaster_1.anz");
    await page.locator("canvas").first().focus();
    await page.keyboard.down("ArrowUp");
    await until(page, (ansatz) => ansatz.state().controls.up_down === 1);
    await page.keyboard.up("ArrowUp");
    await until(page, (ansatz) => ansatz.state().controls.up_down === 0);
      });
});

describe("a hand on a body", () => {
  test("while paused poses it on its constraint; while running pulls it", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await goTo(page, 0.5);
    const place = (await ask(page, (ansatz) => ansatz.screen("frame:bob")))!;
    const before = await ask(page, (ansatz) => ansatz.poses());
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.mouse.move(place.x + 20, place.y - 40, { steps: 3 });
    await page.mouse.move(place.x + 40, place.y - 80, { steps: 3 });
    await until(page, `window.ansatz.poses().bob.position[2] > ${before.bob!.position[2]! + 0.05}`);
    await page.mouse.up();
    const { position } = (await ask(page, (ansatz) => ansatz.poses())).bob!;
    expect(Math.hypot(...position), "the rod is as long as before").toBeCloseTo(1, 6);

    await page.click("[aria-label=Play]");
    await until(page, (ansatz) => ansatz.state().playing);
    const energy = (await ask(page, (ansatz) => ansatz.values())).energy!;
    const at = (await ask(page, (ansatz) => ansatz.screen("frame:bob")))!;
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x - 60, at.y - 120, { steps: 4 });
    await page.mouse.move(at.x - 120, at.y - 200, { steps: 4 });
    await until(page, `Math.abs(window.ansatz.values().energy - ${energy}) > 0.05`);
    await page.mouse.up();
    expect(Math.hypot(...(await ask(page, (ansatz) => ansatz.poses())).bob!.position)).toBeCloseTo(1, 5);
      });
});

describe("two tabs", () => {
  test("do not disturb each other", async () => {
    const one = await studio.open("examples/pendulum.anz");
    const two = await studio.open("examples/double_pendulum.anz", { beside: true });
    await goTo(two, 3);
    await one.bringToFront();
    await goTo(one, 1);
    expect((await ask(two, (ansatz) => ansatz.state())).t).toBeCloseTo(3, 1);
    expect((await ask(two, (ansatz) => ansatz.state())).scene).toBe("double_pendulum");
    expect((await ask(one, (ansatz) => ansatz.state())).scene).toBe("pendulum");
  });
});

describe("saving", () => {
  test("an example is saved as a copy in the opened folder, then under its own name", async () => {
    const page = await studio.open("examples/pendulum.anz");
    const text = example("pendulum").replace("60 [deg]", "75 [deg]");
    await write(page, text);
    await until(page, (ansatz) => ansatz.state().revision > 1);
    await page.keyboard.press("Control+s");
    await page.fill("[aria-label='File name']", "mine.anz");
    await page.press("[aria-label='File name']", "Enter");
    await until(page, "window.ansatz.state().path === 'mine.anz'");
    const file = join(studio.folder, "mine.anz");
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(text);
    const again = await studio.open("mine.anz");
    expect((await ask(again, (ansatz) => ansatz.recorded("swing.angle"))).values[0]).toBeCloseTo((75 * Math.PI) / 180, 6);
  });

  test("a file that changed meanwhile is replaced only if the user says so", async () => {
    const file = join(studio.folder, "shared.anz");
    writeFileSync(file, example("pendulum"));
    const page = await studio.open("shared.anz");
    const mine = example("pendulum").replace("60 [deg]", "80 [deg]");
    await write(page, mine);
    await until(page, (ansatz) => ansatz.state().revision > 1);
    const theirs = example("pendulum").replace("60 [deg]", "20 [deg]");
    writeFileSync(file, theirs);
    await page.keyboard.press("Control+s");
    await page.waitForSelector("#changed[open]");
    expect(await page.textContent("#changed")).toContain("changed by somebody else");
    expect(readFileSync(file, "utf8")).toBe(theirs);
    // The page may have seen the change by itself; if not, browsers write down the refusal of a server, whatever the page makes of it.
    expect(studio.complaints.splice(0).filter((complaint) => !complaint.includes("412"))).toEqual([]);
    await page.click("#changed button[value=copy]");
    await page.fill("[aria-label='File name']", "shared_copy.anz");
    await page.press("[aria-label='File name']", "Enter");
    await until(page, "window.ansatz.state().path === 'shared_copy.anz'");
    expect(readFileSync(join(studio.folder, "shared_copy.anz"), "utf8")).toBe(mine);
    expect(readFileSync(file, "utf8")).toBe(theirs);
  });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
