/** Runs the write contract over every driver that can write. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGeopackage } from '../support/geopackages.ts';
import { openMysql } from '../support/mysql-sources.ts';
import { openPostgis } from '../support/postgis-sources.ts';
import { describeWithMariadb } from '../support/with-mariadb.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { writeSessionContract } from './write-session.contract.ts';

writeSessionContract('a GeoPackage', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-writing-'));
  return {
    source: await openGeopackage(join(folder, 'data.gpkg')),
    destroy: () => rm(folder, { recursive: true }),
  };
});

describeWithPostgis('feature writes into PostGIS', (postgis) => {
  writeSessionContract('PostGIS', async () => {
    await postgis.query('DROP SCHEMA IF EXISTS writing CASCADE; CREATE SCHEMA writing');
    return { source: await openPostgis(postgis.connection, { schema: 'writing' }), destroy: async () => undefined };
  });
});

describeWithMariadb('feature writes into MariaDB', (mariadb) => {
  writeSessionContract(
    'MariaDB',
    async () => {
      await mariadb.clear();
      return { source: await openMysql(mariadb.connection), destroy: async () => undefined };
    },
    { hasHeights: false },
  );
});
