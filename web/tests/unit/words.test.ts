import { Text } from "@codemirror/state";
import { ChangeSet } from "@codemirror/state";
import { describe, expect, test } from "vitest";
import { createPlaces, rangeIn } from "../../src/editor/places";
import { pretty, readNumber, show, steady, withUnit, written } from "../../src/number";
import { labels, widen } from "../../src/panels/axis";
import { readBatch } from "../../src/source";

describe("numbers as people read them", () => {
  test("are short and have a real minus sign", () => {
    expect(show(0)).toBe("0");
    expect(show(-4.90512345)).toBe("−4.905");
    expect(show(1e-12)).toBe("1e−12");
    expect(show(2.5e7)).toBe("2.5e7");
    expect(show(NaN)).toBe("–");
    expect(steady(-0.5)).toBe("−0.500");
    expect(steady(123.456)).toBe("123.5");
  });

  test("are shown in their unit", () => {
    expect(withUnit(Math.PI / 3, { text: "deg", scale: Math.PI / 180 })).toBe("60 °");
    expect(pretty("kg*m^2/s^-2")).toBe("kg·m²/s⁻²");
  });

  test("are read back from what was typed", () => {
    expect(readNumber(" 1,5 ")).toBe(1.5);
    expect(readNumber("−2e3")).toBe(-2000);
    expect(readNumber("")).toBeNull();
    expect(readNumber("fast")).toBeNull();
    // The angle of 60 degrees comes back from radians without dust.
    expect(written(((60 * Math.PI) / 180 / Math.PI) * 180)).toBe("60");
  });
});

describe("places in a text that changes", () => {
  const text = Text.of(["scene a", "body θ {}", ""]);

  test("are lines and columns of UTF-16 units, from 1", () => {
    expect(rangeIn(text, { line: 2, column: 6, endLine: 2, endColumn: 7 })).toEqual({ from: 13, to: 14 });
    expect(rangeIn(text, { line: 9, column: 1, endLine: 9, endColumn: 5 })).toEqual({ from: text.length, to: text.length });
  });

  test("move with what is typed before them", () => {
    const places = createPlaces();
    places.sent(1, text);
    places.changed(ChangeSet.of({ from: 0, insert: "// note\n" }, text.length));
    places.changed(ChangeSet.of({ from: 0, to: 3, insert: "" }, text.length + 8));
    expect(places.range({ line: 2, column: 6, endLine: 2, endColumn: 7 }, 1)).toEqual({ from: 18, to: 19 });
    places.forget(2);
    expect(places.range({ line: 1, column: 1, endLine: 1, endColumn: 2 }, 1)).toBeNull();
  });
});

describe("a binary message", () => {
  test("is a header and rows", () => {
    const batch = readBatch(Float64Array.from([0, 7, 2, 0, 1, 0.5, 2]).buffer);
    expect(batch).toMatchObject({ kind: 0, number: 7 });
    expect(batch!.rows.map((row) => [...row])).toEqual([[0, 1], [0.5, 2]]);
  });

  test("that does not add up is refused", () => {
    expect(readBatch(Float64Array.from([0, 7, 2, 1]).buffer)).toBeNull();
    expect(readBatch(new ArrayBuffer(12))).toBeNull();
    expect(readBatch(Float64Array.from([0, 7, 0]).buffer)).toBeNull();
  });
});

describe("the axes of a chart", () => {
  test("tell one tick from the next", () => {
    expect(labels([368.235, 368.24, 368.245])).toEqual(["368.235", "368.24", "368.245"]);
    expect(labels([-0.2, 0, 0.2])).toEqual(["−0.2", "0", "0.2"]);
    expect(labels([0, 5000, 10000])).toEqual(["0", "5000", "10000"]);
  });

  test("show a constant as constant", () => {
    const [low, high] = widen(-4.905, -4.905 + 1e-9);
    expect(high - low).toBeGreaterThan(0.5);
    expect(widen(null, null)).toEqual([-1, 1]);
  });
});
