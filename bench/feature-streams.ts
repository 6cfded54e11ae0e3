/**
 * The memory of the server while it streams all features of large data, in several formats, to fast and slow clients.
 */
import { execFile } from 'node:child_process';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  type PublishedStore,
  parcelsStore,
  publish,
  SHAPEFILE,
  TABLE,
  tableStore,
  WORKSPACE,
  writeParcels,
} from './feature-data.ts';
import type { BenchedDatabase } from './postgis-tables.ts';
import { startServerChild } from './server-child.ts';

export interface StreamCost {
  readonly source: string;
  readonly format: string;
  readonly features: number;
  readonly megabytes: number;
  readonly seconds: number;
  /** Peak resident memory, while one client reads at full speed. */
  readonly peakRssMb: number;
  /** The same while another client reads slowly for some seconds. */
  readonly slowPeakRssMb: number;
}

const FEATURES = 1_000_000;

/** How long a slow client reads before it disconnects, and its pause after each chunk. */
const SLOW_MS = 3_000;
const PAUSE_MS = 20;

const formats: readonly (readonly [string, string])[] = [
  ['GeoJSON', 'application/json'],
  ['GML', 'application/gml+xml; version=3.2'],
  ['CSV', 'csv'],
];

const run = promisify(execFile);

interface LargeSource {
  readonly name: string;
  readonly layer: string;
  /** Writes the required files into the data directory of a server. */
  prepare(dataDir: string): Promise<PublishedStore>;
}

/** Each source in a separate server, so that memory of one does not count for another. */
export async function* measureFeatureStreams(
  directory: () => Promise<string>,
  database: BenchedDatabase,
): AsyncGenerator<StreamCost> {
  for (const { name: source, layer, prepare } of largeSources(database)) {
    const dataDir = join(await directory(), 'data-directory');
    const server = await startServerChild(dataDir);
    try {
      await publish(server, [await prepare(dataDir)]);
      for (const [format, outputFormat] of formats) {
        const typeNames = `${WORKSPACE}:${layer}`;
        const wfsParameters = { service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames, outputFormat };
        const url = `${server.origin}/geoserver/wfs?${new URLSearchParams(wfsParameters)}`;
        await server.forgetPeak();
        const { bytes, ms } = await readAll(url);
        const peakRssMb = await server.peakRssMb();
        await server.forgetPeak();
        await readSlowly(url);
        const slowPeakRssMb = await server.peakRssMb();
        const [megabytes, seconds] = [bytes / 1_000_000, ms / 1_000];
        yield { source, format, features: FEATURES, megabytes, seconds, peakRssMb, slowPeakRssMb };
      }
    } finally {
      await server.stop();
    }
  }
}

function largeSources(database: BenchedDatabase): readonly LargeSource[] {
  return [
    { name: 'PostGIS', layer: TABLE, prepare: async () => tableStore(database) },
    {
      name: 'shapefile',
      layer: SHAPEFILE,
      async prepare(dataDir) {
        await writeParcels(dataDir, FEATURES);
        return parcelsStore();
      },
    },
    {
      name: 'GeoPackage',
      layer: SHAPEFILE,
      async prepare(dataDir) {
        const shapefile = await writeParcels(dataDir, FEATURES);
        await run('ogr2ogr', ['-f', 'GPKG', join(dataDir, 'data', `${SHAPEFILE}.gpkg`), shapefile]);
        const parameters = { dbtype: 'geopkg', database: `file:data/${SHAPEFILE}.gpkg` };
        return { name: 'parcels', parameters, types: [SHAPEFILE] };
      },
    },
  ];
}

function begin(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, (reply) => {
      if (reply.statusCode === 200) resolve(reply);
      else reject(new Error(`${url} answered ${reply.statusCode}`));
    }).once('error', reject);
  });
}

async function readAll(url: string): Promise<{ readonly bytes: number; readonly ms: number }> {
  const startedAt = performance.now();
  let bytes = 0;
  for await (const piece of await begin(url)) bytes += (piece as Buffer).length;
  return { bytes, ms: performance.now() - startedAt };
}

async function readSlowly(url: string): Promise<void> {
  const startedAt = performance.now();
  for await (const _ of await begin(url)) {
    if (performance.now() - startedAt > SLOW_MS) return;
    await wait(PAUSE_MS);
  }
}
