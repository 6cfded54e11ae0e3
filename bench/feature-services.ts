/** What features cost over HTTP, beside MapServer on the same data: all of a shapefile, pages in boxes, and pages far behind. */
import { Agent, get } from 'node:http';
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
  /** The same as a page of OGC API, beside the WFS of the other. */
  readonly boxedItemsMs: number;
  /** Eight clients that ask for pages in boxes of their own. */
  readonly parallelMedian: Beside;
  readonly parallelSlowest: Beside;
  /** The first page of a thousand, and one behind nine tenths of the rows: medians. */
  readonly firstItemsMs: number;
  readonly farItemsMs: number;
  readonly firstByIndex: Beside;
  /** Behind the page before it, as clients page. */
  readonly farByIndex: Beside;
  /** Nearly as far behind, without a page before it. */
  readonly jumpMs: number;
}

const PAGE = 1_000;
const CLIENTS = 8;
const ROUNDS = 15;
const WARM_UP = 5;
const PAGES_A_CLIENT = 30;

type Ask = (url: string) => Promise<number>;

export async function measureFeatureServices(
  server: ServerChild,
  mapServer: MapServer,
  rows: number,
): Promise<FeatureServiceCost> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const ask: Ask = (url) => askFor(agent, url);
  const ours = addressesOf(server);
  const theirs = `${mapServer.url}?service=WFS&version=2.0.0&request=GetFeature&outputFormat=geojson`;
  const wfsBox = (corner: number) =>
    `&bbox=${corner},${corner},${corner + 10},${corner + 10},urn:ogc:def:crs:EPSG::4326&count=${PAGE}`;
  const far = Math.trunc(rows * 0.9);
  try {
    // All processes of the other have their connections then.
    await Promise.all(Array.from({ length: CLIENTS }, () => ask(`${theirs}&typeNames=${TABLE}${wfsBox(20)}`)));
    const costs = await byTurns(ask, {
      parcels: `${ours.wfs}&typeNames=${WORKSPACE}:${SHAPEFILE}`,
      theirParcels: `${theirs}&typeNames=${SHAPEFILE}`,
      boxed: `${ours.wfs}&typeNames=${WORKSPACE}:${TABLE}${wfsBox(20)}`,
      theirBoxed: `${theirs}&typeNames=${TABLE}${wfsBox(20)}`,
      boxedItems: `${ours.items}?limit=${PAGE}&bbox=20,20,30,30`,
      firstItems: `${ours.items}?limit=${PAGE}`,
      farItems: await nextOf(`${ours.items}?limit=1&offset=${far - 1}`, PAGE),
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
    agent.destroy();
  }
}

function addressesOf(server: ServerChild): { readonly wfs: string; readonly items: string } {
  const root = `${server.origin}/geoserver`;
  return {
    wfs: `${root}/wfs?service=WFS&version=2.0.0&request=GetFeature&outputFormat=application/json`,
    items: `${root}/ogc/features/v1/collections/${WORKSPACE}:${TABLE}/items`,
  };
}

/** By turns, so that whatever else the machine does slows all alike; medians, after some that do not count. */
async function byTurns<Name extends string>(
  ask: Ask,
  urls: Readonly<Record<Name, string>>,
): Promise<Readonly<Record<Name, number>>> {
  const entries = Object.entries<string>(urls);
  const times = new Map(entries.map(([name]) => [name, [] as number[]]));
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [name, url] of entries) {
      const ms = await ask(url);
      if (round >= WARM_UP) times.get(name)?.push(ms);
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, percentile(times.get(name) ?? [], 0.5)])) as Record<
    Name,
    number
  >;
}

/** Each client has its own part of the Earth. */
async function inParallel(ask: Ask, url: (corner: number) => string): Promise<readonly number[]> {
  const client = async (_: unknown, index: number): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let page = 0; page < PAGES_A_CLIENT; page += 1) times.push(await ask(url(-60 + 15 * index + (page % 5))));
    return times;
  };
  return (await Promise.all(Array.from({ length: CLIENTS }, client))).flat();
}

/** The page behind another, as its link says, with as many features as are wanted. */
async function nextOf(url: string, limit: number): Promise<string> {
  const page = (await (await fetch(url)).json()) as {
    readonly links: readonly { readonly rel: string; readonly href: string }[];
  };
  const next = page.links.find(({ rel }) => rel === 'next')?.href;
  if (next === undefined) throw new Error(`${url} is the last page`);
  return next.replace(/limit=\d+/, `limit=${limit}`);
}

/** Until the last byte is there; nothing is kept of it. */
function askFor(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get(url, { agent }, (reply) => {
      let bytes = 0;
      reply.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      reply.once('error', reject);
      reply.once('end', () => {
        // Errors of the other come with the status 200, but are short.
        if (reply.statusCode === 200 && bytes > 10_000) resolve(performance.now() - startedAt);
        else reject(new Error(`${url} answered ${reply.statusCode} with ${bytes} bytes`));
      });
    }).once('error', reject);
  });
}
