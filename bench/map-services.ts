/** Map and tile requests over HTTP, compared with MapServer and plain SQL on the same data. */
import { join } from 'node:path';
import type { Client } from 'pg';
import { BUFFER, EXTENT } from '../src/tiles/vector/tile-geometry.ts';
import { type Ask, byTurns, CLIENTS, inParallel, startAsking } from './asking.ts';
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
  /** A box of the table. */
  readonly boxed: Beside;
  readonly parallelMedian: Beside;
  readonly parallelSlowest: Beside;
  /** A vector tile of the table: over HTTP, and as plain SQL. */
  readonly tileMs: number;
  readonly bareTileMs: number;
  /** Of uploaded data: an image and a vector tile. */
  readonly cachedPicture: Throughput;
  readonly cachedTile: Throughput;
  readonly rssAfterMapsMb: number;
  readonly maps: number;
}

export async function measureMapServices(
  server: ServerChild,
  mapServer: MapServer,
  client: Client,
  layers: {
    readonly few: string;
    readonly many: string;
    /** The same data as `few`, as an upload. */
    readonly uploaded: string;
    readonly maps: number;
    /** A folder for temporary bytes. */
    readonly folder: string;
  },
): Promise<MapServiceCost> {
  const { ask, close } = startAsking(({ type }) => !type.includes('xml'));
  const getMap = 'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&width=800&height=400&format=image/png&styles=';
  const ours = (layer: string, box: string) =>
    `${server.origin}/geoserver/wms?${getMap}&layers=${WORKSPACE}:${layer}&bbox=${box}`;
  const theirs = (layer: string, box: string) => `${mapServer.url}?${getMap}&layers=${layer}&bbox=${box}`;
  const box = (corner: number) => [corner, corner, corner + 10, corner + 5].join(',');
  const [few, many] = [await readBox(server, layers.few), await readBox(server, layers.many)];
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
    const tileTimes = await tileCosts(
      ask,
      client,
      `${collection}/${tile.level}/${tile.row}/${tile.column}?f=mvt`,
      tile,
    );
    const ourBox = (corner: number) => ours(TABLE, box(corner));
    const theirBox = (corner: number) => theirs(TABLE, box(corner));
    // Warm-up: a second thread of the server starts with the second client and compiles its code.
    for (const each of [ourBox, theirBox]) await inParallel(ask, each);
    const parallel = await inParallel(ask, ourBox);
    const theirParallel = await inParallel(ask, theirBox);
    const tiles = `//geoserver/gwc/service/xyz/${WORKSPACE}:${layers.uploaded}@EPSG:900913@`;
    const file = join(layers.folder, 'tile');
    const cachedPicture = await measureThroughput(server, `${tiles}png/7/72/47.png`, file);
    const cachedTile = await measureThroughput(server, `${tiles}pbf/6/36/24.pbf`, file);
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
      ...tileTimes,
      cachedPicture,
      cachedTile,
      rssAfterMapsMb: await server.rssMb(),
      maps: layers.maps,
    };
  } finally {
    close();
  }
}

/** The full extent of a layer. */
async function readBox(server: ServerChild, layer: string): Promise<string> {
  const path = `/workspaces/${WORKSPACE}/datastores/${layer}/featuretypes/${layer}.json`;
  const reply = await fetch(`${server.restUrl}${path}`, { headers: { authorization } });
  const { featureType } = (await reply.json()) as {
    readonly featureType: { readonly latLonBoundingBox: Readonly<Record<'minx' | 'miny' | 'maxx' | 'maxy', number>> };
  };
  const { minx, miny, maxx, maxy } = featureType.latLonBoundingBox;
  return [minx, miny, maxx, maxy].join(',');
}

/** A tile is so fast that uncompiled code would dominate its time. */
const TILE_WARM_UP = 300;
const TILE_ROUNDS = 200;

/** The time of PostGIS alone, with the same columns and the same margin around the tile. */
async function tileCosts(
  ask: Ask,
  client: Client,
  url: string,
  { level, column, row }: { readonly level: number; readonly column: number; readonly row: number },
): Promise<{ readonly tileMs: number; readonly bareTileMs: number }> {
  const envelope = `ST_TileEnvelope(${level}, ${column}, ${row}`;
  const sql = `
    SELECT ST_AsMVT(tile, '${TABLE}', ${EXTENT}, 'geom') FROM (
      SELECT id, name, kind, ST_AsMVTGeom(ST_Transform(geom, 3857), ${envelope}), ${EXTENT}, ${BUFFER}) AS geom
      FROM ${TABLE}
      WHERE geom && ST_Transform(${envelope}, margin => ${BUFFER / EXTENT}), 4326)
    ) AS tile WHERE geom IS NOT NULL`;
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < TILE_WARM_UP + TILE_ROUNDS; round += 1) {
    const ms = await ask(url);
    const startedAt = performance.now();
    await client.query(sql);
    const bareMs = performance.now() - startedAt;
    if (round < TILE_WARM_UP) continue;
    ours.push(ms);
    bare.push(bareMs);
  }
  return { tileMs: percentile(ours, 0.5), bareTileMs: percentile(bare, 0.5) };
}
