// Moving pictures as GIF 89a: at most 255 colours in each, chosen for it, and one that leaves what was there before. Only the part that
// changed is written.

import type { Writer } from "./film";

/// Players show anything shorter than this, in hundredths of a second, far more slowly.
const SHORTEST = 2;
export const MOST_GIF_PICTURES = 100 / SHORTEST;

const COLOURS = 256;
/// The colour that shows what was there before.
const CLEAR = 255;
/// Colours are told apart by so many bits of each part.
const BITS = 5;
const BINS = 1 << (3 * BITS);

export function createGif({ width, height, rate }: { width: number; height: number; rate: number }): Writer {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let before: Uint8Array | null = null;
  let count = 0;
  // GIF89a; the size; no table for all; then the word that makes it go on for ever.
  parts.push(bytes(...ascii("GIF89a"), ...word(width), ...word(height), 0x70, 0, 0));
  parts.push(bytes(0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, ...word(0), 0));

  return {
    note: "",
    async add(picture) {
      const { data } = picture.getContext("2d")!.getImageData(0, 0, width, height);
      // Rounded sums, so that no rounding adds up.
      const delay = Math.round(((count + 1) * 100) / rate) - Math.round((count * 100) / rate);
      count++;
      const colours = new Uint8Array(3 * width * height);
      for (let at = 0, from = 0; at < colours.length; at += 3, from += 4) colours.set(data.subarray(from, from + 3), at);
      parts.push(frame(colours, before, width, height, delay));
      before = colours;
    },
    finish: async () => new Blob([...parts, bytes(0x3b)], { type: "image/gif" }),
  };
}

/// One picture: how long it stays, where it is, its colours, its pixels.
function frame(now: Uint8Array, before: Uint8Array | null, width: number, height: number, delay: number): Uint8Array<ArrayBuffer> {
  const { left, top, right, bottom } = changed(now, before, width, height);
  const [w, t] = [right - left, bottom - top];
  const bins: Bins = { pixels: new Uint32Array(BINS), sums: new Float64Array(3 * BINS) };
  const same = (at: number): boolean => before !== null && now[at] === before[at] && now[at + 1] === before[at + 1] && now[at + 2] === before[at + 2];
  const each = (see: (at: number, pixel: number) => void): void => {
    for (let y = 0; y < t; y++) for (let x = 0; x < w; x++) see(3 * ((top + y) * width + left + x), y * w + x);
  };
  each((at) => same(at) || count(bins, now, at));
  const { table, place } = palette(bins);
  const pixels = new Uint8Array(w * t);
  each((at, pixel) => (pixels[pixel] = same(at) ? CLEAR : place[bin(now, at)]!));
  // 5: keep what is there, and one colour is clear. 0x87: a table of its own, of 256 colours.
  const head = bytes(0x21, 0xf9, 4, 5, ...word(delay), CLEAR, 0, 0x2c, ...word(left), ...word(top), ...word(w), ...word(t), 0x87);
  return joined([head, table, blocks(compress(pixels))]);
}

function changed(now: Uint8Array, before: Uint8Array | null, width: number, height: number): { left: number; top: number; right: number; bottom: number } {
  if (!before) return { left: 0, top: 0, right: width, bottom: height };
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < now.length; at++) {
    if (now[at] === before[at]) continue;
    const pixel = Math.floor(at / 3);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  // A picture has a pixel at least.
  return right > left ? { left, top, right, bottom } : { left: 0, top: 0, right: 1, bottom: 1 };
}

function bin(colours: Uint8Array, at: number): number {
  const part = (value: number): number => value >> (8 - BITS);
  return (part(colours[at]!) << (2 * BITS)) | (part(colours[at + 1]!) << BITS) | part(colours[at + 2]!);
}

/// How many pixels each bin of colours has, and the sums of their parts.
interface Bins {
  pixels: Uint32Array;
  sums: Float64Array;
}

