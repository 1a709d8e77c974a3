// Right at once: quick fixes mend what they are offered for, and angles have a unit.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, keep, startStudio, until, write, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => studio?.close());

const SCENE = `scene mended
gravity 9.81 [m/s^2]
frame swing { rotation = about x free }
body bob in swing { position = (0, 0, -1) [m]; mass = 1 [kg] }
body bead { position = (0, 0, free); mass = 1 [kg] }
initially bead.position.z == 6 [m]
initially swing.angle == 60 [deg]
x: real = 1
always x' == -x / 1 [s]
plot swing.angle
`;

describe("a quick fix", () => {
  test.each([
    ["60 [deg]", "60", "60 [deg]"],
    ["6 [m]", "6", "6 [m]"],
    ["mass = 1 [kg] }\ninitially bead", "mass = 1 [kg]\ninitially bead", "mass = 1 [kg] }"],
    ["bead.position.z == 6", "bead.position.z = 6", "bead.position.z == 6"],
    ["always x' == -x", "x' = -x", "always x' == -x"],
    ["gravity 9.81 [m/s^2]", "gravity 9.81 m/s^2", "gravity 9.81 [m/s^2]"],
    ["bob in swing { position = (0, 0, -1) [m]; mass = 1 [kg] }", "bob in swing { position = (0, 0, -1) [m] }", "mass = 1 [kg]"],
  ])("of %j written as %j", async (right, wrong, mended) => {
    const page = studio.context.pages().find((page) => page.url().includes("token")) ?? (await studio.open("examples/pendulum.anz"));
    await write(page, SCENE.replace(right, wrong));
    await page.waitForSelector("#problems .fixes button");
    await page.click("#problems .fixes button");
    await until(page, "document.querySelectorAll('#problems .fixes button').length === 0 && window.ansatz.state().errors === 0 && window.ansatz.state().scene === 'mended'");
    expect(await page.textContent(".cm-content")).toContain(mended.replace("\n", ""));
  });
});

describe("angles", () => {
  test("are shown in degrees, or in radians for those who ask", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await page.waitForSelector(".plot .legend");
    const legend = (): Promise<string> => page.evaluate("document.querySelector('.plot .legend li').textContent") as Promise<string>;
    await until(page, "/swing.angle.*°/.test(document.querySelector('.plot .legend li').textContent)");
    await keep(page, "degrees");
    await page.click("#degrees");
    await until(page, "/swing.angle.*rad/.test(document.querySelector('.plot .legend li').textContent)");
    expect(await legend()).toMatch(/rad$/);
    // The numbers of the run are radians, whatever is shown.
    expect(Math.abs((await ask(page, (ansatz) => ansatz.recorded("swing.angle"))).values[0]!)).toBeCloseTo(Math.PI / 3, 9);
  });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
