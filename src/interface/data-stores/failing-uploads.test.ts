/** Uploads, replacements, imports, tables and deletions with a disk and a database that fail at every single call. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mortalDisk } from '../../../test/support/mortal-disk.ts';
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';
import { realDisk } from '../../storage/blobs/disk.ts';
import type { Storage } from '../../storage/port/port.ts';

/** Fails at every n-th call; 1 fails at each call and takes minutes. */
const STRIDE = Number(process.env['FAILURE_STRIDE'] ?? 13);
const TIMEOUT_MS = 1_200_000;
const MAX_CALLS = 1_000;

const stores = '/workspaces/acme/datastores';
const old = zipOf({ a: pointShapefile(2, [0, 0]) });
const fresh = zipOf({ a: pointShapefile(9, [100, 10]), b: pointShapefile() });
const tableFor = (store: string) =>
  `{"featureType":{"name":"made-${store}","nativeName":"made","attributes":{"attribute":{"name":"n","binding":"java.lang.Integer"}}}}`;

interface Operation {
  readonly title: string;
  /** Undefined for an unknown store. */
  readonly before: 'shapefile' | 'GeoPackage' | undefined;
  run(server: TestServer, store: string): Promise<{ readonly status: number }>;
}

const operations: readonly Operation[] = [
  {
    title: 'an upload',
    before: undefined,
    run: (server, store) => putZip(server, `${stores}/${store}/file.shp?configure=none`, fresh),
  },
  {
    title: 'a replacement',
    before: 'shapefile',
    run: (server, store) => putZip(server, `${stores}/${store}/file.shp?configure=none`, fresh),
  },
  {
    title: 'an import into a new store',
    before: undefined,
    run: (server, store) => putZip(server, `${stores}/${store}/file.shp?target=gpkg&configure=none`, fresh),
  },
  {
    title: 'an import into a store',
    before: 'GeoPackage',
    run: (server, store) => putZip(server, `${stores}/${store}/file.shp?update=overwrite&configure=none`, fresh),
  },
  {
    title: 'a new table',
    before: 'GeoPackage',
    run: (server, store) => server.post(`${stores}/${store}/featuretypes`, tableFor(store)),
  },
  {
    title: 'a removal',
    before: 'shapefile',
    run: (server, store) => server.delete(`${stores}/${store}?recurse=true`),
  },
];

/** The visible state of a store: the names of its types, and the content of one of them. */
async function seen(server: TestServer, store: string): Promise<string> {
  const names = await server.get(`${stores}/${store}/featuretypes.json?list=all`);
  if (names.status === 404) return 'nothing';
  await server.post(
    `${stores}/${store}/featuretypes`,
    `<featureType><name>a-${store}</name><nativeName>a</nativeName></featureType>`,
  );
  await server.put(`${stores}/${store}/featuretypes/a-${store}?recalculate=nativebbox`, '<featureType/>');
  const type = await server.get(`${stores}/${store}/featuretypes/a-${store}.json`);
  const box = /"nativeBoundingBox":\{[^}]*\}/.exec(type.text)?.[0] ?? `${type.status} ${type.text}`;
  return `${names.status} ${names.text} ${box}`;
}

async function prepare(server: TestServer, { before }: Operation, store: string): Promise<void> {
  if (before !== undefined) {
    const target = before === 'GeoPackage' ? '&target=gpkg' : '';
    const reply = await putZip(server, `${stores}/${store}/file.shp?configure=none${target}`, old);
    expect(reply.status).toBe(201);
  }
}

/** The visible state before and after the operation without failures. */
async function expectations(server: TestServer, operation: Operation): Promise<readonly [string, string]> {
  await prepare(server, operation, 'fine');
  const before = (await seen(server, 'fine')).replaceAll('fine', '*');
  expect((await operation.run(server, 'fine')).status).toBeLessThan(300);
  return [before, (await seen(server, 'fine')).replaceAll('fine', '*')];
}

