// What is not a simple shape: meshes from glTF files, surfaces, and figures that are turned.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, keep, program, startStudio, until, write, type Studio } from "./studio";

let studio: Studio;
let page: Page;

/// A pyramid 2 m wide in x and y and 3 m high, with its four sides.
const POINTS = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [0, 0, 3]];
const SIDES = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];

/// A binary glTF file, as its specification says: a header, a chunk of JSON, a chunk of numbers.
function glb(points: number[][], triangles: number[][]): Buffer {
  const places = Buffer.from(Float32Array.from(points.flat()).buffer);
  const corners = Buffer.from(Uint16Array.from(triangles.flat()).buffer);
  const numbers = Buffer.concat([places, corners]);
  const ends = (pick: (...numbers: number[]) => number): number[] => [0, 1, 2].map((axis) => pick(...points.map((point) => point[axis]!)));
  const description = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    buffers: [{ byteLength: numbers.length }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: places.length }, { buffer: 0, byteOffset: places.length, byteLength: corners.length }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: points.length, type: "VEC3", min: ends(Math.min), max: ends(Math.max) },
      { bufferView: 1, componentType: 5123, count: 3 * triangles.length, type: "SCALAR" },
    ],
  };
  const chunk = (kind: string, content: Buffer, filler: string): Buffer => {
    const whole = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4, filler)]);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(whole.length, 0);
    head.write(kind, 4, "latin1");
    return Buffer.concat([head, whole]);
  };
  const body = Buffer.concat([chunk("JSON", Buffer.from(JSON.stringify(description)), " "), chunk("BIN\0", numbers, "\0")]);
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}

const SCENE = `
scene tower
param r = 2 [m]
surface dome in swing: x^2 + y^2 + z^2 == r^2
show surface(dome, size: 7 [m]) color "gold" opacity 0.6
gravity 9.81 [m/s^2]
frame swing in world { rotation = about x free }
body bob in swing { position = (0, 0, -6) [m]; mass = 1 [kg] }
initially swing.angle == 10 [deg]
initially der(swing.angle) == 0 [rad/s]
show mesh "tower.glb"
show mesh(0.5) "tower.glb" at (8, 0, 0) [m]
show box(1 [m], 2 [m], 3 [m]) at (0, 8, 0) [m] turned quaternion(sqrt(0.5), sqrt(0.5), 0, 0)
`;
const MISSING = `show mesh "nowhere.glb"\n`;

beforeAll(async () => {
  studio = await startStudio();
  mkdirSync(join(studio.folder, "town"));
  writeFileSync(join(studio.folder, "town/tower.glb"), glb(POINTS, SIDES));
  writeFileSync(join(studio.folder, "town/tower.anz"), SCENE + MISSING);
  writeFileSync(join(studio.folder, "town/alone.anz"), SCENE);
  page = await studio.open("town/tower.anz");
});
afterAll(() => studio?.close());

describe("what comes from a file", () => {
  test("is drawn in its own size, beside the scene that names it", async () => {
    await until(page, "window.ansatz.drawn()['shape:0'].triangles > 0 && window.ansatz.drawn()['shape:1'].triangles > 0");
    const drawn = await ask(page, (ansatz) => ansatz.drawn());
    expect(drawn["shape:0"]).toEqual({ triangles: 4, size: [2, 2, 3] });
    expect(drawn["shape:1"]).toEqual({ triangles: 4, size: [1, 1, 1.5] });
    await keep(page, "mesh");
  });

  test("is missed in words if it is not there", async () => {
    await page.waitForSelector(".toast:not([hidden]):has-text('nowhere.glb')");
  });
});

/// A ball of the radius r, as far as a grid of 32 cells can tell.
function expectBall(size: number[], r: number): void {
  for (const across of size) expect(Math.abs(across - 2 * r)).toBeLessThan(0.02);
}

test("a surface is drawn as large as it is, and changes with its parameters", async () => {
  // It is made anew with each text and each parameter, so there may be moments without it.
  const isBall = (r: number): Promise<void> =>
    until(page, `window.ansatz.drawn()["surface:0"]?.size.every((across) => Math.abs(across - ${2 * r}) < 0.02)`);
  await page.click("[aria-label=Pause]");
  await isBall(2);
  await page.fill("[aria-label='r, value']", "3");
  await page.press("[aria-label='r, value']", "Enter");
  await isBall(3);
  await keep(page, "surface");
  await write(page, SCENE.replace("== r^2", "== (r / 2)^2"));
  await isBall(1.5);
});

test("a page that stands alone has all of it inside", async () => {
  const built = spawnSync(program(), ["build", "town/alone.anz", "--target", "html", "-o", "page"], { encoding: "utf8", cwd: studio.folder });
  expect(built.status, built.stderr).toBe(0);
  const alone = await studio.context.newPage();
  await alone.goto(pathToFileURL(join(studio.folder, "page/tower.html")).href);
  await until(alone, "window.ansatz.state().t > 0 && window.ansatz.drawn()['shape:1'].triangles > 0");
  const drawn = await ask(alone, (ansatz) => ansatz.drawn());
  expect(drawn["shape:0"]!.size).toEqual([2, 2, 3]);
  expectBall(drawn["surface:0"]!.size, 2);
  await keep(alone, "alone/tower");
  await alone.close();
  const without = spawnSync(program(), ["build", "town/tower.anz", "--target", "html"], { encoding: "utf8", cwd: studio.folder });
  expect(without.status).not.toBe(0);
  expect(without.stderr).toContain("nowhere.glb");
});

test("a box that is turned about x has its height where its depth was", async () => {
  const { size } = (await ask(page, (ansatz) => ansatz.drawn()))["shape:2"]!;
  [1, 3, 2].forEach((edge, axis) => expect(size[axis]).toBeCloseTo(edge, 6));
});
