/** Creates tile matrix sets from their definitions. */
import { hash } from 'node:crypto';
import { writeCrsName } from '../../crs/axis-order.ts';
import { type CrsDefinition, findCrs } from '../../crs/resolve-crs.ts';
import type { TileMatrix, TileMatrixSet } from '../tile-matrix-set.ts';
import { createMatrices, type GridDefinition } from './grid-definition.ts';

/** The CRS of a tile matrix set. */
export interface GridCrs {
  readonly code: string;
  readonly isGeographic: boolean;
  /** The order of the authority. */
  readonly isNorthFirst: boolean;
  readonly metresPerUnit: number;
}

/** Returns undefined for an unknown number. */
export async function findGridCrs(epsg: number): Promise<GridCrs | undefined> {
  // The number that clients used for Web Mercator before its registration.
  const code = `EPSG:${epsg === 900_913 ? 3857 : epsg}`;
  const definition = await findCrs(code);
  if (definition === undefined) return undefined;
  return {
    code,
    isGeographic: definition.model?.kind === 'geographic',
    isNorthFirst: definition.axisOrder === 'north-east',
    metresPerUnit: getMetresPerUnit(definition),
  };
}

/** The equator has 360 degrees. */
const METRES_PER_RADIAN = 6_378_137;

function getMetresPerUnit({ model }: CrsDefinition): number {
  if (model?.kind === 'geographic') return model.unit.radians * METRES_PER_RADIAN;
  return model?.unit.metres ?? 1;
}

export interface SetNames {
  readonly title: string;
  readonly uri?: string;
}

/** The definition must have no faults. */
export function createTileMatrixSet(definition: GridDefinition, crs: GridCrs, names: SetNames): TileMatrixSet {
  const matrices = createMatrices(definition, crs.metresPerUnit);
  const isNorthFirst = definition.yCoordinateFirst ?? crs.isNorthFirst;
  // The name of WGS 84 with longitude first.
  const isLongitudeFirst = crs.code === 'EPSG:4326' && !isNorthFirst;
  return {
    id: definition.name,
    otherNames: [],
    key: computeKey(crs.code, matrices),
    title: names.title,
    uri: names.uri,
    crs: { code: crs.code },
    crsUri: writeCrsName({ code: crs.code, isLongitudeFirst }, 'uri'),
    orderedAxes: orderAxes(crs.isGeographic ? ['Lon', 'Lat'] : ['E', 'N'], isNorthFirst),
    isNorthFirst,
    metresPerUnit: crs.metresPerUnit,
    extent: definition.extent,
    matrices,
  };
}

function orderAxes([x, y]: readonly [string, string], isNorthFirst: boolean): readonly [string, string] {
  return isNorthFirst ? [y, x] : [x, y];
}

/** Long enough to rule out collisions. */
const KEY_DIGITS = 24;

/** Tiles depend on the CRS and the numbers of the levels, but not on their names. */
function computeKey(crs: string, matrices: readonly TileMatrix[]): string {
  const numbers = matrices.map(({ name: _, ...matrix }) => Object.entries(matrix).sort());
  return `g${hash('sha256', JSON.stringify([crs, numbers]), 'hex').slice(0, KEY_DIGITS)}`;
}