async function restarted(server: TestServer): Promise<TestServer> {
  await server.server.close();
  const again = await startTestServer({ dataDir: server.dataDir });
  onTestFinished(() => again.close());
  expect(await readdir(join(server.dataDir, 'staging'))).toEqual([]);
  return again;
}

describe.each(operations)('$title', (operation) => {
  it('leaves the complete old or new state on a failing disk, also after a restart', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const mortal = mortalDisk();
    const server = await startTestServer({ disk: mortal.disk });
    onTestFinished(() => server.close());
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const [before, after] = await expectations(server, operation);
    const expected = new Map<string, string>();

    for (let calls = 0, failed = true; failed; calls += STRIDE) {
      expect(calls).toBeLessThan(MAX_CALLS);
      const store = `s${calls}`;
      await prepare(server, operation, store);
      mortal.dieAfter(calls);
      failed = (await operation.run(server, store)).status >= 500;
      const left = mortal.left();
      mortal.dieAfter(Number.POSITIVE_INFINITY);
      failed ||= left < 0;

      const found = (await seen(server, store)).replaceAll(store, '*');
      expect([before, after]).toContain(found);
      expected.set(store, found);
    }

    const again = await restarted(server);
    for (const [store, found] of expected) {
      expect((await seen(again, store)).replaceAll(store, '*')).toBe(found);
    }
  });

  it('leaves the old state when the database does not commit, and the next change succeeds', async () => {
    const database = failingStorage();
    const server = await startTestServer({ betweenStorage: database.between });
    onTestFinished(() => server.close());
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const [before, after] = await expectations(server, operation);
    const expected = new Map<string, string>();

    for (let writes = 0, failed = true; failed; writes += 1) {
      const store = `s${writes}`;
      await prepare(server, operation, store);
      database.failAfter(writes);
      failed = (await operation.run(server, store)).status >= 500;
      database.failAfter(Number.POSITIVE_INFINITY);
      // Uses the number that the failed change would have had.
      expect(
        (
          await server.put(
            '/workspaces/acme',
            `<workspace><metadata><entry key="n">${writes}</entry></metadata></workspace>`,
          )
        ).status,
      ).toBe(200);

      const found = (await seen(server, store)).replaceAll(store, '*');
      expect(found).toBe(failed ? before : after);
      expected.set(store, found);
    }
    expect(expected.size).toBeGreaterThan(1);

    const again = await restarted(server);
    for (const [store, found] of expected) {
      expect((await seen(again, store)).replaceAll(store, '*')).toBe(found);
    }
  });
});

describe.each(operations)('$title', (operation) => {
  it('modifies no file while other requests wait for its change', async () => {
    let isChanging = false;
    const touched: string[] = [];
    const disk = new Proxy(realDisk, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: readonly unknown[]): unknown => {
          if (isChanging) touched.push(`${String(name)} ${given.join(' ')}`);
          return Reflect.apply(member, target, given);
        };
      },
    });
    const betweenStorage = (storage: Storage): Storage =>
      between(storage, async (work) => {
        isChanging = true;
        return work().finally(() => {
          isChanging = false;
        });
      });
    const server = await startTestServer({ disk, betweenStorage });
    onTestFinished(() => server.close());
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    // A start records the built-in styles in addition to its other changes.
    touched.splice(0);

    await expectations(server, operation);

    expect(touched).toEqual([]);
  });
});

/** A storage whose writes are rolled back at the very end, beginning with a given write. */
function failingStorage() {
  let left = Number.POSITIVE_INFINITY;
  const failing = (storage: Storage): Storage =>
    between(storage, async (work) => {
      const result = await work();
      left -= 1;
      if (left < 0) throw new Error('the disk is full');
      return result;
    });
  return {
    between: failing,
    failAfter(writes: number) {
      left = writes;
    },
  };
}

/** A storage that wraps the work of its writes. */
function between(storage: Storage, around: <T>(work: () => Promise<T>) => Promise<T>): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === 'write') {
        const write: Storage['write'] = (author, work) =>
          target.write(author, (transaction) => around(() => work(transaction)));
        return write;
      }
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
