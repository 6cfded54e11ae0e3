/**
 * Writes samples as a GeoTIFF with the georeference of the grid: small ones in strips, large ones in tiles with
 * overviews, in the order of a cloud-optimized GeoTIFF. Strips and tiles are compressed separately.
 */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { Band, BandWindow, GridTransform, RasterSize } from '../../raster/port/port.ts';
import { getBytesPerSample, type SampleType } from '../../raster/port/samples.ts';
import { type StripedRaster, TILE_SIDE, type WrittenLevel } from './level-entries.ts';
import {
  type CreateOverview,
  createAveragedOverview,
  createNearestOverview,
  type Level,
  type ReadRows,
} from './overviews.ts';
import { writeFile } from './tiff-file.ts';
import { findUnusedValue } from './unused-value.ts';

export interface WrittenRaster extends RasterSize {
  readonly transform: GridTransform;
  readonly crs: CrsReference;
  /** At least one; all bands have the sample type of the first, because a file has one type. */
  readonly bands: readonly (BandWindow & {
    readonly described: Pick<Band, 'type' | 'noData' | 'colorInterpretation'>;
  })[];
}

const deflateAsync = promisify<Uint8Array, object, Buffer>(deflate);

/** Rasters with a longer side have tiles and overviews. */
const MAX_STRIPED_SIDE = 1_024;

/** The size of a strip before compression. */
const STRIP_BYTES = 262_144;

/** The compression level, from 0 (none) to 9. */
const QUICK = constants.Z_BEST_SPEED;

export interface GeotiffOptions {
  /** The compression level, from 0 (none) to 9. */
  readonly level?: number | undefined;
  /** Whether small rasters have tiles as well. */
  readonly isCloudOptimized?: boolean;
}

export async function writeGeotiff(
  raster: WrittenRaster,
  { level = QUICK, isCloudOptimized = false }: GeotiffOptions = {},
): Promise<Buffer> {
  const [first] = raster.bands;
  if (first === undefined) throw new Error('An image requires at least one band.');
  const { type, noData } = first.described;
  const hasMissing = raster.bands.some(({ mask }) => mask?.includes(0));
  const missing = noData ?? (hasMissing ? await findUnusedValue(type, raster.bands) : undefined);
  const bands = raster.bands.map(({ described }) => described);
  const readRows: ReadRows = (row, rows) => interleaveSamples(raster, { type, missing }, row, rows);
  const written = { ...raster, bands, type, missing, level };
  return writeRaster(written, readRows, { createOverview: createNearestOverview, isCloudOptimized });
}

export interface WrittenPicture extends RasterSize {
  readonly transform: GridTransform;
  readonly crs: CrsReference;
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly bytes: Uint8Array;
  readonly hasOpacity: boolean;
}

/** Writes the pixels of an image. */
export function writePictureGeotiff({ bytes, hasOpacity, ...picture }: WrittenPicture): Promise<Buffer> {
  const colours = ['red', 'green', 'blue', ...(hasOpacity ? (['alpha'] as const) : [])] as const;
  const bands = colours.map((colorInterpretation) => ({ colorInterpretation }));
  const readRows: ReadRows = (row, rows) => {
    const part = bytes.subarray(row * picture.width * 4, (row + rows) * picture.width * 4);
    return hasOpacity ? part : removeOpacity(part);
  };
  const raster = { ...picture, bands, type: 'uint8', missing: undefined, level: QUICK } as const;
  return writeRaster(raster, readRows, { createOverview: createAveragedOverview, isCloudOptimized: false });
}

function removeOpacity(pixels: Uint8Array): Uint8Array {
  const colours = new Uint8Array((pixels.length / 4) * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    colours[to] = pixels[from] ?? 0;
    colours[to + 1] = pixels[from + 1] ?? 0;
    colours[to + 2] = pixels[from + 2] ?? 0;
  }
  return colours;
}

async function writeRaster(
  raster: StripedRaster,
  readRows: ReadRows,
  { createOverview, isCloudOptimized }: { readonly createOverview: CreateOverview; readonly isCloudOptimized: boolean },
): Promise<Buffer> {
  const { width, height } = raster;
  const pixelBytes = getBytesPerSample(raster.type) * raster.bands.length;
  if (!isCloudOptimized && Math.max(width, height) <= MAX_STRIPED_SIDE) {
    return writeFile(raster, [await writeStrips(raster, readRows, pixelBytes)]);
  }
  const levels: WrittenLevel[] = [];
  let level: Level = { width, height, readRows };
  for (;;) {
    levels.push(await writeTiles(raster, level, pixelBytes));
    if (Math.max(level.width, level.height) <= TILE_SIDE) return writeFile(raster, levels);
    level = await createOverview(level, pixelBytes);
  }
}

