// Makes sure that a Chromium is there for the browser tests: the one on the PATH, or Debian's.

import { execFileSync, spawnSync } from "node:child_process";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The first Chromium on the PATH, or the one that ANSATZ_CHROMIUM names. */
export function chromium() {
  if (process.env.ANSATZ_CHROMIUM) return process.env.ANSATZ_CHROMIUM;
  return NAMES.map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim()).find(Boolean) ?? null;
}

function has(command) {
  return spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
}

function install() {
  const root = process.getuid?.() === 0;
  if (!has("apt-get") || !(root || has("sudo"))) {
    console.error("The browser tests need Chromium, and there is none on the PATH. Install it (Debian: apt-get install chromium), or name one in ANSATZ_CHROMIUM.");
    process.exit(1);
  }
  const run = (...words) => execFileSync(root ? words[0] : "sudo", root ? words.slice(1) : words, { stdio: "inherit" });
  console.log("Chromium is not there; installing it.");
  const env = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"];
  try {
    run(...env, "install", "--yes", "--no-install-recommends", "chromium");
  } catch {
    run(...env, "update");
    run(...env, "install", "--yes", "--no-install-recommends", "chromium");
  }
}

if (import.meta.filename === process.argv[1] && !chromium()) install();
