/** Runs the contract of granule indexes over the embedded one, and shows what only that one promises. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type EmbeddedGranules, openEmbeddedGranules } from '../../src/data/granules/embedded/embedded-granules.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import {
  allOf,
  change,
  draft,
  drafts,
  filterFor,
  harvest,
  locationsOf,
  never,
  type RecordedMosaic,
  waterSchema,
} from '../support/granules.ts';
import { granuleIndexContract } from './granule-index.contract.ts';

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
  mosaic: openEmbeddedGranules(freshFile(), pool).mosaic('m1'),
  destroy: async () => undefined,
}));

describe('the embedded index', () => {
  let file: string;
  let granules: EmbeddedGranules;
  let recorded: RecordedMosaic;
  beforeEach(() => {
    file = freshFile();
    granules = openEmbeddedGranules(file, pool);
    recorded = { mosaic: granules.mosaic('m1'), version: 0 };
  });

  test('is a file that only its owner reads', async () => {
    await harvest(recorded, drafts(1));

    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('shows each version as it was, until that is cleared away', async () => {
    await harvest(recorded, drafts(3));
    await change(recorded, async (session) => {
      await session.add(waterSchema, [draft(3)]);
      await session.remove(waterSchema, await filterFor("location = 'tiles/000000.tif'"));
    });

    const at = (version: number) => locationsOf(recorded.mosaic.open(waterSchema, version));
    expect(await at(1)).toEqual([0, 1, 2].map((each) => draft(each).location));
    expect(await at(2)).toEqual([1, 2, 3].map((each) => draft(each).location));

    await recorded.mosaic.clean(2, never);

    expect(await at(1)).toEqual([1, 2].map((each) => draft(each).location));
    expect(await at(2)).toEqual([1, 2, 3].map((each) => draft(each).location));
  });

  test('is not cleared of what somebody is reading', async () => {
    await harvest(recorded, drafts(1_200));
    const reading = recorded.mosaic.open(waterSchema, 1).list({}, never)[Symbol.asyncIterator]();
    const first = await reading.next();

    await change(recorded, (session) => session.remove(waterSchema, undefined));
    await recorded.mosaic.clean(recorded.version, never);

    let read = first.value?.length ?? 0;
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) read += next.value.length;
    expect(read).toBe(1_200);
    await recorded.mosaic.clean(recorded.version, never);
    expect(await recorded.mosaic.open(waterSchema, 1).count(undefined, never)).toBe(0);
  });

  test('is as before when the server dies in a session, before or after its commit, and the next one works', async () => {
    await harvest(recorded, drafts(5));
    const before = await allOf(recorded.mosaic.open(waterSchema, 1));
    for (const isCommitted of [false, true]) {
      const dying = openEmbeddedGranules(file, pool).mosaic('m1');
      const session = await dying.startWriting(async () => 1, never);
      await session.add(waterSchema, drafts(2_500, 3));
      await session.remove(waterSchema, await filterFor('elevation = 0'));
      if (isCommitted) await session.commit();

      const next = openEmbeddedGranules(file, pool).mosaic('m1');
      expect(await allOf(next.open(waterSchema, 1))).toEqual(before);
      await (await next.startWriting(async () => 1, never)).end();

      expect(await allOf(next.open(waterSchema, 1))).toEqual(before);
      expect(await next.open(waterSchema, 2).count(undefined, never)).toBe(5);
    }

    await harvest(recorded, drafts(5, 3));

    expect(await recorded.mosaic.open(waterSchema, 2).count(undefined, never)).toBe(8);
  });

  test('keeps mosaics apart, and forgets those that no record names', async () => {
    const other: RecordedMosaic = { mosaic: granules.mosaic('m2'), version: 0 };
    await harvest(recorded, drafts(3));
    await harvest(other, drafts(2));

    await granules.keepOnly(new Set(['m2']), never);

    expect(await recorded.mosaic.open(waterSchema, 1).count(undefined, never)).toBe(0);
    expect(await other.mosaic.open(waterSchema, 1).count(undefined, never)).toBe(2);
  });

  test('is opened by several servers at once without one seeing it half made', async () => {
    const path = freshFile();

    const counts = await Promise.all(
      Array.from({ length: 6 }, () => openEmbeddedGranules(path, pool).mosaic('m').open(waterSchema, 0)).map((index) =>
        index.count(undefined, never),
      ),
    );

    expect(counts).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
