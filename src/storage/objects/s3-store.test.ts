import { randomBytes } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/e2e/temporary-folder.ts';
import { type Fault, startObjectStore, type TestObjectStore } from '../../../test/support/object-store.ts';
import { hashBytes } from '../blobs/port.ts';
import { S3Store } from './s3-store.ts';

let server: TestObjectStore;
let store: S3Store;
beforeAll(async () => {
  server = await startObjectStore();
  store = new S3Store(server.options('some/prefix'));
});
afterAll(async () => {
  store.close();
  await server.close();
});
beforeEach(() => server.fail(() => undefined));

const small = randomBytes(100_000);
/** Three parts. */
const large = randomBytes(500_000);

async function createFile(bytes: Buffer): Promise<string> {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, bytes);
  return file;
}

async function read(key: string, bytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of store.read(key, bytes)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const put = (key: string, bytes: Buffer) => store.put(key, { kind: 'bytes', bytes, hash: hashBytes(bytes) });
const putFile = async (key: string, bytes: Buffer) =>
  store.put(key, { kind: 'file', file: await createFile(bytes), bytes: bytes.length, hash: hashBytes(bytes) });

/** Fails the first requests with this method and path. */
function failFirst(fault: Fault, { method, path = /./, times = 1 }: FaultyRequests): void {
  let left = times;
  server.fail((request) => {
    if (request.method !== method || !path.test(request.path) || left === 0) return undefined;
    left -= 1;
    return fault;
  });
}

interface FaultyRequests {
  readonly method: string;
  readonly path?: RegExp;
  readonly times?: number;
}

test('bytes and files are read back below the prefix', async () => {
  await put('a/bytes', small);
  await putFile('a/file', small);

  expect((await read('a/bytes', small.length)).equals(small)).toBe(true);
  expect((await read('a/file', small.length)).equals(small)).toBe(true);
  expect(await server.listKeys('some/prefix/a/')).toEqual(['some/prefix/a/bytes', 'some/prefix/a/file']);
});

test('a large file is uploaded in parts, and its upload is reported first', async () => {
  const uploads: string[] = [];
  const file = await createFile(large);
  await store.put(
    'large',
    { kind: 'file', file, bytes: large.length, hash: hashBytes(large) },
    { onUpload: async (id) => void uploads.push(id) },
  );

  expect(uploads).toEqual([expect.stringMatching(/./)]);
  expect((await read('large', large.length)).equals(large)).toBe(true);
});

test.each<[Fault, FaultyRequests]>([
  ['lost', { method: 'PUT' }],
  ['unanswered', { method: 'PUT' }],
  ['shortened', { method: 'PUT' }],
  [503, { method: 'PUT', times: 2 }],
  [500, { method: 'HEAD' }],
])('a small put succeeds in spite of the fault %s of %o', async (fault, requests) => {
  failFirst(fault, requests);

  await put('retried', small);

  expect((await read('retried', small.length)).equals(small)).toBe(true);
});

test.each<[Fault, FaultyRequests]>([
  ['lost', { method: 'POST', path: /uploads/ }],
  ['lost', { method: 'PUT', path: /partNumber=2/ }],
  ['unanswered', { method: 'PUT', path: /partNumber=2/ }],
  [503, { method: 'PUT', path: /partNumber=3/, times: 2 }],
  ['unanswered', { method: 'POST', path: /uploadId=/ }],
  [500, { method: 'POST', path: /uploadId=/ }],
])('an upload in parts succeeds in spite of the fault %s of %o', async (fault, requests) => {
  failFirst(fault, requests);

  await putFile('retried-parts', large);

  expect((await read('retried-parts', large.length)).equals(large)).toBe(true);
});

test('a part that the store has received incompletely makes the upload fail', async () => {
  failFirst('shortened', { method: 'PUT', path: /partNumber=2/ });

  await expect(putFile('short', large)).rejects.toMatchObject({
    code: 'storage-unavailable',
    cause: { message: expect.stringContaining('bytes of 500000') },
  });
});

test.each<[Fault, number]>([
  ['cut', 3],
  ['lost', 2],
  [503, 3],
])('a read continues where it stopped after the fault %s', async (fault, times) => {
  await putFile('continued', large);
  failFirst(fault, { method: 'GET', times });

  expect((await read('continued', large.length)).equals(large)).toBe(true);
});

test('a store that stays unavailable is reported with its address, which clients do not see', async () => {
  server.fail(() => 503);

  await expect(put('never', small)).rejects.toMatchObject({
    code: 'storage-unavailable',
    status: 503,
    message: expect.not.stringContaining('127.0.0.1'),
    cause: {
      code: 'SlowDown',
      message: expect.stringMatching(/^The object store s3:\/\/maps\/some\/prefix\/\?endpoint/),
    },
  });
});

test('a silent store is given up after the timeout', async () => {
  const impatient = new S3Store({ ...server.options(''), times: { idleMs: 50, attempts: 2, firstPauseMs: 1 } });
  server.fail(() => 'silent');

  await expect(impatient.readSmall('anything')).rejects.toMatchObject({ cause: { code: 'ETIMEDOUT' } });
  impatient.close();
});

test('wrong credentials and unknown buckets fail without a repetition', async () => {
  const { location } = server.options('');
  const wrong = new S3Store({ ...server.options(''), credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'no' } });
  const unknown = new S3Store({ ...server.options(''), location: { ...location, bucket: 'unknown' } });
  const before = server.requests.length;

  await expect(wrong.readSmall('anything')).rejects.toMatchObject({ cause: { code: 'SignatureDoesNotMatch' } });
  await expect(unknown.readSmall('anything')).rejects.toMatchObject({ cause: { code: 'NoSuchBucket' } });

  expect(server.requests.length - before).toBe(2);
  wrong.close();
  unknown.close();
});

test('missing and truncated objects are detected', async () => {
  await put('truncated', small);
  await truncate(server.fileOf('some/prefix/truncated'), 10);

  await expect(read('missing', 10)).rejects.toThrow("The object store has no object 'missing'.");
  await expect(read('truncated', small.length)).rejects.toMatchObject({ code: 'storage-unavailable' });
  expect(await store.readSmall('missing')).toBeUndefined();
});

test('deleted objects are gone, and missing ones can be deleted', async () => {
  await put('deleted', small);

  await store.delete('deleted');
  await store.delete('deleted');

  expect(await store.readSmall('deleted')).toBeUndefined();
});

test('small objects are created once, and read', async () => {
  expect(await store.create('mark', Buffer.from('some text'))).toBe(true);
  expect(await store.create('mark', Buffer.from('another text'))).toBe(false);

  expect((await store.readSmall('mark'))?.toString()).toBe('some text');
  expect((await readFile(server.fileOf('some/prefix/mark'))).toString()).toBe('some text');
});
