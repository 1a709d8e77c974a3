// A film as MP4: boxes, each a length, a name and a content (ISO/IEC 14496-12). What players look for stands before the pictures.

import type { Track } from "./video";

type Bytes = Uint8Array<ArrayBuffer>;

/// Ticks of a picture; rates that are no whole numbers are kept to a thousandth.
const TICKS = 1000;
const UPRIGHT = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

export function mp4(track: Track): Blob {
  const kind = box("ftyp", ascii("isom"), longs(0x200), ascii("isomiso2mp41"));
  // Where the pictures are depends on how long this is, and not on what it says of that.
  const length = kind.length + movie(track, 0).length;
  const data = box("mdat", ...track.pictures.map((picture) => picture.data));
  return new Blob([kind, movie(track, length + 8), data], { type: "video/mp4" });
}

function movie(track: Track, place: number): Bytes {
  const scale = Math.round(track.rate * TICKS);
  const duration = track.pictures.length * TICKS;
  const header = box("mvhd", longs(0, 0, 0, scale, duration, 0x10000), shorts(0x100, 0), longs(0, 0, ...UPRIGHT, 0, 0, 0, 0, 0, 0, 2));
  // 3: enabled, and part of the film.
  const shown = box("tkhd", longs(3, 0, 0, 1, 0, duration, 0, 0, 0, 0, ...UPRIGHT, track.width << 16, track.height << 16));
  const media = box(
    "mdia",
    // No language is said: three letters of five bits, "und".
    box("mdhd", longs(0, 0, 0, scale, duration), shorts(0x55c4, 0)),
    box("hdlr", longs(0, 0), ascii("vide"), longs(0, 0, 0), ascii("Ansatz\0")),
    box("minf", box("vmhd", longs(1, 0, 0)), box("dinf", box("dref", longs(0, 1), box("url ", longs(1)))), samples(track, place)),
  );
  return box("moov", header, box("trak", shown, media));
}

/// How long each picture stays, which stand by themselves, how large they are, and where the first one is.
function samples(track: Track, place: number): Bytes {
  const { pictures } = track;
  const keys = pictures.flatMap(({ key }, index) => (key ? [index + 1] : []));
  return box(
    "stbl",
    box("stsd", longs(0, 1), description(track)),
    box("stts", longs(0, 1, pictures.length, TICKS)),
    box("stss", longs(0, keys.length, ...keys)),
    box("stsc", longs(0, 1, 1, pictures.length, 1)),
    box("stsz", longs(0, 0, pictures.length, ...pictures.map(({ data }) => data.length))),
    box("stco", longs(0, 1, place)),
  );
}

function description({ codec, width, height, setup }: Track): Bytes {
  // VP9: profile 0, level 5.1, eight bits for each part, with the usual colours (4:2:0, BT.709).
  const inner = codec === "h264" ? box("avcC", setup) : box("vpcC", longs(0x1000000), Uint8Array.of(0, 51, 0x82, 1, 1, 1, 0, 0));
  const name = codec === "h264" ? "avc1" : "vp09";
  // 72 dots in an inch, one picture in a sample, no name of the compressor, 24 bits of colour, no table of colours.
  return box(name, longs(0), shorts(0, 1), longs(0, 0, 0, 0), shorts(width, height), longs(0x480000, 0x480000, 0), shorts(1), new Uint8Array(32), shorts(24, 0xffff), inner);
}

function box(name: string, ...content: Bytes[]): Bytes {
  const length = content.reduce((sum, part) => sum + part.length, 8);
  const all = new Uint8Array(length);
  new DataView(all.buffer).setUint32(0, length);
  all.set(ascii(name), 4);
  content.reduce((at, part) => (all.set(part, at), at + part.length), 8);
  return all;
}

function longs(...values: number[]): Bytes {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => view.setUint32(4 * index, value));
  return bytes;
}

const shorts = (...values: number[]): Bytes => Uint8Array.from(values.flatMap((value) => [value >> 8, value & 0xff]));
const ascii = (text: string): Bytes => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
