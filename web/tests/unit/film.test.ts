// What films are written as: read back byte by byte.

import { describe, expect, test } from "vitest";
import { compress } from "../../src/film/gif";
import { mp4 } from "../../src/film/mp4";
import type { Track } from "../../src/film/video";
import { webm } from "../../src/film/webm";

/// As the specification of GIF says; written without a look at the writer.
function expand(data: Uint8Array): number[] {
  let [at, width] = [0, 9];
  const read = (): number => {
    let code = 0;
    for (let bit = 0; bit < width; bit++, at++) code |= ((data[at >> 3]! >> (at & 7)) & 1) << bit;
    return code;
  };
  let table: number[][] = [];
  const clear = (): void => {
    table = Array.from({ length: 256 }, (_, colour) => [colour]);
    table.push([], []);
    width = 9;
  };
  clear();
  const out: number[] = [];
  let last: number[] | null = null;
  for (;;) {
    const code = read();
    if (code === 257) return out;
    if (code === 256) {
      clear();
      last = null;
      continue;
    }
    const entry: number[] = code < table.length ? table[code]! : [...last!, last![0]!];
    out.push(...entry);
    if (last && table.length < 4096) {
      table.push([...last, entry[0]!]);
      if (table.length === 1 << width && width < 12) width++;
    }
    last = entry;
  }
}

describe("pixels of a GIF", () => {
  test.each([1, 2, 300, 70_000])("of %d pixels come back", (length) => {
    let seed = 7;
    const next = (): number => (seed = (seed * 1103515245 + 12345) % 2147483648) >> 16;
    for (const colours of [1, 2, 7, 256]) {
      const pixels = Uint8Array.from({ length }, () => next() % colours);
      expect(expand(compress(pixels))).toEqual([...pixels]);
    }
  });
  test("of every short length come back, so that no width of codes is wrong at the end", () => {
    for (let length = 1; length < 1200; length += 1) {
      const pixels = Uint8Array.from({ length }, (_, at) => (at * at) % 251);
      expect(expand(compress(pixels)), String(length)).toEqual([...pixels]);
    }
  });
});

const track: Track = {
  codec: "vp9",
  width: 64,
  height: 32,
  rate: 30,
  pictures: Array.from({ length: 7 }, (_, at) => ({ data: Uint8Array.from({ length: 10 + at }, () => at), key: at % 3 === 0 })),
  setup: new Uint8Array(0),
};

async function bytes(file: Blob): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.arrayBuffer());
}

test("an MP4 says where each picture is", async () => {
  const view = await bytes(mp4(track));
  const text = new TextDecoder("latin1").decode(view.buffer);
  // Boxes on the outside fill the file.
  let at = 0;
  const names = [];
  while (at < view.byteLength) {
    names.push(text.slice(at + 4, at + 8));
    at += view.getUint32(at);
  }
  expect([names, at]).toEqual([["ftyp", "moov", "mdat"], view.byteLength]);
  const first = view.getUint32(text.indexOf("stco") + 12);
  const sizes = text.indexOf("stsz") + 12;
  expect(view.getUint32(sizes)).toBe(7);
  let place = first;
  for (let picture = 0; picture < 7; picture++) {
    const size = view.getUint32(sizes + 4 + 4 * picture);
    expect(size).toBe(10 + picture);
    expect(view.getUint8(place)).toBe(picture);
    expect(view.getUint8(place + size - 1)).toBe(picture);
    place += size;
  }
  expect(place).toBe(view.byteLength);
  const times = text.indexOf("stts") + 12;
  const scale = view.getUint32(text.indexOf("mdhd") + 16);
  expect([view.getUint32(times), view.getUint32(times + 4) / scale]).toEqual([7, 1 / 30]);
  const keys = text.indexOf("stss") + 8;
  expect([0, 4, 8, 12].map((offset) => view.getUint32(keys + offset))).toEqual([3, 1, 4, 7]);
});

test("a WebM has a cluster for each picture that stands by itself, where its index says", async () => {
  const view = await bytes(webm(track));
  interface Element {
    name: number;
    begin: number;
    end: number;
  }
  const read = (begin: number, end: number): Element[] => {
    const list: Element[] = [];
    for (let at = begin; at < end; ) {
      const width = Math.clz32(view.getUint8(at)) - 23;
      let name = 0;
      for (let byte = 0; byte < width; byte++) name = name * 256 + view.getUint8(at + byte);
      const length = Number(view.getBigUint64(at + width) & 0xffffffffffffffn);
      list.push({ name, begin: at + width + 8, end: at + width + 8 + length });
      at += width + 8 + length;
    }
    expect(list.at(-1)?.end).toBe(end);
    return list;
  };
  const [head, segment] = read(0, view.byteLength);
  expect([head!.name, segment!.name]).toEqual([0x1a45dfa3, 0x18538067]);
  const parts = read(segment!.begin, segment!.end);
  const clusters = parts.filter(({ name }) => name === 0x1f43b675);
  const times = clusters.flatMap((cluster) => {
    const [start, ...blocks] = read(cluster.begin, cluster.end);
    let base = 0;
    for (let at = start!.begin; at < start!.end; at++) base = base * 256 + view.getUint8(at);
    expect(view.getUint8(blocks[0]!.begin + 3), "begins with one that stands by itself").toBe(0x80);
    return blocks.map((block) => base + view.getInt16(block.begin + 1));
  });
  expect(times).toEqual([0, 33, 67, 100, 133, 167, 200]);
  const cues = parts.find(({ name }) => name === 0x1c53bb6b)!;
  const places = read(cues.begin, cues.end).map((cue) => {
    const [, position] = read(cue.begin, cue.end);
    const [, place] = read(position!.begin, position!.end);
    let value = 0;
    for (let at = place!.begin; at < place!.end; at++) value = value * 256 + view.getUint8(at);
    return segment!.begin + value;
  });
  // The name and the length of a cluster stand before its content.
  expect(places).toEqual(clusters.map(({ begin }) => begin - 12));
});
