// Export from the studio: each kind of file is what its ending says, of the scene as it is now.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violations } from "./axe";
import { goTo, keep, startStudio, until, write, example, type Studio } from "./studio";

let studio: Studio;
let page: Page;
beforeAll(async () => {
  studio = await startStudio();
  page = await studio.open("examples/pendulum.anz");
});
afterAll(() => studio?.close());

interface Gltf {
  accessors: { max?: number[]; count: number; bufferView: number; byteOffset?: number }[];
  bufferViews: { byteOffset?: number }[];
  animations: { channels: { sampler: number; target: { path: string } }[]; samplers: { input: number; output: number }[] }[];
}

/// Orders a file, and gives its bytes.
async function made(kind: string, fields: Record<string, string> = {}): Promise<{ bytes: Buffer; name: string }> {
  await page.click("#export");
  await page.selectOption("#film-kind", kind);
  for (const [field, value] of Object.entries(fields)) await page.fill(`#film-${field}`, value);
  const coming = page.waitForEvent("download");
  await page.click("#film-make");
  const file = await coming;
  const bytes = readFileSync((await file.path())!);
  await page.click("#film [aria-label=Close]");
  return { bytes, name: file.suggestedFilename() };
}

test("the dialog shows what a kind of file depends on, and nothing else", async () => {
  await goTo(page, 1);
  await page.fill("[aria-label='length, value']", "2");
  await page.press("[aria-label='length, value']", "Enter");
  await until(page, (ansatz) => ansatz.state().parameters.length === 2);
  await page.click("#export");
  const visible = (): Promise<string[]> => page.evaluate("[...document.querySelectorAll('#film .field')].filter((field) => field.checkVisibility()).map((field) => field.querySelector('select, input').id)") as Promise<string[]>;
  await page.selectOption("#film-kind", "glb");
  expect(await visible()).toEqual(["film-kind", "film-from", "film-to"]);
  await page.selectOption("#film-kind", "tex");
  expect(await visible()).toEqual(["film-kind"]);
  await page.selectOption("#film-kind", "mp4");
  expect(await visible()).toEqual(["film-kind", "film-size", "film-from", "film-to", "film-speed", "film-rate"]);
  expect(await violations(page)).toEqual([]);
  await page.selectOption("#film-kind", "glb");
  await keep(page, "export");
  await page.click("#film [aria-label=Close]");
});

test("motion is glTF, of the time that was asked for, with the slider's length", async () => {
  const { bytes, name } = await made("glb", { from: "0", to: "2" });
  expect(name).toBe("pendulum.glb");
  expect(bytes.subarray(0, 4).toString()).toBe("glTF");
  const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString()) as Gltf;
  const { channels, samplers } = json.animations[0]!;
  const times = json.accessors[samplers[0]!.input]!;
  expect(times.max![0]).toBeCloseTo(2, 5);
  expect(times.count).toBe(61);
  // What moves along an arc of two metres around the origin is the bob.
  const first = channels.filter(({ target }) => target.path === "translation").map(({ sampler }) => {
    const { bufferView, byteOffset } = json.accessors[samplers[sampler]!.output]!;
    const at = 20 + bytes.readUInt32LE(12) + 8 + (json.bufferViews[bufferView]!.byteOffset ?? 0) + (byteOffset ?? 0);
    return Math.hypot(...[0, 4, 8].map((offset) => bytes.readFloatLE(at + offset)));
  });
  expect(Math.max(...first)).toBeCloseTo(2, 5);
});

test("a drawing is SVG, a page runs by itself, plots are PDF, numbers Parquet", async () => {
  const drawing = await made("svg", { from: "0" });
  expect(drawing.bytes.toString()).toContain("<title>pendulum</title>");
  const html = await made("html");
  expect(html.name).toBe("pendulum.html");
  expect(html.bytes.toString().slice(0, 200)).toContain("<!doctype html>");
  const plots = await made("pdf", { to: "3" });
  expect(plots.bytes.subarray(0, 5).toString()).toBe("%PDF-");
  const poses = await made("mcap", { to: "1" });
  expect([poses.bytes.subarray(1, 5).toString(), poses.bytes.includes("foxglove.FrameTransforms")]).toEqual(["MCAP", true]);
  const numbers = await made("parquet", { to: "3" });
  expect([numbers.bytes.subarray(0, 4).toString(), numbers.bytes.subarray(-4).toString()]).toEqual(["PAR1", "PAR1"]);
});

test("numbers are CSV: all that is plotted, at all recorded times", async () => {
  const lines = (await made("csv")).bytes.toString().trim().split("\n");
  expect(lines[0]).toMatch(/^t \[s\],swing\.angle \[[^\]]+\],energy \[J\],/);
  expect(new Set(lines[0]!.split(",")).size, "no column comes twice").toBe(lines[0]!.split(",").length);
  expect(Number(lines[1]!.split(",")[0])).toBe(0);
  expect(Number(lines.at(-1)!.split(",")[0])).toBeCloseTo(1, 1);
});

test("equations are a document of LaTeX", async () => {
  const text = (await made("tex")).bytes.toString();
  expect(text).toContain("\\documentclass");
  expect(text).toContain("\\end{document}");
});

test("a text that is broken makes no file, and the dialog says why", async () => {
  await write(page, example("pendulum").replace("-length)", "-lenght)"));
  await until(page, (ansatz) => ansatz.state().errors > 0);
  await page.click("#export");
  await page.selectOption("#film-kind", "glb");
  await page.click("#film-make");
  await until(page, "document.querySelector('#film [role=status]').textContent.includes('No file was made')");
  expect(await page.textContent("#film [role=status]")).toContain("lenght");
  await keep(page, "export-refused");
  // Browsers write down what a server refuses.
  expect(studio.complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
});
