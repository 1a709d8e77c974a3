// One selection: what is chosen in one view lights up in all others, by mouse and by keyboard.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { ask, goTo, startStudio, until, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz");
  await goTo(page, 0.4);
});
afterAll(() => studio?.close());

/// Texts that are lit up in the editor.
const litWords = (): Promise<string[]> => page.$$eval(".cm-picked", (marks) => marks.map((mark) => mark.textContent ?? ""));

describe("one selection", () => {
  test("a click on a body in the picture lights up its words in the text", async () => {
    const place = (await ask(page, (ansatz) => ansatz.screen("frame:bob")))!;
    await page.mouse.click(place.x, place.y);
    await until(page, (ansatz) => ansatz.state().selection === "frame:bob");
    expect((await litWords()).join(" ")).toContain("bob");
    expect(await page.textContent("#selected")).toContain("bob");
    await page.waitForSelector(".label.picked:text('bob')");
  });

  test("a click on a word of the text selects what it means", async () => {
    await page.click(".cm-line:has-text('frame swing') >> text=swing");
    await until(page, (ansatz) => ansatz.state().selection?.includes("swing") === true);
  });

  test("a parameter lights up in the text, its slider and the equations", async () => {
    await page.click(".slider[data-id='parameter:length'] .slider-name");
    await until(page, (ansatz) => ansatz.state().selection === "parameter:length");
    expect(await litWords()).toContain("length");
    expect(await page.locator(".slider.picked").count()).toBe(1);
    await page.click("#tab-1");
    await page.waitForSelector(".equation.picked");
    await page.waitForSelector(".equation .katex");
    expect(await page.locator(".equation .formula > .math > code").count(), "every formula is typeset").toBe(0);
  });

  test("an equation that is selected says where it comes from", async () => {
    await page.click(".equation >> nth=0");
    await until(page, (ansatz) => ansatz.state().selection !== null);
    const chosen = (await ask(page, (ansatz) => ansatz.state())).selection!;
    expect(await page.locator(`.equation[data-id='${chosen}']`).getAttribute("aria-pressed")).toBe("true");
  });

  test("names in the program are linked", async () => {
    await page.click("#tab-3");
    await page.waitForSelector(".program .link");
    await page.click(".program .link >> nth=0");
    await page.waitForSelector(".program .link.picked");
    await page.selectOption("#stage", "kernel");
    await until(page, "document.querySelector('.program').textContent.length > 200");
  });

  test("the making shows classes and systems, and selects their members", async () => {
    await page.click("#tab-2");
    await page.click(".chip >> nth=0");
    await page.waitForSelector(".chip.picked");
  });

  test("by keyboard one walks through all things", async () => {
    await page.locator("canvas").first().focus();
    await page.keyboard.press("Escape");
    await until(page, (ansatz) => ansatz.state().selection === null);
    const seen = new Set<string>();
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press("]");
      seen.add((await ask(page, (ansatz) => ansatz.state())).selection!);
    }
    expect([...seen]).toEqual(expect.arrayContaining(["frame:swing", "frame:bob", "coordinate:swing.angle", "parameter:length"]));
    await page.keyboard.press("Escape");
  });

  test("hovering over a quantity shows its value and unit", async () => {
    await page.hover(".cm-line:has-text('initially swing.angle') >> nth=0", { position: { x: 110, y: 8 } });
    const card = page.locator(".hover-card");
    await card.waitFor();
    expect(await card.textContent()).toMatch(/swing\.angle/);
    const angle = (await ask(page, (ansatz) => ansatz.values()))["swing.angle"]!;
    const shown = Number((await card.locator(".value").textContent())!.replace("−", "-"));
    expect([angle, (angle * 180) / Math.PI].some((value) => Math.abs(value - shown) < 1e-2 * Math.abs(value))).toBe(true);
  });
});

