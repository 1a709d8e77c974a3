// What axe finds on a page: who cannot see, point or hear should be able to use it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate("Boolean(window.axe)"))) await page.evaluate(axe);
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ["violations"] })`)) as Found;
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")}`);
}
