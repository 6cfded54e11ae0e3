/** Lists the directory entries of a level: its layout, and the georeference of the first. */
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import type { Band, GridTransform, RasterSize } from '../../raster/port/port.ts';
import { getBytesPerSample, type SampleType } from '../../raster/port/samples.ts';
import { ASCII, DOUBLE, type Entry, LONG, SHORT } from './tiff-directory.ts';

export const TILE_SIDE = 256;

/** The description of samples before they are available. */
export interface StripedRaster extends RasterSize {
  readonly transform: GridTransform;
  readonly crs: CrsReference;
  readonly bands: readonly Pick<Band, 'colorInterpretation'>[];
  readonly type: SampleType;
  readonly missing: number | bigint | undefined;
  readonly level: number;
}

/** A level with its compressed parts. */
export interface WrittenLevel extends RasterSize {
  readonly blocks: readonly Buffer[];
  /** The number of rows of a strip; undefined for tiles. */
  readonly rowsPerStrip: number | undefined;
}

export const tags = {
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
export async function listEntries(
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
