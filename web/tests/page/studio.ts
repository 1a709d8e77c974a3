// A studio for tests: the real server, a real browser, and the numbers of the page.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { chromium as playwright, type BrowserContext, type Page } from "playwright-core";
import { chromium } from "../../scripts/chromium.js";
import type { Hook } from "../../src/hook";

export const ROOT = resolve(import.meta.dirname, "../../..");
export const ARTEFACTS = resolve(import.meta.dirname, "../artefacts");

const FLAGS = [
  "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  // A page that `serveBuilt` gives seems to come from nowhere, and might not open a socket to this machine.
  ...(process.env.ANSATZ_PAGE ? ["--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets"] : []),
];

/// How long anything may take, in milliseconds; a busy machine draws a picture in seconds.
const PATIENCE = 90_000;

interface Options {
  theme?: string;
  width?: number;
  height?: number;
  /// Leaves the other tabs open.
  beside?: boolean;
  /// Keeps the drafts of those that came before.
  drafts?: boolean;
}

/// A browser with a profile of its own.
export interface Browser {
  readonly context: BrowserContext;
  /// A new tab of this size that remembers nothing but the theme; what it complains of is kept under this name.
  tab(name: string, options?: Options): Promise<Page>;
  /// What browsers complained of, in all tabs.
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface Studio {
  /// Opens a scene in a new tab and waits until it runs; other tabs are closed.
  open(path: string, options?: Options): Promise<Page>;
  /// The folder that the studio was opened on.
  readonly folder: string;
  readonly address: string;
  /// Where drafts are kept.
  readonly state: string;
  /// The program and a page end without a word; then the program is started again.
  crash(page: Page): Promise<void>;
  readonly context: BrowserContext;
  readonly complaints: string[];
  close(): Promise<void>;
}

/// The program under test: ANSATZ names it, or it is the release or debug build.
export function program(): string {
  const places = [process.env.ANSATZ, join(ROOT, "target/release/ansatz"), join(ROOT, "target/debug/ansatz")];
  const found = places.find((place) => place && existsSync(place));
  if (!found) throw new Error("there is no ansatz to test: run `cargo build --release -p cli` first");
  return found;
}

export async function startBrowser(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "ansatz-profile-"));
  const executablePath = chromium();
  if (!executablePath) throw new Error("there is no Chromium: run `npm run chromium` first");
  const context = await playwright.launchPersistentContext(profile, { executablePath, headless: true, args: FLAGS, acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE);
  if (process.env.ANSATZ_PAGE) await serveBuilt(context, resolve(process.env.ANSATZ_PAGE));
  const complaints: string[] = [];
  return {
    context,
    complaints,
    async tab(name, { theme = "light", width = 1280, height = 800, beside = false } = {}) {
      const others = context.pages();
      const page = await context.newPage();
      if (!beside) for (const other of others) await other.close();
      await page.setViewportSize({ width, height });
      page.on("pageerror", (error) => complaints.push(`${name}: ${error.message}`));
      page.on("console", (message) => message.type() === "error" && complaints.push(`${name}: ${message.text()}`));
      await page.addInitScript((theme) => {
        localStorage.clear();
        localStorage.setItem("ansatz.theme", JSON.stringify(theme));
      }, theme);
      return page;
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/// For those who work on the page: takes it from a folder that was just built, such as `dist`, instead of the program, which then need not be built anew.
async function serveBuilt(context: BrowserContext, folder: string): Promise<void> {
  await context.route(({ hostname, pathname }) => hostname === "127.0.0.1" && existsSync(join(folder, pathname)), async (route) => {
    const { pathname } = new URL(route.request().url());
    const path = join(folder, pathname === "/" ? "index.html" : pathname);
    const response = await route.fetch();
    const type = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", wasm: "application/wasm" }[path.split(".").at(-1)!];
    await route.fulfill({ response, status: 200, body: readFileSync(path), ...(type && { contentType: type }) });
  });
}

export async function startStudio(): Promise<Studio> {
  const folder = mkdtempSync(join(tmpdir(), "ansatz-studio-"));
  const state = mkdtempSync(join(tmpdir(), "ansatz-state-"));
  let { server, address } = await serve(folder, state);
  const browser = await startBrowser();
  return {
    folder,
    get address() {
      return address;
    },
    state,
    async crash(page) {
      server.kill("SIGKILL");
      await page.goto("chrome://crash").catch(() => {});
      ({ server, address } = await serve(folder, state));
    },
    context: browser.context,
    complaints: browser.complaints,
    async open(path, options) {
      const page = await browser.tab(path, options);
      if (!options?.drafts) await cleared(join(state, "ansatz"));
      await page.goto(`${address}&open=${encodeURIComponent(path)}`);
      await until(page, (ansatz) => ansatz.state().t > 0);
      return page;
    },
    async close() {
      await browser.close();
      server.kill();
      for (const place of [folder, state]) await cleared(place);
    },
  };
}

/// Waits until something holds of the page's numbers. (Playwright's own waiting needs `eval`, which the page forbids.)
export async function until(page: Page, condition: ((ansatz: Hook) => boolean) | string): Promise<void> {
  const expression = typeof condition === "string" ? condition : `(${condition.toString()})(window.ansatz)`;
  const deadline = Date.now() + PATIENCE;
  while (!(await page.evaluate(`Boolean(window.ansatz && (${expression}))`))) {
    if (Date.now() > deadline) {
      const state = JSON.stringify(await page.evaluate("window.ansatz?.state()"));
      throw new Error(`waited in vain for ${expression}; the page says ${state}`);
    }
    await page.waitForTimeout(40);
  }
}

export async function ask<T>(page: Page, question: (ansatz: Hook) => T): Promise<T> {
  return (await page.evaluate(`(${question.toString()})(window.ansatz)`)) as T;
}

/// Pauses and goes to a time. On the way to a time that is not recorded yet frames pass near it; so once it is recorded, the page goes back
/// to the start, which none of them shows, and from there to the time.
export async function goTo(page: Page, t: number): Promise<void> {
  for (const stop of [t, 0, t]) {
    const there = `Math.abs(window.ansatz.state().t - ${stop}) < 0.02 && window.ansatz.state().settled`;
    // A scene begins to play when it is ready, which may be at any moment of this: whenever it plays, it is paused, and asked once more.
    do {
      await until(page, `(window.ansatz.state().playing && document.querySelector("[aria-label=Pause]")?.click(), window.ansatz.state().settled)`);
      await page.fill("#time", String(stop));
      await page.press("#time", "Enter");
      await until(page, `window.ansatz.state().playing || (${there})`);
    } while (!(await page.evaluate(there)));
  }
}

/// Opens an example in the same tab, from the gallery; far faster than a new tab, which has to make its shaders again.
export async function choose(page: Page, name: string): Promise<void> {
  const path = `examples/${name}.anz`;
  const { revision } = await ask(page, (ansatz) => ansatz.state());
  await page.click("#open-gallery");
  await page.click(`.card[data-path='${path}']`);
  await until(page, `window.ansatz.state().path === "${path}" && window.ansatz.state().revision > ${revision}`);
}

/// A headless run of an example, as columns by name; without a probe, of what the scene plots.
export function headless(scene: string, probe: string, ...options: string[]): Record<string, number[]> {
  const run = spawnSync(program(), ["run", scene, ...(probe ? ["--probe", probe] : []), "--radians", "-o", "-", ...options], { encoding: "utf8", cwd: ROOT });
  if (run.status !== 0) throw new Error(run.stderr);
  const [head, ...rows] = run.stdout.trim().split("\n").map((line) => line.split(","));
  // Without their units.
  return Object.fromEntries(head!.map((name, index) => [name.replace(/ \[[^\]]*\]$/, ""), rows.map((row) => Number(row[index]))]));
}

export async function keep(page: Page, name: string): Promise<void> {
  const path = join(ARTEFACTS, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path });
}

export function example(name: string): string {
  return readFileSync(join(ROOT, "examples", `${name}.anz`), "utf8");
}

/// Replaces the whole text, as a person who selects all and types would.
export async function write(page: Page, text: string): Promise<void> {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

function serve(folder: string, state: string): Promise<{ server: ChildProcess; address: string }> {
  const server = spawn(program(), ["studio", folder, "--no-open"], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, XDG_STATE_HOME: state } });
  let said = "";
  return new Promise((answer, refuse) => {
    const listen = (data: Buffer): void => {
      said += data.toString();
      const address = /http:\/\/\S+token=\w+/.exec(said)?.[0];
      if (address) answer({ server, address });
    };
    server.stdout.on("data", listen);
    server.stderr.on("data", listen);
    server.on("exit", (code) => refuse(new Error(`the studio ended with ${code}: ${said}`)));
  });
}

/** Removes a folder, in which a page that is still open may write a draft meanwhile. */
async function cleared(folder: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}
