import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    // One browser at a time: two with software WebGL only slow each other down.
    fileParallelism: false,
    // A browser that shares two cores with everything else may miss a moment; what is wrong fails twice.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
