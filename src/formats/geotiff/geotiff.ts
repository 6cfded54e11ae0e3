/** Writes samples as a GeoTIFF with separately compressed strips and the georeference of the grid. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { Band, BandWindow, GridTransform, RasterSize } from '../../raster/port/port.ts';
import { getBytesPerSample, type SampleType } from '../../raster/port/samples.ts';

export interface WrittenRaster extends RasterSize {
  readonly transform: GridTransform;
  readonly crs: CrsReference;
  /** At least one; all bands have the sample type of the first, because a file has one type. */
  readonly bands: readonly (BandWindow & {
    readonly described: Pick<Band, 'type' | 'noData' | 'colorInterpretation'>;
  })[];
}

const deflateAsync = promisify<Uint8Array, object, Buffer>(deflate);

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
  return writeStrips({ ...raster, bands, type, missing, level }, (row, rows) =>
    interleaveSamples(raster, { type, missing }, row, rows),
  );
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
  return writeStrips({ ...picture, bands, type: 'uint8', missing: undefined, level: QUICK }, (row, rows) => {
    const part = bytes.subarray(row * picture.width * 4, (row + rows) * picture.width * 4);
    return hasOpacity ? part : removeOpacity(part);
  });
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

/** Writes one strip at a time and yields to other requests in between. */
async function writeStrips(
  raster: StripedRaster,
  readRows: (firstRow: number, rows: number) => Uint8Array,
): Promise<Buffer> {
  const pixelBytes = getBytesPerSample(raster.type) * raster.bands.length;
  const rowsPerStrip = Math.max(1, Math.min(raster.height, Math.floor(STRIP_BYTES / (raster.width * pixelBytes))));
  const strips: Buffer[] = [];
  for (let row = 0; row < raster.height; row += rowsPerStrip) {
    const bytes = readRows(row, Math.min(rowsPerStrip, raster.height - row));
    strips.push(
      raster.level === 0 ? await toUncompressedStrip(bytes) : await deflateAsync(bytes, { level: raster.level }),
    );
  }
  const head = await writeHead(raster, rowsPerStrip, strips);
  return Buffer.concat([head, ...strips]);
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

/** The directory precedes the strips, whose offsets follow from its length. */
async function writeHead(raster: StripedRaster, rowsPerStrip: number, strips: readonly Buffer[]): Promise<Buffer> {
  const entries = await listEntries(raster, rowsPerStrip, strips);
  const isLong = ({ type: { bytes }, values }: Entry) => bytes * values.length > 4;
  const directoryBytes = 2 + entries.length * 12 + 4;
  const start = 8 + directoryBytes + (directoryBytes % 2);
  const outsideBytes = entries
    .filter(isLong)
    .reduce((sum, { type: { bytes }, values }) => sum + roundUpToEven(bytes * values.length), 0);
  const head = Buffer.alloc(start + outsideBytes);
  head.write('II', 0, 'latin1');
  head.writeUInt16LE(42, 2);
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(entries.length, 8);
  let outside = start;
  let offset = head.length;
  for (const [index, entry] of entries.entries()) {
    const at = 10 + index * 12;
    head.writeUInt16LE(entry.tag, at);
    head.writeUInt16LE(entry.type.code, at + 2);
    head.writeUInt32LE(entry.values.length, at + 4);
    const values =
      entry.tag === tags.stripOffsets
        ? strips.map(({ length }) => {
            offset += length;
            return offset - length;
          })
        : entry.values;
    if (isLong(entry)) {
      head.writeUInt32LE(outside, at + 8);
      writeValues(head, outside, entry.type, values);
      outside += roundUpToEven(entry.type.bytes * values.length);
    } else {
      writeValues(head, at + 8, entry.type, values);
    }
  }
  return head;
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
  extraSamples: 338,
  sampleFormat: 339,
  pixelScale: 33_550,
  tiePoint: 33_922,
  transformation: 34_264,
  geoKeys: 34_735,
  noData: 42_113,
};

const NOT_PACKED = 1;
const DEFLATE = 8;
const CHUNKY = 1;
const RGB = 2;
const BLACK_IS_ZERO = 1;
const ALPHA = 2;

/** In ascending order of tags, as TIFF requires. */
async function listEntries(
  raster: StripedRaster,
  rowsPerStrip: number,
  strips: readonly Buffer[],
): Promise<readonly Entry[]> {
  const { width, height, bands, type, missing } = raster;
  const repeatPerBand = (value: number) => bands.map(() => value);
  const isColored = type === 'uint8' && bands.length >= 3;
  const extra = bands
    .slice(isColored ? 3 : 1)
    .map(({ colorInterpretation }) => (colorInterpretation === 'alpha' ? ALPHA : 0));
  return [
    { tag: tags.width, type: LONG, values: [width] },
    { tag: tags.height, type: LONG, values: [height] },
    { tag: tags.bitsPerSample, type: SHORT, values: repeatPerBand(getBytesPerSample(type) * 8) },
    { tag: tags.compression, type: SHORT, values: [raster.level === 0 ? NOT_PACKED : DEFLATE] },
    { tag: tags.photometric, type: SHORT, values: [isColored ? RGB : BLACK_IS_ZERO] },
    { tag: tags.stripOffsets, type: LONG, values: strips.map(() => 0) },
    { tag: tags.samplesPerPixel, type: SHORT, values: [bands.length] },
    { tag: tags.rowsPerStrip, type: LONG, values: [rowsPerStrip] },
    { tag: tags.stripByteCounts, type: LONG, values: strips.map(({ length }) => length) },
    { tag: tags.planarConfiguration, type: SHORT, values: [CHUNKY] },
    ...(extra.length === 0 ? [] : [{ tag: tags.extraSamples, type: SHORT, values: extra }]),
    { tag: tags.sampleFormat, type: SHORT, values: repeatPerBand(getSampleFormat(type)) },
    ...listTransformEntries(raster.transform),
    { tag: tags.geoKeys, type: SHORT, values: await listGeoKeys(raster.crs) },
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
