/** Reads GeoJSON, GeoParquet and FlatGeobuf with other implementations, to comparable features. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { runGdal } from './gdal.ts';
import type { ColumnType, RandomColumn } from './random-tables.ts';

/** Values by name in one spelling for all formats, and the geometry. */
export interface ReadFeature {
  readonly geometry: string | null;
  readonly values: Readonly<Record<string, string | null>>;
}

interface JsonGeometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly JsonGeometry[];
}

interface JsonFeature {
  readonly geometry: JsonGeometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Numbers of attributes remain texts, because a double cannot hold all of them. */
function parseFeatures(text: string): readonly JsonFeature[] {
  const keepDigits = (_: string, value: unknown, { source }: { readonly source?: string } = {}) =>
    typeof value === 'number' ? source : value;
  const { features } = JSON.parse(text, keepDigits) as { readonly features: readonly JsonFeature[] };
  return features;
}

export function readGeojson(text: string, columns: readonly RandomColumn[]): readonly ReadFeature[] {
  const fromBase64 = (value: unknown) => Buffer.from(String(value), 'base64').toString('hex');
  return parseFeatures(text).map((feature) => toFeature(feature, columns, fromBase64));
}

/** Reads with GDAL, which has bytes as hexadecimal digits. */
export async function readFlatgeobufByGdal(
  folder: string,
  bytes: Buffer,
  columns: readonly RandomColumn[],
): Promise<readonly ReadFeature[]> {
  const path = join(folder, 'output.fgb');
  await writeFile(path, bytes);
  const options = ['-lco', 'COORDINATE_PRECISION=15', '-lco', 'SIGNIFICANT_FIGURES=17', '-lco', 'RFC7946=NO'];
  const text = await runGdal('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', path, ...options]);
  const fromHex = (value: unknown) => String(value).toLowerCase();
  // It omits attributes without a value.
  const nulls = Object.fromEntries(columns.map(({ name }) => [name, null]));
  return parseFeatures(text).map(({ geometry, properties }) =>
    toFeature({ geometry, properties: { ...nulls, ...properties } }, columns, fromHex),
  );
}

/** Reads with hyparquet, which decodes the geometries too. */
export async function readGeoparquet(bytes: Buffer, columns: readonly RandomColumn[]): Promise<readonly ReadFeature[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const rows = await parquetReadObjects({
    file,
    utf8: false,
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
  });
  const { primary, covering } = readNames(file);
  return rows.map((row) => {
    const { [primary]: geometry = null, ...others } = row as Record<string, unknown>;
    delete others[covering];
    const fromBytes = (value: unknown) => Buffer.from(value as Uint8Array).toString('hex');
    return toFeature({ geometry: geometry as JsonGeometry | null, properties: others }, columns, fromBytes);
  });
}

/** The names of the geometry and of the column with its boxes. */
function readNames(file: ArrayBuffer): { readonly primary: string; readonly covering: string } {
  const { key_value_metadata: entries = [] } = parquetMetadata(file);
  const geo = JSON.parse(entries.find(({ key }) => key === 'geo')?.value ?? '{}') as {
    readonly primary_column: string;
    readonly columns: Readonly<Record<string, { readonly covering: { readonly bbox: { readonly xmin: string[] } } }>>;
  };
  return { primary: geo.primary_column, covering: geo.columns[geo.primary_column]?.covering.bbox.xmin[0] ?? '' };
}

function toFeature(
  { geometry, properties }: JsonFeature,
  columns: readonly RandomColumn[],
  toHex: (value: unknown) => string,
): ReadFeature {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const values = Object.entries(properties).map(([name, value]): [string, string | null] => {
    const type = types.get(name) ?? 'string';
    if (value === null || value === undefined) return [name, null];
    return [name, type === 'bytes' ? toHex(value) : toSpelling(type, value)];
  });
  return { geometry: geometry === null ? null : spellGeometry(geometry), values: Object.fromEntries(values) };
}

function toSpelling(type: ColumnType, value: unknown): string {
  switch (type) {
    case 'float':
      return String(Math.fround(Number(value)));
    case 'double':
      return String(Number(value));
    case 'date':
      return toMoment(value).slice(0, 10);
    case 'timestamp':
      return toMoment(value);
    default:
      return String(value);
  }
}

/** GDAL omits the zone, or writes it as `+00`. */
function toMoment(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  const [, day = '', time = '00:00:00'] =
    /^(\d{4}[-/]\d\d[-/]\d\d)(?:[T ](\d\d:\d\d:[\d.]+))?/.exec(String(value)) ?? [];
  return new Date(`${day.replaceAll('/', '-')}T${time}Z`).toISOString();
}

/** Empty geometries have their type only; a ring starts anywhere, and has any direction. */
function spellGeometry({ type, coordinates, geometries }: JsonGeometry): string {
  if (geometries !== undefined) {
    return geometries.length === 0 ? `${type} empty` : `${type}(${geometries.map(spellGeometry).join(' ')})`;
  }
  const parts = spellCoordinates(coordinates, type.endsWith('Polygon'));
  return /\d/.test(parts) && !parts.includes('NaN') ? `${type}${parts}` : `${type} empty`;
}

function spellCoordinates(coordinates: unknown, hasRings: boolean): string {
  if (!Array.isArray(coordinates)) return String(Number(coordinates));
  const parts = coordinates.map((each) => spellCoordinates(each, hasRings));
  const isRing = hasRings && Array.isArray(coordinates[0]) && !Array.isArray(coordinates[0][0]);
  if (!isRing) return `[${parts.join(' ')}]`;
  const open = parts.slice(0, -1);
  const edges = open.map((from, index) => [from, open[(index + 1) % open.length] ?? ''].sort().join('-'));
  return `[${edges.sort().join(' ')}]`;
}
