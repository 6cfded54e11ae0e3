/** The tile matrix sets that every layer offers. */

import { MERCATOR_EDGE } from '../crs/web-mercator.ts';
import { getClientName, hasName, TILE_PIXELS, type TileMatrix, type TileMatrixSet } from './tile-matrix-set.ts';

/** The finest level has pixels of less than a centimetre. */
const LEVELS = 25;

interface HalvingLevels {
  readonly origin: readonly [x: number, y: number];
  /** The side of a tile of the first level, in units of the CRS. */
  readonly firstSide: number;
  /** The number of columns on the first level, which has one row. */
  readonly firstColumns: number;
}

/** The pixels of each level have half the size of those before, which is exact in binary numbers. */
function createHalvingMatrices({ origin, firstSide, firstColumns }: HalvingLevels): readonly TileMatrix[] {
  return Array.from({ length: LEVELS }, (_, level) => ({
    name: String(level),
    cellSize: firstSide / TILE_PIXELS / 2 ** level,
    origin,
    columns: firstColumns * 2 ** level,
    rows: 2 ** level,
    tileWidth: TILE_PIXELS,
    tileHeight: TILE_PIXELS,
  }));
}

export const webMercatorQuad: TileMatrixSet = {
  id: 'WebMercatorQuad',
  otherNames: ['EPSG:900913', 'EPSG:3857', 'EPSG:3785', 'EPSG:102100', 'GoogleMapsCompatible'],
  key: 'WebMercatorQuad',
  title: 'Google Maps Compatible for the World',
  uri: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad',
  crs: { code: 'EPSG:3857' },
  crsUri: 'http://www.opengis.net/def/crs/EPSG/0/3857',
  orderedAxes: ['X', 'Y'],
  isNorthFirst: false,
  metresPerUnit: 1,
  extent: { minX: -MERCATOR_EDGE, minY: -MERCATOR_EDGE, maxX: MERCATOR_EDGE, maxY: MERCATOR_EDGE },
  matrices: createHalvingMatrices({
    origin: [-MERCATOR_EDGE, MERCATOR_EDGE],
    firstSide: 2 * MERCATOR_EDGE,
    firstColumns: 1,
  }),
};

export const worldCrs84Quad: TileMatrixSet = {
  id: 'WorldCRS84Quad',
  otherNames: ['EPSG:4326', 'CRS:84', 'GlobalCRS84Quad', 'InspireCRS84Quad'],
  key: 'WorldCRS84Quad',
  title: 'CRS84 for the World',
  uri: 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WorldCRS84Quad',
  crs: { code: 'EPSG:4326' },
  crsUri: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  orderedAxes: ['Lon', 'Lat'],
  isNorthFirst: false,
  metresPerUnit: (2 * Math.PI * 6_378_137) / 360,
  extent: { minX: -180, minY: -90, maxX: 180, maxY: 90 },
  matrices: createHalvingMatrices({ origin: [-180, 90], firstSide: 180, firstColumns: 2 }),
};

export const defaultSets: readonly TileMatrixSet[] = [webMercatorQuad, worldCrs84Quad];

/** Finds a set by its id or another name. */
export function findDefaultSet(name: string): TileMatrixSet | undefined {
  return defaultSets.find((set) => hasName(set, name));
}

/** Returns the name of the CRS of a set. Existing clients know Web Mercator as EPSG:900913. */
export function getSrsName(set: TileMatrixSet): string {
  return defaultSets.includes(set) ? getClientName(set) : (set.crs.code ?? set.crsUri);
}
