import { describe, expect, test } from "vitest";
import { createRecording } from "../../src/recording";

const row = (t: number, ...rest: number[]): Float64Array => Float64Array.from([t, ...rest]);

describe("what the page remembers of a run", () => {
  test("rows appended are found again by column", () => {
    const recording = createRecording();
    recording.clear(0);
    expect(recording.follow([1, 2])).toEqual([]);
    for (let index = 0; index < 3000; index++) recording.append(row(index / 60, index, -index));
    expect(recording.times().length).toBe(3000);
    expect(recording.column(1)[2999]).toBe(2999);
    expect(recording.column(2)[1500]).toBe(-1500);
    expect(recording.until(1)).toBe(61);
  });

  test("a column followed later has gaps until its past is recalled", () => {
    const recording = createRecording();
    recording.clear(0);
    [0, 1, 2].forEach((t) => recording.append(row(t, 10 * t)));
    expect(recording.follow([1])).toEqual([1]);
    expect([...recording.column(1)]).toEqual([NaN, NaN, NaN]);
    recording.append(row(3, 30));
    recording.recall([1], [row(0, 0), row(1, 10), row(2, 20)]);
    expect([...recording.column(1)]).toEqual([0, 10, 20, 30]);
  });

  test("what lies after a cut is forgotten, and time may be recorded anew", () => {
    const recording = createRecording();
    recording.clear(0);
    recording.follow([1]);
    [0, 1, 2, 3].forEach((t) => recording.append(row(t, t)));
    recording.cut(1.5);
    expect([...recording.times()]).toEqual([0, 1]);
    recording.append(row(1, 100));
    expect([...recording.times()]).toEqual([0, 1]);
    expect([...recording.column(1)]).toEqual([0, 100]);
  });
});
