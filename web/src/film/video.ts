// Films as WebM and MP4: the browser compresses the pictures, and what it gives is put into a file with the instant of each.

import type { Writer } from "./film";
import { mp4 } from "./mp4";
import { webm } from "./webm";

/// A compressed picture.
export interface Coded {
  data: Uint8Array<ArrayBuffer>;
  /// Whether it can be shown without those before it.
  key: boolean;
}

/// What a file is made of.
export interface Track {
  codec: "h264" | "vp9";
  width: number;
  height: number;
  /// Pictures in a second.
  rate: number;
  pictures: Coded[];
  /// What a decoder wants to know first; of H.264 only.
  setup: Uint8Array<ArrayBuffer>;
}

/// In the order in which they are tried. H.264 of level 5.1 has room for 4096 × 2304 pixels, and plays everywhere.
const CODECS: Record<"webm" | "mp4", { codec: Track["codec"]; name: string }[]> = {
  webm: [{ codec: "vp9", name: "vp09.00.51.08" }],
  mp4: [
    { codec: "h264", name: "avc1.640033" },
    { codec: "h264", name: "avc1.420033" },
    { codec: "vp9", name: "vp09.00.51.08" },
  ],
};

/// Seconds from one picture that stands by itself to the next; players jump to these.
const BETWEEN_KEYS = 2;
/// Bits for each pixel of each picture; drawings have sharp edges and large still parts.
const BITS = 0.15;

export async function createVideo(kind: "webm" | "mp4", film: { width: number; height: number; rate: number }): Promise<Writer> {
  const { width, height, rate } = film;
  if (!("VideoEncoder" in window)) throw new Error("this browser does not compress films; a GIF needs none of that");
  const settings = { width, height, framerate: rate, bitrate: Math.max(5e5, Math.round(BITS * width * height * rate)), latencyMode: "quality" as const };
  const supported = async ({ name }: { name: string }): Promise<boolean> => (await VideoEncoder.isConfigSupported({ codec: name, ...settings }).catch(() => null))?.supported ?? false;
  let chosen = null;
  for (const candidate of CODECS[kind]) if ((chosen ??= (await supported(candidate)) ? candidate : null)) break;
  if (!chosen) throw new Error(`this browser does not compress ${width} × ${height} pixels for .${kind}; try a smaller size, or a GIF`);
  const track: Track = { codec: chosen.codec, width, height, rate, pictures: [], setup: new Uint8Array(0) };
  let trouble: Error | null = null;
  const encoder = new VideoEncoder({
    output(chunk, about) {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      track.pictures.push({ data, key: chunk.type === "key" });
      const description = about?.decoderConfig?.description;
      if (description) track.setup = new Uint8Array(ArrayBuffer.isView(description) ? description.buffer.slice(description.byteOffset, description.byteOffset + description.byteLength) as ArrayBuffer : (description as ArrayBuffer));
    },
    error: (error) => void (trouble = error),
  });
  encoder.configure({ codec: chosen.name, ...settings });
  const keys = Math.max(1, Math.round(BETWEEN_KEYS * rate));
  let count = 0;

  return {
    note: kind === "mp4" && chosen.codec === "vp9" ? "this browser has no H.264, so the film is VP9, which some players do not know" : "",
    async add(picture) {
      const frame = new VideoFrame(picture, { timestamp: Math.round((1e6 * count) / rate), duration: Math.round(1e6 / rate) });
      encoder.encode(frame, { keyFrame: count % keys === 0 });
      frame.close();
      count++;
      // Pictures that wait to be compressed are large.
      while (encoder.encodeQueueSize > 4 && !trouble) await new Promise((answer) => setTimeout(answer, 5));
      if (trouble) throw trouble;
    },
    async finish() {
      await encoder.flush();
      encoder.close();
      if (trouble) throw trouble;
      return kind === "mp4" ? mp4(track) : webm(track);
    },
  };
}
