/** Blobs that nodes share in PostgreSQL or in an object store: complete or absent, on all nodes. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openCachedBlobs } from '../../src/storage/blobs/cached.ts';
import { openBlobDirectory } from '../../src/storage/blobs/directory.ts';
import { BlobMissing, type Blobs, hashBytes, type StoredBlob } from '../../src/storage/blobs/port.ts';
import { S3Store } from '../../src/storage/objects/s3-store.ts';
import type { PostgresLocation } from '../../src/storage/postgres/connection/location.ts';
import { PostgresBlobs } from '../../src/storage/postgres/nodes/blobs.ts';
import { ObjectBlobs } from '../../src/storage/postgres/nodes/object-blobs.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { startObjectStore, type TestObjectStore } from '../support/object-store.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

/** More than two chunks, and not a whole number of them. */
const large = randomBytes(2_500_000);
const small = Buffer.from('some style');

describeWithPostgis('blobs shared by nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);
  let server: TestObjectStore;
  beforeAll(async () => {
    server = await startObjectStore();
  });
  afterAll(() => server.close());

  const openBlobs = {
    PostgreSQL: (location: PostgresLocation) => new PostgresBlobs({ location, shelf: 'blobs', clock: Date.now }),
    'an object store': (location: PostgresLocation) => {
      const objects = new S3Store(server.options(location.schema));
      onTestFinished(() => objects.close());
      return new ObjectBlobs({ location, shelf: 'blobs', clock: Date.now, objects });
    },
  } as const;

  describe.each(['PostgreSQL', 'an object store'] as const)('in %s', (kind) => {
    /** A separate folder for each node. */
    async function openNodes(): Promise<readonly [Blobs, Blobs]> {
      const place = places.take();
      await (await openPostgresStorage({ location: place, kinds: [] })).close();
      const openNode = async () => {
        const folder = await temporaryFolder();
        const shared = openBlobs[kind](place);
        onTestFinished(() => shared.close());
        const staging = async () => folder;
        const local = openBlobDirectory({ folder: join(folder, 'blobs'), staging });
        onTestFinished(() => local.settleBundles());
        return openCachedBlobs({ shared, staging, local });
      };
      return [await openNode(), await openNode()];
    }

    test.each([
      ['small blobs', small],
      ['blobs of several megabytes', large],
      ['empty blobs', Buffer.alloc(0)],
    ])('%s that one node puts are readable on the other', async (_, bytes) => {
      const [one, other] = await openNodes();
      const hash = hashBytes(bytes);
      expect(await other.getState(hash)).toBe('absent');
      await expect(other.read(hash)).rejects.toBeInstanceOf(BlobMissing);

      await one.put(hash, bytes);

      expect(await other.getState(hash)).toBe('present');
      expect(await other.findSize(hash)).toBe(bytes.length);
      expect((await other.read(hash)).equals(bytes)).toBe(true);
      expect(await other.isIntact(hash)).toBe(true);
    });

    test('a file that one node puts can be placed and copied by the other', async () => {
      const [one, other] = await openNodes();
      const folder = await temporaryFolder();
      const [file, placed, copied] = ['file', 'placed', 'copied'].map((name) => join(folder, name)) as [
        string,
        string,
        string,
      ];
      await writeFile(file, large);
      const hash = hashBytes(large);

      await one.putFiles([{ hash, file }]);
      await other.linkTo(hash, placed);
      await other.copyTo(hash, copied);

      expect((await readFile(placed)).equals(large)).toBe(true);
      expect((await readFile(copied)).equals(large)).toBe(true);
    });

    test('blobs that both nodes put in parallel are readable on both, existing or new', async () => {
      const [one, other] = await openNodes();
      const several = [
        large,
        Buffer.alloc(0),
        ...Array.from({ length: 40 }, (_, n) => Buffer.alloc(40_000, `style ${n}`)),
      ];
      const contents = new Map(several.map((bytes) => [hashBytes(bytes), bytes]));
      const [purged = '', known = ''] = [...contents.keys()].slice(5);
      await one.put(purged, contents.get(purged) ?? small);
      await one.delete(purged, { purged: true });
      await other.put(known, contents.get(known) ?? small);

      await Promise.all([one.putAll(contents), other.putAll(new Map([...contents].reverse()))]);
      await one.putAll(contents);

      for (const hash of contents.keys()) expect(await other.isIntact(hash)).toBe(true);
    });

    test('a deleted blob is gone on all nodes, and a purged one is remembered until it is put again', async () => {
      const [one, other] = await openNodes();
      const [kept, purged] = [hashBytes(small), hashBytes(large)];
      await one.put(kept, small);
      await one.put(purged, large);

      expect(await other.delete(kept, { purged: false, unless: async () => true })).toBe(false);
      expect(await one.getState(kept)).toBe('present');
      expect(await other.delete(kept, { purged: false })).toBe(true);
      expect(await other.delete(purged, { purged: true })).toBe(true);

      expect([await one.getState(kept), await one.getState(purged)]).toEqual(['absent', 'purged']);
      await expect(other.read(purged)).rejects.toMatchObject({ state: 'purged' });
      await one.put(purged, large);
      expect((await other.read(purged)).equals(large)).toBe(true);
    });

    test('all blobs are listed with the time they were last put', async () => {
      const [one, other] = await openNodes();
      const before = Date.now();
      await one.put(hashBytes(small), small);

      const listed: StoredBlob[] = [];
      for await (const part of other.list()) listed.push(...part);

      expect(listed).toMatchObject([{ hash: hashBytes(small), bytes: small.length }]);
      expect(Math.abs((listed[0]?.putAtMs ?? 0) - before)).toBeLessThan(60_000);
    });
  });
});
