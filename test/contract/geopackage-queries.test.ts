/** Runs the query contract over GeoPackages: with and without a spatial index, a view, and in a thread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { geopackageDriver } from '../../src/vector/geopackage/driver.ts';
import { createThreadDriver } from '../../src/vector/in-thread/driver.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import type { TestRow } from '../support/filter-rows.ts';
import { openAsWriter, openGeopackage } from '../support/geopackages.ts';
import { rowAttributes, rowFeatures } from '../support/row-features.ts';
import { featureQueryContract, type RowsUnderTest } from './feature-query.contract.ts';

async function rowsIn(open: typeof openGeopackage, rows: readonly TestRow[], change = ''): Promise<RowsUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-queries-'));
  const path = join(folder, 'data.gpkg');
  const source = await open(path);
  const session = await source.startWriting?.(new AbortController().signal);
  const features = { name: 'rows', attributes: rowAttributes, batches: rowFeatures(rows) };
  await session?.write(features, 'append');
  await session?.commit();
  const database = openAsWriter(path);
  database.exec(change);
  database.close();
  return { source, destroy: () => rm(folder, { recursive: true }) };
}

featureQueryContract('a GeoPackage', (rows) => rowsIn(openGeopackage, rows), { numRuns: 3 });

featureQueryContract(
  'a GeoPackage whose spatial index is not updated',
  (rows) => rowsIn(openGeopackage, rows, 'DROP TRIGGER rtree_rows_geom_insert; DELETE FROM rtree_rows_geom'),
  { numRuns: 1 },
);

featureQueryContract(
  'a view in a GeoPackage',
  (rows) =>
    rowsIn(
      openGeopackage,
      rows,
      `ALTER TABLE rows RENAME TO stored; CREATE VIEW rows AS SELECT name, code, pop, area, open, time, until, geom FROM stored`,
    ),
  // Each query starts a process.
  { numRuns: 1, queriesPerRun: 6 },
);

const pool = createWorkerPool({
  maxThreads: 1,
  maxWaiting: 10,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

featureQueryContract(
  'a GeoPackage in a thread',
  (rows) =>
    rowsIn(
      (path) =>
        createThreadDriver(geopackageDriver, pool).open(
          { dbtype: 'geopkg', database: path },
          { resolvePath: async (named) => named },
        ),
      rows,
    ),
  { numRuns: 1 },
);
