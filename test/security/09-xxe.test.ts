/** Lesson 9: document types are always rejected, so no entity can fetch, read or expand anything. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyDocumentRoute } from '../support/every-route.ts';
import { useTestServer } from '../support/test-server.ts';
import { useTrap } from '../support/trap.ts';

const CANARY = 'canary-in-a-file';

describe('lesson 9: document type declarations', () => {
  const server = useTestServer();
  const trap = useTrap();
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graticule-xxe-'));
    await writeFile(join(folder, 'secret.txt'), CANARY);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const payloads: Readonly<Record<string, () => string>> = {
    'a file': () =>
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file://${folder}/secret.txt">]><workspace><name>&x;</name></workspace>`,
    'a URL': () => `<!DOCTYPE a [<!ENTITY x SYSTEM "${trap.url}/entity">]><workspace><name>&x;</name></workspace>`,
    'an external subset': () => `<!DOCTYPE a SYSTEM "${trap.url}/subset.dtd"><workspace><name>a</name></workspace>`,
    'a public identifier': () =>
      `<!DOCTYPE a PUBLIC "-//x" "${trap.url}/public.dtd"><workspace><name>a</name></workspace>`,
    'a parameter entity': () =>
      `<!DOCTYPE a [<!ENTITY % p SYSTEM "${trap.url}/parameter"> %p;]><workspace><name>a</name></workspace>`,
    'behind comments and instructions': () =>
      `<?xml version="1.0"?><!-- a --><?b c?>\n<!DOCTYPE a [<!ENTITY x "y">]><workspace><name>&x;</name></workspace>`,
    'in UTF-16': () => `<!DOCTYPE a [<!ENTITY x "y">]><workspace><name>&x;</name></workspace>`,
    'entities in entities': () =>
      `<!DOCTYPE a [<!ENTITY e0 "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')}]><workspace><name>&e30;</name></workspace>`,
    'one entity hundreds of thousands of times': () =>
      `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(10_000)}">]><workspace><name>${'&x;'.repeat(300_000)}</name></workspace>`,
  };

  it.each(Object.entries(payloads))(
    'rejects a document type (%s) without reading or fetching anything',
    async (name, payload) => {
      const text = payload();
      const body = name === 'in UTF-16' ? Buffer.from(`\ufeff${text}`, 'utf16le') : text;
      const before = process.memoryUsage().rss;

      const reply = await server.request('POST', '/workspaces', { type: 'text/xml', body });

      expect(reply.status).toBe(400);
      expect(reply.text).toContain('The XML contains a DOCTYPE declaration.');
      expect(reply.text).not.toContain(CANARY);
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
      expect(trap.caught).toEqual([]);
    },
  );

  it('rejects a document type at every address that accepts a document', async () => {
    const body = `<!DOCTYPE a [<!ENTITY x SYSTEM "${trap.url}/entity">]><a>&x;</a>`;

    for (const { method, path, route } of everyDocumentRoute()) {
      const { status } = await server.request(method, path('made-up'), { type: 'application/xml', body });
      expect([method, route.path, status]).toEqual([method, route.path, 400]);
    }
    expect(trap.caught).toEqual([]);
    expect(server.log.join('')).not.toContain(CANARY);
  });
});

describe('lesson 9: entities', () => {
  const server = useTestServer();

  it.each(['&xxe;', '&lol;', '&nbsp;', '&#0;', '&#xD800;', '&#x110000;'])(
    'rejects %s, which XML does not predefine',
    async (entity) => {
      const reply = await server.post('/workspaces', `<workspace><name>a${entity}</name></workspace>`);

      expect(reply.status).toBe(400);
      expect(reply.text).toMatch(/is not defined|names a character that XML does not allow/);
    },
  );

  it('reads the predefined entities of XML', async () => {
    const reply = await server.post('/workspaces', '<workspace><name>&lt;&amp;&gt;&#x1F5FA;</name></workspace>');

    expect(reply).toMatchObject({ status: 201, text: '<&>🗺' });
  });
});
