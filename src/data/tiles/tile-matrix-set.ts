/** Grids of tiles that all clients know: which part of the world a tile shows, by its level, row and column. */
import type { Bounds } from '../crs/bounds.ts';
import type { CrsReference } from '../crs/crs-reference.ts';

export interface TileMatrixSet {
  readonly id: string;
  readonly title: string;
  readonly uri: string;
  /** Longitude, easting or x comes first in what is worked out here. */
  readonly crs: CrsReference;
  /** As documents name it. */
  readonly crsUri: string;
  readonly orderedAxes: readonly [string, string];
  /** The upper left corner of the first tile, x before y. */
  readonly origin: readonly [number, number];
  /** How long the side of a tile of the first level is, in units of the system. */
  readonly firstSide: number;
  /** How many tiles stand side by side, and one below the other, on the first level. */
  readonly firstColumns: number;
  readonly firstRows: number;
  readonly metresPerUnit: number;
}

export interface TileAddress {
  readonly level: number;
  readonly row: number;
  readonly column: number;
}

/** Finer than a millimetre nobody looks. */
export const MAX_LEVEL = 24;
export const TILE_PIXELS = 256;

/** The pixel of the standard, in metres. */
const PIXEL_METRES = 0.000_28;
const MERCATOR_EDGE = 20_037_508.342_789_244;

export const tileMatrixSets: readonly TileMatrixSet[] = [
  {
    id: 'WebMercatorQuad',
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

export function tileMatrixSetNamed(id: string): TileMatrixSet | undefined {
  return tileMatrixSets.find((each) => each.id === id);
}

/** How many tiles a level has. */
export function matrixSize({ firstColumns, firstRows }: TileMatrixSet, level: number) {
  return { columns: firstColumns * 2 ** level, rows: firstRows * 2 ** level };
}

/** How long the side of a pixel is, in units of the system. */
export function cellSize({ firstSide }: TileMatrixSet, level: number): number {
  return firstSide / TILE_PIXELS / 2 ** level;
}

export function scaleDenominator(set: TileMatrixSet, level: number): number {
  return (cellSize(set, level) * set.metresPerUnit) / PIXEL_METRES;
}

export function isInMatrix(set: TileMatrixSet, { level, row, column }: TileAddress): boolean {
  const { columns, rows } = matrixSize(set, level);
  return level <= MAX_LEVEL && row < rows && column < columns;
}

export function boundsOfTile({ origin: [left, top], firstSide }: TileMatrixSet, address: TileAddress): Bounds {
  const side = firstSide / 2 ** address.level;
  const minX = left + address.column * side;
  const maxY = top - address.row * side;
  return { minX, minY: maxY - side, maxX: minX + side, maxY };
}
