import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inlineFilterRunner } from '../../filter/run/filter-runner.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { openEmbeddedGranules } from '../../raster/granules/embedded/embedded-granules.ts';
import { createRectangle } from '../../raster/granules/port/footprint.ts';
import type { GranuleDraft, GranuleSchema } from '../../raster/granules/port/port.ts';
import { type Catalog, openCatalog } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { recordKinds } from '../../server/storage/record-kinds.ts';
import { openSqliteStorage } from '../../storage/sqlite/open.ts';
import { createWorkerPool } from '../../workers/pool.ts';
import { coverageStoreKind } from '../kinds/coverage-store.ts';
import { createStoreFields } from '../stores/store-draft.ts';
import { isMosaic, type MosaicStore, openMosaicIndexes } from './mosaic-indexes.ts';
import { writeMosaic } from './write-mosaic.ts';

const principal = { name: 'admin', roles: new Set([ROLE_ADMINISTRATOR]) };
const never = new AbortController().signal;
const schema: GranuleSchema = {
  name: 'ocean',
  attributes: [
    { role: 'footprint', name: 'the_geom', crs: { code: 'EPSG:4326' } },
    { role: 'location', name: 'location' },
  ],
  domains: [],
};

function granule(location: string): GranuleDraft {
  return { location, imageindex: 0, footprint: createRectangle({ minX: 0, minY: 0, maxX: 1, maxY: 1 }), values: {} };
}

describe('granules and record of a mosaic', () => {
  const ends: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  async function prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-mosaic-'));
    const storage = await openSqliteStorage({ file: join(folder, 'a.sqlite'), clock: Date.now, kinds: recordKinds });
    const pool = createWorkerPool({
      maxThreads: 1,
      maxWaiting: 100,
      deadlineMs: 60_000,
      maxMemoryMegabytes: 256,
      idleMs: 60_000,
    });
    const embedded = openEmbeddedGranules(join(folder, 'granules.sqlite'), pool, Date.now);
    const indexes = openMosaicIndexes({
      openEmbedded: async () => embedded,
      sealer: undefined as never,
      drops: undefined as never,
      reportFailure: () => undefined,
      filterRunner: inlineFilterRunner,
    });
    ends.push(
      () => rm(folder, { recursive: true }),
      () => storage.close(),
      () => pool.close(),
      () => indexes.close(),
    );
    const catalog = openCatalog(storage);
    const store = await catalog.change(principal, 'prepare', async (transaction) => {
      const draft = { parent: null, name: 'acme', isolated: false, uri: 'urn:acme', metadata: {} };
      const workspace = await transaction.insert(workspaceKind, draft);
      return transaction.insert(coverageStoreKind, {
        parent: workspace.id,
        name: 'ocean',
        ...createStoreFields({}),
        type: 'ImageMosaic',
        parameters: { url: 'file:data/acme/ocean/1/' },
        sealedParameters: {},
        fileSet: null,
        filePlace: null,
        mosaic: {
          definition: {
            canBeEmpty: true,
            isAbsolutePath: false,
            wildcard: '*.*',
            isRecursive: true,
            domains: [],
            coverages: [],
            collectors: [],
          } as never,
          index: { kind: 'embedded', key: 'ocean-1' },
          indexVersion: 0,
          coverages: [],
        },
      });
    });
    return { catalog, indexes, store: store as MosaicStore, writing: { catalog, indexes, principal, signal: never } };
  }

  async function locations(
    catalog: Catalog,
    indexes: ReturnType<typeof openMosaicIndexes>,
    { id }: MosaicStore,
  ): Promise<readonly string[]> {
    const store = await catalog.get(coverageStoreKind, id);
    if (store === undefined || !isMosaic(store)) return [];
    const index = (await indexes.getIndex(store)).open(schema, store.mosaic.indexVersion);
    const found: string[] = [];
    for await (const batch of index.list({}, never)) found.push(...batch.map(({ location }) => location));
    return found;
  }

  it('change together, in one history entry', async () => {
    const { catalog, indexes, store, writing } = await prepare();

    const result = await writeMosaic(writing, store, async (session) => {
      await session.createIndex(schema);
      await session.add(schema, [granule('a.tif'), granule('b.tif')]);
      expect(await locations(catalog, indexes, store)).toEqual([]);
      return { what: 'harvest 2 granules', result: 'done' };
    });

    expect(result).toBe('done');
    expect(await locations(catalog, indexes, store)).toEqual(['a.tif', 'b.tif']);
    const entries = await catalog.listRecordChanges(store.id, 0, 10);
    expect(entries.map(({ what }) => what)).toEqual(['prepare', 'harvest 2 granules']);
  });

  it('stay unchanged when the work fails or the change is rejected', async () => {
    const { catalog, indexes, store, writing } = await prepare();
    const add = (locationsToAdd: readonly string[], also?: () => Promise<void>) =>
      writeMosaic(writing, store, async (session) => {
        await session.createIndex(schema);
        await session.add(schema, locationsToAdd.map(granule));
        if (also === undefined) throw new Error('the disk is full');
        return { what: 'harvest', writeInSameChange: also, result: undefined };
      });
    await add(['a.tif'], async () => undefined);

    await expect(add(['b.tif'])).rejects.toThrow('the disk is full');
    await expect(
      add(['c.tif'], async () => {
        throw problem('mosaic-gone', { name: 'ocean' });
      }),
    ).rejects.toThrow('deleted, replaced or undone');

    expect(await locations(catalog, indexes, store)).toEqual(['a.tif']);
    await add(['d.tif'], async () => undefined);
    expect(await locations(catalog, indexes, store)).toEqual(['a.tif', 'd.tif']);
  });

  it('stay unchanged when the client disconnects before the end', async () => {
    const { catalog, indexes, store, writing } = await prepare();
    const gone = new AbortController();

    const work = writeMosaic({ ...writing, signal: gone.signal }, store, async (session) => {
      await session.createIndex(schema);
      await session.add(schema, [granule('a.tif')]);
      gone.abort(problem('client-gone', {}));
      return { what: 'harvest', result: undefined };
    });

    await expect(work).rejects.toMatchObject({ code: 'client-gone' });
    expect(await locations(catalog, indexes, store)).toEqual([]);
  });

  it('are not written when the store was deleted in the meantime', async () => {
    const { catalog, store, writing } = await prepare();

    const work = writeMosaic(writing, store, async (session) => {
      await session.createIndex(schema);
      await session.add(schema, [granule('a.tif')]);
      await catalog.change(principal, 'delete', (transaction) => transaction.removeDeep(store.id));
      return { what: 'harvest', result: undefined };
    });

    await expect(work).rejects.toMatchObject({ code: 'mosaic-gone' });
  });
});
