/** Assembles PNG files with eight bits per channel or palette index. */
import { crc32 } from 'node:zlib';
import type { RasterSize } from '../../raster/port/port.ts';

/** Red, green, blue and opacity of each pixel, with straight or premultiplied colours. */
export interface ColoredPixels {
  readonly width: number;
  readonly height: number;
  /** One element per pixel. */
  readonly pixels: Int32Array;
  readonly isPremultiplied: boolean;
}

export const colorTypes = { rgb: 2, palette: 3, rgba: 6 } as const;

export interface PngHead extends RasterSize {
  readonly colorType: (typeof colorTypes)[keyof typeof colorTypes];
}

export interface PngChunk {
  readonly type: string;
  readonly content: Uint8Array;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** `chunks` are between the header and the compressed rows. */
export function assemblePng(head: PngHead, chunks: readonly PngChunk[], compressed: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(head.width, 0);
  header.writeUInt32BE(head.height, 4);
  // Bit depth 8, and the only defined methods of compression, filtering and interlacing.
  header.set([8, head.colorType, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    ...buildChunk({ type: 'IHDR', content: header }),
    ...chunks.flatMap(buildChunk),
    ...buildChunk({ type: 'IDAT', content: compressed }),
    ...buildChunk({ type: 'IEND', content: Buffer.alloc(0) }),
  ]);
}

function buildChunk({ type, content }: PngChunk): readonly Uint8Array[] {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length, 0);
  head.write(type, 4, 'latin1');
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(content, crc32(head.subarray(4))), 0);
  return [head, content, check];
}
