/** What maps and tiles cost over HTTP, beside MapServer and the bare SQL on the same data. */
import { Agent, get } from 'node:http';
import type { Client } from 'pg';
import { TABLE, WORKSPACE } from './feature-data.ts';
import type { Beside } from './feature-services.ts';
import type { MapServer } from './mapserver.ts';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';
import { measureThroughput, type Throughput } from './throughput.ts';

export interface MapServiceCost {
  /** Medians of maps of 800 by 400 pixels. */
  readonly few: Beside;
  readonly many: Beside;
  /** Of a box out of the table. */
  readonly boxed: Beside;
  readonly parallelMedian: Beside;
  readonly parallelSlowest: Beside;
  /** A vector tile of the table: over HTTP, and the bare SQL. */
  readonly tileMs: number;
  readonly bareTileMs: number;
  readonly cachedTile: Throughput;
  readonly rssAfterMapsMb: number;
  readonly maps: number;
}

const CLIENTS = 8;
const ROUNDS = 15;
const WARM_UP = 4;
const MAPS_A_CLIENT = 25;

type Ask = (url: string) => Promise<number>;

export async function measureMapServices(
  server: ServerChild,
  mapServer: MapServer,
  client: Client,
  layers: { readonly few: string; readonly many: string; readonly maps: number },
): Promise<MapServiceCost> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const ask: Ask = (url) => askFor(agent, url);
  const getMap = 'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&width=800&height=400&format=image/png&styles=';
  const ours = (layer: string, box: string) =>
    `${server.origin}/geoserver/wms?${getMap}&layers=${WORKSPACE}:${layer}&bbox=${box}`;
  const theirs = (layer: string, box: string) => `${mapServer.url}?${getMap}&layers=${layer}&bbox=${box}`;
  const box = (corner: number) => [corner, corner, corner + 10, corner + 5].join(',');
  const [few, many] = [await boxOf(server, layers.few), await boxOf(server, layers.many)];
  const tile = { level: 7, column: 71, row: 55 };
  const collection = `${server.origin}/geoserver/ogc/tiles/v1/collections/${WORKSPACE}:${TABLE}/tiles/WebMercatorQuad`;
  try {
    await Promise.all(Array.from({ length: CLIENTS }, () => ask(theirs(TABLE, box(20)))));
    const costs = await byTurns(ask, {
      few: ours(layers.few, few),
      theirFew: theirs(layers.few, few),
      many: ours(layers.many, many),
      theirMany: theirs(layers.many, many),
      boxed: ours(TABLE, box(20)),
      theirBoxed: theirs(TABLE, box(20)),
    });
    const tiles = await tileCosts(ask, client, `${collection}/${tile.level}/${tile.row}/${tile.column}?f=mvt`, tile);
    const parallel = await inParallel(ask, (corner) => ours(TABLE, box(corner)));
    const theirParallel = await inParallel(ask, (corner) => theirs(TABLE, box(corner)));
    const cached = `//geoserver/gwc/service/xyz/${WORKSPACE}:${layers.few}/1/1/0.png`;
    const cachedTile = await measureThroughput(server, cached);
    for (let drawn = 0; drawn < layers.maps; drawn += CLIENTS) {
      const corner = -80 + ((drawn / CLIENTS) % 120);
      await Promise.all(Array.from({ length: CLIENTS }, (_, index) => ask(ours(TABLE, box(corner + index * 3)))));
    }
    return {
      few: { ours: costs.few, theirs: costs.theirFew },
      many: { ours: costs.many, theirs: costs.theirMany },
      boxed: { ours: costs.boxed, theirs: costs.theirBoxed },
      parallelMedian: { ours: percentile(parallel, 0.5), theirs: percentile(theirParallel, 0.5) },
      parallelSlowest: { ours: percentile(parallel, 0.99), theirs: percentile(theirParallel, 0.99) },
      ...tiles,
      cachedTile,
      rssAfterMapsMb: await server.rssMb(),
      maps: layers.maps,
    };
  } finally {
    agent.destroy();
  }
}

/** All that a layer has. */
async function boxOf(server: ServerChild, layer: string): Promise<string> {
  const path = `/workspaces/${WORKSPACE}/datastores/${layer}/featuretypes/${layer}.json`;
  const reply = await fetch(`${server.restUrl}${path}`, { headers: { authorization } });
  const { featureType } = (await reply.json()) as {
    readonly featureType: { readonly latLonBoundingBox: Readonly<Record<'minx' | 'miny' | 'maxx' | 'maxy', number>> };
  };
  const { minx, miny, maxx, maxy } = featureType.latLonBoundingBox;
  return [minx, miny, maxx, maxy].join(',');
}

/** What PostGIS needs by itself, with the same columns and the same margin around the tile. */
async function tileCosts(
  ask: Ask,
  client: Client,
  url: string,
  { level, column, row }: { readonly level: number; readonly column: number; readonly row: number },
): Promise<{ readonly tileMs: number; readonly bareTileMs: number }> {
  const sql = `
    SELECT ST_AsMVT(tile, '${TABLE}', 4096, 'geom') FROM (
      SELECT id, name, kind, ST_AsMVTGeom(ST_Transform(geom, 3857), ST_TileEnvelope(${level}, ${column}, ${row}), 4096, 64) AS geom
      FROM ${TABLE}
      WHERE geom && ST_Transform(ST_TileEnvelope(${level}, ${column}, ${row}, margin => 64.0 / 4096), 4326)
    ) AS tile WHERE geom IS NOT NULL`;
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const ms = await ask(url);
    const startedAt = performance.now();
    await client.query(sql);
    const bareMs = performance.now() - startedAt;
    if (round < WARM_UP) continue;
    ours.push(ms);
    bare.push(bareMs);
  }
  return { tileMs: percentile(ours, 0.5), bareTileMs: percentile(bare, 0.5) };
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
  const medians = entries.map(([name]) => [name, percentile(times.get(name) ?? [], 0.5)]);
  return Object.fromEntries(medians) as Record<Name, number>;
}

/** Each client has its own part of the Earth. */
async function inParallel(ask: Ask, url: (corner: number) => string): Promise<readonly number[]> {
  const one = async (_: unknown, index: number): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let map = 0; map < MAPS_A_CLIENT; map += 1) times.push(await ask(url(-60 + 15 * index + (map % 5))));
    return times;
  };
  return (await Promise.all(Array.from({ length: CLIENTS }, one))).flat();
}

/** Until the last byte is there; complaints come with the status 200, and are told by their type. */
function askFor(agent: Agent, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get(url, { agent }, (reply) => {
      reply.resume();
      reply.once('error', reject);
      reply.once('end', () => {
        const type = reply.headers['content-type'] ?? '';
        if (reply.statusCode === 200 && !type.includes('xml')) resolve(performance.now() - startedAt);
        else reject(new Error(`${url} answered ${reply.statusCode} as ${type}`));
      });
    }).once('error', reject);
  });
}
