// Other browsers' engines: Firefox, and WebKit as GTK has it. Each opens a page that drives the page under test and tells this server what it saw, so
// nothing but the browser itself is needed. Where one is not installed, a line says so.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { headless, program, ROOT } from "./studio";

interface Engine {
  name: string;
  /// The programs that it needs, the first of which is started.
  command(folder: string, address: string): string[];
}

const found = (places: string[]): string | null => places.find((place) => existsSync(place)) ?? null;
const firefox = found(["/usr/bin/firefox-esr", "/usr/bin/firefox"]);
const webkit = found(["/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser", "/usr/lib/webkit2gtk-4.1/MiniBrowser"]);
const display = found(["/usr/bin/xvfb-run"]);

/// Without graphics hardware Firefox draws only if it is told to.
const PREFERENCES = ["webgl.force-enabled", "gfx.webrender.software"].map((name) => `user_pref("${name}", true);\n`).join("");

const ENGINES: Record<string, Engine | null> = {
  Firefox: firefox && display ? { name: "Firefox", command: (folder, address) => [display, "-a", firefox, "--no-remote", "--profile", folder, address] } : null,
  WebKit: webkit && display ? { name: "WebKit", command: (_, address) => [display, "-a", webkit, "--private", "--geometry=1200x800", address] } : null,
};
for (const [name, engine] of Object.entries(ENGINES)) if (!engine) console.log(`skipped: ${name}, since it or xvfb-run is not installed here`);

/// A user who is root has no sandbox, and a system without a language none that plots could be written in.
const ENVIRONMENT = { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", MOZ_DISABLE_AUTO_SAFE_MODE: "1", LANG: "en_US.UTF-8", LANGUAGE: "en_US" };

/// What a page of ours says of itself in another engine.
interface Report {
  t: number;
  position: number[];
  drawn: number;
  complaints: string[];
}

/// In the browser: lets the scene run, then begins anew and goes to one second exactly.
const DRIVER = `
const frame = document.querySelector("iframe");
const complaints = [];
const tell = (report) => fetch("/report", { method: "POST", body: JSON.stringify({ complaints, ...report }) });
const wait = async (holds) => { while (!holds()) await new Promise((answer) => setTimeout(answer, 50)); };
const hook = () => frame.contentWindow.ansatz;
(async () => {
  await wait(() => hook()?.state().t > 0.2);
  frame.contentWindow.addEventListener("error", (event) => complaints.push(event.message));
  const press = (label) => frame.contentDocument.querySelector('[aria-label="' + label + '"]').click();
  press("Pause");
  await wait(() => hook().state().settled);
  press("Reset to the start");
  await wait(() => hook().state().settled && hook().state().t === 0);
  const time = frame.contentDocument.getElementById("time");
  time.focus();
  time.value = "1";
  time.dispatchEvent(new frame.contentWindow.KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  await wait(() => hook().state().settled && hook().state().t === 1);
  await tell({ t: hook().state().t, position: hook().poses()[BODY].position, drawn: hook().pixels().different });
})().catch((problem) => tell({ complaints: [String(problem)] }));
`;

const folder = mkdtempSync(join(tmpdir(), "ansatz-engines-"));
let server: Server;
let address: string;
let heard: (report: Report) => void = () => {};

beforeAll(async () => {
  expect(spawnSync(program(), ["build", join(ROOT, "examples/double_pendulum.anz"), "--target", "html", "-o", join(folder, "alone")], { encoding: "utf8" }).status).toBe(0);
  const playground = spawnSync(program(), ["playground", "-o", join(folder, "playground")], { encoding: "utf8" });
  if (playground.status !== 0) console.log("skipped: the playground in other engines, since the program was built without the compiler for browsers (make playground)");
  server = createServer((request, response) => {
    const url = new URL(request.url!, "http://here");
    if (request.method === "POST") {
      let text = "";
      request.on("data", (piece) => (text += piece)).on("end", () => {
        heard(JSON.parse(text) as Report);
        response.end();
      });
      return;
    }
    if (url.pathname === "/drive") {
      response.writeHead(200, { "Content-Type": "text/html" });
      const page = url.searchParams.get("page")!.replaceAll('"', "&quot;");
      return void response.end(`<!doctype html><iframe src="${page}" style="width:1100px;height:700px"></iframe><script type="module">const BODY = "bob2";${DRIVER}</script>`);
    }
    const path = join(folder, normalize(url.pathname).replace(/\/$/, "/index.html"));
    if (!existsSync(path) || statSync(path).isDirectory()) return void response.writeHead(404).end();
    const kind = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", svg: "image/svg+xml", json: "application/json" }[path.split(".").at(-1)!] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": kind });
    createReadStream(path).pipe(response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/// Opens a page in an engine and waits for what it tells.
async function drive(engine: Engine, page: string): Promise<Report> {
  const profile = join(folder, `profile-${engine.name}`);
  mkdirSync(profile, { recursive: true });
  writeFileSync(join(profile, "user.js"), PREFERENCES);
  const [command, ...words] = engine.command(profile, `${address}/drive?page=${encodeURIComponent(page)}`);
  // A group of its own, so that all of it can be ended.
  const browser: ChildProcess = spawn(command!, words, { stdio: "ignore", detached: true, env: { ...process.env, ...ENVIRONMENT } });
  try {
    return await new Promise<Report>((answer, refuse) => {
      heard = answer;
      setTimeout(() => refuse(new Error(`${engine.name} said nothing of ${page}`)), 90_000);
    });
  } finally {
    try {
      process.kill(-browser.pid!);
    } catch {
      // It has ended by itself.
    }
  }
}

/// Where the second bob is after a second, as the command line has it; a page ends steps at its pictures, so the last digits differ.
function expected(): number[] {
  const columns = headless("examples/double_pendulum.anz", "bob2.position", "--until", "1", "--every", "1");
  return ["x", "y", "z"].map((axis) => Object.entries(columns).find(([name]) => name.startsWith(`bob2.position.${axis}`))![1].at(-1)!);
}

describe.each(Object.entries(ENGINES))("%s", (_, engine) => {
  test.skipIf(!engine)("runs an exported page as the command line does, and draws it", async () => {
    const { t, position, drawn, complaints } = await drive(engine!, "/alone/double_pendulum.html");
    expect({ t, complaints }).toEqual({ t: 1, complaints: [] });
    expected().forEach((value, axis) => expect(position[axis]).toBeCloseTo(value, 9));
    expect(drawn).toBeGreaterThan(100);
  });

  test.skipIf(!engine)("compiles and runs a scene in the playground", async ({ skip }) => {
    if (!existsSync(join(folder, "playground/index.html"))) return skip();
    const { t, position, drawn, complaints } = await drive(engine!, "/playground/?open=examples/double_pendulum.anz");
    expect({ t, complaints }).toEqual({ t: 1, complaints: [] });
    expected().forEach((value, axis) => expect(position[axis]).toBeCloseTo(value, 9));
    expect(drawn).toBeGreaterThan(100);
  });
});
