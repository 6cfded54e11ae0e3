/**
 * Feature requests over HTTP, compared with MapServer on the same data: a whole shapefile, pages in boxes, and pages at
 * high offsets.
 */
import { byTurns, CLIENTS, inParallel, startAsking } from './asking.ts';
import { SHAPEFILE, TABLE, WORKSPACE } from './feature-data.ts';
import type { MapServer } from './mapserver.ts';
import { percentile } from './percentile.ts';
import type { ServerChild } from './server-child.ts';

/** Both sides of one figure, in milliseconds. */
export interface Beside {
  readonly ours: number;
  readonly theirs: number;
}

export interface FeatureServiceCost {
  /** GeoJSON of all parcels: medians. */
  readonly parcels: Beside;
  /** A page of a thousand in a box: medians, over WFS on both sides. */
  readonly boxed: Beside;
  /** The same as an OGC API page, compared with the WFS of MapServer. */
  readonly boxedItemsMs: number;
  /** Eight clients that request pages in separate boxes. */
  readonly parallelMedian: Beside;
  readonly parallelSlowest: Beside;
  /** The first page of a thousand, and one after nine tenths of the rows: medians. */
  readonly firstItemsMs: number;
  readonly farItemsMs: number;
  readonly firstByIndex: Beside;
  /** The page after the previous one, as clients page. */
  readonly farByIndex: Beside;
  /** Nearly as far, without a previous page. */
  readonly jumpMs: number;
}

const PAGE = 1_000;
export async function measureFeatureServices(
  server: ServerChild,
  mapServer: MapServer,
  rows: number,
): Promise<FeatureServiceCost> {
  const { ask, close } = startAsking(({ bytes }) => bytes > 10_000);
  const ours = buildUrls(server);
  const theirs = `${mapServer.url}?service=WFS&version=2.0.0&request=GetFeature&outputFormat=geojson`;
  const wfsBox = (corner: number) =>
    `&bbox=${corner},${corner},${corner + 10},${corner + 10},urn:ogc:def:crs:EPSG::4326&count=${PAGE}`;
  const far = Math.trunc(rows * 0.9);
  try {
    // Ensures that all MapServer processes have their connections.
    await Promise.all(Array.from({ length: CLIENTS }, () => ask(`${theirs}&typeNames=${TABLE}${wfsBox(20)}`)));
    const costs = await byTurns(ask, {
      parcels: `${ours.wfs}&typeNames=${WORKSPACE}:${SHAPEFILE}`,
      theirParcels: `${theirs}&typeNames=${SHAPEFILE}`,
      boxed: `${ours.wfs}&typeNames=${WORKSPACE}:${TABLE}${wfsBox(20)}`,
      theirBoxed: `${theirs}&typeNames=${TABLE}${wfsBox(20)}`,
      boxedItems: `${ours.items}?limit=${PAGE}&bbox=20,20,30,30`,
      firstItems: `${ours.items}?limit=${PAGE}`,
      farItems: await findNextUrl(`${ours.items}?limit=1&offset=${far - 1}`, PAGE),
      first: `${ours.wfs}&typeNames=${WORKSPACE}:${TABLE}&count=${PAGE}`,
      theirFirst: `${theirs}&typeNames=${TABLE}&count=${PAGE}`,
      beforeFar: `${ours.wfs}&typeNames=${WORKSPACE}:${TABLE}&count=${PAGE}&startIndex=${far - PAGE}`,
      far: `${ours.wfs}&typeNames=${WORKSPACE}:${TABLE}&count=${PAGE}&startIndex=${far}`,
      theirFar: `${theirs}&typeNames=${TABLE}&count=${PAGE}&startIndex=${far}`,
    });
    const parallel = await inParallel(ask, (corner) => `${ours.wfs}&typeNames=${WORKSPACE}:${TABLE}${wfsBox(corner)}`);
    const theirParallel = await inParallel(ask, (corner) => `${theirs}&typeNames=${TABLE}${wfsBox(corner)}`);
    const slowest = (times: readonly number[]) => percentile(times, 0.99);
    const median = (times: readonly number[]) => percentile(times, 0.5);
    return {
      parcels: { ours: costs.parcels, theirs: costs.theirParcels },
      boxed: { ours: costs.boxed, theirs: costs.theirBoxed },
      boxedItemsMs: costs.boxedItems,
      parallelMedian: { ours: median(parallel), theirs: median(theirParallel) },
      parallelSlowest: { ours: slowest(parallel), theirs: slowest(theirParallel) },
      firstItemsMs: costs.firstItems,
      farItemsMs: costs.farItems,
      firstByIndex: { ours: costs.first, theirs: costs.theirFirst },
      farByIndex: { ours: costs.far, theirs: costs.theirFar },
      jumpMs: costs.beforeFar,
    };
  } finally {
    close();
  }
}

function buildUrls(server: ServerChild): { readonly wfs: string; readonly items: string } {
  const root = `${server.origin}/geoserver`;
  return {
    wfs: `${root}/wfs?service=WFS&version=2.0.0&request=GetFeature&outputFormat=application/json`,
    items: `${root}/ogc/features/v1/collections/${WORKSPACE}:${TABLE}/items`,
  };
}

/** The next page according to the link, with the requested number of features. */
async function findNextUrl(url: string, limit: number): Promise<string> {
  const page = (await (await fetch(url)).json()) as {
    readonly links: readonly { readonly rel: string; readonly href: string }[];
  };
  const next = page.links.find(({ rel }) => rel === 'next')?.href;
  if (next === undefined) throw new Error(`${url} is the last page`);
  return next.replace(/limit=\d+/, `limit=${limit}`);
}
