import { describe, expect, test } from "vitest";
import { aliases, idsOf, kin, lights, things } from "../../src/links";
import type { Scene } from "../../src/protocol";

const span = { line: 1, column: 1, endLine: 1, endColumn: 2 };
const unit = { text: "", scale: 1 };
const frame = (name: string, parent: string | null) => ({ id: `frame:${name}`, name, parent, body: true, at: 0, scaleAt: null, vectorsAt: null, span });
const coordinate = (name: string, of: string) => ({ id: `coordinate:${name}`, name, unit, role: "integrated" as const, frame: `frame:${of}`, at: 0, span });
const equation = (id: string, role: string, ...mentions: string[]) => ({ id, role, label: id, latex: "", mentions, span });

/// Two pendulums with a rod between their bobs.
const scene = {
  frames: [frame("swing1", null), frame("bob1", "frame:swing1"), frame("swing2", null), frame("bob2", "frame:swing2")],
  quantities: [coordinate("swing1.angle", "swing1"), coordinate("swing2.angle", "swing2")],
  shapes: [{ id: "shape:0", frame: "frame:bob1" }, { id: "shape:1", frame: "frame:bob2" }],
  parameters: [{ id: "parameter:rod" }],
  equations: {
    definitions: [],
    list: [
      equation("equation:0", "equations of motion", "coordinate:swing1.angle", "constraint:linked"),
      equation("equation:1", "constraints on positions", "constraint:linked", "coordinate:swing1.angle", "coordinate:swing2.angle", "parameter:rod"),
    ],
  },
  making: {
    classes: [{ name: "H2", meaning: "", members: ["constraint:linked"] }],
    systems: [{ id: "system:0", equations: ["linked"], unknowns: ["swing1.angle''"] }],
  },
} as unknown as Scene;

describe("one selection", () => {
  test("a body without coordinates of its own is the coordinates of what carries it", () => {
    expect([...aliases(scene, "frame:bob1")]).toEqual(["frame:bob1", "coordinate:swing1.angle"]);
    expect(aliases(scene, null).size).toBe(0);
  });

  test("lights up an equation that speaks of it, and no other", () => {
    const names = aliases(scene, "parameter:rod");
    expect(scene.equations.list.map(({ id, mentions }) => lights(names, id, mentions))).toEqual([false, true]);
  });

  test("a constraint lights up the bodies that it ties together", () => {
    const lit = kin(scene, "constraint:linked");
    expect(lit.has("frame:bob1") && lit.has("frame:bob2")).toBe(true);
  });

  test("a body lights up itself alone", () => {
    expect([...kin(scene, "frame:bob2")]).toEqual(["frame:bob2"]);
  });

  test("what a system calls its unknowns is found", () => {
    expect(idsOf(scene, "swing1.angle''")).toEqual(["coordinate:swing1.angle"]);
    expect(idsOf(scene, "linked.x")).toEqual(["constraint:linked"]);
    expect(idsOf(scene, "nothing")).toEqual([]);
  });

  test("the keyboard walks through everything once", () => {
    const all = things(scene);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(["frame:bob2", "constraint:linked", "coordinate:swing1.angle", "parameter:rod"]));
  });
});
