// The page that stands alone, as one file: `ansatz build --target html` fills a scene in.

import { defineConfig, type Plugin } from "vite";
import { licences } from "./licences.ts";
import { onlyWoff2 } from "./vite.config.ts";

/// Typefaces of KaTeX that no equation of ours is set in.
const UNUSED = /@font-face\s*\{[^}]*KaTeX_(?:AMS|Caligraphic|Fraktur|SansSerif|Script|Typewriter|Main-Bold|Main-Italic|Math-BoldItalic)[^}]*\}/g;

const fewFonts: Plugin = {
  name: "few-fonts",
  enforce: "pre",
  transform(code, id) {
    return id.includes("katex") && id.endsWith(".css") ? code.replace(UNUSED, "") : undefined;
  },
};

/// Puts the script and the style into the page.
const oneFile: Plugin = {
  name: "one-file",
  enforce: "post",
  generateBundle(_, bundle) {
    const page = Object.values(bundle).find((file) => file.type === "asset" && file.fileName.endsWith(".html"));
    if (page?.type !== "asset") throw new Error("there is no page to fill");
    let text = String(page.source);
    for (const file of Object.values(bundle)) {
      if (file === page) continue;
      const name = `[^"]*${file.fileName.replaceAll(".", "\\.")}"`;
      // A function: in a text, `$&` and the like would mean something.
      if (file.type === "chunk") text = replaced(text, new RegExp(`<script[^>]*src="${name}[^>]*></script>`), `<script type="module">${file.code.replaceAll("</script", "<\\/script")}</script>`);
      else text = replaced(text, new RegExp(`<link[^>]*href="${name}[^>]*>`), `<style>${String(file.source)}</style>`);
      delete bundle[file.fileName];
    }
    page.source = text;
  },
};

/// As a comment behind everything else: whoever has the page has them.
const licencesAtTheEnd = licences((text, bundle) => {
  const page = Object.values(bundle).find((file) => file.type === "asset" && file.fileName.endsWith(".html"));
  if (page?.type === "asset") page.source = `${String(page.source).trimEnd()}\n<!--\n${text.replaceAll("--", "- -")}-->\n`;
});

function replaced(text: string, tag: RegExp, by: string): string {
  if (!tag.test(text)) throw new Error(`the page does not have ${tag}`);
  return text.replace(tag, () => by);
}

export default defineConfig({
  base: "./",
  plugins: [onlyWoff2, fewFonts, oneFile, licencesAtTheEnd],
  publicDir: false,
  // Not a module: a page that came from a file may not start one.
  worker: { format: "iife" },
  build: {
    outDir: "dist-alone",
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
    rollupOptions: { input: "alone.html", output: { codeSplitting: false } },
  },
});
