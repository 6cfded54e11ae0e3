/** Runs the query contract over FlatGeobuf files, with and without an index. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFlatgeobufFile } from '../../src/vector/flatgeobuf/flatgeobuf-source.ts';
import { column, geometryColumn } from '../support/feature-collections.ts';
import type { TestRow } from '../support/filter-rows.ts';
import { encodeFlatgeobuf, removeIndex } from '../support/flatgeobuf-files.ts';
import { featureQueryContract, type RowsUnderTest } from './feature-query.contract.ts';

async function rowsIn(rows: readonly TestRow[], isIndexed: boolean): Promise<RowsUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-queries-'));
  const path = join(folder, 'rows.fgb');
  const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
  const kept = isIndexed ? rows.filter(({ geom }) => geom !== null) : rows;
  const bytes = await encodeFlatgeobuf({
    attributes: [
      column('name', 'string'),
      column('code', 'string'),
      column('pop', 'long'),
      column('area', 'double'),
      column('open', 'boolean'),
      column('time', 'timestamp'),
      column('until', 'timestamp'),
      geometryColumn('Geometry', 'EPSG:4326', 'XY', 'geom'),
    ],
    rows: kept.map((row) => [
      ...[row.name, row.code, row.pop, row.area, row.open],
      ...[toDate(row.time), toDate(row.until), row.geom],
    ]),
  });
  const hasIndex = kept.length > 0 && kept.every(({ geom }) => geom !== null);
  await writeFile(path, hasIndex && !isIndexed ? removeIndex(bytes) : bytes);
  return { source: openFlatgeobufFile(path), destroy: () => rm(folder, { recursive: true }) };
}

featureQueryContract('a FlatGeobuf file with an index', (rows) => rowsIn(rows, true), { numRuns: 2 });
featureQueryContract('a FlatGeobuf file without an index', (rows) => rowsIn(rows, false), { numRuns: 2 });

test('a forged page key is rejected', async () => {
  const { source, destroy } = await rowsIn([], true);

  for (const key of ['', '0', '-1', '1.5', 'x', '9999999999999999']) {
    const query = { start: { side: 'after', key }, limit: 3 } as const;
    await expect(source.select?.('rows', query, new AbortController().signal)).rejects.toMatchObject({
      code: 'page-key-invalid',
    });
  }
  await source.close();
  await destroy();
});
