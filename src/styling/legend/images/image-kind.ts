/** Detects the type and size of a picture by its content, never by its name. */
import { readSvgSize } from './svg-root.ts';

export interface ImageKind {
  readonly kind: 'png' | 'jpeg' | 'gif' | 'bmp' | 'svg';
  /** In pixels; may be undefined for an SVG. */
  readonly width?: number;
  readonly height?: number;
}

/** Returns undefined if the bytes are not a picture of a known type, or end before its size. */
export function findImageKind(bytes: Uint8Array): ImageKind | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readPng(view) ?? readJpeg(view) ?? readGif(view) ?? readBmp(view) ?? readSvg(bytes);
}

function readPng(view: DataView): ImageKind | undefined {
  const isPng = view.byteLength >= 24 && view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a;
  if (!isPng || view.getUint32(12) !== 0x49484452) return undefined;
  return toSizedKind('png', view.getUint32(16), view.getUint32(20));
}

function readGif(view: DataView): ImageKind | undefined {
  if (view.byteLength < 10 || view.getUint32(0) !== 0x47494638) return undefined;
  const version = view.getUint16(4);
  if (version !== 0x3761 && version !== 0x3961) return undefined;
  return toSizedKind('gif', view.getUint16(6, true), view.getUint16(8, true));
}

function readBmp(view: DataView): ImageKind | undefined {
  if (view.byteLength < 26 || view.getUint16(0) !== 0x424d) return undefined;
  const headerBytes = view.getUint32(14, true);
  if (headerBytes === 12) return toSizedKind('bmp', view.getUint16(18, true), view.getUint16(20, true));
  if (headerBytes < 16 || headerBytes > 256) return undefined;
  // A negative height means that the rows are stored from top to bottom.
  return toSizedKind('bmp', view.getInt32(18, true), Math.abs(view.getInt32(22, true)));
}

/** The size of a JPEG is in its frame header, behind any number of other segments. */
function readJpeg(view: DataView): ImageKind | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8 || view.getUint8(2) !== 0xff) return undefined;
  let position = 2;
  while (position + 9 <= view.byteLength) {
    if (view.getUint8(position) !== 0xff) return undefined;
    const marker = view.getUint8(position + 1);
    if (marker === 0xff) {
      position += 1;
      continue;
    }
    if (isFrameHeader(marker)) return toSizedKind('jpeg', view.getUint16(position + 7), view.getUint16(position + 5));
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      position += 2;
      continue;
    }
    const segmentBytes = view.getUint16(position + 2);
    // The end of the picture, or its pixels without a preceding size.
    if (marker === 0xd9 || marker === 0xda || segmentBytes < 2) return undefined;
    position += 2 + segmentBytes;
  }
  return undefined;
}

/** 0xC0 to 0xCF, except the tables (C4, CC) and the extension (C8) in the same range. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function toSizedKind(kind: ImageKind['kind'], width: number, height: number): ImageKind | undefined {
  return width > 0 && height > 0 ? { kind, width, height } : undefined;
}

function readSvg(bytes: Uint8Array): ImageKind | undefined {
  const root = readSvgSize(bytes);
  return root && { kind: 'svg', ...root };
}
