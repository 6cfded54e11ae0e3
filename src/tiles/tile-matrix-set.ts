/** The common tile matrix sets: the extent of a tile by its level, row and column. */
import type { Bounds } from '../crs/bounds.ts';
import type { CrsReference } from '../crs/model/crs-reference.ts';

export interface TileMatrixSet {
  readonly id: string;
  /** Names of the same grid in other servers and before its standardization. */
  readonly otherNames: readonly string[];
  readonly title: string;
  readonly uri: string;
  /** Computations use longitude, easting or x first. */
  readonly crs: CrsReference;
  /** The URI in documents. */
  readonly crsUri: string;
  readonly orderedAxes: readonly [string, string];
  /** The upper left corner of the first tile, x before y. */
  readonly origin: readonly [number, number];
  /** The side of a tile of the first level, in units of the CRS. */
  readonly firstSide: number;
  /** The number of columns and rows on the first level. */
  readonly firstColumns: number;
  readonly firstRows: number;
  readonly metresPerUnit: number;
}

export interface TileAddress {
  readonly level: number;
  readonly row: number;
  readonly column: number;
}

/** The content of a tile. */
export interface TileBytes {
  readonly address: TileAddress;
  readonly bytes: Uint8Array;
  /** Whether features are missing, because reading them took too long. */
  readonly isIncomplete?: boolean;
}

/** The finest level has pixels of less than a centimetre. */
export const MAX_LEVEL = 24;
export const TILE_PIXELS = 256;

/** The standardized pixel size of OGC, in metres. */
const PIXEL_METRES = 0.000_28;
const MERCATOR_EDGE = 20_037_508.342_789_244;

export const tileMatrixSets: readonly TileMatrixSet[] = [
  {
    id: 'WebMercatorQuad',
    otherNames: ['EPSG:900913', 'EPSG:3857', 'EPSG:3785', 'EPSG:102100', 'GoogleMapsCompatible'],
    title: 'Google Maps Compatible for the World',
    uri: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad',
    crs: { code: 'EPSG:3857' },
    crsUri: 'http://www.opengis.net/def/crs/EPSG/0/3857',
    orderedAxes: ['X', 'Y'],
    origin: [-MERCATOR_EDGE, MERCATOR_EDGE],
    firstSide: 2 * MERCATOR_EDGE,
    firstColumns: 1,
    firstRows: 1,
    metresPerUnit: 1,
  },
  {
    id: 'WorldCRS84Quad',
    otherNames: ['EPSG:4326', 'CRS:84', 'GlobalCRS84Quad', 'InspireCRS84Quad'],
    title: 'CRS84 for the World',
    uri: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WorldCRS84Quad',
    crs: { code: 'EPSG:4326' },
    crsUri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    orderedAxes: ['Lon', 'Lat'],
    origin: [-180, 90],
    firstSide: 180,
    firstColumns: 2,
    firstRows: 1,
    metresPerUnit: (2 * Math.PI * 6_378_137) / 360,
  },
];

/** Finds a set by its id or another name. */
export function findTileMatrixSet(name: string): TileMatrixSet | undefined {
  return tileMatrixSets.find(({ id, otherNames }) => id === name || otherNames.includes(name));
}

/** Returns the number of columns and rows of a level. */
export function getMatrixSize({ firstColumns, firstRows }: TileMatrixSet, level: number) {
  return { columns: firstColumns * 2 ** level, rows: firstRows * 2 ** level };
}

/** Returns the side of a pixel in units of the CRS. */
export function getCellSize({ firstSide }: TileMatrixSet, level: number): number {
  return firstSide / TILE_PIXELS / 2 ** level;
}

export function computeScaleDenominator(set: TileMatrixSet, level: number): number {
  return (getCellSize(set, level) * set.metresPerUnit) / PIXEL_METRES;
}

export function isInMatrix(set: TileMatrixSet, { level, row, column }: TileAddress): boolean {
  const { columns, rows } = getMatrixSize(set, level);
  return level <= MAX_LEVEL && row < rows && column < columns;
}

