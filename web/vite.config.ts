import { defineConfig, type Plugin } from "vite";
import { licences } from "./licences.ts";

/// Every browser of this decade reads woff2; the other two formats of KaTeX's fonts would triple what is embedded.
export const onlyWoff2: Plugin = {
  name: "only-woff2",
  enforce: "pre",
  transform(code, id) {
    return id.includes("katex") && id.endsWith(".css") ? code.replace(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("[^"]*"\)/g, "") : undefined;
  },
};

export default defineConfig({
  // Relative addresses: the same build is served by the studio and read from a folder.
  base: "./",
  plugins: [onlyWoff2, licences((text, _, emit) => emit("licences.txt", text))],
  build: {
    target: "es2022",
    // A data: address would be refused by the content security policy.
    assetsInlineLimit: 0,
    // It is read from this machine: one large file is faster than many small ones.
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
  },
});
