/** Reads the size of a JPEG image without unpacking it. */

export interface JpegHead {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly bits: number;
}

/** Reads the frame header; returns undefined if these bytes contain none. */
export function readJpegHead(bytes: Buffer): JpegHead | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      const head = {
        bits: bytes.readUInt8(at + 4),
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        components: bytes.readUInt8(at + 9),
      };
      return head.width > 0 && head.height > 0 && head.components > 0 ? head : undefined;
    }
    // The scan starts here, and the frame header always precedes it.
    if (marker === 0xda || marker === 0xd9) return undefined;
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isAlone ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
