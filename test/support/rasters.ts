/** GDAL as a reference for rasters: creates files, describes them, and reads windows. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RasterSize, WindowRequest } from '../../src/raster/port/port.ts';
import { createSamplesView, getBytesPerSample, type Samples, type SampleType } from '../../src/raster/port/samples.ts';
import { runGdal } from './gdal.ts';

/** The compared part of the output of `gdalinfo -json`. */
export interface GdalDescription {
  readonly size: readonly [width: number, height: number];
  readonly geoTransform?: readonly number[];
  readonly coordinateSystem?: { readonly wkt: string };
  readonly bands: readonly GdalBand[];
  readonly metadata?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface GdalBand {
  readonly type: string;
  readonly colorInterpretation: string;
  readonly description?: string;
  readonly unit?: string;
  readonly noDataValue?: number | string;
  readonly scale?: number;
  readonly offset?: number;
  readonly overviews?: readonly { readonly size: readonly number[] }[];
  readonly mask?: { readonly flags: readonly string[] };
  readonly metadata?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export async function gdalDescription(dataset: string): Promise<GdalDescription> {
  const text = await runGdal('gdalinfo', ['-json', '-nogcp', dataset], { env: { GDAL_PAM_ENABLED: 'NO' } });
  // GDAL writes these values although JSON does not support them.
  return JSON.parse(text.replaceAll(/:\s*(-?(?:nan|inf|Infinity|NaN))\b/g, ':"$1"')) as GdalDescription;
}

/** The code of the CRS according to GDAL; undefined if it found none. */
export function codeIn(wkt: string | undefined): string | undefined {
  const found = /ID\["(\w+)",(\d+)\]\]$/.exec((wkt ?? '').trim());
  return found === null ? undefined : `${found[1]}:${found[2]}`;
}

let number = 0;

/** The samples of a window, read by GDAL: bands are 1-based there and 0-based here. */
export async function gdalWindow(
  dataset: string,
  folder: string,
  type: SampleType,
  request: {
    readonly window: NonNullable<WindowRequest['window']>;
    readonly size?: RasterSize;
    readonly bands: readonly number[];
  },
): Promise<readonly Samples[]> {
  number += 1;
  const out = join(folder, `window${number}.img`);
  const { window, size = window, bands } = request;
  // ENVI has no 64-bit integers; those in tests are exact as doubles too.
  const isWide = type === 'int64' || type === 'uint64';
  await runGdal(
    'gdal_translate',
    [
      ...['-q', '-of', 'ENVI', '-co', 'INTERLEAVE=BSQ', ...(isWide ? ['-ot', 'Float64'] : [])],
      ...bands.flatMap((band) => ['-b', String(band === -1 ? 'mask' : band + 1)]),
      ...['-srcwin', window.column, window.row, window.width, window.height].map(String),
      ...['-outsize', size.width, size.height].map(String),
      ...[dataset, out],
    ],
    { env: { GDAL_PAM_ENABLED: 'NO' } },
  );
  const bytes = await readFile(out);
  await rm(out);
  const perBand = size.width * size.height * getBytesPerSample(type);
  return bands.map((_, index) =>
    createSamplesView(isWide ? 'float64' : type, bytes.subarray(index * perBand, (index + 1) * perBand)),
  );
}

/** Creates a raw file of synthetic terrain samples and a VRT that describes it; returns the path of the VRT. */
export async function writeLandscape(
  folder: string,
  name: string,
  options: RasterSize & {
    readonly bands: number;
    /** The GDAL name of the type. */
    readonly type: keyof typeof gdalTypes;
    /** XML inside the VRT, such as a CRS or a geotransform. */
    readonly elements?: string;
    /** XML inside each band, such as a no-data value. */
    readonly bandElements?: string | ((band: number) => string);
    readonly value?: (column: number, row: number, band: number) => number;
  },
): Promise<string> {
  const { width, height, bands } = options;
  const value = options.value ?? landscape;
  const { array, bytes } = gdalTypes[options.type];
  const isBig = array === BigInt64Array || array === BigUint64Array;
  const samples = new array(width * height * bands);
  for (let band = 0; band < bands; band += 1) {
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        const sample = value(column, row, band);
        samples[(band * height + row) * width + column] = isBig ? BigInt(Math.trunc(sample)) * 1_000_000_007n : sample;
      }
    }
  }
  await writeFile(join(folder, `${name}.raw`), Buffer.from(samples.buffer));
  const inside = (band: number) =>
    typeof options.bandElements === 'function' ? options.bandElements(band) : (options.bandElements ?? '');
  const rasterBands = Array.from(
    { length: bands },
    (_, band) =>
      `<VRTRasterBand dataType="${options.type}" band="${band + 1}" subClass="VRTRawRasterBand">${inside(band)}
        <SourceFilename relativeToVRT="1">${name}.raw</SourceFilename><ImageOffset>${band * width * height * bytes}</ImageOffset>
        <PixelOffset>${bytes}</PixelOffset><LineOffset>${width * bytes}</LineOffset><ByteOrder>LSB</ByteOrder></VRTRasterBand>`,
  );
  const path = join(folder, `${name}.vrt`);
  const elements = options.elements ?? '<SRS>EPSG:4326</SRS><GeoTransform>10, 0.1, 0, 50, 0, -0.1</GeoTransform>';
  await writeFile(
    path,
    `<VRTDataset rasterXSize="${width}" rasterYSize="${height}">${elements}${rasterBands.join('')}</VRTDataset>`,
  );
  return path;
}

const gdalTypes = {
  Byte: { array: Uint8Array, bytes: 1 },
  UInt16: { array: Uint16Array, bytes: 2 },
  Int16: { array: Int16Array, bytes: 2 },
  UInt32: { array: Uint32Array, bytes: 4 },
  Int32: { array: Int32Array, bytes: 4 },
  UInt64: { array: BigUint64Array, bytes: 8 },
  Int64: { array: BigInt64Array, bytes: 8 },
  Float32: { array: Float32Array, bytes: 4 },
  Float64: { array: Float64Array, bytes: 8 },
} as const;

/** Smooth enough to compress, rough enough that each pixel differs from its neighbors. */
function landscape(column: number, row: number, band: number): number {
  return Math.floor(
    100 + 50 * Math.sin(column / 7 + band) + 40 * Math.cos(row / 5) + ((column * 7 + row * 13 + band * 29) % 11),
  );
}
