/** Accepted names work in every format; rejected names change nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../support/code-points.ts';
import { type Reply, type TestServer, useTestServer } from '../support/test-server.ts';

const RUNS = 300;

/** Characters with a special meaning in paths, links, XML, JSON or HTML, or that look alike to users. */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...'abcXYZ019') },
  { weight: 4, arbitrary: fc.constantFrom(...`!"#$%&'()*+,-.;<=>?@[]^_\`{|}~ `) },
  { weight: 1, arbitrary: fc.constantFrom('/', '\\', ':', '\0', '\n', '\t', '\u007f', '\u2028', '\ufffe') },
  { weight: 2, arbitrary: fc.constantFrom('é', 'e\u0301', 'ß', 'İ', 'ı', '地', '図', '\u00a0', '\u3000', '\ufeff') },
  { weight: 2, arbitrary: fc.constantFrom('م', 'ש', '\u202e', '\u200f', '\u200d', '👩‍🚀', '🗺️', '𝔾', '\u{1fffe}') },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }) },
);
const ending = fc.constantFrom(
  '',
  '',
  '',
  '',
  '.xml',
  '.json',
  '.html',
  '.XML',
  '.xml.json',
  '.sld',
  '.zip',
  '.',
  '%20',
);
const name = fc.oneof(
  fc.tuple(fc.array(character, { minLength: 1, maxLength: 12 }), ending).map(([parts, end]) => parts.join('') + end),
  fc.constantFrom(
    'default',
    'default.xml',
    'Default',
    '..',
    '.',
    '%2e%2e',
    'a/../b',
    'CON',
    '__proto__',
    'constructor',
  ),
);

interface Item {
  readonly name: string;
  readonly href: string;
}

/** The items of a listing in JSON or XML. */
function itemsOf(reply: Reply, format: 'xml' | 'json'): readonly Item[] {
  if (format === 'json') {
    return (reply.json() as { workspaces: { workspace: Item[] } }).workspaces.workspace;
  }
  const items = reply.text.matchAll(/<name>([^<]*)<\/name>\s*<atom:link [^>]*href="([^"]*)"/g);
  return [...items].map(([, text = '', href = '']) => ({ name: unescapeXml(text), href: unescapeXml(href) }));
}

function unescapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text.replace(/&(\w+);/g, (_match, entity: string) => entities[entity] ?? '');
}

/** The name in a workspace document. */
function nameIn(reply: Reply, format: 'xml' | 'json'): string {
  return format === 'json'
    ? (reply.json() as { workspace: { name: string } }).workspace.name
    : unescapeXml(/<name>([^<]*)<\/name>/.exec(reply.text)?.[1] ?? '');
}

function bodyWith(newName: string, format: 'xml' | 'json'): string {
  const escaped = newName.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return format === 'json'
    ? JSON.stringify({ workspace: { name: newName } })
    : `<workspace><name>${escaped}</name></workspace>`;
}

/** Requests a URL without normalizing it. */
function follow(server: TestServer, method: string, url: string | undefined, how = {}): Promise<Reply> {
  const { pathname, origin } = new URL(url ?? '');
  expect(origin).toBe('http://localhost');
  return server.request(method, `/${pathname}`, how);
}

async function expectToLiveWith(
  server: TestServer,
  given: string,
  format: 'xml' | 'json',
  location: string,
): Promise<void> {
  const encoded = encodeURIComponent(given);
  for (const path of [
    `/workspaces/${encoded}`,
    `/workspaces/${encoded}.${format}`,
    `/workspaces/${encoded}/.${format}`,
  ]) {
    const reply = await server.get(path, { accept: `application/${format}` });
    expect([path, reply.status, nameIn(reply, format)]).toEqual([path, 200, given]);
  }
  expect(nameIn(await follow(server, 'GET', location, { accept: `application/${format}` }), format)).toBe(given);

  const item = itemsOf(await server.get(`/workspaces.${format}`), format).find((each) => each.name === given);
  expect(nameIn(await follow(server, 'GET', item?.href), format)).toBe(given);
  const page = await server.get('/workspaces.html');
  expect((await server.get(`/workspaces/${encoded}.html`)).status).toBe(200);
  expect(page.text).not.toMatch(
    /<(?!\/?(?:!DOCTYPE|html|head|meta|title|style|body|nav|ol|li|a|main|h1|ul|span|footer)\b)/,
  );
}

async function expectToRenameAndDelete(server: TestServer, given: string, format: 'xml' | 'json'): Promise<void> {
  const path = `/workspaces/${encodeURIComponent(given)}`;
  expect((await server.put(path, bodyWith('elsewhere', format))).status).toBe(200);
  expect((await server.get(path)).status).toBe(404);
  expect((await server.put('/workspaces/elsewhere', bodyWith(given, format))).status).toBe(200);
  expect((await server.get(path)).status).toBe(200);

  expect((await server.delete(`${path}.${format}`)).status).toBe(200);
  expect((await server.get(path)).status).toBe(404);
  expect((await server.get(`/namespaces/${encodeURIComponent(given)}`)).status).toBe(404);
}

describe.each(['xml', 'json'] as const)(`any of ${RUNS} names, in %s`, (format) => {
  const server = useTestServer();

  it('an accepted name can be read, listed, linked, renamed and deleted; a rejected one changes nothing', {
    timeout: 600_000,
  }, async () => {
    let taken = 0;

    await fc.assert(
      fc.asyncProperty(name, async (given) => {
        const before = (await server.get('/workspaces.json')).text;
        const reply = await server.post('/workspaces', bodyWith(given, format));

        if (reply.status === 201) {
          taken += 1;
          expect(reply.text).toBe(given);
          await expectToLiveWith(server, given, format, reply.headers['location'] ?? '');
          await expectToRenameAndDelete(server, given, format);
        } else {
          expect(reply.status).toBe(400);
        }
        expect((await server.get('/workspaces.json')).text).toBe(before);
      }),
      { numRuns: RUNS },
    );

    expect(taken).toBeGreaterThan(RUNS / 3);
  });
});

describe('names that differ only in an extension', () => {
  const server = useTestServer();
  const names = ['a', 'a.html', 'a.json', 'a.xml', 'a.xml.json', 'a.xml.xml'];

  it.each(['xml', 'json'] as const)('finds each name by its link in %s', async (format) => {
    for (const each of names) {
      await server.post('/workspaces', bodyWith(each, 'json'));
    }

    const items = itemsOf(await server.get(`/workspaces.${format}`), format);

    expect(items.map((item) => item.name)).toEqual(names);
    for (const item of items) {
      const reply = await follow(server, 'GET', item.href);
      expect(reply.headers['content-type']).toBe(`application/${format}`);
      expect(nameIn(reply, format)).toBe(item.name);
    }
  });

  it('matches exact names before it removes an extension', async () => {
    const read = async (path: string) => nameIn(await server.get(path, { accept: 'application/json' }), 'json');

    expect(await read('/workspaces/a')).toBe('a');
    expect(await read('/workspaces/a.json')).toBe('a.json');
    expect(await read('/workspaces/a/.json')).toBe('a');
    expect(await read('/workspaces/a.json.json')).toBe('a.json');
    expect(await read('/workspaces/a%2Ejson')).toBe('a.json');
  });
});
