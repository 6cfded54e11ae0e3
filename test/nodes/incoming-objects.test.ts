/** Files that are uploaded to an object store while they are written. */
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { hashBytes, type IncomingBlob } from '../../src/storage/blobs/port.ts';
import { S3Store } from '../../src/storage/objects/s3-store.ts';
import { ObjectBlobs } from '../../src/storage/postgres/nodes/object-blobs.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { type StoreRequest, startObjectStore, type TestObjectStore } from '../support/object-store.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

/** Uploaded in three parts. */
const bytes = randomBytes(500_000);
const hash = hashBytes(bytes);

const isPart = ({ path }: StoreRequest, part: number) => path.includes(`partNumber=${part}&`);
const isCompletion = ({ method, path }: StoreRequest) => method === 'POST' && path.includes('uploadId');

describeWithPostgis('files that arrive at a node with an object store', (postgis) => {
  const places = openPostgresPlaces(postgis);
  let server: TestObjectStore;
  beforeAll(async () => {
    server = await startObjectStore();
  });
  afterAll(() => server.close());
  beforeEach(() => server.fail(() => undefined));

  async function openNode() {
    const place = places.take();
    await (await openPostgresStorage({ location: place, kinds: [] })).close();
    const prefix = `${randomUUID()}/`;
    const objects = new S3Store(server.options(prefix));
    const node = new ObjectBlobs({ location: place, shelf: 'blobs', clock: Date.now, objects });
    onTestFinished(async () => {
      await node.close();
      objects.close();
      await places.giveBack(place);
    });
    const start = server.requests.length;
    return {
      node,
      listKeys: () => server.listKeys(prefix),
      listRequests: () => server.requests.slice(start).filter(({ path }) => path.startsWith(prefix)),
      async countLeftovers() {
        return (await postgis.query(`SELECT object FROM ${place.schema}.object_leftovers`)).length;
      },
      async age() {
        await postgis.query(`UPDATE ${place.schema}.object_leftovers SET created_at = created_at - interval '2 days'`);
      },
    };
  }

  interface Arrival {
    readonly file: string;
    readonly incoming: IncomingBlob;
    receive(count: number): Promise<void>;
  }

  async function begin(node: ObjectBlobs, isStorable = true, content = bytes): Promise<Arrival> {
    const file = join(await temporaryFolder(), 'file');
    const incoming = node.follow(file, async () => isStorable);
    onTestFinished(() => incoming.discard());
    let written = 0;
    return {
      file,
      incoming,
      async receive(count) {
        await appendFile(file, content.subarray(written, written + count));
        written += count;
        incoming.advance(written);
      },
    };
  }

  async function arrive(node: ObjectBlobs, isStorable = true, content = bytes): Promise<Arrival> {
    const arrival = await begin(node, isStorable, content);
    await arrival.receive(content.length);
    arrival.incoming.end();
    return arrival;
  }

  const untilRequested = (list: () => readonly StoreRequest[], matches: (request: StoreRequest) => boolean) =>
    expect.poll(() => list().some(matches), { timeout: 10_000 }).toBe(true);

  test('parts are sent before the file is complete, and its hash is that of all bytes', async () => {
    const { node, listKeys, listRequests, countLeftovers } = await openNode();
    const { file, incoming, receive } = await begin(node);
    await receive(450_000);
    await untilRequested(listRequests, (request) => isPart(request, 2));
    expect(await node.getState(hash)).toBe('absent');

    await receive(50_000);
    incoming.end();

    expect(await incoming.readContent()).toEqual({ hash, checksum: crc32(bytes) });
    expect(await listKeys()).toEqual([]);
    await node.putFile(hash, file, incoming);
    await incoming.discard();
    expect(await node.isIntact(hash)).toBe(true);
    expect(await listKeys()).toHaveLength(1);
    expect(await countLeftovers()).toBe(0);
    expect(listRequests().filter(({ path }) => path.includes('partNumber'))).toHaveLength(3);
  });

  test('a file that is not stored in the end leaves nothing in the store', async () => {
    const { node, listKeys, listRequests, countLeftovers } = await openNode();
    const { incoming, receive } = await begin(node);
    await receive(450_000);
    await untilRequested(listRequests, (request) => isPart(request, 1));

    await incoming.discard();

    expect(await countLeftovers()).toBe(0);
    expect(await listKeys()).toEqual([]);
    expect(listRequests().some(({ method, path }) => method === 'DELETE' && path.includes('uploadId'))).toBe(true);
  });

  test.each([
    ['a file of one part', true, bytes.subarray(0, 200_000)],
    ['an archive', false, bytes],
  ])('%s is uploaded when it is stored', async (_, isStorable, content) => {
    const { node, listRequests } = await openNode();
    const { file, incoming } = await arrive(node, isStorable, content);

    expect(await incoming.readContent()).toBeUndefined();
    expect(listRequests()).toEqual([]);
    await node.putFile(hashBytes(content), file, incoming);
    await incoming.discard();

    expect(await node.isIntact(hashBytes(content))).toBe(true);
  });

  test('a file is uploaded again if the store fails before the file is complete', async () => {
    const { node, listKeys, listRequests } = await openNode();
    server.fail((request) => (isPart(request, 1) ? 503 : undefined));
    const { file, incoming, receive } = await begin(node);
    await receive(450_000);
    await expect.poll(() => listRequests().filter((request) => isPart(request, 1)).length).toBe(4);
    expect(await incoming.readContent()).toBeUndefined();
    server.fail(() => undefined);
    await receive(50_000);
    incoming.end();

    await node.putFile(hash, file, incoming);

    expect(await node.isIntact(hash)).toBe(true);
    expect(await listKeys()).toHaveLength(1);
  });

  test.each<[string, (request: StoreRequest) => boolean]>([
    ['the start', ({ path }) => path.includes('uploads')],
    ['a part', (request) => isPart(request, 2)],
    ['the completion', isCompletion],
    ['the confirmation', ({ method }) => method === 'HEAD'],
  ])('a complete file is not stored if the store fails at %s, and can be stored again', async (_, matches) => {
    const { node, listKeys, countLeftovers, age } = await openNode();
    server.fail((request) => (matches(request) ? 503 : undefined));
    const { file, incoming } = await arrive(node);

    await expect(node.putFile(hash, file, incoming)).rejects.toMatchObject({ code: 'storage-unavailable' });

    expect(await node.getState(hash)).toBe('absent');
    server.fail(() => undefined);
    await age();
    expect(await node.collectLeftovers()).toBe(1);
    expect(await countLeftovers()).toBe(0);
    expect(await listKeys()).toEqual([]);
    await node.putFile(hash, file, incoming);
    expect(await node.isIntact(hash)).toBe(true);
  });

  test('the upload of a dead node is collected, and not before a day', async () => {
    const { node, listKeys, listRequests, countLeftovers, age } = await openNode();
    const { receive } = await begin(node);
    await receive(450_000);
    await untilRequested(listRequests, (request) => isPart(request, 2));
    expect(await node.collectLeftovers()).toBe(0);

    await age();

    expect(await node.collectLeftovers()).toBe(1);
    expect(await countLeftovers()).toBe(0);
    expect(await listKeys()).toEqual([]);
  });

  test('bytes that another node has stored meanwhile leave one object', async () => {
    const { node, listKeys, countLeftovers } = await openNode();
    const { file, incoming } = await arrive(node);
    server.fail(async (request) => {
      if (isCompletion(request)) await node.put(hash, bytes);
      return undefined;
    });

    await node.putFile(hash, file, incoming);

    expect(await listKeys()).toHaveLength(1);
    expect(await countLeftovers()).toBe(0);
    expect(await node.isIntact(hash)).toBe(true);
  });

  test('bytes that are stored already are not completed a second time', async () => {
    const { node, listKeys, countLeftovers } = await openNode();
    await node.put(hash, bytes);
    const { file, incoming } = await arrive(node);

    await node.putFile(hash, file, incoming);
    await incoming.discard();

    expect(await listKeys()).toHaveLength(1);
    expect(await countLeftovers()).toBe(0);
  });

  test('more files than the memory has parts arrive together', async () => {
    const { node, listKeys } = await openNode();
    const contents = Array.from({ length: 7 }, () => randomBytes(450_000));
    const arrivals = await Promise.all(contents.map((content) => arrive(node, true, content)));

    await Promise.all(
      arrivals.map(({ file, incoming }, at) => node.putFile(hashBytes(contents[at] as Buffer), file, incoming)),
    );

    expect(await listKeys()).toHaveLength(7);
    for (const content of contents) expect(await node.isIntact(hashBytes(content))).toBe(true);
  });
});
