/** Runs the vector source contract over FlatGeobuf files: with an index in a folder, without one, and in a thread. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Geometry } from '../../src/geometry/geometry.ts';
import { flatgeobufDriver } from '../../src/vector/flatgeobuf/driver.ts';
import { openFlatgeobufFile, openFlatgeobufFolder } from '../../src/vector/flatgeobuf/flatgeobuf-source.ts';
import { createThreadDriver } from '../../src/vector/in-thread/driver.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import { column, geometryColumn } from '../support/feature-collections.ts';
import { encodeFlatgeobuf, removeIndex } from '../support/flatgeobuf-files.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

const COUNT = 2_500;
const large = { name: 'squares', count: COUNT };
const destroy = async () => undefined;

let folder: string;
let plain: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-flatgeobuf-'));
  plain = await mkdtemp(join(tmpdir(), 'graticule-flatgeobuf-'));
  const squares = await encodeFlatgeobuf({
    attributes: [geometryColumn('Polygon'), column('name', 'string'), column('number', 'integer')],
    rows: Array.from({ length: COUNT }, (_, x): [Geometry, string, number] => {
      const ordinates = Float64Array.of(x, 0, x, 1, x + 1, 1, x + 1, 0, x, 0);
      return [{ type: 'Polygon', dimension: 'XY', ordinates, ends: [5], parts: [] }, `square ${x}`, x];
    }),
  });
  await writeFile(join(folder, 'squares.fgb'), squares);
  await writeFile(
    join(folder, 'Names.fgb'),
    await encodeFlatgeobuf({ attributes: [column('name', 'string')], rows: [['Anna']] }),
  );
  await writeFile(join(plain, 'squares.fgb'), removeIndex(squares, false));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(plain, { recursive: true });
});

vectorSourceContract('a folder of FlatGeobuf files', async () => ({
  source: openFlatgeobufFolder(folder),
  typeNames: ['Names', 'squares'],
  large,
  destroy,
}));

vectorSourceContract('a FlatGeobuf file without index and count', async () => ({
  source: openFlatgeobufFile(join(plain, 'squares.fgb')),
  typeNames: ['squares'],
  large,
  destroy,
}));

const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 10,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
afterAll(() => pool.close());

vectorSourceContract('a FlatGeobuf file in a thread', async () => {
  const context = { resolvePath: async (named: string) => named };
  return {
    source: await createThreadDriver(flatgeobufDriver, pool).open({ dbtype: 'fgb', file: folder }, context),
    typeNames: ['Names', 'squares'],
    large,
    destroy,
  };
});
