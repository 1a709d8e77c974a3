// Every example runs in the studio and is seen; with ANSATZ_PICTURES=write its picture for the gallery is made anew.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, choose, goTo, keep, ROOT, startStudio, type Studio } from "./studio";

const PICTURES = resolve(import.meta.dirname, "../../public/gallery");
const writing = process.env.ANSATZ_PICTURES === "write";
const scenes = (folder: string): string[] =>
  readdirSync(join(ROOT, "examples", folder)).filter((name) => name.endsWith(".anz")).map((name) => folder + name.replace(".anz", ""));
const examples = [...scenes(""), ...scenes("published/")];

/// A moment at which a scene looks like itself, in seconds.
const MOMENT: Record<string, number> = {
  three_body: 4, roller_coaster_1: 2, roller_coaster_3: 2, ball_in_torus: 2, ball_in_box: 3, ball_on_steps: 3, ball_in_canal: 3, stunt_track: 3,
  dueling_spaceships: 4, car_on_roads: 6, docking_spaceship: 12, ink_jet: 4.5, traffic_control: 3, robot_on_track: 4, robot_on_track_phases: 4,
  moon_landing: 8, sailboat: 3, sailboat_from_rest: 9, falling_ball: 0.1, switched_coil: 0.02, walking_figure: 2.66, gusty_lamp: 13.6, steady_runner: 0.7, rimless_wheel: 1.3, pile: 1.2, arm_inverse: 1, mixed_arm: 1, redundant_arm: 1, redundant_arm_torque: 0.3, slip_runner: 0.6,
  tipping_block: 0.5, ladder: 0.5, rocking_block: 0.12, falling_rod: 0.22, ball_off_sphere: 1.5, struck_pendulum: 1, billiard: 1.4, cradle: 0.75,
  cradle_5: 0.75, cradle_together: 0.75, slope_block: 1, overhang: 0.5, painleve_rod: 0.1, hand: 2.5, robot_arm: 2.4, dog: 2.1, drawn_car: 1.5, dominoes: 0.35, plate_of_balls: 1,
  "published/pendulum": 1, "published/four_bars": 0.5, "published/governor": 0.3, "published/squeezer": 0.01, "published/turntable": 6,
  "published/heavy_top": 0.9, "published/walker": 3.5, "published/bicycle": 1, "published/five_object_pendulum": 1.2,
  "published/robertson": 10, "published/hires": 3, "published/oregonator": 24, "published/transistor_amplifier": 0.05,
};

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz", { width: 1200, height: 800 });
});
afterAll(() => studio?.close());

describe("every example, chosen in the gallery", () => {
  test.each(examples)("%s is seen", async (name) => {
    await choose(page, name);
    await goTo(page, MOMENT[name] ?? 1.2);
    const { different, total, lost } = await ask(page, (ansatz) => ansatz.pixels());
    expect(lost).toBe(false);
    expect(different / total, "the picture is not blank").toBeGreaterThan(0.002);
    const { errors } = await ask(page, (ansatz) => ansatz.state());
    expect(errors).toBe(0);
    await keep(page, `examples/${name}`);
    if (writing) {
      mkdirSync(join(PICTURES, "published"), { recursive: true });
      const data = (await page.evaluate(`window.ansatz.thumbnail(400, 250)`)) as string;
      writeFileSync(join(PICTURES, `${name}.webp`), Buffer.from(data.split(",")[1]!, "base64"));
    }
    expect(existsSync(join(PICTURES, `${name}.webp`)), "make it with `npm run pictures`").toBe(true);
  });
});

test.skipIf(writing)("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
