/**
 * Coordinate reference systems of maps. Web Mercator, degrees and UTM are part of OpenLayers; the server defines all
 * others, and the library that computes them is loaded when one is chosen.
 */
import { addProjection, get as getProjection, type Projection, transformExtent } from 'ol/proj.js';
import { callRest, rest } from '../rest/client.ts';

/** West, south, east and north in degrees. */
export type Extent = readonly [number, number, number, number];

/** Web Mercator ends here. */
const MAX_LATITUDE = 85.06;

const WORLD: Extent = [-180, -90, 180, 90];

/** Positions along an edge of a box: edges are curves in most projections. */
const STOPS = 16;

interface CrsDocument {
  readonly bboxWGS84?: {
    readonly minX: number;
    readonly minY: number;
    readonly maxX: number;
    readonly maxY: number;
  };
  readonly definition: string;
}

const areas = new Map<string, Extent>([
  ['EPSG:3857', [-180, -MAX_LATITUDE, 180, MAX_LATITUDE]],
  ['EPSG:4326', WORLD],
]);

/** Maps and marks may need a projection at the same time. */
const loading = new Map<string, Promise<void>>();

/** Makes a projection available. Throws a RestProblem if the code is unknown. */
export async function loadProjection(code: string): Promise<void> {
  if (areas.has(code)) return;
  const work = loading.get(code) ?? readProjection(code).finally(() => loading.delete(code));
  loading.set(code, work);
  await work;
}

async function readProjection(code: string): Promise<void> {
  const { body } = await callRest<CrsDocument>(rest`/crs/${code}`);
  const { bboxWGS84: area, definition } = body;
  if (getProjection(code) === null) {
    const { defineProjection } = await import('./define-projection.ts');
    addProjection(defineProjection(code, definition));
  }
  areas.set(code, area === undefined ? WORLD : [area.minX, area.minY, area.maxX, area.maxY]);
}

/** Returns a projection that is loaded. */
export function requireProjection(code: string): Projection {
  const found = getProjection(code);
  if (found === null) throw new Error(`The projection ${code} is not loaded`);
  return found;
}

/** Where coordinates of the projection are useful. */
export function getArea(code: string): Extent {
  return areas.get(code) ?? WORLD;
}

/** Converts an extent in degrees; the part outside of the area of the projection is cut off. */
export function projectExtent(extent: Extent, code: string): number[] {
  const [west, south, east, north] = intersect(extent, getArea(code)) ?? getArea(code);
  return transformExtent([west, south, east, north], 'EPSG:4326', requireProjection(code), STOPS);
}

/** Converts an extent of a map to degrees within the world. */
export function unprojectExtent(extent: readonly number[], code: string): Extent {
  const [west = -180, south = -90, east = 180, north = 90] = transformExtent(
    [...extent],
    requireProjection(code),
    'EPSG:4326',
    STOPS,
  );
  const clean = [west, south, east, north].map((value, index) => (Number.isFinite(value) ? value : WORLD[index]));
  return intersect(clean as unknown as Extent, WORLD) ?? WORLD;
}

function intersect(one: Extent, other: Extent): Extent | undefined {
  const [west, south] = [Math.max(one[0], other[0]), Math.max(one[1], other[1])];
  const [east, north] = [Math.min(one[2], other[2]), Math.min(one[3], other[3])];
  return west > east || south > north ? undefined : [west, south, east, north];
}
