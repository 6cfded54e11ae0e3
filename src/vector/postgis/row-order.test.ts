import { expect, onTestFinished, test } from 'vitest';
import { rowSchema } from '../../../test/support/filter-rows.ts';
import { openPostgis } from '../../../test/support/postgis-sources.ts';
import { describeType } from '../../../test/support/vector-reading.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';
import { readEcqlFor } from '../../filter/resolve/resolve.ts';
import { createNearBoxFilter } from '../query/box-filter.ts';
import { queryFeatures } from '../query/query-features.ts';
import { writeTableCondition } from './table/sql-table.ts';
import { writeStatement } from './table/statement.ts';
import type { Table } from './table/table.ts';

const never = new AbortController().signal;

describeWithPostgis('the order of rows', (postgis) => {
  test('is that of the table, for boxes with few and with many rows, and across the antimeridian', async () => {
    // Databases on solid-state disks have these costs, for which an index is read directly.
    await postgis.query(`
      CREATE TABLE scattered (id serial PRIMARY KEY, geom geometry(Point, 4326));
      SELECT setseed(0.5);
      INSERT INTO scattered (geom)
        SELECT ST_SetSRID(ST_MakePoint(random() * 360 - 180, random() * 180 - 90), 4326) FROM generate_series(1, 20000);
      CREATE INDEX ON scattered USING gist (geom);
      ANALYZE scattered;
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database()); END $$`);
    const source = await openPostgis(postgis.connection, {});
    onTestFinished(() => source.close());
    const type = { source, description: await describeType(source, 'scattered') };
    const read = async (...boxes: readonly { readonly minX: number; readonly maxX: number }[]) => {
      const filters = boxes.map(({ minX, maxX }) => {
        const half = (maxX - minX) / 4;
        return createNearBoxFilter('geom', { minX, maxX, minY: -half, maxY: half });
      });
      const { batches } = await queryFeatures(type, { filter: { kind: 'or', filters } }, never);
      const ids: number[] = [];
      for await (const features of batches) ids.push(...features.map(({ id }) => Number(id.split('.')[1])));
      return ids;
    };

    for (const width of [2, 4, 8, 40, 180, 360]) {
      const results = [
        await read({ minX: -width / 2, maxX: width / 2 }),
        await read({ minX: 180 - width / 2, maxX: 180 }, { minX: -180, maxX: -180 + width / 2 }),
      ];
      for (const ids of results) expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    }
    expect(await read({ minX: -4, maxX: 4 })).not.toHaveLength(0);
  });

  test('leaves other conditions of a map to their own indexes, also without a spatial index', async () => {
    await postgis.query(`
      CREATE TABLE unindexed (id serial PRIMARY KEY, pop int, geom geometry(Point, 4326));
      INSERT INTO unindexed (pop, geom) SELECT n, ST_SetSRID(ST_MakePoint(n % 360 - 180, n % 180 - 90), 4326)
        FROM generate_series(1, 20000) AS n;
      CREATE INDEX unindexed_pop ON unindexed (pop);
      ANALYZE unindexed`);
    const comparison = await readEcqlFor('pop = 5', rowSchema);
    if (comparison.kind !== 'read') throw new Error(comparison.complaint.message);
    const filters = [comparison.value, createNearBoxFilter('geom', { minX: -180, minY: -90, maxX: 0, maxY: 0 })];
    const table: Table = {
      name: 'unindexed',
      relation: 'unindexed',
      columns: [
        { name: 'id', typeName: 'int4', typeSchema: 'pg_catalog', modifier: -1, isRequired: true, keyPosition: 0 },
        { name: 'pop', typeName: 'int4', typeSchema: 'pg_catalog', modifier: -1, isRequired: false },
        // geometry(Point, 4326)
        { name: 'geom', typeName: 'geometry', typeSchema: 'public', modifier: 1_107_460, isRequired: false },
      ],
    };
    const condition = writeTableCondition(table, { kind: 'and', filters });
    const parts = { columns: [], condition, query: {}, isOrdered: false, isFenced: false, isCounted: false };
    const { text, values } = writeStatement(table, parts);
    const plan = await postgis.query(`EXPLAIN ${text}`, [...values]);

    expect(condition.remainder).toBeUndefined();
    expect(JSON.stringify(plan)).toContain('unindexed_pop');
  });
});
