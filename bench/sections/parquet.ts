/** Pages in a box of a GeoParquet file beside `ogr2ogr`, which reads the same polygons from a GeoPackage. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../test/support/find-program.ts';
import { parcelsStore, publish, WORKSPACE, writeParcels } from '../feature-data.ts';
import { percentile } from '../percentile.ts';
import { authorization, type ServerChild, startServerChild } from '../server-child.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const run = promisify(execFile);

const SOURCE = 'parcels';
const COPY = 'columns';
const PAGE = 1_000;
const ROUNDS = 9;
const MAX_OUTPUT_BYTES = 100_000_000;
const MAX_RATIO = 1;

type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

export async function benchParquet({ report, directory, scaled }: Bench): Promise<void> {
  if (findProgram(['ogr2ogr']) === undefined) return report.skip('pages of GeoParquet', 'ogr2ogr is not installed');
  const dataDir = join(await directory(), 'data-directory');
  const count = scaled(LARGE * 10);
  const server = await startServerChild(dataDir);
  try {
    const shapefile = await writeParcels(dataDir, count, SOURCE);
    await publish(server, [parcelsStore(SOURCE)]);
    const geopackage = join(dataDir, 'parcels.gpkg');
    await run('ogr2ogr', ['-f', 'GPKG', geopackage, shapefile]);
    await uploadAsParquet(server);
    const box = await findMiddle(geopackage, count);
    const page = `typeNames=${WORKSPACE}:${COPY}&outputFormat=application/json&count=${PAGE}&bbox=${box.join(',')}`;
    const args = ['-f', 'GeoJSON', '-spat', ...box.map(String), '-limit', String(PAGE), '/vsistdout/', geopackage];
    const ours: number[] = [];
    const theirs: number[] = [];
    // The first round of each fills caches.
    for (let round = 0; round <= ROUNDS; round += 1) {
      ours.push(await timed(async () => (await getFeatures(server, page)).arrayBuffer()));
      theirs.push(await timed(() => run('ogr2ogr', args, { maxBuffer: MAX_OUTPUT_BYTES })));
    }
    const [our, their] = [percentile(ours.slice(1), 0.5), percentile(theirs.slice(1), 0.5)];
    report.add({
      what: `a page of ${thousands(PAGE)} features in a box of a GeoParquet file with ${thousands(count)} polygons`,
      measured: `${our.toFixed(0)} ms`,
      baseline: `${their.toFixed(0)} ms (ogr2ogr with its start, from a GeoPackage)`,
      ratio: (our / their).toFixed(2),
      aim: `ratio at most ${MAX_RATIO}`,
      met: our / their <= MAX_RATIO,
    });
  } finally {
    await server.stop();
  }
}

async function getFeatures({ origin }: ServerChild, query: string): Promise<Response> {
  const reply = await fetch(`${origin}/geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&${query}`);
  if (!reply.ok) throw new Error(`GetFeature answered ${reply.status}: ${await reply.text()}`);
  return reply;
}

/** Publishes the GeoParquet output of the server as a store. */
async function uploadAsParquet(server: ServerChild): Promise<void> {
  const file = await getFeatures(server, `typeNames=${WORKSPACE}:${SOURCE}&outputFormat=geoparquet`);
  const reply = await fetch(`${server.restUrl}/workspaces/${WORKSPACE}/datastores/${COPY}/file.parquet`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/vnd.apache.parquet' },
    body: await file.arrayBuffer(),
  });
  if (!reply.ok) throw new Error(`The upload answered ${reply.status}: ${await reply.text()}`);
}

/** A box in the middle with more polygons than a page. */
async function findMiddle(geopackage: string, count: number): Promise<Box> {
  const { stdout } = await run('ogrinfo', ['-so', '-al', geopackage]);
  const [, ...found] = /Extent: \((.*), (.*)\) - \((.*), (.*)\)/.exec(stdout) ?? [];
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = found.map(Number);
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const half = Math.sqrt(((maxX - minX) * (maxY - minY) * PAGE) / count);
  return [x - half, y - half, x + half, y + half];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
