/** Runs the vector source contract over PostGIS: a table with a key, and a view without one. */

import { openPostgis } from '../support/postgis-sources.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

const COUNT = 2_500;

describeWithPostgis('vector sources on PostGIS', (postgis) => {
  for (const large of ['squares', 'squares_seen']) {
    vectorSourceContract(`PostGIS, reading ${large}`, async () => {
      await postgis.query(`
        DROP SCHEMA IF EXISTS contract CASCADE;
        CREATE SCHEMA contract;
        CREATE TABLE contract.squares (id serial PRIMARY KEY, name text, geom geometry(Polygon, 4326));
        INSERT INTO contract.squares (name, geom)
          SELECT 'square ' || x, ST_MakeEnvelope(x, 0, x + 1, 1, 4326) FROM generate_series(1, ${COUNT}) AS x;
        CREATE VIEW contract.squares_seen AS SELECT name, ST_Translate(geom, 1, 1) AS geom FROM contract.squares;
        CREATE TABLE contract."Names" (name text PRIMARY KEY, age int)`);
      return {
        source: await openPostgis(postgis.connection, { schema: 'contract' }),
        typeNames: ['Names', 'squares', 'squares_seen'],
        large: { name: large, count: COUNT },
        ...(large === 'squares' ? {} : { hasKeys: false }),
        destroy: async () => undefined,
      };
    });
  }
});
