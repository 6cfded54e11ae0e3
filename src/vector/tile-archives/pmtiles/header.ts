/** Parses the header of PMTiles, version 3. */

import { MAX_PMTILES_ZOOM } from '../../../lib/tile-archive/tile-id.ts';
import { clampBounds } from '../model/archive-metadata.ts';
import {
  type ArchivedFormat,
  TileArchiveError,
  type TileArchiveInfo,
  type TileEncoding,
  WORLD,
} from '../model/tile-archive.ts';

export const HEADER_BYTES = 127;

const MAGIC = 'PMTiles';
const VERSION = 3;

/** By number in the header; 0 means unknown. */
const encodings: readonly (TileEncoding | undefined)[] = [undefined, 'none', 'gzip', 'br', 'zstd'];
const formats: readonly (ArchivedFormat | undefined)[] = [undefined, 'mvt', 'png', 'jpeg', 'webp', 'avif'];

/** A part of the file. */
export interface Section {
  readonly offset: number;
  readonly length: number;
}

export interface PmtilesHeader extends Pick<TileArchiveInfo, 'format' | 'minZoom' | 'maxZoom' | 'bounds'> {
  readonly root: Section;
  readonly metadata: Section;
  readonly leaves: Section;
  readonly tiles: Section;
  /** The compression of directories and metadata. */
  readonly internalEncoding: TileEncoding;
  readonly tileEncoding: TileEncoding;
}

export function parseHeader(bytes: Uint8Array): PmtilesHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') !== MAGIC) {
    throw new TileArchiveError('it is not a PMTiles archive');
  }
  const version = view.getUint8(7);
  if (version !== VERSION) {
    throw new TileArchiveError(`it has version ${version} of PMTiles, and version ${VERSION} is supported`, {
      isUnsupported: true,
    });
  }
  const [minZoom, maxZoom] = [view.getUint8(100), view.getUint8(101)];
  if (minZoom > maxZoom || maxZoom > MAX_PMTILES_ZOOM) {
    throw new TileArchiveError(`its zoom levels are ${minZoom} to ${maxZoom}, and 0 to ${MAX_PMTILES_ZOOM} are valid`);
  }
  return {
    root: readSection(view, 8),
    metadata: readSection(view, 24),
    leaves: readSection(view, 40),
    tiles: readSection(view, 56),
    internalEncoding: getKnown(encodings, view.getUint8(97), 'the compression of its directories'),
    tileEncoding: getKnown(encodings, view.getUint8(98), 'the compression of its tiles'),
    format: getKnown(formats, view.getUint8(99), 'the format of its tiles'),
    minZoom,
    maxZoom,
    bounds: clampBounds([102, 106, 110, 114].map((at) => view.getInt32(at, true) / 10_000_000)) ?? WORLD,
  };
}

function getKnown<T>(list: readonly (T | undefined)[], number: number, what: string): T {
  const found = list[number];
  if (found === undefined) {
    throw new TileArchiveError(`${what} has the unknown number ${number}`, { isUnsupported: true });
  }
  return found;
}

function readSection(view: DataView, at: number): Section {
  const [offset, length] = [view.getBigUint64(at, true), view.getBigUint64(at + 8, true)].map(Number);
  if (offset === undefined || length === undefined || offset + length > Number.MAX_SAFE_INTEGER) {
    throw new TileArchiveError('its header is damaged');
  }
  return { offset, length };
}
