/** Runs the granule index contract over the embedded index, and tests behavior specific to it. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openEmbeddedGranules } from '../../src/raster/granules/embedded/embedded-granules.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import {
  drafts,
  filterFor,
  harvest,
  listAllGranules,
  listLocations,
  never,
  type RecordedMosaic,
  waterSchema,
} from '../support/granules.ts';
import { granuleIndexContract } from './granule-index.contract.ts';
import { granuleVersionsContract } from './granule-versions.contract.ts';

const pool = createWorkerPool({
  maxThreads: 2,
  maxWaiting: 100,
  deadlineMs: 60_000,
  maxMemoryMegabytes: 512,
  idleMs: 60_000,
});
const folder = await mkdtemp(join(tmpdir(), 'graticule-granules-'));
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

let files = 0;
function freshFile(): string {
  files += 1;
  return join(folder, `granules-${files}.sqlite`);
}

granuleIndexContract('the embedded index', async () => ({
  mosaic: openEmbeddedGranules(freshFile(), pool, Date.now).openMosaic('m1'),
  destroy: async () => undefined,
}));

granuleVersionsContract('the embedded index', () => openEmbeddedGranules(freshFile(), pool, Date.now));

describe('embedded index', () => {
  let file: string;
  let recorded: RecordedMosaic;
  beforeEach(() => {
    file = freshFile();
    recorded = { mosaic: openEmbeddedGranules(file, pool, Date.now).openMosaic('m1'), version: 0 };
  });

  test('the embedded index is a file that only its owner can read', async () => {
    await harvest(recorded, drafts(1));

    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('the embedded index is unchanged when the server dies during a session, before or after the commit', async () => {
    await harvest(recorded, drafts(5));
    const before = await listAllGranules(recorded.mosaic.open(waterSchema, 1));
    for (const isCommitted of [false, true]) {
      const dying = openEmbeddedGranules(file, pool, Date.now).openMosaic('m1');
      const session = await dying.startWriting(async () => 1, never);
      await session.add(waterSchema, drafts(2_500, 3));
      await session.remove(waterSchema, await filterFor('elevation = 0'));
      if (isCommitted) await session.commit();

      const next = openEmbeddedGranules(file, pool, Date.now).openMosaic('m1');
      expect(await listAllGranules(next.open(waterSchema, 1))).toEqual(before);
      const after = await next.startWriting(async () => 1, never);
      expect((await listLocations(after.read(waterSchema))).toSorted()).toEqual(before.map(({ location }) => location));
      await after.end();

      expect(await listAllGranules(next.open(waterSchema, 1))).toEqual(before);
    }

    await harvest(recorded, drafts(5, 3));

    expect(await recorded.mosaic.open(waterSchema, recorded.version).count(undefined, never)).toBe(8);
  });

  test('the embedded index is never seen half created when several servers open it in parallel', async () => {
    const path = freshFile();

    const counts = await Promise.all(
      Array.from({ length: 6 }, () =>
        openEmbeddedGranules(path, pool, Date.now).openMosaic('m').open(waterSchema, 0),
      ).map((index) => index.count(undefined, never)),
    );

    expect(counts).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
