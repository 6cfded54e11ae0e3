/** Runs the vector source contract over files of another server, read by ranges in a thread. */
import { afterAll, beforeAll } from 'vitest';
import type { Geometry } from '../../src/geometry/geometry.ts';
import { createUrlSource } from '../../src/remote/ranged-source.ts';
import { RemoteBlocks } from '../../src/remote/remote-blocks.ts';
import { flatgeobufDriver } from '../../src/vector/flatgeobuf/driver.ts';
import { geoparquetDriver } from '../../src/vector/geoparquet/driver.ts';
import { createThreadDriver } from '../../src/vector/in-thread/driver.ts';
import type { ConnectionParameters, VectorDriver } from '../../src/vector/port/driver.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { encodeFlatgeobuf } from '../support/flatgeobuf-files.ts';
import { encodeGeoparquet } from '../support/geoparquet-files.ts';
import { type RangeServer, startRangeServer } from '../support/range-server.ts';
import { testGate } from '../support/url-gates.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

const COUNT = 2_500;
const points = Array.from({ length: COUNT }, (_, x): Geometry => wkt(`POINT (${x % 50} ${Math.floor(x / 50)})`));

const urlGate = testGate({
  checks: { data: '^http://data\\.example\\.com:\\d+/.*$' },
  names: { 'data.example.com': ['127.0.0.1'] },
});
const blocks = new RemoteBlocks({ source: createUrlSource(urlGate), maxBytes: 4_194_304, clock: () => 0 });
const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 10,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});

let remote: RangeServer;
beforeAll(async () => {
  const names = points.map((_, index) => `place ${index}`);
  remote = await startRangeServer({
    '/places.fgb': {
      bytes: await encodeFlatgeobuf({
        attributes: [geometryColumn('Point'), column('name', 'string')],
        rows: points.map((point, index) => [point, names[index] ?? '']),
      }),
      etag: '"1"',
    },
    '/places.parquet': {
      bytes: encodeGeoparquet({
        columns: [{ name: 'name', data: names, type: 'STRING' }],
        geometry: { name: 'shape', values: points },
        hasCovering: true,
        rowGroupSize: 700,
      }),
      etag: '"1"',
    },
  });
});
afterAll(async () => {
  blocks.close();
  await pool.close();
  await remote.close();
});

const drivers: readonly (readonly [VectorDriver, (url: string) => ConnectionParameters])[] = [
  [flatgeobufDriver, (url) => ({ dbtype: 'fgb', file: `${url}.fgb` })],
  [geoparquetDriver, (url) => ({ dbtype: 'geoparquet', uri: `${url}.parquet` })],
];

for (const [driver, createParameters] of drivers) {
  vectorSourceContract(`a ${driver.type} file of another server`, async () => ({
    source: await createThreadDriver(driver, pool, { blocks, urlGate }).open(
      createParameters(`http://data.example.com:${remote.port}/places`),
      { resolvePath: async (named) => named },
    ),
    typeNames: ['places'],
    large: { name: 'places', count: COUNT },
    destroy: async () => undefined,
  }));
}
