import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the same build is served by the studio and read from a folder.
  base: "./",
  build: {
    target: "es2022",
    // A data: address would be refused by the content security policy for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    modulePreload: { polyfill: false },
  },
});
