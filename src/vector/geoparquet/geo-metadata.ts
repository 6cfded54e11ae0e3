/** The metadata `geo` of GeoParquet 1.0 and 1.1. */
import type { Bounds } from '../../crs/bounds.ts';

export const encodings = [
  'WKB',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
] as const;

export type GeometryEncoding = (typeof encodings)[number];

/** The paths of the columns with the sides of the box of each geometry. */
export type Covering = Readonly<Record<keyof Bounds, readonly string[]>>;

export interface GeoColumn {
  readonly name: string;
  readonly encoding: GeometryEncoding;
  /** Names such as `Polygon` and `Point Z`; empty if unknown. */
  readonly types: readonly string[];
  /** PROJJSON; undefined means longitude and latitude, null an unknown system. */
  readonly crs: unknown;
  readonly bounds: Bounds | undefined;
  readonly covering: Covering | undefined;
}

export interface GeoMetadata {
  readonly primary: string;
  readonly columns: readonly GeoColumn[];
}

/** Returns the reason why it is invalid as text. */
export function parseGeoMetadata(text: string): GeoMetadata | string {
  const geo = toObject(parseJson(text));
  const version = String(geo['version'] ?? '');
  if (!/^1\.[01]\.\d/.test(version))
    return `its GeoParquet version '${version.slice(0, 20)}' is unknown. Use 1.0 or 1.1`;
  const columns: GeoColumn[] = [];
  for (const [name, value] of Object.entries(toObject(geo['columns']))) {
    const column = parseColumn(name, toObject(value));
    if (typeof column === 'string') return column;
    columns.push(column);
  }
  const primary = columns.find((column) => column.name === geo['primary_column']);
  return primary === undefined
    ? 'its GeoParquet metadata does not describe its primary column'
    : { primary: primary.name, columns };
}

function parseColumn(name: string, column: Readonly<Record<string, unknown>>): GeoColumn | string {
  const encoding = encodings.find((each) => each === column['encoding']);
  if (encoding === undefined) {
    const found = String(column['encoding']).slice(0, 40);
    return `the geometry column '${name}' has the unknown encoding '${found}'. Use one of ${encodings.join(', ')}`;
  }
  const types = Array.isArray(column['geometry_types']) ? column['geometry_types'].map(String) : [];
  return {
    name,
    encoding,
    types,
    crs: column['crs'],
    bounds: parseBox(column['bbox']),
    covering: parseCovering(toObject(toObject(column['covering'])['bbox'])),
  };
}

/** With heights there are six numbers. A box over the antimeridian has no bounds. */
function parseBox(value: unknown): Bounds | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const [minX, minY] = list;
  const [maxX, maxY] = list.length === 6 ? [list[3], list[4]] : list.length === 4 ? [list[2], list[3]] : [];
  return isNumber(minX) && isNumber(minY) && isNumber(maxX) && isNumber(maxY) && minX <= maxX && minY <= maxY
    ? { minX, minY, maxX, maxY }
    : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function parseCovering(bbox: Readonly<Record<string, unknown>>): Covering | undefined {
  const readPath = (side: string): readonly string[] | undefined => {
    const path: unknown = bbox[side];
    return Array.isArray(path) && path.length > 0 ? path.map(String) : undefined;
  };
  const [minX, minY, maxX, maxY] = ['xmin', 'ymin', 'xmax', 'ymax'].map(readPath);
  return minX === undefined || minY === undefined || maxX === undefined || maxY === undefined
    ? undefined
    : { minX, minY, maxX, maxY };
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