describe("resting the pointer on a word", () => {
  /// The card for the first such word in a line of the text.
  async function card(line: string, word: string): Promise<string> {
    const place = await page.evaluate(([line, word]) => {
      const found = [...document.querySelectorAll(".cm-line")].find((element) => element.textContent!.startsWith(line!))!;
      const walker = document.createTreeWalker(found, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent!.indexOf(word!);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at + 1);
        range.setEnd(node, at + 2);
        const box = range.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      }
      return null;
    }, [line, word]);
    await page.mouse.move(0, 0);
    await page.waitForSelector(".hover-card", { state: "detached" });
    await page.mouse.move(place!.x, place!.y);
    await page.mouse.move(place!.x + 1, place!.y);
    const found = await page.waitForSelector(".hover-card");
    return (await found.innerText()).replace(/\s+/g, " ");
  }

  test("tells value, unit, dimension and equation of a parameter", async () => {
    const text = await card("param length", "length");
    expect(text).toContain("parameter");
    expect(text).toMatch(/\b1 in m\b/);
    expect(text).toContain("length");
    expect(await page.locator(".hover-card .katex").count()).toBe(1);
  });

  test("tells the frame of a body, and where it is", async () => {
    const text = await card("body", "bob");
    expect(text).toMatch(/at \(0, −?[\d.]+, −[\d.]+\) in m/);
    expect(text).toContain("hangs on swing");
  });

  test("tells the present value and the equation of a coordinate", async () => {
    const text = await card("plot", "angle");
    const { "swing.angle": angle } = await ask(page, (ansatz) => ansatz.values());
    expect(text).toContain(String(Number(angle!.toPrecision(4))).replace("-", "−"));
    expect(text).toContain("in frame world");
    expect(await page.locator(".hover-card .katex").count()).toBe(1);
  });
});

describe("names in the text", () => {
  /// The cursor into a word of a line.
  const into = (line: string, word: string): Promise<void> => page.click(`.cm-line:has-text('${line}') >> text=${word}`);
  const text = (): Promise<string> => page.$$eval(".cm-line", (lines) => lines.map((line) => line.textContent).join("\n"));

  test("a word of the language is explained", async () => {
    await page.mouse.move(0, 0);
    await page.waitForSelector(".hover-card", { state: "detached" });
    await page.hover(".cm-line:has-text('show sphere') >> text=sphere");
    await page.waitForSelector(".hover-card:has-text('sphere(radius)')");
    await page.mouse.move(0, 0);
  });

  test("what can be asked of a body is offered", async () => {
    await into("plot", "energy");
    await page.keyboard.press("End");
    await page.keyboard.type(", bob.velo");
    // By mouse: right after they appear, offers do not listen to keys.
    await page.click(".cm-tooltip-autocomplete li:has-text('velocity')");
    expect(await text()).toMatch(/^plot .*, bob\.velocity$/m);
    await until(page, (ansatz) => ansatz.state().errors === 0);
  });

  test("F12 goes to where a name is declared", async () => {
    await into("initially swing.angle", "swing");
    await page.keyboard.press("F12");
    await page.waitForSelector(".cm-activeLine:has-text('frame swing')");
  });

  test("F2 gives a name another one, everywhere", async () => {
    const before = await text();
    await into("param length", "length");
    await page.keyboard.press("F2");
    await page.waitForSelector(".rename input");
    await page.keyboard.type("reach");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".cm-line:has-text('param reach')");
    expect(await text()).toBe(before.replaceAll(/\blength\b(?![^"]*"$)/gm, "reach"));
    await until(page, (ansatz) => ansatz.state().errors === 0);
  });

  test("what there is can be listed, and gone to", async () => {
    await page.keyboard.press("Control+Shift+O");
    await page.click(".outline button:has-text('bob')");
    await page.waitForSelector(".cm-activeLine:has-text('bob')");
  });
});

test("browsers had nothing to complain of", () => expect(studio.complaints).toEqual([]));
