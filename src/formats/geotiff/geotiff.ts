/**
 * Writes samples as a GeoTIFF with the georeference of the grid: small ones in strips, large ones in tiles with
 * overviews, in the order of a cloud-optimized GeoTIFF. Strips and tiles are compressed separately.
 */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { Band, BandWindow, GridTransform, RasterSize } from '../../raster/port/port.ts';
import { getBytesPerSample, type SampleType } from '../../raster/port/samples.ts';
import {
  type CreateOverview,
  createAveragedOverview,
  createNearestOverview,
  type Level,
  type ReadRows,
} from './overviews.ts';

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
const TILE_SIDE = 256;

/** The size of a strip before compression. */
const STRIP_BYTES = 262_144;

/** The compression level, from 0 (none) to 9. */
const QUICK = constants.Z_BEST_SPEED;

export async function writeGeotiff(raster: WrittenRaster, level: number = QUICK): Promise<Buffer> {
  const [first] = raster.bands;
  if (first === undefined) throw new Error('An image requires at least one band.');
  const { type, noData } = first.described;
  const missing = noData ?? (raster.bands.some(({ mask }) => mask?.includes(0)) ? getDefaultNoData(type) : undefined);
  const bands = raster.bands.map(({ described }) => described);
  const readRows: ReadRows = (row, rows) => interleaveSamples(raster, { type, missing }, row, rows);
  return writeRaster({ ...raster, bands, type, missing, level }, readRows, createNearestOverview);
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
  return writeRaster(raster, readRows, createAveragedOverview);
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

/** The description of samples before they are available. */
interface StripedRaster extends RasterSize {
  readonly transform: GridTransform;
  readonly crs: CrsReference;
  readonly bands: readonly Pick<Band, 'colorInterpretation'>[];
  readonly type: SampleType;
  readonly missing: number | bigint | undefined;
  readonly level: number;
}

/** A level with its compressed parts. */
interface WrittenLevel extends RasterSize {
  readonly blocks: readonly Buffer[];
  /** The number of rows of a strip; undefined for tiles. */
  readonly rowsPerStrip: number | undefined;
}

async function writeRaster(raster: StripedRaster, readRows: ReadRows, createOverview: CreateOverview): Promise<Buffer> {
  const { width, height } = raster;
  const pixelBytes = getBytesPerSample(raster.type) * raster.bands.length;
  if (Math.max(width, height) <= MAX_STRIPED_SIDE) {
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

/** The no-data value if the data has none: 0, or NaN for floating point. */
function getDefaultNoData(type: SampleType): number {
  return type === 'float32' || type === 'float64' ? Number.NaN : 0;
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

/** The value types of a directory with their sizes. */
const SHORT = { code: 3, bytes: 2 };
const LONG = { code: 4, bytes: 4 };
const DOUBLE = { code: 12, bytes: 8 };
const ASCII = { code: 2, bytes: 1 };

interface Entry {
  readonly tag: number;
  readonly type: typeof SHORT;
  readonly values: readonly number[] | string;
}

const FILE_HEAD_BYTES = 8;

/** Directories precede the content, whose offsets follow from their lengths. The largest level comes last. */
async function writeFile(raster: StripedRaster, levels: readonly WrittenLevel[]): Promise<Buffer> {
  const directories: (readonly Entry[])[] = [];
  for (const [index, level] of levels.entries()) directories.push(await listEntries(raster, level, index > 0));
  const sizes = directories.map(measureDirectory);
  const headBytes = sizes.reduce((sum, { totalBytes }) => sum + totalBytes, FILE_HEAD_BYTES);
  const content = levels.toReversed();
  const offsets = new Map<WrittenLevel, readonly number[]>();
  let offset = headBytes;
  for (const level of content) {
    offsets.set(
      level,
      level.blocks.map(({ length }) => {
        offset += length;
        return offset - length;
      }),
    );
  }
  const head = Buffer.alloc(headBytes);
  head.write('II', 0, 'latin1');
  head.writeUInt16LE(42, 2);
  head.writeUInt32LE(FILE_HEAD_BYTES, 4);
  let start = FILE_HEAD_BYTES;
  for (const [index, level] of levels.entries()) {
    const { totalBytes = 0 } = sizes[index] ?? {};
    const entries = (directories[index] ?? []).map((entry) =>
      entry.tag === tags.stripOffsets || entry.tag === tags.tileOffsets
        ? { ...entry, values: offsets.get(level) ?? [] }
        : entry,
    );
    writeDirectory(head, start, entries, index + 1 < levels.length ? start + totalBytes : 0);
    start += totalBytes;
  }
  return Buffer.concat([head, ...content.flatMap(({ blocks }) => blocks)]);
}

/** Values of more than four bytes follow the directory. */
function isOutside({ type: { bytes }, values }: Entry): boolean {
  return bytes * values.length > 4;
}

function measureDirectory(entries: readonly Entry[]): { readonly ownBytes: number; readonly totalBytes: number } {
  const ownBytes = roundUpToEven(2 + entries.length * 12 + 4);
  const outside = entries.filter(isOutside).map(({ type: { bytes }, values }) => roundUpToEven(bytes * values.length));
  return { ownBytes, totalBytes: outside.reduce((sum, bytes) => sum + bytes, ownBytes) };
}

/** `next` is the offset of the next directory; 0 for none. */
function writeDirectory(head: Buffer, start: number, entries: readonly Entry[], next: number): void {
  head.writeUInt16LE(entries.length, start);
  let outside = start + measureDirectory(entries).ownBytes;
  for (const [index, entry] of entries.entries()) {
    const at = start + 2 + index * 12;
    head.writeUInt16LE(entry.tag, at);
    head.writeUInt16LE(entry.type.code, at + 2);
    head.writeUInt32LE(entry.values.length, at + 4);
    if (isOutside(entry)) {
      head.writeUInt32LE(outside, at + 8);
      writeValues(head, outside, entry.type, entry.values);
      outside += roundUpToEven(entry.type.bytes * entry.values.length);
    } else {
      writeValues(head, at + 8, entry.type, entry.values);
    }
  }
  head.writeUInt32LE(next, start + 2 + entries.length * 12);
}

function roundUpToEven(length: number): number {
  return length + (length % 2);
}

function writeValues(head: Buffer, at: number, { code, bytes }: Entry['type'], values: Entry['values']): void {
  if (typeof values === 'string') {
    head.write(values, at, 'latin1');
    return;
  }
  for (const [index, value] of values.entries()) {
    if (code === SHORT.code) head.writeUInt16LE(value, at + index * bytes);
    else if (code === LONG.code) head.writeUInt32LE(value, at + index * bytes);
    else head.writeDoubleLE(value, at + index * bytes);
  }
}

const tags = {
  newSubfileType: 254,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  pixelScale: 33_550,
  tiePoint: 33_922,
  transformation: 34_264,
  geoKeys: 34_735,
  noData: 42_113,
};

const REDUCED = 1;
const NOT_PACKED = 1;
const DEFLATE = 8;
const CHUNKY = 1;
const RGB = 2;
const BLACK_IS_ZERO = 1;
const ALPHA = 2;

/** In ascending order of tags, as TIFF requires. */
async function listEntries(
  raster: StripedRaster,
  { width, height, blocks, rowsPerStrip }: WrittenLevel,
  isOverview: boolean,
): Promise<readonly Entry[]> {
  const { bands, type, missing } = raster;
  const offsets = blocks.map(() => 0);
  const lengths = blocks.map(({ length }) => length);
  const isStriped = rowsPerStrip !== undefined;
  const repeatPerBand = (value: number) => bands.map(() => value);
  const isColored = type === 'uint8' && bands.length >= 3;
  const extra = bands
    .slice(isColored ? 3 : 1)
    .map(({ colorInterpretation }) => (colorInterpretation === 'alpha' ? ALPHA : 0));
  return [
    ...(isOverview ? [{ tag: tags.newSubfileType, type: LONG, values: [REDUCED] }] : []),
    { tag: tags.width, type: LONG, values: [width] },
    { tag: tags.height, type: LONG, values: [height] },
    { tag: tags.bitsPerSample, type: SHORT, values: repeatPerBand(getBytesPerSample(type) * 8) },
    { tag: tags.compression, type: SHORT, values: [raster.level === 0 ? NOT_PACKED : DEFLATE] },
    { tag: tags.photometric, type: SHORT, values: [isColored ? RGB : BLACK_IS_ZERO] },
    ...(isStriped ? [{ tag: tags.stripOffsets, type: LONG, values: offsets }] : []),
    { tag: tags.samplesPerPixel, type: SHORT, values: [bands.length] },
    ...(isStriped
      ? [
          { tag: tags.rowsPerStrip, type: LONG, values: [rowsPerStrip] },
          { tag: tags.stripByteCounts, type: LONG, values: lengths },
        ]
      : []),
    { tag: tags.planarConfiguration, type: SHORT, values: [CHUNKY] },
    ...(isStriped
      ? []
      : [
          { tag: tags.tileWidth, type: LONG, values: [TILE_SIDE] },
          { tag: tags.tileLength, type: LONG, values: [TILE_SIDE] },
          { tag: tags.tileOffsets, type: LONG, values: offsets },
          { tag: tags.tileByteCounts, type: LONG, values: lengths },
        ]),
    ...(extra.length === 0 ? [] : [{ tag: tags.extraSamples, type: SHORT, values: extra }]),
    { tag: tags.sampleFormat, type: SHORT, values: repeatPerBand(getSampleFormat(type)) },
    ...(isOverview ? [] : listTransformEntries(raster.transform)),
    ...(isOverview ? [] : [{ tag: tags.geoKeys, type: SHORT, values: await listGeoKeys(raster.crs) }]),
    ...(missing === undefined ? [] : [{ tag: tags.noData, type: ASCII, values: `${formatNoData(missing)}\0` }]),
  ];
}

function getSampleFormat(type: SampleType): number {
  if (type.startsWith('uint')) return 1;
  return type.startsWith('int') ? 2 : 3;
}

function formatNoData(value: number | bigint): string {
  return Number.isNaN(value) ? 'nan' : String(value);
}

function listTransformEntries({ originX, originY, columnX, columnY, rowX, rowY }: GridTransform): readonly Entry[] {
  if (columnY === 0 && rowX === 0 && rowY < 0 && columnX > 0) {
    return [
      { tag: tags.pixelScale, type: DOUBLE, values: [columnX, -rowY, 0] },
      { tag: tags.tiePoint, type: DOUBLE, values: [0, 0, 0, originX, originY, 0] },
    ];
  }
  const matrix = [columnX, rowX, 0, originX, columnY, rowY, 0, originY, 0, 0, 0, 0, 0, 0, 0, 1];
  return [{ tag: tags.transformation, type: DOUBLE, values: matrix }];
}

const PROJECTED = 1;
const GEOGRAPHIC = 2;
const PIXEL_IS_AREA = 1;
const USER_DEFINED = 32_767;
/** The largest code that fits into a key. */
const MAX_CODE = 32_766;

/** A CRS without an EPSG code is omitted; applications then ask the user. */
async function listGeoKeys(reference: CrsReference): Promise<readonly number[]> {
  const definition = await resolveCrs(reference);
  const [authority, number] = (definition?.code ?? '').split(':');
  const code = authority === 'EPSG' && Number(number) <= MAX_CODE ? Number(number) : USER_DEFINED;
  const isGeographic = definition?.model?.kind === 'geographic';
  const keys = [
    [1024, 0, 1, isGeographic ? GEOGRAPHIC : PROJECTED],
    [1025, 0, 1, PIXEL_IS_AREA],
    [isGeographic ? 2048 : 3072, 0, 1, code],
  ];
  return [1, 1, 0, keys.length, ...keys.flat()];
}
