/** Failures of an object store and of nodes between the steps of uploads and deletions. */
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { hashBytes } from '../../src/storage/blobs/port.ts';
import { S3Store } from '../../src/storage/objects/s3-store.ts';
import type { PostgresLocation } from '../../src/storage/postgres/connection/location.ts';
import { bindObjectStore, MARK_KEY } from '../../src/storage/postgres/nodes/bind-object-store.ts';
import { ObjectBlobs } from '../../src/storage/postgres/nodes/object-blobs.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { type Fault, type StoreRequest, startObjectStore, type TestObjectStore } from '../support/object-store.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

/** Uploaded in three parts. */
const bytes = randomBytes(500_000);
const hash = hashBytes(bytes);

describeWithPostgis('blobs in an object store', (postgis) => {
  const places = openPostgresPlaces(postgis);
  let server: TestObjectStore;
  beforeAll(async () => {
    server = await startObjectStore();
  });
  afterAll(() => server.close());
  beforeEach(() => server.fail(() => undefined));

  interface Installation {
    readonly place: PostgresLocation;
    readonly prefix: string;
    openNode(): ObjectBlobs;
    openStore(): S3Store;
    countLeftovers(): Promise<number>;
    /** Makes every unfinished upload as old as that of a dead node. */
    age(): Promise<void>;
  }

  async function createInstallation(): Promise<Installation> {
    const place = places.take();
    await (await openPostgresStorage({ location: place, kinds: [] })).close();
    onTestFinished(() => places.giveBack(place));
    const prefix = `${randomUUID()}/`;
    const openStore = () => {
      const store = new S3Store(server.options(prefix));
      onTestFinished(() => store.close());
      return store;
    };
    return {
      place,
      prefix,
      openStore,
      openNode() {
        const node = new ObjectBlobs({ location: place, shelf: 'blobs', clock: Date.now, objects: openStore() });
        onTestFinished(() => node.close());
        return node;
      },
      async countLeftovers() {
        const rows = await postgis.query(`SELECT object FROM ${place.schema}.object_leftovers`);
        return rows.length;
      },
      async age() {
        await postgis.query(`UPDATE ${place.schema}.object_leftovers SET created_at = created_at - interval '2 days'`);
      },
    };
  }

  async function createFile(): Promise<string> {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, bytes);
    return file;
  }

  /** Requests with this method and path fail, all of them. */
  function failAll(fault: Fault, matches: (request: StoreRequest) => boolean): void {
    server.fail((request) => (matches(request) ? fault : undefined));
  }

  test.each<[string, (request: StoreRequest) => boolean]>([
    ['the start', ({ path }) => path.includes('uploads')],
    ['a part', ({ path }) => path.includes('partNumber=2')],
    ['the completion', ({ method, path }) => method === 'POST' && path.includes('uploadId')],
    ['the confirmation', ({ method }) => method === 'HEAD'],
  ])('an upload that fails at %s stores nothing, and its leftovers are collected', async (_, matches) => {
    const { openNode, prefix, age, countLeftovers } = await createInstallation();
    const node = openNode();
    const file = await createFile();
    failAll(503, matches);

    await expect(node.putFile(hash, file)).rejects.toMatchObject({ code: 'storage-unavailable' });

    expect(await node.getState(hash)).toBe('absent');
    server.fail(() => undefined);
    await age();
    expect(await node.collectLeftovers()).toBe(1);
    expect(await countLeftovers()).toBe(0);
    expect(await server.listKeys(prefix)).toEqual([]);
    await node.putFile(hash, file);
    expect(await node.isIntact(hash)).toBe(true);
  });

  test('an upload of a running node is not collected', async () => {
    const { openNode } = await createInstallation();
    const [node, collector] = [openNode(), openNode()];
    let collected: Promise<number> | undefined;
    server.fail(({ path }) => {
      if (path.includes('partNumber=2')) collected ??= collector.collectLeftovers();
      return undefined;
    });

    await node.putFile(hash, await createFile());

    expect(await collected).toBe(0);
    expect(await node.isIntact(hash)).toBe(true);
  });

  test('an upload that was collected as that of a dead node cannot complete', async () => {
    const { openNode, place, prefix } = await createInstallation();
    const node = openNode();
    server.fail(async ({ method }) => {
      // The first step of the collector.
      if (method === 'HEAD') await postgis.query(`UPDATE ${place.schema}.object_leftovers SET is_deleted = true`);
      return undefined;
    });

    await expect(node.putFile(hash, await createFile())).rejects.toThrow(
      'An upload to the object store took longer than a day.',
    );

    expect(await node.getState(hash)).toBe('absent');
    expect(await node.collectLeftovers()).toBe(1);
    expect(await server.listKeys(prefix)).toEqual([]);
  });

  test('concurrent puts of the same bytes leave one object', async () => {
    const { openNode, prefix, countLeftovers } = await createInstallation();
    const nodes = [openNode(), openNode(), openNode()];

    await Promise.all(nodes.map((node) => node.put(hash, bytes)));

    expect(await server.listKeys(prefix)).toHaveLength(1);
    expect(await countLeftovers()).toBe(0);
    for (const node of nodes) expect(await node.isIntact(hash)).toBe(true);
  });

  test('a put during a deletion keeps its bytes', async () => {
    const { openNode, prefix } = await createInstallation();
    const [node, other] = [openNode(), openNode()];
    await node.put(hash, bytes);
    let put: Promise<void> | undefined;

    await other.delete(hash, {
      purged: false,
      unless: async () => {
        put = node.put(hash, bytes);
        return false;
      },
    });
    await put;

    expect(await node.isIntact(hash)).toBe(true);
    expect(await server.listKeys(prefix)).toHaveLength(1);
  });

  test.each([true, false])(
    'a deletion that fails in the store is completed when repeated, purged: %s',
    async (purged) => {
      const { openNode, prefix, countLeftovers } = await createInstallation();
      const node = openNode();
      await node.put(hash, bytes);
      failAll(503, ({ method }) => method === 'DELETE');

      await expect(node.delete(hash, { purged })).rejects.toMatchObject({ code: 'storage-unavailable' });

      expect(await node.getState(hash)).toBe(purged ? 'purged' : 'absent');
      server.fail(() => undefined);
      expect(await node.delete(hash, { purged })).toBe(false);
      expect(await server.listKeys(prefix)).toEqual([]);
      expect(await countLeftovers()).toBe(0);
    },
  );

  test('the object of a deletion that was interrupted is collected at once', async () => {
    const { openNode, prefix } = await createInstallation();
    const node = openNode();
    await node.put(hash, bytes);
    failAll('lost', ({ method }) => method === 'DELETE');
    await expect(node.delete(hash, { purged: false })).rejects.toThrow();
    server.fail(() => undefined);

    expect(await openNode().collectLeftovers()).toBe(1);

    expect(await server.listKeys(prefix)).toEqual([]);
  });

  test('small blobs, and those from before the object store, are read from the database', async () => {
    const { openNode, place } = await createInstallation();
    const { PostgresBlobs } = await import('../../src/storage/postgres/nodes/blobs.ts');
    const before = new PostgresBlobs({ location: place, shelf: 'blobs', clock: Date.now });
    onTestFinished(() => before.close());
    await before.put(hash, bytes);
    const node = openNode();
    const [style, requests] = [Buffer.from('a style'), server.requests.length];

    await node.put(hashBytes(style), style);
    await node.put(hash, bytes);

    expect([await node.isIntact(hash), await node.isIntact(hashBytes(style))]).toEqual([true, true]);
    expect(server.requests.length).toBe(requests);
  });

  test('blobs are never listed by the store', async () => {
    const { openNode } = await createInstallation();
    const node = openNode();
    const start = server.requests.length;
    await node.put(hash, bytes);

    const listed: string[] = [];
    for await (const part of node.list()) listed.push(...part.map((each) => each.hash));
    await node.collectLeftovers();

    expect(listed).toEqual([hash]);
    expect(server.requests.slice(start).filter(({ path }) => /list-type|\?prefix/.test(path))).toEqual([]);
  });

  test('nodes that start together bind the store to the database', async () => {
    const { place, openStore, prefix } = await createInstallation();

    await Promise.all([openStore(), openStore(), openStore()].map((store) => bindObjectStore(place, store)));
    await bindObjectStore(place, openStore());

    expect(await server.listKeys(prefix)).toEqual([`${prefix}${MARK_KEY}`]);
  });

  test('an identifier that the store has acknowledged incompletely is written again', async () => {
    const { place, openStore, prefix } = await createInstallation();
    server.fail(({ method }) => (method === 'PUT' ? 'shortened' : undefined));
    await expect(bindObjectStore(place, openStore())).rejects.toThrow(/does not return what was written to it/);
    server.fail(() => undefined);

    await bindObjectStore(place, openStore());
    await bindObjectStore(place, openStore());

    expect(await server.listKeys(prefix)).toEqual([`${prefix}${MARK_KEY}`]);
  });

  test('a store of another installation, another store and no store are rejected', async () => {
    const [one, other] = [await createInstallation(), await createInstallation()];
    await bindObjectStore(one.place, one.openStore());

    await expect(bindObjectStore(other.place, one.openStore())).rejects.toThrow(
      /^s3:\/\/maps\/.* contains the files of another installation\. Use another prefix, or the database of that installation$/,
    );
    await expect(bindObjectStore(one.place, other.openStore())).rejects.toThrow(
      /does not contain the files of the database\. Set --blobs to the bucket and prefix that were used before$/,
    );
    await expect(bindObjectStore(one.place, undefined)).rejects.toThrow(
      'The database has files in an object store. Set --blobs to the address of the bucket, s3://…',
    );
    await bindObjectStore(other.place, undefined);
  });
});
