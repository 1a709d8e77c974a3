// Pictures that move: still WebP pictures, one after the other, in one file.
// The format is a list of chunks: see the container specification of WebP, "Extended file format".

/// One animation for ever of stills of the same size, each shown for so many milliseconds.
export function animate(stills: Buffer[], width: number, height: number, milliseconds: number): Buffer {
  const ANIMATED = 0x02;
  const canvas = Buffer.concat([Buffer.from([ANIMATED, 0, 0, 0]), three(width - 1), three(height - 1)]);
  // Background colour, then how often: zero is for ever.
  const head = [chunk("VP8X", canvas), chunk("ANIM", Buffer.alloc(6))];
  const OPAQUE = 0x02;
  const place = Buffer.concat([three(0), three(0), three(width - 1), three(height - 1), three(milliseconds), Buffer.from([OPAQUE])]);
  const frames = stills.map((still) => chunk("ANMF", Buffer.concat([place, ...pixels(still)])));
  return riff([...head, ...frames]);
}

/// The chunks of a still that hold its pixels.
function pixels(still: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 12; at + 8 <= still.length; ) {
    const size = still.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (["VP8 ", "VP8L", "ALPH"].includes(still.toString("latin1", at, at + 4))) found.push(still.subarray(at, end));
    at = end;
  }
  if (found.length === 0) throw new Error("this is no WebP picture");
  return found;
}

function riff(chunks: Buffer[]): Buffer {
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

function chunk(name: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}

/// Three bytes, the lowest first.
function three(number: number): Buffer {
  return Buffer.from([number & 0xff, (number >> 8) & 0xff, (number >> 16) & 0xff]);
}
