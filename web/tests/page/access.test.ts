// For everyone: checked by axe in every theme, and a journey by keyboard alone.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./axe";
import { ask, goTo, keep, startStudio, until, type Studio } from "./studio";

let studio: Studio;
beforeAll(async () => void (studio = await startStudio()));
afterAll(() => studio?.close());

describe("axe finds nothing", () => {
  test.each(["light", "dark", "projector"])("in the %s theme, in every tab, the gallery and the help", async (theme) => {
    const page = await studio.open("examples/linked_pendula.anz", { theme });
    await goTo(page, 0.5);
    const check = async (where: string): Promise<void> => expect(await violations(page), where).toEqual([]);
    await page.evaluate("window.ansatz.select('frame:bob1')");
    for (const tab of [0, 1, 2, 3, 6]) {
      await page.click(`#tab-${tab}`);
      await check(`tab ${tab}`);
      await keep(page, `${theme}/tab-${tab}`);
    }
    await page.click("#help");
    await check("help");
    await page.keyboard.press("Escape");
    await page.click("#open-gallery");
    await page.waitForSelector(".card");
    await check("gallery");
    await keep(page, `${theme}/gallery`);
      });
});

describe("by keyboard alone", () => {
  test("from the gallery to a plot", async () => {
    const page = await studio.context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(studio.address);
    // The gallery is open; the focus is in it.
    await page.waitForSelector("#gallery[open] .card");
    const card = page.locator(".card[data-path='examples/double_pendulum.anz']");
    for (let presses = 0; presses < 80 && !(await card.evaluate((element) => element === document.activeElement)); presses++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await until(page, (ansatz) => ansatz.state().scene === "double_pendulum" && ansatz.state().t > 0);

    await page.keyboard.press("Escape");
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press(" ");
    await until(page, (ansatz) => ansatz.state().settled);
    const { t } = await ask(page, (ansatz) => ansatz.state());
    await page.keyboard.press("ArrowRight");
    await until(page, `window.ansatz.state().t > ${t}`);
    await page.keyboard.press("ArrowLeft");
    await until(page, `window.ansatz.state().t === ${t}`);
    await page.keyboard.press("=");
    await until(page, (ansatz) => ansatz.state().speed === 2);
    await page.keyboard.press("-");
    await until(page, (ansatz) => ansatz.state().speed === 1);
    await page.keyboard.press("Backspace");
    await until(page, (ansatz) => ansatz.state().t === 0);

    await page.keyboard.press("]");
    const selected = (await ask(page, (ansatz) => ansatz.state())).selection;
    expect(selected).not.toBeNull();
    await page.keyboard.press("p");
    await page.waitForSelector(`figure[aria-label^='Plot: ${selected!.replace("frame:", "")}.position']`);

    await page.keyboard.press("?");
    await page.waitForSelector("dialog[open] .keys");
    await page.keyboard.press("Escape");

    await page.keyboard.press("2");
    await page.waitForSelector("#panel-1:not([hidden])");
    await page.keyboard.press("t");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBeTruthy();
      });

  test("keys never act while typing", async () => {
    const page = await studio.open("examples/pendulum.anz");
    await goTo(page, 1);
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// a - = ? ] [ p");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(200);
    const { playing, t, speed } = await ask(page, (ansatz) => ansatz.state());
    expect({ playing, speed }).toEqual({ playing: false, speed: 1 });
    expect(t).toBeCloseTo(1, 1);
    await page.focus("#expression");
    await page.keyboard.type("a b");
    expect(await page.inputValue("#expression")).toBe("a b");
    expect((await ask(page, (ansatz) => ansatz.state())).playing).toBe(false);
    // Escape leaves the text: Tab would only indent.
    await page.click(".cm-content");
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement.classList.contains('cm-content')")).toBe(false);
      });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
