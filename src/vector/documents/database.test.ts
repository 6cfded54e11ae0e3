import { createServer } from 'node:net';
import { BSON } from 'mongodb';
import { afterEach, describe, expect, it } from 'vitest';
import { startDocumentServer } from '../../../test/support/services/document-server.ts';
import { describeWithDocuments } from '../../../test/support/with-documents.ts';
import { readDocumentUri } from './connection-uri.ts';
import { type DocumentDatabase, openDocumentDatabase } from './database.ts';
import { formatJson } from './document.ts';

const never = new AbortController().signal;
const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

function open(uri: string): DocumentDatabase {
  const database = openDocumentDatabase(readDocumentUri(uri));
  opened.push(database);
  return database;
}

async function idsOf(batches: AsyncIterable<readonly { readonly id: string }[]>): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const batch of batches) ids.push(...batch.map(({ id }) => id));
  return ids;
}

describeWithDocuments('document database', (documents) => {
  it('lists its collections and their spatially indexed fields', async () => {
    await documents.insert('stations', [{ _id: 'a', place: { type: 'Point', coordinates: [1, 2] } }] as never);
    await documents.insert('alarms', [{ name: 'x' }]);
    await documents.createIndex('stations', { place: '2dsphere' });
    const database = open(documents.uri());

    expect(await database.listCollections(never)).toEqual(['alarms', 'stations']);
    expect(await database.listSpatialIndexes('stations', never)).toEqual(['place']);
    expect(await database.listSpatialIndexes('nothing', never)).toEqual([]);
    expect(await database.count('stations', never)).toBe(1);
  });

  it('reads batches up to the end or a limit', async () => {
    const all = Array.from({ length: 1_000 }, (_, number) => ({ _id: number, number }));
    await documents.insert('numbers', all as never);
    const database = open(documents.uri());

    const ids = await idsOf(database.read('numbers', {}, never));
    const some = await idsOf(database.read('numbers', { limit: 300 }, never));

    expect(ids).toEqual(all.map(({ _id }) => String(_id)));
    expect(some).toHaveLength(300);
    expect(await idsOf(database.read('numbers', { limit: 0 }, never))).toEqual([]);
    expect(await idsOf(database.read('nothing', {}, never))).toEqual([]);
  });

  it('finds documents by ids of any type', async () => {
    const objectId = new BSON.ObjectId('58e5889ce4b02461ad5af080');
    await documents.insert('kinds', [{ _id: objectId }, { _id: 'text' }, { _id: 7 }, { _id: 'other' }] as never);
    const database = open(documents.uri());

    const ids = await idsOf(database.read('kinds', { ids: ['58e5889ce4b02461ad5af080', 'text', '7'] }, never));

    expect(ids).toEqual(['58e5889ce4b02461ad5af080', 'text', '7']);
  });

  it('reads documents with problematic field names', async () => {
    const hostile = JSON.parse('{"_id":"h","__proto__":{"a":1},"constructor":2,"$where":3}');
    await documents.insert('hostile', [hostile]);
    const database = open(documents.uri());

    const texts: string[] = [];
    for await (const batch of database.read('hostile', {}, never)) {
      texts.push(...batch.map(({ root }) => formatJson(root)));
    }

    expect(texts).toEqual(['{"_id":"h","__proto__":{"a":1},"constructor":2,"$where":3}']);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('stops reading when the reader stops', async () => {
    await documents.insert('many', Array.from({ length: 2_000 }, (_, _id) => ({ _id })) as never);
    const database = open(documents.uri());
    const stopping = new AbortController();

    const reading = (async () => {
      for await (const _batch of database.read('many', {}, stopping.signal)) stopping.abort(new Error('enough'));
    })();

    await expect(reading).rejects.toThrow('enough');
  });

  it('replaces named documents', async () => {
    const database = open(documents.uri());
    const put = new Map<string, BSON.Document>([
      ['a', { name: 'a', v: 1 }],
      ['b', { name: 'b', v: 1 }],
    ]);

    await database.replaceNamed('kept', 'name', { put, remove: [] }, never);
    await database.replaceNamed('kept', 'name', { put: new Map([['a', { name: 'a', v: 2 }]]), remove: ['b'] }, never);

    const kept = await database.readNamed('kept', 'name', never);
    expect([...kept].map(([name, each]) => [name, (each as BSON.Document)['v']])).toEqual([['a', 2]]);
  });
});

describe('faulty document database', () => {
  async function reasonOf(uri: string): Promise<unknown> {
    const error: unknown = await open(uri)
      .listCollections(never)
      .catch((each: unknown) => each);
    return error;
  }

  it('is reported as refused immediately if nothing listens', async () => {
    const server = await startDocumentServer();
    await server.close();

    expect(await reasonOf(`${server.uri('x')}?connectTimeoutMS=60000`)).toMatchObject({
      code: 'store-unreachable',
      status: 502,
      details: { reason: 'the connection to its host and port was refused' },
    });
  });

  it.each([
    ['drop', 'the connection was lost'],
    ['text', 'the server at its host and port is not a document database'],
    ['no length', 'the server at its host and port is not a document database'],
    ['negative length', 'the server at its host and port is not a document database'],
    ['huge length', 'the server at its host and port is not a document database'],
    ['broken document', 'the server at its host and port is not a document database'],
  ] as const)('is reported as invalid or lost after a faulty response: %s', async (how, reason) => {
    const server = await startDocumentServer();
    opened.push(server);
    server.misbehave(how);

    expect(await reasonOf(server.uri('x'))).toMatchObject({ code: 'store-unreachable', details: { reason } });
  });

  it('can return documents with excessive nesting', async () => {
    const server = await startDocumentServer();
    opened.push(server);
    server.misbehave('deep document');
    const database = open(server.uri('x'));

    for await (const [first] of database.read('y', { limit: 1 }, never)) {
      expect(first === undefined ? 0 : formatJson(first.root).length).toBeLessThan(1_000);
    }

    expect(await database.listCollections(never).catch(() => [])).toEqual([]);
  });

  it('is abandoned on abort if it does not respond', async () => {
    const server = await startDocumentServer();
    opened.push(server);
    server.misbehave('hang');
    const waiting = new AbortController();
    const asking = open(server.uri('x')).listCollections(waiting.signal);

    await expect.poll(() => server.commands).toContain('listCollections');
    waiting.abort(new Error('too late'));

    await expect(asking).rejects.toThrow('too late');
  });

  it('is reported as invalid if another service listens on its port', async () => {
    const http = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => http.once('listening', resolve));
    const { port } = http.address() as { port: number };

    const error = await reasonOf(`mongodb://127.0.0.1:${port}/x`);

    http.close();
    expect(error).toMatchObject({ code: 'store-unreachable', status: 502 });
  });

  it('never exposes the password', async () => {
    const server = await startDocumentServer();
    opened.push(server);

    const error = await reasonOf(server.uri('x').replace('//', '//jane:hunter2@'));

    expect(error).toMatchObject({ code: 'store-unreachable' });
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain('hunter2');
  });
});

describe('document database with other members', () => {
  it('connects only to the hosts of its URI', async () => {
    const [first, second, stranger] = await Promise.all([
      startDocumentServer(),
      startDocumentServer(),
      startDocumentServer(),
    ]);
    opened.push(first, second, stranger);
    const hosts = [stranger, first, second].map(({ port }) => `127.0.0.1:${port}`);
    const set = { setName: 'rs', setVersion: 1, hosts, arbiters: [hosts[0]], passives: [hosts[0]], primary: hosts[0] };
    first.greetWith({ ...set, me: hosts[0] });
    second.greetWith({ ...set, me: hosts[0], ismaster: false, isWritablePrimary: false, secondary: true });

    const uris = [
      `mongodb://127.0.0.1:${first.port},127.0.0.1:${second.port}/x?replicaSet=rs`,
      `mongodb://127.0.0.1:${first.port},127.0.0.1:${second.port}/x`,
      `mongodb://127.0.0.1:${first.port}/x?replicaSet=rs`,
      `mongodb://127.0.0.1:${second.port}/x`,
    ];
    for (const uri of uris) {
      const database = open(uri);
      expect(await database.listCollections(never)).toEqual([]);
      expect(await idsOf(database.read('nothing', {}, never))).toEqual([]);
    }

    expect(first.commands.filter((name) => name === 'listCollections').length).toBeGreaterThan(0);
    expect([first.accepted() > 0, second.accepted() > 0, stranger.accepted()]).toEqual([true, true, 0]);
  });
});
