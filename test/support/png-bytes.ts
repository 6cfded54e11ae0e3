/** Writes small PNG images without external programs. */
import { crc32, deflateSync } from 'node:zlib';

/** Eight bits per sample, unfiltered rows; one band is gray, three bands are RGB. */
export function pngBytes(
  width: number,
  height: number,
  bands: 1 | 3,
  value: (index: number) => number = (index) => index % 253,
): Buffer {
  const rows = Array.from({ length: height }, (_, row) => {
    const line = Uint8Array.from({ length: width * bands }, (_unused, column) => value(row * width * bands + column));
    return Buffer.concat([Buffer.from([0]), line]);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, bands === 1 ? 0 : 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
