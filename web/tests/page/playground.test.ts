// The studio without a server: a folder with the compiler in the page. Skipped where this machine has no Rust for WebAssembly.

import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { hostOf } from "../../src/playground/host";
import { violations } from "./axe";
import { ask, example, keep, program, ROOT, startBrowser, until, write, type Browser } from "./studio";

const COMPILER = join(ROOT, "web/dist-compiler/compiler.wasm");
const folder = mkdtempSync(join(tmpdir(), "ansatz-playground-"));
const written = existsSync(COMPILER) && spawnSync(program(), ["playground", "-o", folder]).status === 0;
if (!written) console.log("skipped: the playground, since the program was built without the compiler for browsers (make playground)");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/// Rows to this time, in seconds; chaotic scenes differ in all digits long before if one bit differs.
const UNTIL = 0.5;

/// The hash of a run by the compiler for browsers; none if the scene does not compile.
async function hashOf(module: WebAssembly.Module, text: string): Promise<string> {
  const told: string[] = [];
  const compiler = await hostOf(module, (_, bytes) => told.push(new TextDecoder().decode(bytes)));
  compiler.hash(text, UNTIL, UNTIL / 200);
  return told.join("; ");
}

function scenes(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? scenes(path) : entry.name.endsWith(".anz") ? [path] : [];
  });
}

describe.skipIf(!written)("the compiler for browsers", () => {
  test("computes every example as the command line does, bit for bit", { timeout: 1_800_000 }, async () => {
    const module = await WebAssembly.compile(readFileSync(COMPILER));
    const differing: string[] = [];
    const all = scenes(join(ROOT, "examples"));
    for (const path of all) {
      const here = await hashOf(module, readFileSync(path, "utf8"));
      // A run that ends with an error has the rows before it.
      const there = spawnSync(program(), ["run", "--hash", "--until", String(UNTIL), path], { encoding: "utf8" }).stdout.trim();
      if (here !== there) differing.push(`${path}: ${here} here, ${there} there`);
    }
    expect(all.length).toBeGreaterThan(80);
    expect(differing).toEqual([]);
  });
});

describe.skipIf(!written)("the playground", () => {
  let server: Server;
  let address: string;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = join(folder, normalize(new URL(request.url!, "http://here").pathname).replace(/\/$/, "/index.html"));
      if (!existsSync(path) || statSync(path).isDirectory()) return void response.writeHead(404).end();
      const kind = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", svg: "image/svg+xml" }[path.split(".").at(-1)!] ?? "application/octet-stream";
      response.writeHead(200, { "Content-Type": kind });
      createReadStream(path).pipe(response);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await startBrowser();
    page = await browser.tab("playground");
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test("compiles and runs a scene in the page", async () => {
    await page.goto(`${address}?open=examples/double_pendulum.anz`);
    await until(page, (ansatz) => ansatz.state().t > 0.3);
    const { scene, errors } = await ask(page, (ansatz) => ansatz.state());
    expect({ scene, errors }).toEqual({ scene: "double_pendulum", errors: 0 });
    await keep(page, "playground/double_pendulum");
    expect(await violations(page)).toEqual([]);
  });

  test("an edit takes over while the run goes on, and a wrong text is explained", async () => {
    await page.goto(`${address}?open=examples/pendulum.anz`);
    await until(page, (ansatz) => ansatz.state().t > 0.2);
    await write(page, example("pendulum").replace("gravity", "gravty"));
    await until(page, (ansatz) => ansatz.state().errors > 0);
    await write(page, example("pendulum").replace("tomato", "steelblue"));
    await until(page, (ansatz) => ansatz.state().errors === 0);
    await page.fill("#expression", "|bob.velocity|");
    await page.press("#expression", "Enter");
    await until(page, "window.ansatz.recorded('|bob.velocity|').values.length > 1");
  });

  test("a sweep is made in the page, and its runs can be read", async () => {
    // A stone thrown up with 5 m/s rises to 5² / 2g: 2.5 m for g = 5 m/s².
    await write(page, "scene stone\nparam g = 9.81 [m/s^2]\ngravity g\nbody stone { position = (0, 0, free); mass = 1 [kg] }\ninitially stone.velocity.z == 5 [m/s]\nplot stone.position.z\n");
    await until(page, (ansatz) => ansatz.state().scene === "stone");
    await page.click("#tab-6");
    await page.selectOption("[aria-label='What to vary']", "g");
    for (const [label, value] of [["What to vary: from", "2"], ["What to vary: to", "12"], ["What to vary: how many values", "11"], ["Seconds of each run", "3"]] as const) await page.fill(`[aria-label='${label}']`, value);
    await page.selectOption("[aria-label='What of the quantity']", "max");
    await page.click("text=Run sweep");
    await until(page, "document.querySelector('.sweep-said')?.textContent.includes('11 runs.')");
    await page.focus(".sweep-map canvas");
    do await page.keyboard.press("ArrowRight");
    while ((await page.innerText(".sweep-reading")) === "");
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
    expect(await page.innerText(".sweep-reading")).toMatch(/^g 5 m\/s² → 2\.5 m$/);
    await keep(page, "playground/sweep");
    await write(page, example("pendulum").replace("tomato", "steelblue"));
    await until(page, (ansatz) => ansatz.state().scene === "pendulum" && ansatz.state().errors === 0);
  });

  test("what is written stays in the browser, and a link brings it elsewhere", async () => {
    await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("#share");
    await until(page, "document.querySelector('.toast:not([hidden])')?.textContent.includes('clipboard')");
    const link = (await page.evaluate("navigator.clipboard.readText()")) as string;
    const other = await browser.tab("link");
    await other.goto(link);
    await until(other, "window.ansatz.state().scene === 'pendulum' && window.ansatz.state().settled");
    expect(await other.textContent(".cm-content")).toContain("steelblue");
  });

  test("nothing was complained of, and the manual is there", async () => {
    expect(browser.complaints).toEqual([]);
    const manual = await browser.tab("manual");
    await manual.goto(`${address}docs/index.html`);
    expect(await manual.title()).toContain("Ansatz");
  });
});