function count({ pixels, sums }: Bins, colours: Uint8Array, at: number): void {
  const index = bin(colours, at);
  pixels[index]!++;
  for (const part of [0, 1, 2]) sums[3 * index + part]! += colours[at + part]!;
}

/// Median cut: the box of colours with the most pixels times its longest side is halved, until there are enough boxes.
function palette({ pixels: bins, sums }: Bins): { table: Uint8Array<ArrayBuffer>; place: Uint8Array } {
  const side = 1 << BITS;
  const parts = (index: number): number[] => [index >> (2 * BITS), (index >> BITS) & (side - 1), index & (side - 1)];
  const measured = (list: number[]) => {
    const spans = [0, 1, 2].map((axis) => list.reduce(([low, high], index) => [Math.min(low!, parts(index)[axis]!), Math.max(high!, parts(index)[axis]!)], [side, 0]));
    const lengths = spans.map(([low, high]) => high! - low!);
    const axis = lengths.indexOf(Math.max(...lengths));
    const pixels = list.reduce((sum, index) => sum + bins[index]!, 0);
    return { list, axis, pixels, worth: lengths[axis]! * Math.sqrt(pixels) };
  };
  const boxes = [measured([...bins.keys()].filter((index) => bins[index]! > 0))];
  while (boxes.length < COLOURS - 1) {
    const best = boxes.reduce((best, box) => (box.worth > best.worth ? box : best));
    if (!(best.worth > 0)) break;
    const sorted = [...best.list].sort((a, b) => parts(a)[best.axis]! - parts(b)[best.axis]!);
    // Where half of the pixels are below, and at least one colour on each side.
    let [sum, cut] = [0, 0];
    while (cut < sorted.length - 1 && (cut === 0 || sum < best.pixels / 2)) sum += bins[sorted[cut++]!]!;
    boxes.splice(boxes.indexOf(best), 1, measured(sorted.slice(0, cut)), measured(sorted.slice(cut)));
  }
  const table = new Uint8Array(3 * COLOURS);
  const place = new Uint8Array(BINS);
  boxes.forEach(({ list, pixels }, number) => {
    for (const index of list) place[index] = number;
    if (pixels === 0) return;
    for (const axis of [0, 1, 2]) {
      table[3 * number + axis] = Math.round(list.reduce((sum, index) => sum + sums[3 * index + axis]!, 0) / pixels);
    }
  });
  return { table, place };
}

/// Lempel, Ziv and Welch, as GIF has it: codes of 9 to 12 bits, the lowest bit first.
export function compress(pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const [RESET, END, MOST] = [256, 257, 4096];
  const out: number[] = [];
  let [held, bits, size] = [0, 0, 9];
  const put = (code: number): void => {
    held |= code << bits;
    bits += size;
    for (; bits >= 8; bits -= 8, held >>>= 8) out.push(held & 0xff);
  };
  let known = new Map<number, number>();
  let free = END + 1;
  put(RESET);
  let code = pixels[0]!;
  for (let at = 1; at < pixels.length; at++) {
    const pair = (code << 8) | pixels[at]!;
    const longer = known.get(pair);
    if (longer !== undefined) {
      code = longer;
      continue;
    }
    put(code);
    code = pixels[at]!;
    if (free < MOST) {
      // The reader is one code behind, so codes grow one later than the table.
      if (free === 1 << size) size++;
      known.set(pair, free++);
    } else {
      put(RESET);
      [known, free, size] = [new Map(), END + 1, 9];
    }
  }
  put(code);
  // The reader has added an entry by now, and may wait for a longer code.
  if (free === 1 << size && size < 12) size++;
  put(END);
  if (bits > 0) out.push(held & 0xff);
  return new Uint8Array(out);
}

/// In blocks of at most 255 bytes, after the number of bits that pixels have.
function blocks(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts = [bytes(8)];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    parts.push(bytes(block.length), new Uint8Array(block));
  }
  return joined([...parts, bytes(0)]);
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

const bytes = (...list: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(list);
const word = (value: number): number[] => [value & 0xff, value >> 8];
const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
