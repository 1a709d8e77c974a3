// Actuators and prescribed motions: arrows for what they exert, switches that let go, and the linear model as pictures.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, choose, goTo, headless, keep, startStudio, until, write, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => studio?.close());

const ARM = "examples/arm_inverse.anz";

describe("actuators", () => {
  test("exert what the run without a studio has, about their axes, and are drawn", async () => {
    const page = await studio.open(ARM);
    await goTo(page, 1);
    const { t } = await ask(page, (ansatz) => ansatz.state());
    const shown = await ask(page, (ansatz) => ansatz.efforts());
    const run = headless(ARM, "shoulder.torque, elbow.torque", "--until", String(t), "--every", String(t));
    const expected = [run["shoulder.torque"]!.at(-1)!, run["elbow.torque"]!.at(-1)!];
    expect(shown.map(({ name, turns }) => [name, turns])).toEqual([["shoulder.torque", true], ["elbow.torque", true]]);
    // Both joints turn about −y.
    shown.forEach(({ vector }, at) => [0, -expected[at]!, 0].forEach((part, axis) => expect(vector[axis]!).toBeCloseTo(part, 5)));
    expect(Math.hypot(...shown[1]!.place)).toBeCloseTo(0.5, 9);
    expect(await page.textContent(".scale-legend")).toContain("N·m");
    await keep(page, "actuators");
    const seen = (await ask(page, (ansatz) => ansatz.thumbnail(640, 480)));
    await page.keyboard.press("u");
    await until(page, (ansatz) => ansatz.thumbnail(640, 480) !== "");
    expect(await ask(page, (ansatz) => ansatz.thumbnail(640, 480))).not.toBe(seen);
    expect(await page.isVisible(".scale-legend")).toBe(false);
  });
});

describe("a prescribed motion", () => {
  test("is switched off, and the arm falls from where it is; switched on, it is on its path again", async () => {
    const page = await studio.open(ARM);
    await goTo(page, 1);
    const before = await ask(page, (ansatz) => ansatz.values());
    const box = page.getByRole("switch", { name: "All prescribed motions" });
    expect(await box.isChecked()).toBe(true);
    await box.click();
    await until(page, (ansatz) => ansatz.state().released.length === 2);
    const after = await ask(page, (ansatz) => ansatz.values());
    // The state is kept, and nothing is exerted any more.
    for (const name of ["shoulder.angle", "elbow.angle", "shoulder.angle'", "elbow.angle'"]) expect(after[name]).toBeCloseTo(before[name]!, 9);
    expect(after["shoulder.torque"]).toBe(0);
    expect((await ask(page, (ansatz) => ansatz.efforts())).every(({ vector }) => Math.hypot(...vector) === 0)).toBe(true);
    const energy = after.energy!;
    await page.fill("#time", "3");
    await page.press("#time", "Enter");
    await until(page, "Math.abs(window.ansatz.state().t - 3) < 0.02 && window.ansatz.state().settled");
    const later = await ask(page, (ansatz) => ansatz.values());
    expect(Math.abs(later.energy! - energy)).toBeLessThan(1e-5 * Math.abs(energy) + 1e-5);
    expect(Math.abs(later["shoulder.angle"]! - 0.5 * Math.sin(2 * later.t!))).toBeGreaterThan(0.1);
    await keep(page, "released");
    await box.click();
    await until(page, (ansatz) => ansatz.state().released.length === 0);
    const again = await ask(page, (ansatz) => ansatz.values());
    expect(again["shoulder.angle"]).toBeCloseTo(0.5 * Math.sin(2 * again.t!), 6);
    expect(again["elbow.angle"]).toBeCloseTo(-0.8 + 0.3 * Math.cos(3 * again.t!), 6);
  });

  test("of two, the one that is on goes on; probes know which was off when", async () => {
    const page = await studio.open(ARM);
    await goTo(page, 1);
    await page.getByRole("switch", { name: /Prescribed: elbow\.angle/ }).click();
    await until(page, (ansatz) => ansatz.state().released.length === 1);
    await page.fill("#time", "2");
    await page.press("#time", "Enter");
    await until(page, "Math.abs(window.ansatz.state().t - 2) < 0.02 && window.ansatz.state().settled");
    const now = await ask(page, (ansatz) => ansatz.values());
    expect(now["shoulder.angle"]).toBeCloseTo(0.5 * Math.sin(2 * now.t!), 6);
    expect(now["elbow.torque"]).toBe(0);
    expect(Math.abs(now["elbow.angle"]! + 0.8 - 0.3 * Math.cos(3 * now.t!))).toBeGreaterThan(0.05);
    await page.fill(".ask input", "elbow.torque * 2");
    await page.press(".ask input", "Enter");
    await until(page, `window.ansatz.recorded("elbow.torque * 2").values.length > 10`);
    await until(page, `window.ansatz.recorded("elbow.torque * 2").values.every(Number.isFinite)`);
    const { t, values } = await ask(page, (ansatz) => ansatz.recorded("elbow.torque * 2"));
    const single = (await ask(page, (ansatz) => ansatz.recorded("elbow.torque"))).values;
    t.forEach((time, at) => {
      if (time > 1.03) expect(values[at]).toBe(0);
      else if (time < 0.97) expect(values[at]).toBeCloseTo(2 * single[at]!, 6);
    });
    expect(Math.max(...values.filter((_, at) => t[at]! < 0.95).map(Math.abs))).toBeGreaterThan(1);
  });

  test("of a figure that walks is switched off, and what it claims does not hold any more", async () => {
    const page = await studio.open(ARM);
    await choose(page, "walking_figure");
    await goTo(page, 0.5);
    await page.getByRole("switch", { name: "All prescribed motions" }).click();
    await until(page, (ansatz) => ansatz.state().released.length === 4);
    await page.fill("#time", "0.9");
    await page.press("#time", "Enter");
    await page.getByText("does not hold").first().waitFor();
    await keep(page, "walking_released");
  });
});

