// New statements stand where a person would write them, and never inside of others.

import { expect, test } from "vitest";
import { placeFor, type Lines } from "../../src/editor/statements";

function doc(text: string): Lines {
  const all = text.split("\n");
  const starts = all.map((_, index) => all.slice(0, index).join("\n").length + (index > 0 ? 1 : 0));
  return { lines: all.length, line: (number) => ({ text: all[number - 1]!, from: starts[number - 1]!, to: starts[number - 1]! + all[number - 1]!.length }) };
}

function put(text: string, statement: string): string {
  const { at, empty } = placeFor(doc(text), statement);
  return text.slice(0, at) + (empty ? `${statement}\n` : `\n${statement}`) + text.slice(at);
}

const TEXT = `// A comment { with a brace
scene s

gravity 9.81 [m/s^2]

body a {
  position = (0, 0, free) // }
  mass = 1 [kg]
}
for i in 1..3 {
  body b[i] { mass = 1 [kg] }
}

initially a.position.z == 1 [m]
  // goes on
plot a.position,
  a.velocity
`;

test("behind the last statement of the same word, with all of its lines", () => {
  expect(put(TEXT, "body c { }")).toContain("  mass = 1 [kg]\n}\nbody c { }\nfor i");
  expect(put(TEXT, "plot c.x")).toContain("  a.velocity\nplot c.x\n");
  expect(put(TEXT, "initially c.x == 1")).toContain("== 1 [m]\ninitially c.x == 1\n");
});

test("where there is none of its kind, behind what is written before it", () => {
  expect(put(TEXT, "use mechanics")).toContain("scene s\nuse mechanics\n");
  expect(put(TEXT, "surface floor: z == 0")).toContain("gravity 9.81 [m/s^2]\nsurface floor: z == 0\n");
  expect(put(TEXT, "force on a = (0, 0, 1) [N]")).toContain("  mass = 1 [kg]\n}\nforce on a");
  expect(put(TEXT, "show sphere(1 [m]) on a")).toContain("[m]\nshow sphere");
});

test("in an empty text it is the first", () => expect(put("", "scene s")).toBe("scene s\n"));
