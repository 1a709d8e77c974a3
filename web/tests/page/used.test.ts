// A scene that uses files of other programs follows them: whoever changes a robot elsewhere sees it here.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, keep, ROOT, startStudio, until, type Studio } from "./studio";

const ARM = readFileSync(join(ROOT, "examples/robots/arm.urdf"), "utf8");

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  writeFileSync(join(studio.folder, "arm.urdf"), ARM);
  writeFileSync(join(studio.folder, "cell.anz"), `scene cell\n\ngravity 9.81 [m/s^2]\n\nframe table { position = (0, 0, 0.5) [m] }\nuse robot "arm.urdf" as arm in table\n\ninitially arm.lift.angle == 0.4\nplot arm.lift.angle\n`);
  page = await studio.open("cell.anz");
});
afterAll(() => studio?.close());

test("its frames have names under that of the robot, and stand where the scene says", async () => {
  const poses = await ask(page, (ansatz) => ansatz.poses());
  expect(poses["arm.stand"]!.position[2]).toBeCloseTo(0.5, 9);
  expect(poses["arm.turn"]!.position[2]).toBeCloseTo(0.8, 9);
  await keep(page, "used/robot");
});

test("a file that another program writes is seen, and the run goes on", async () => {
  await until(page, (ansatz) => ansatz.state().t > 0.5);
  writeFileSync(join(studio.folder, "arm.urdf"), ARM.replace('<origin xyz="0 0 0.3"/> <axis xyz="0 0 1"/>', '<origin xyz="0 0 0.45"/> <axis xyz="0 0 1"/>'));
  await until(page, (ansatz) => Math.abs(ansatz.poses()["arm.turn"]!.position[2]! - 0.95) < 1e-9);
  expect((await ask(page, (ansatz) => ansatz.state())).t, "from where it was").toBeGreaterThan(0.4);
});

test("a broken file is named at its line, and the last good run goes on; mended, it is there again", async () => {
  writeFileSync(join(studio.folder, "arm.urdf"), "<robot name='arm'><link");
  await until(page, (ansatz) => ansatz.state().errors > 0);
  const before = await ask(page, (ansatz) => ansatz.state().revision);
  expect(await page.innerText(".problems")).toMatch(/6/);
  await keep(page, "used/broken");
  writeFileSync(join(studio.folder, "arm.urdf"), ARM);
  await until(page, `window.ansatz.state().errors === 0 && window.ansatz.state().revision > ${before}`);
  expect((await ask(page, (ansatz) => ansatz.poses()))["arm.turn"]!.position[2]).toBeCloseTo(0.8, 9);
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