describe("a figure of the gallery", () => {
  test("is pushed by a button, for as long as it is held", async () => {
    const page = await studio.open("examples/hand.anz");
    await goTo(page, 2.5);
    const button = page.getByRole("button", { name: "Push push to 2 N" });
    await button.dispatchEvent("pointerdown");
    await until(page, (ansatz) => ansatz.state().controls.push === 2);
    await button.dispatchEvent("pointerup");
    await until(page, (ansatz) => ansatz.state().controls.push === 0);
    for (const name of ["walking_figure", "slip_runner", "steady_runner", "rimless_wheel", "published/walker"]) {
      await choose(page, name);
      expect(await page.getByRole("button", { name: /^Push push to/ }).count(), name).toBe(2);
    }
  });
});

describe("the linear model", () => {
  test("is drawn: poles, Bode, a step", async () => {
    const page = await studio.open(ARM);
    await write(
      page,
      "scene damped\ncontrol push in [-10, 10] [N] = 0 [N]\nparam stiffness = 9 [N/m]\nbody cart { position = (free, 0, 0); mass = 1 [kg] }\nforce on cart = (push - stiffness * cart.x - 1.2 [N*s/m] * cart.x', 0, 0)\nplot cart.x\n".replace("(push - stiffness * cart.x - 1.2 [N*s/m] * cart.x', 0, 0)", "(1, 0, 0) * (push - stiffness * cart.x - 1.2 [N*s/m] * cart.x')"),
    );
    await until(page, (ansatz) => ansatz.state().scene === "damped");
    await page.getByRole("tab", { name: "Linear model" }).click();
    await page.waitForSelector(".linear-model .plot");
    // s² + 1.2 s + 9: −0.6 ± i √8.64.
    expect(await page.textContent(".poles")).toContain("−0.6 ± 2.9394 i".slice(1));
    const words = await page.locator(".linear-model .chart").evaluateAll((charts) => charts.map((chart) => chart.getAttribute("aria-label")));
    expect(words).toHaveLength(3);
    // At rest 1/9 of a metre for a newton: −19.08 dB.
    expect(words[0]).toMatch(/Bode: size of cart\.x for push, in dB: −19 at 0\.3, −59 at 30/);
    expect(words[2]).toMatch(/Step: .*: 0 at 0, 0\.11\d* at/);
    await keep(page, "linear");
    // A stiffer spring, by its slider: the poles move.
    await page.getByRole("tab", { name: "Parameters and plots" }).click();
    await page.fill("input[aria-label='stiffness, value']", "25");
    await page.press("input[aria-label='stiffness, value']", "Enter");
    await until(page, (ansatz) => ansatz.state().parameters.stiffness === 25);
    await page.getByRole("tab", { name: "Linear model" }).click();
    for (let tries = 0; tries < 100 && !(await page.textContent(".poles"))?.includes("4.9639"); tries++) await page.waitForTimeout(200);
    expect(await page.textContent(".poles")).toContain("4.9639");
  });

  test("is made at the moment that is shown, and follows where one looks", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await page.getByRole("tab", { name: "Linear model" }).click();
    await page.selectOption("#linear-where", { label: "at the moment that is shown" });
    for (const t of [0.5, 0.8]) {
      await goTo(page, t);
      const run = headless("examples/pendulum.anz", "swing.angle", "--until", String((await ask(page, (ansatz) => ansatz.state())).t), "--every", "0.01");
      // θ'' = −g/l sin θ: poles ± i √(g cos θ / l).
      const rate = Math.sqrt(9.81 * Math.cos(run["swing.angle"]!.at(-1)!));
      await until(page, `Math.abs(Number(document.querySelector(".poles")?.textContent.match(/± ([0-9.]+)/)?.[1]) - ${rate}) < 1e-3`);
    }
  });

  test("says what is missing where nothing can be moved", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await page.getByRole("tab", { name: "Linear model" }).click();
    await page.locator(".linear-model", { hasText: "control" }).waitFor();
  });
});

test("nothing was complained of", () => expect(studio.complaints).toEqual([]));