/** Writes one strip at a time and yields to other requests in between. */
async function writeStrips(raster: StripedRaster, readRows: ReadRows, pixelBytes: number): Promise<WrittenLevel> {
  const { width, height } = raster;
  const rowsPerStrip = Math.max(1, Math.min(height, Math.floor(STRIP_BYTES / (width * pixelBytes))));
  const blocks: Buffer[] = [];
  for (let row = 0; row < height; row += rowsPerStrip) {
    blocks.push(await compress(raster, readRows(row, Math.min(rowsPerStrip, height - row))));
  }
  return { width, height, blocks, rowsPerStrip };
}

/** Tiles at the right and lower edges have empty pixels outside of the raster. */
async function writeTiles(
  raster: StripedRaster,
  { width, height, readRows }: Level,
  pixelBytes: number,
): Promise<WrittenLevel> {
  const blocks: Buffer[] = [];
  for (let top = 0; top < height; top += TILE_SIDE) {
    const count = Math.min(TILE_SIDE, height - top);
    const rows = await readTileRow({ width, height, readRows }, top, count, pixelBytes);
    for (let left = 0; left < width; left += TILE_SIDE) {
      const tile = new Uint8Array(TILE_SIDE * TILE_SIDE * pixelBytes);
      const length = Math.min(TILE_SIDE, width - left) * pixelBytes;
      for (let row = 0; row < count; row += 1) {
        const start = (row * width + left) * pixelBytes;
        tile.set(rows.subarray(start, start + length), row * TILE_SIDE * pixelBytes);
      }
      blocks.push(await compress(raster, tile));
    }
  }
  return { width, height, blocks, rowsPerStrip: undefined };
}

/** Reads some rows at a time and yields to other requests in between. */
async function readTileRow({ width, readRows }: Level, top: number, count: number, pixelBytes: number) {
  const all = new Uint8Array(count * width * pixelBytes);
  const rowsPerTurn = Math.max(1, Math.floor(STRIP_BYTES / (width * pixelBytes)));
  for (let row = 0; row < count; row += rowsPerTurn) {
    all.set(readRows(top + row, Math.min(rowsPerTurn, count - row)), row * width * pixelBytes);
    await othersFirst();
  }
  return all;
}

function compress({ level }: StripedRaster, bytes: Uint8Array): Promise<Buffer> {
  return level === 0 ? toUncompressedStrip(bytes) : deflateAsync(bytes, { level });
}

async function toUncompressedStrip({ buffer, byteOffset, byteLength }: Uint8Array): Promise<Buffer> {
  await othersFirst();
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Returns the samples of some rows, pixel-interleaved, little-endian. */
function interleaveSamples(
  { width, bands }: WrittenRaster,
  { type, missing }: Pick<StripedRaster, 'type' | 'missing'>,
  firstRow: number,
  rows: number,
): Uint8Array {
  const size = getBytesPerSample(type);
  const bytes = new Uint8Array(width * rows * bands.length * size);
  const view = new DataView(bytes.buffer);
  const put = sampleWriters[type];
  for (const [index, { samples, mask }] of bands.entries()) {
    let at = index * size;
    for (let place = firstRow * width; place < (firstRow + rows) * width; place += 1) {
      const isThere = mask === undefined || mask[place] !== 0 || missing === undefined;
      put(view, at, (isThere ? samples[place] : missing) ?? 0);
      at += bands.length * size;
    }
  }
  return bytes;
}

type WriteSample = (view: DataView, at: number, value: number | bigint) => void;

const sampleWriters: Readonly<Record<SampleType, WriteSample>> = {
  uint8: (view, at, value) => view.setUint8(at, Number(value)),
  int8: (view, at, value) => view.setInt8(at, Number(value)),
  uint16: (view, at, value) => view.setUint16(at, Number(value), true),
  int16: (view, at, value) => view.setInt16(at, Number(value), true),
  uint32: (view, at, value) => view.setUint32(at, Number(value), true),
  int32: (view, at, value) => view.setInt32(at, Number(value), true),
  uint64: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
  int64: (view, at, value) => view.setBigInt64(at, BigInt(value), true),
  float32: (view, at, value) => view.setFloat32(at, Number(value), true),
  float64: (view, at, value) => view.setFloat64(at, Number(value), true),
};
