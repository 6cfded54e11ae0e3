/** Where a requested map lies and how large it is, with what the client leaves to the server. */

import { readCrsName } from '../../data/crs/axis-order.ts';
import type { Bounds } from '../../data/crs/bounds.ts';
import type { CrsReference } from '../../data/crs/crs-reference.ts';
import { createReprojection } from '../../data/vector/query/reprojection.ts';
import { problem } from '../../lib/problem.ts';
import type { PublishedMap } from '../door/published-map.ts';
import type { RequestedFrame, WmsVersion } from './request.ts';
import type { WmsSettings } from './settings.ts';

export interface MapFrame {
  readonly system: CrsReference;
  /** The code of the system, as the client knows it. */
  readonly crs: string;
  /** x before y. */
  readonly box: Bounds;
  readonly width: number;
  readonly height: number;
}

const LONGITUDE_LATITUDE = 'EPSG:4326';

/** The longer side of a map of which nobody says how large it is. */
const USUAL_PIXELS = 512;

export async function mapFrame(
  version: WmsVersion,
  requested: RequestedFrame,
  maps: readonly PublishedMap[],
  { maxPixels }: Pick<WmsSettings, 'maxPixels'>,
): Promise<MapFrame> {
  const crs = requested.crs ?? LONGITUDE_LATITUDE;
  const named = await readCrsName(crs, version === '1.3.0' ? 'as-authority' : 'east-first');
  if (named === undefined) throw problem('wms-crs-unknown', { crs, field: version === '1.3.0' ? 'crs' : 'srs' });
  const system = { code: named.code };
  const box = requested.corners ? inOrder(requested.corners, named.isNorthFirst) : await boxAround(maps, system);
  const { width, height } = sizeOf(requested, box);
  if (width * height > maxPixels) {
    throw problem('wms-map-too-large', { width, height, maxPixels, field: 'width' });
  }
  return { system, crs: named.code, box, width, height };
}

function inOrder([a, b, c, d]: readonly [number, number, number, number], isNorthFirst: boolean): Bounds {
  return isNorthFirst ? { minX: b, minY: a, maxX: d, maxY: c } : { minX: a, minY: b, maxX: c, maxY: d };
}

/** Where all of them lie; the whole Earth where nobody knows. */
async function boxAround(maps: readonly PublishedMap[], system: CrsReference): Promise<Bounds> {
  const boxes = maps.flatMap(({ latLonBounds }) => latLonBounds ?? []);
  const all = boxes.reduce<Bounds | undefined>(joined, undefined) ?? { minX: -180, minY: -90, maxX: 180, maxY: 90 };
  const reprojection = await createReprojection({ code: LONGITUDE_LATITUDE }, system);
  return withArea(reprojection?.bounds(all) ?? all);
}

function joined(one: Bounds | undefined, other: Bounds): Bounds {
  if (one === undefined) return other;
  return {
    minX: Math.min(one.minX, other.minX),
    minY: Math.min(one.minY, other.minY),
    maxX: Math.max(one.maxX, other.maxX),
    maxY: Math.max(one.maxY, other.maxY),
  };
}

/** A single point is shown with something around it. */
function withArea({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const margin = Math.max(maxX - minX, maxY - minY) / 2 || 1;
  return {
    minX: maxX > minX ? minX : minX - margin,
    minY: maxY > minY ? minY : minY - margin,
    maxX: maxX > minX ? maxX : maxX + margin,
    maxY: maxY > minY ? maxY : maxY + margin,
  };
}

/** In the proportions of the box, where a side is missing. */
function sizeOf({ width, height }: RequestedFrame, box: Bounds): { readonly width: number; readonly height: number } {
  const ratio = (box.maxX - box.minX) / (box.maxY - box.minY);
  const pixels = (length: number): number => Math.max(1, Math.min(Math.round(length), USUAL_PIXELS * 16));
  if (width !== undefined) return { width, height: height ?? pixels(width / ratio) };
  if (height !== undefined) return { width: pixels(height * ratio), height };
  return ratio >= 1
    ? { width: USUAL_PIXELS, height: pixels(USUAL_PIXELS / ratio) }
    : { width: pixels(USUAL_PIXELS * ratio), height: USUAL_PIXELS };
}
