// What others wrote and the pages contain, with the terms on which it may be given on.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

interface Package {
  name: string;
  version: string;
  text: string;
}

/// Typefaces by the names that styles have for them.
const FACES = { "Inter Variable": "@fontsource-variable/inter", "JetBrains Mono Variable": "@fontsource-variable/jetbrains-mono" };

/// The package that a module belongs to, if it is not ours.
function packageOf(id: string): Package | null {
  if (!id.includes("node_modules")) return null;
  for (let folder = dirname(id.replace(/^\0/, "").replace(/\?.*$/, "")); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    const about = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { name?: string; version?: string; license?: string }) : {};
    // Folders inside of a package may have such a file, too, without a version.
    if (!about.name || !about.version) continue;
    const terms = readdirSync(folder).find((name) => /^licen[sc]e/i.test(name));
    if (!terms && !about.license) throw new Error(`${about.name} says nothing about its licence`);
    return { name: about.name, version: about.version, text: terms ? readFileSync(join(folder, terms), "utf8") : `Licence: ${about.license}\n` };
  }
  return null;
}

/// Collects the licences of all that was bundled; `place` puts the text where the page has it.
export function licences(place: (text: string, bundle: Parameters<Extract<Plugin["generateBundle"], (...all: never[]) => unknown>>[1], emit: (name: string, text: string) => void) => void): Plugin {
  const found = new Map<string, Package>();
  return {
    name: "licences",
    enforce: "post",
    transform(_, id) {
      const one = packageOf(id);
      if (one) found.set(one.name, one);
    },
    generateBundle(_, bundle) {
      // Typefaces are read by styles, not by modules.
      const styles = Object.values(bundle).map((file) => (file.type === "asset" ? String(file.source) : ""));
      for (const [face, name] of Object.entries(FACES)) {
        const one = styles.some((text) => text.includes(face)) ? packageOf(join(import.meta.dirname, "node_modules", name, "index.css")) : null;
        if (one) found.set(one.name, one);
      }
      const all = [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
      if (!all.length) throw new Error("no package was bundled, which cannot be");
      const text = all.map(({ name, version, text }) => `${name} ${version}\n\n${text.trim()}\n`).join(`\n${"-".repeat(80)}\n\n`);
      place(`This page contains the work of others:\n\n${text}`, bundle, (fileName, source) => this.emitFile({ type: "asset", fileName, source }));
    },
  };
}
