import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startObjectStore, type TestObjectStore } from '../../../test/support/object-store.ts';
import { S3CacheStore } from './s3-cache-store.ts';

let server: TestObjectStore;
let store: S3CacheStore;
beforeAll(async () => {
  server = await startObjectStore();
  store = new S3CacheStore(server.options('some/prefix'));
});
afterAll(async () => {
  store.close();
  await server.close();
});
beforeEach(() => server.fail(() => undefined));

const { signal } = new AbortController();
const content = Buffer.from([0, 255, 128, 10]);

async function listAll(prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const objects of store.list(prefix, signal)) keys.push(...objects.map(({ key }) => key));
  return keys;
}

test('bytes are read back below the prefix of the store, replaced and deleted', async () => {
  await store.write('a/1', Buffer.from('old'), signal);
  await store.write('a/1', content, signal);

  expect(await store.read('a/1', signal)).toEqual(content);
  expect(await store.read('a/2', signal)).toBeUndefined();
  expect(await server.listKeys('some/prefix/a/')).toEqual(['some/prefix/a/1']);
  await store.delete('a/1');
  await store.delete('a/1');
  expect(await store.read('a/1', signal)).toBeUndefined();
});

test('lists have all pages, with sizes and times, and no objects of other prefixes', async () => {
  const keys = Array.from({ length: 1_050 }, (_, at) => `many/${String(at).padStart(4, '0')}`);
  for (let at = 0; at < keys.length; at += 50) {
    await Promise.all(keys.slice(at, at + 50).map((key) => store.write(key, content, signal)));
  }
  await store.write('man', content, signal);
  const other = new S3CacheStore(server.options('some/other'));
  await other.write('many/1', content, signal);
  other.close();

  expect(await listAll('many/')).toEqual(keys);
  expect(await listAll('none/')).toEqual([]);
  for await (const [first] of store.list('many/0000', signal)) {
    expect(first).toEqual({ key: 'many/0000', bytes: 4, modifiedAtMs: expect.any(Number) });
    expect(Math.abs(Date.now() - (first?.modifiedAtMs ?? 0))).toBeLessThan(600_000);
  }
});

test('a read fails at once if the store fails, and a write and a list are repeated', async () => {
  await store.write('a', content, signal);
  let left = 1;
  server.fail(() => (left-- > 0 ? 503 : undefined));
  const before = server.requests.length;
  await expect(store.read('a', signal)).rejects.toMatchObject({ cause: { code: 'SlowDown' } });
  expect(server.requests.length - before).toBe(1);
  left = 1;
  await store.write('a', content, signal);
  left = 1;
  expect(await listAll('a')).toEqual(['a']);
});

test('a silent store is given up when the signal is aborted', async () => {
  server.fail(() => 'silent');
  await expect(store.read('a', AbortSignal.timeout(50))).rejects.toThrow();
  await expect(store.write('a', content, AbortSignal.timeout(50))).rejects.toThrow();
});

test('a truncated response and a missing bucket are failures and no missing objects', async () => {
  await store.write('a', content, signal);
  server.fail(() => 'cut');
  await expect(store.read('a', signal)).rejects.toThrow();
  server.fail(() => undefined);
  const { location } = server.options('');
  const unknown = new S3CacheStore({ ...server.options(''), location: { ...location, bucket: 'unknown' } });
  await expect(unknown.read('a', signal)).rejects.toMatchObject({ cause: { code: 'NoSuchBucket' } });
  await expect(unknown.list('', signal).next()).rejects.toMatchObject({ cause: { code: 'NoSuchBucket' } });
  unknown.close();
});
