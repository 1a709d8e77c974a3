// A film as WebM: elements of EBML, each a name, a length and a content (matroska.org, "Specifications").

import type { Coded, Track } from "./video";

type Bytes = Uint8Array<ArrayBuffer>;

/// Times are in thousandths of a second.
const TICK = 1_000_000;

export function webm({ width, height, rate, pictures }: Track): Blob {
  const at = (picture: number): number => Math.round((1000 * picture) / rate);
  const head = element(0x1a45dfa3, [unsigned(0x4286, 1), unsigned(0x42f7, 1), unsigned(0x42f2, 4), unsigned(0x42f3, 8), text(0x4282, "webm"), unsigned(0x4287, 4), unsigned(0x4285, 2)]);
  const info = element(0x1549a966, [unsigned(0x2ad7b1, TICK), double(0x4489, at(pictures.length)), text(0x4d80, "Ansatz"), text(0x5741, "Ansatz")]);
  const size = element(0xe0, [unsigned(0xb0, width), unsigned(0xba, height)]);
  const entry = element(0xae, [unsigned(0xd7, 1), unsigned(0x73c5, 1), unsigned(0x83, 1), unsigned(0x9c, 0), text(0x86, "V_VP9"), unsigned(0x23e383, Math.round(1e9 / rate)), size]);
  const tracks = element(0x1654ae6b, [entry]);
  // A cluster begins with a picture that stands by itself, so that one can begin there.
  const starts = pictures.flatMap(({ key }, index) => (key || index === 0 ? [index] : []));
  const clusters = starts.map((start, number) => cluster(pictures.slice(start, starts[number + 1]), at(start), (index) => at(start + index)));
  let place = sum([info, tracks]);
  const cues = starts.map((start, number) => {
    const cue = element(0xbb, [unsigned(0xb3, at(start)), element(0xb7, [unsigned(0xf7, 1), unsigned(0xf1, place)])]);
    place += clusters[number]!.length;
    return cue;
  });
  return new Blob([head, element(0x18538067, [info, tracks, ...clusters, element(0x1c53bb6b, cues)])], { type: "video/webm" });
}

function cluster(pictures: Coded[], start: number, at: (index: number) => number): Bytes {
  const block = ({ data, key }: Coded, index: number): Bytes => {
    const since = at(index) - start;
    // The track, sixteen bits of time, and whether it stands by itself.
    return element(0xa3, [Uint8Array.of(0x81, (since >> 8) & 0xff, since & 0xff, key ? 0x80 : 0), data]);
  };
  return element(0x1f43b675, [unsigned(0xe7, start), ...pictures.map(block)]);
}

function element(name: number, content: Bytes[]): Bytes {
  const letters = big(name);
  const length = sum(content);
  const all = new Uint8Array(letters.length + 8 + length);
  all.set(letters);
  // A length of eight bytes; its first one says so.
  new DataView(all.buffer).setBigUint64(letters.length, (1n << 56n) | BigInt(length));
  content.reduce((at, part) => (all.set(part, at), at + part.length), letters.length + 8);
  return all;
}

const unsigned = (name: number, value: number): Bytes => element(name, [Uint8Array.from(big(value))]);
const text = (name: number, value: string): Bytes => element(name, [new TextEncoder().encode(value)]);

function double(name: number, value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(name, [bytes]);
}

/// The bytes of a number, the highest first; one at least.
function big(value: number): number[] {
  const bytes = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return bytes;
}

const sum = (parts: Bytes[]): number => parts.reduce((sum, part) => sum + part.length, 0);
