/** Maps and vector tiles of many points over HTTP; maps are compared with MapServer on the same data and symbols. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { byTurns, startAsking, WARM_UP } from './asking.ts';
import { call } from './call.ts';
import { parcelsStore, publish, tableStore, WORKSPACE, withDatabase } from './feature-data.ts';
import { createGazetteerTable, GAZETTEER, GAZETTEER_TABLE, gazetteerBox, writeGazetteer } from './gazetteer.ts';
import { type MapServer, startMapServer } from './mapserver.ts';
import type { BenchedDatabase } from './postgis-tables.ts';
import type { Bench } from './sections/section.ts';
import { type ServerChild, startServerChild } from './server-child.ts';

export interface PointMapCost {
  readonly ms: number;
  readonly processorMs: number;
}

export function formatCost({ ms, processorMs }: PointMapCost): string {
  return `${ms.toFixed(0)} ms, ${processorMs.toFixed(0)} ms of CPU`;
}

export interface PointMapCosts {
  readonly maps: readonly { readonly what: string; readonly ours: PointMapCost; readonly theirs: PointMapCost }[];
  readonly tiles: readonly { readonly what: string; readonly bytes: number; readonly ms: number }[];
}

export const TILE_LEVEL = 7;
export const MAX_TILE_KB = 500;

/** A map takes longer than in the other measurements. */
const ROUNDS = 9;

const sizes = [
  [800, 400],
  [1024, 768],
] as const;

const sources = [
  { layer: GAZETTEER, what: 'a shapefile' },
  { layer: GAZETTEER_TABLE, what: 'PostGIS' },
] as const;

const STYLE = 'circles';

/** The same symbol as in the map file of MapServer. */
const sld = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>${STYLE}</Name><UserStyle><FeatureTypeStyle><Rule><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#AAAAAA</CssParameter></Fill><Stroke><CssParameter name="stroke">#000000</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></Mark><Size>6</Size></Graphic></PointSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

export function measurePointMaps(bench: Bench, template: BenchedDatabase, count: number): Promise<PointMapCosts> {
  return withDatabase(template, async (database, client) => {
    await createGazetteerTable(client, count);
    const dataDir = join(await bench.directory(), 'data-directory');
    const server = await startServerChild(dataDir);
    const path = await writeGazetteer(dataDir, count);
    const data = {
      shapefiles: [{ layer: GAZETTEER, path }],
      tables: { names: [GAZETTEER_TABLE], database },
      isPoints: true,
    };
    const mapServer = await startMapServer(data);
    try {
      await publish(server, [tableStore(database, GAZETTEER_TABLE), parcelsStore(GAZETTEER)]);
      await uploadStyle(server);
      return { maps: await measureMaps(server, mapServer), tiles: await measureTiles(server) };
    } finally {
      await mapServer.stop();
      await server.stop();
    }
  });
}

async function uploadStyle(server: ServerChild): Promise<void> {
  const agent = new Agent();
  const document = { type: 'application/vnd.ogc.sld+xml', body: sld };
  const { status, body } = await call(agent, 'POST', `${server.restUrl}/styles?name=${STYLE}`, document);
  agent.destroy();
  if (status !== 201) throw new Error(`The upload of the style answered ${status}: ${body}`);
}

async function measureMaps(server: ServerChild, mapServer: MapServer): Promise<PointMapCosts['maps']> {
  const { ask, close } = startAsking(({ type }) => !type.includes('xml'));
  const costs: PointMapCosts['maps'][number][] = [];
  try {
    for (const { layer, what } of sources) {
      for (const [width, height] of sizes) {
        const map = `service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&width=${width}&height=${height}&format=image/png&bbox=${gazetteerBox}`;
        const ours = `${server.origin}/geoserver/wms?${map}&layers=${WORKSPACE}:${layer}&styles=${STYLE}`;
        const theirs = `${mapServer.url}?${map}&layers=${layer}&styles=`;
        // The processors of both are measured over the same requests.
        const before = [await server.processorMs(), await mapServer.processorMs()] as const;
        const times = await byTurns(ask, { ours, theirs }, ROUNDS);
        const after = [await server.processorMs(), await mapServer.processorMs()] as const;
        const requests = WARM_UP + ROUNDS;
        costs.push({
          what: `${width} by ${height} of ${what}`,
          ours: { ms: times.ours, processorMs: (after[0] - before[0]) / requests },
          theirs: { ms: times.theirs, processorMs: (after[1] - before[1]) / requests },
        });
      }
    }
    return costs;
  } finally {
    close();
  }
}

/** The tiles of the level that contain the data. */
const tileRows = [41, 42, 43, 44, 45];
const tileColumns = [65, 66, 67, 68, 69];

async function measureTiles(server: ServerChild): Promise<PointMapCosts['tiles']> {
  const found: PointMapCosts['tiles'][number][] = [];
  for (const { layer, what } of sources) {
    const url = `${server.origin}/geoserver/ogc/tiles/v1/collections/${WORKSPACE}:${layer}/tiles/WebMercatorQuad/${TILE_LEVEL}`;
    let largest = { what, bytes: 0, ms: 0 };
    for (const row of tileRows) {
      for (const column of tileColumns) {
        const startedAt = performance.now();
        const reply = await fetch(`${url}/${row}/${column}?f=mvt`);
        const { byteLength: bytes } = await reply.arrayBuffer();
        if (!reply.ok) throw new Error(`The tile ${row}/${column} of ${layer} answered ${reply.status}`);
        if (bytes > largest.bytes) largest = { what, bytes, ms: performance.now() - startedAt };
      }
    }
    found.push(largest);
  }
  return found;
}
