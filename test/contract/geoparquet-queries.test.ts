/** Runs the query contract over GeoParquet files in small row groups, with and without coverings. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGeoparquetFile } from '../../src/vector/geoparquet/geoparquet-source.ts';
import type { TestRow } from '../support/filter-rows.ts';
import { writeGeoparquet } from '../support/geoparquet-files.ts';
import { featureQueryContract, type RowsUnderTest } from './feature-query.contract.ts';

async function rowsIn(rows: readonly TestRow[], hasCovering: boolean): Promise<RowsUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-queries-'));
  const path = join(folder, 'rows.parquet');
  await writeGeoparquet(path, {
    columns: [
      { name: 'name', data: rows.map(({ name }) => name), type: 'STRING' },
      { name: 'code', data: rows.map(({ code }) => code), type: 'STRING' },
      { name: 'pop', data: rows.map(({ pop }) => (pop === null ? null : BigInt(pop))), type: 'INT64' },
      { name: 'area', data: rows.map(({ area }) => area), type: 'DOUBLE' },
      { name: 'open', data: rows.map(({ open }) => open), type: 'BOOLEAN' },
      { name: 'time', data: rows.map(({ time }) => (time === null ? null : new Date(time))), type: 'TIMESTAMP' },
      { name: 'until', data: rows.map(({ until }) => (until === null ? null : new Date(until))), type: 'TIMESTAMP' },
    ],
    geometry: { name: 'geom', values: rows.map(({ geom }) => geom) },
    hasCovering,
    rowGroupSize: 5,
  });
  return { source: openGeoparquetFile(path), destroy: () => rm(folder, { recursive: true }) };
}

featureQueryContract('a GeoParquet file', (rows) => rowsIn(rows, true), { numRuns: 2 });
featureQueryContract('a GeoParquet file without coverings', (rows) => rowsIn(rows, false), { numRuns: 2 });

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