export function computeTileBounds({ origin: [left, top], firstSide }: TileMatrixSet, address: TileAddress): Bounds {
  const side = firstSide / 2 ** address.level;
  const minX = left + address.column * side;
  const maxY = top - address.row * side;
  return { minX, minY: maxY - side, maxX: minX + side, maxY };
}

/** The radius of the sphere of Web Mercator. */
const SPHERE_METRES = MERCATOR_EDGE / Math.PI;

/**
 * Converts a Web Mercator box to degrees. Parallels and meridians are axis-aligned in both, so that the corners
 * suffice.
 */
export function convertMercatorToDegrees({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const toLongitude = (x: number) => (x / MERCATOR_EDGE) * 180;
  const toLatitude = (y: number) => (Math.atan(Math.sinh(y / SPHERE_METRES)) * 180) / Math.PI;
  return { minX: toLongitude(minX), minY: toLatitude(minY), maxX: toLongitude(maxX), maxY: toLatitude(maxY) };
}

/** Converts degrees to Web Mercator; latitudes beyond its edge are clamped. */
function convertDegreesToMercator({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const toMercatorX = (longitude: number) => (longitude / 180) * MERCATOR_EDGE;
  const toMercatorY = (latitude: number) => {
    const height = SPHERE_METRES * Math.asinh(Math.tan((latitude * Math.PI) / 180));
    return Math.min(MERCATOR_EDGE, Math.max(-MERCATOR_EDGE, height));
  };
  return { minX: toMercatorX(minX), minY: toMercatorY(minY), maxX: toMercatorX(maxX), maxY: toMercatorY(maxY) };
}

/** Returns the tiles of a level that intersect a box in degrees; undefined if none does. */
export function findTilesInDegrees(set: TileMatrixSet, level: number, degrees: Bounds): TileRectangle | undefined {
  return findTilesInBounds(set, level, set.crs.code === 'EPSG:3857' ? convertDegreesToMercator(degrees) : degrees);
}

/** Parses a level with or without the name of its grid: `EPSG:900913:5`, `5`. Returns undefined for invalid text. */
export function parseLevel(set: TileMatrixSet, written: string): number | undefined {
  const colon = written.lastIndexOf(':');
  const [grid, number] = [written.slice(0, Math.max(0, colon)), written.slice(colon + 1)];
  const isOfSet = colon < 0 || grid === set.id || set.otherNames.includes(grid);
  return isOfSet && /^\d{1,2}$/.test(number) && Number(number) <= MAX_LEVEL ? Number(number) : undefined;
}

/** Returns the tiles of a level that intersect a box in the CRS of the grid; undefined if none does. */
export function findTilesInBounds(
  set: TileMatrixSet,
  level: number,
  { minX, minY, maxX, maxY }: Bounds,
): TileRectangle | undefined {
  const side = set.firstSide / 2 ** level;
  const { columns, rows } = getMatrixSize(set, level);
  const [left, top] = set.origin;
  // A box that ends where a tile begins does not intersect it.
  const found = {
    minColumn: Math.max(0, Math.floor((minX - left) / side)),
    maxColumn: Math.min(columns, Math.ceil((maxX - left) / side)) - 1,
    minRow: Math.max(0, Math.floor((top - maxY) / side)),
    maxRow: Math.min(rows, Math.ceil((top - minY) / side)) - 1,
  };
  const widened = {
    ...found,
    maxColumn: Math.max(found.maxColumn, Math.min(found.minColumn, columns - 1)),
    maxRow: Math.max(found.maxRow, Math.min(found.minRow, rows - 1)),
  };
  const isOutside = maxX < left || minY > top || widened.minColumn >= columns || widened.minRow >= rows;
  return isOutside ? undefined : widened;
}

export interface TileRectangle {
  readonly minColumn: number;
  readonly maxColumn: number;
  readonly minRow: number;
  readonly maxRow: number;
}
