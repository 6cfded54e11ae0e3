/** Runs the feature edit contract over all drivers that support it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { geopackageDriver } from '../../src/vector/geopackage/driver.ts';
import { createThreadDriver } from '../../src/vector/in-thread/driver.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import { openGeopackage } from '../support/geopackages.ts';
import { openMysql } from '../support/mysql-sources.ts';
import { openPostgis } from '../support/postgis-sources.ts';
import { describeWithMariadb } from '../support/with-mariadb.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { featureEditsContract } from './feature-edits.contract.ts';

const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 10,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

async function geopackage(open: typeof openGeopackage) {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-edits-'));
  return { source: await open(join(folder, 'data.gpkg')), destroy: () => rm(folder, { recursive: true }) };
}

featureEditsContract('a GeoPackage', () => geopackage(openGeopackage));

featureEditsContract('a GeoPackage in a thread', () =>
  geopackage((path) =>
    createThreadDriver(geopackageDriver, pool).open(
      { dbtype: 'geopkg', database: path },
      { resolvePath: async (named) => named },
    ),
  ),
);

describeWithPostgis('feature edits in PostGIS', (postgis) => {
  featureEditsContract('PostGIS', async () => {
    await postgis.query('DROP SCHEMA IF EXISTS edited CASCADE; CREATE SCHEMA edited');
    return { source: await openPostgis(postgis.connection, { schema: 'edited' }), destroy: async () => undefined };
  });

  test('edits use keys of several columns and are rejected for rows without a key', async () => {
    await postgis.query(`DROP SCHEMA IF EXISTS edited CASCADE; CREATE SCHEMA edited;
      CREATE TABLE edited.parts (a int, b uuid, note text, PRIMARY KEY (a, b));
      INSERT INTO edited.parts SELECT n, gen_random_uuid(), 'old' FROM generate_series(1, 3) n;
      CREATE TABLE edited.loose (note text)`);
    const source = await openPostgis(postgis.connection, { schema: 'edited' });
    const session = await source.startWriting?.(new AbortController().signal);
    const note = { name: 'note', nillable: true, kind: 'value', type: 'string' } as const;
    const everything = { kind: 'constant', value: true } as const;

    const changed = await session?.update('parts', { attributes: [note], values: ['new'] }, everything);
    await session?.commit();

    expect(changed).toHaveLength(3);
    expect(await postgis.query("SELECT count(*)::int AS n FROM edited.parts WHERE note = 'new'")).toEqual([{ n: 3 }]);
    const other = await source.startWriting?.(new AbortController().signal);
    await expect(other?.remove('loose', everything)).rejects.toMatchObject({ code: 'features-not-writable' });
    await other?.rollback();
    await source.close();
  });
});

describeWithMariadb('feature edits in MariaDB', (mariadb) => {
  featureEditsContract('MariaDB', async () => {
    await mariadb.clear();
    return { source: await openMysql(mariadb.connection), destroy: async () => undefined };
  });
});
