/** Runs the vector source contract over archives of vector tiles, and in a thread. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createThreadDriver } from '../../src/vector/in-thread/driver.ts';
import { mbtilesVectorDriver, pmtilesVectorDriver } from '../../src/vector/tile-archives/drivers.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import {
  encodeMvt,
  encodePmtiles,
  type SampleFeature,
  type SampleTile,
  writeMbtiles,
} from '../support/tile-archives.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

const PER_TILE = 700;
const tiles: readonly SampleTile[] = [0, 1, 2, 3].map((tile) => {
  const spots = Array.from(
    { length: PER_TILE },
    (_, at): SampleFeature => ({
      kind: 'point',
      paths: [[at * 5, 100]],
      properties: { number: at, name: `spot ${at}` },
    }),
  );
  return { z: 1, x: tile % 2, y: Math.floor(tile / 2), bytes: encodeMvt({ spots }) };
});
const vector_layers = [
  { id: 'Empty', fields: {} },
  { id: 'spots', fields: { number: 'Number', name: 'String' } },
];

const large = { name: 'spots', count: 4 * PER_TILE };
const typeNames = ['Empty', 'spots'];
const destroy = async () => undefined;
const pool = createWorkerPool({
  ...{ maxThreads: 2, maxWaiting: 100, maxMemoryMegabytes: 512 },
  ...{ deadlineMs: 60_000, idleMs: 60_000 },
});
const context = { resolvePath: async (named: string) => named };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-tiles-'));
  await writeFile(join(folder, 'a.pmtiles'), encodePmtiles({ tiles, tileType: 1, metadata: { vector_layers } }));
  writeMbtiles(join(folder, 'a.mbtiles'), {
    tiles,
    metadata: { format: 'pbf', json: JSON.stringify({ vector_layers }) },
  });
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

vectorSourceContract('a PMTiles file', async () => ({
  source: await pmtilesVectorDriver.open({ pmtiles: join(folder, 'a.pmtiles') }, context),
  ...{ typeNames, large, destroy },
}));

vectorSourceContract('an MBTiles file in a thread', async () => ({
  source: await createThreadDriver(mbtilesVectorDriver, pool).open(
    { dbtype: 'mbtiles', database: join(folder, 'a.mbtiles') },
    context,
  ),
  ...{ typeNames, large, destroy },
}));
