// Lessons: one file for a class, in which questions hold a run until somebody has guessed, and tasks look whether their goals are reached.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hook } from "../../src/hook";
import { violations } from "./axe";
import { program, ROOT, startBrowser, type Browser } from "./studio";

let browser: Browser;
let folder: string;
/// The lesson of the manual, as a reader would copy it.
const LESSON = /````markdown\n([\s\S]*?)````/.exec(readFileSync(join(ROOT, "docs/how-to/lesson.md"), "utf8"))![1]!;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ansatz-lesson-"));
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function make(name: string, text: string): { status: number | null; said: string; page: string } {
  const page = join(folder, `${name}.html`);
  writeFileSync(join(folder, `${name}.md`), text);
  const made = spawnSync(program(), ["lesson", join(folder, `${name}.md`), "-o", page], { encoding: "utf8", cwd: ROOT });
  return { status: made.status, said: made.stdout + made.stderr, page };
}

async function open(name: string, text: string, options: { width?: number; height?: number } = {}): Promise<{ page: Page; frame: Frame }> {
  const { status, said, page: file } = make(name, text);
  expect(status, said).toBe(0);
  const page = await browser.tab(name, options);
  await page.goto(pathToFileURL(file).href);
  const frame = (await (await page.waitForSelector("iframe")).contentFrame())!;
  await holds(frame, "window.ansatz && window.ansatz.state().scene !== null");
  return { page, frame };
}

/// As `until`, in a frame.
async function holds(where: Frame | Page, expression: string): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await where.evaluate(`Boolean(${expression})`))) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${expression}; the scene says ${JSON.stringify(await state(where as Frame))}`);
    await where.waitForTimeout(50);
  }
}

const state = (frame: Frame): Promise<ReturnType<Hook["state"]>> => frame.evaluate("window.ansatz?.state()") as Promise<ReturnType<Hook["state"]>>;
const waits = "!document.querySelector('.waits').hidden";

describe("a class reads the lesson of the manual", () => {
  let page: Page;
  let frame: Frame;
  beforeAll(async () => {
    ({ page, frame } = await open("pendulum", LESSON));
  });

  test("the run waits before anybody has guessed, and goes on for nobody who only plays", async () => {
    await holds(page, waits);
    await holds(frame, "!window.ansatz.state().playing");
    await frame.click("[aria-label=Play]");
    await holds(frame, "!window.ansatz.state().playing");
    expect(await page.evaluate(waits)).toBe(true);
    expect(await page.locator("[data-question] button[type=submit]").first().isDisabled()).toBe(true);
    await page.screenshot({ path: join(ROOT, "web/tests/artefacts/lesson.png"), fullPage: true });
  });

  test("a wrong guess is told, with what is right and why; then the next question holds the run", async () => {
    const question = page.locator("[data-question]").first();
    await question.locator("label", { hasText: "It stays the same" }).click();
    await question.locator("button").click();
    expect(await question.getAttribute("class")).toContain("missed");
    expect(await question.locator("label", { hasText: "It doubles" }).textContent()).toContain("← this");
    expect(await question.textContent()).toContain("square root");
    await holds(frame, "window.ansatz.state().t >= 0.2");
    await holds(page, waits);
    await holds(frame, "!window.ansatz.state().playing");
  });

  test("a number that is no number cannot be given; one near enough is right, and the run goes on", async () => {
    const question = page.locator("[data-question]").nth(1);
    await question.locator("input").fill("long");
    expect(await question.locator("button").isDisabled()).toBe(true);
    await question.locator("input").fill("1,95");
    await question.locator("button").click();
    expect(await question.getAttribute("class")).toContain("done");
    await holds(page, `!(${waits})`);
    const { t } = await state(frame);
    await holds(frame, `window.ansatz.state().t > ${t}`);
  });

  test("a task is done when its slider is where it should be and the claims have held", async () => {
    const task = page.locator("[data-task]");
    expect(await task.locator("li").allTextContents()).toEqual(["length between 3.9 and 4.1 m", "the run comes to 10 s, and every claim of the scene holds"]);
    expect(await task.getAttribute("class")).not.toContain("done");
    await frame.fill("[aria-label='length, value']", "4");
    await frame.press("[aria-label='length, value']", "Enter");
    await holds(page, "document.querySelector('.goals li').classList.contains('reached')");
    await frame.fill("#time", "10");
    await frame.press("#time", "Enter");
    await holds(page, "document.querySelector('[data-task]').classList.contains('done')");
    expect(await task.textContent()).toContain("four metres tall");
  });

  test("nothing is wrong with it for those who listen rather than look", async () => {
    expect(await violations(page)).toEqual([]);
  });
});

test("a claim that fails leaves a task undone", async () => {
  const { page, frame } = await open("fast", LESSON.replace(/```question[\s\S]*?```/g, "").replace("< 1.2 [rad/s]", "< 0.5 [rad/s]"));
  await frame.fill("[aria-label='length, value']", "4");
  await frame.press("[aria-label='length, value']", "Enter");
  await frame.fill("#time", "10");
  await frame.press("#time", "Enter");
  await holds(frame, "document.getElementById('status').hidden === false");
  expect((await state(frame)).t, "the run ends where the claim fails").toBeLessThan(10);
  expect(await page.locator("[data-task]").getAttribute("class")).not.toContain("done");
});

test("on a phone everything fits, and fingers find what they press", async () => {
  const { page, frame } = await open("phone", LESSON, { width: 390, height: 780 });
  await holds(page, waits);
  for (const where of [page, frame]) expect(await where.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  const small = await page.evaluate("[...document.querySelectorAll('.card button, .card label')].filter((part) => part.getBoundingClientRect().height < 40).map((part) => part.textContent)");
  expect(small).toEqual([]);
  await page.screenshot({ path: join(ROOT, "web/tests/artefacts/lesson-phone.png"), fullPage: true });
});

describe("a lesson that cannot work is refused with its line", () => {
  const line = (text: string): number => LESSON.slice(0, LESSON.indexOf(text)).split("\n").length;

  test("a goal for a slider that the scene has not got", () => {
    const { status, said } = make("astray", LESSON.replace("goal length in", "goal lenght in"));
    expect(status).not.toBe(0);
    expect(said).toContain(`astray.md:${line("goal length")}`);
    expect(said).toContain("lenght");
    expect(said).toContain("length");
  });

  test("a goal in another unit than its slider", () => {
    const { status, said } = make("unit", LESSON.replace("3.9..4.1 [m]", "390..410 [cm]"));
    expect(status).not.toBe(0);
    expect(said).toContain(`unit.md:${line("goal length")}`);
    expect(said).toContain("[m]");
  });

  test("a question that nobody can answer", () => {
    const { status, said } = make("unanswerable", LESSON.replace("+ It doubles", "- It doubles"));
    expect(status).not.toBe(0);
    expect(said).toContain(`unanswerable.md:${line("```question")}`);
  });
});

test("browsers had nothing to complain of but the claim that fails", () => expect(browser.complaints.filter((complaint) => !complaint.includes("a claim does not hold: slow"))).toEqual([]));
