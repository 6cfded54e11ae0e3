/** Lesson 6: resource names with path traversal never reach the file layer. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { useSocketClient } from '../support/socket-client.ts';

const traversals = [
  '..',
  '.',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fsecurity',
  '..%2fsecurity',
  '..%5csecurity',
  '..\\security',
  '%252e%252e%252fsecurity',
  '..%c0%afsecurity',
  'acme%2f..%2f..',
  'acme.',
  'acme%20',
  'acme%00',
  'acme%00.xml',
  '....//',
  '~',
];

const families = [
  { collection: '/workspaces', document: (name: string) => JSON.stringify({ workspace: { name } }) },
  {
    collection: '/namespaces',
    document: (name: string) => JSON.stringify({ namespace: { prefix: name, uri: `urn:${name}` } }),
  },
  { collection: '/urlchecks', document: (name: string) => JSON.stringify({ regexUrlCheck: { name, regex: 'a' } }) },
];

describe.each(families)('lesson 6: names of $collection', ({ collection, document }) => {
  const client = useSocketClient();
  const files = async () => {
    const names = await readdir(client.server.dataDir, { recursive: true });
    // The server writes this file a few seconds after its start.
    return names.filter((name) => name !== 'disk.reserve').toSorted();
  };

  it.each(traversals)('finds, changes and deletes nothing with %s in the path', async (name) => {
    const before = await files();
    const change = { body: document('renamed'), headers: { 'content-type': 'application/json' } };
    const replies = [
      // Uses a raw socket because HTTP clients normalize dot segments.
      await client.request('GET', `${collection}/${name}`),
      await client.request('GET', `${collection}/${name}.json`),
      await client.request('PUT', `${collection}/${name}`, change),
      await client.request('DELETE', `${collection}/${name}?recurse=true&purge=true`),
    ];

    expect(replies.map(({ status }) => status).filter((status) => ![400, 404].includes(status))).toEqual([]);
    expect(await files()).toEqual(before);
  });

  it.each([
    '..',
    '.',
    '../x',
    'a/b',
    'a\\b',
    '..\\x',
    '.hidden',
    'dot.',
    'space ',
    ' space',
    'nul\0',
    'line\n',
    'a\u2028b',
  ])('rejects %j in a document', async (name) => {
    const before = await files();

    const reply = await client.server.post(collection, document(name));

    expect(reply.status).toBe(400);
    expect(await files()).toEqual(before);
  });

  it('accepts a name that only resembles path traversal', async () => {
    for (const name of ['%2e%2e', '..a', 'a..b']) {
      const reply = await client.server.post(collection, document(name));
      expect(reply.status).toBe(name.startsWith('.') ? 400 : 201);
    }

    expect((await client.server.get(`${collection}/%252e%252e`)).status).toBe(200);
    expect(await files()).not.toContain('..');
  });
});
