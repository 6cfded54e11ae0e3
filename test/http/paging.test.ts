/** Paging: every listing supports pages on request, and following the links returns each item exactly once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DialectName } from '../../src/interface/common/dialects.ts';
import { everyRoute } from '../support/every-route.ts';
import { readablePaths } from '../support/readable-paths.ts';
import { ZIP_TYPE } from '../support/styles.ts';
import { type Reply, startTestServer, type TestServer } from '../support/test-server.ts';
import { startWithTwoStates, type TwoStates } from '../support/two-states.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';

/** Lists with their own paging rules, or without paging. */
const ownPages: Readonly<Record<string, string>> = {
  '/security/acl/layers': 'a table of rules, of which a part would mean something else',
  '/security/acl/services': 'the same',
  '/security/acl/rest': 'the same, and their order counts',
  '/security/acl/data': 'complete rules, which are read together',
  '/security/keystore': 'the few keys and nodes of one server, which are read together',
  '/security/tokens': 'pages by id, of at most 1,000 tokens, also without a limit',
  '/security/self/tokens': 'at most 50 tokens of one user',
  '/locks': 'pages by id, of at most 500 locks, also without a limit',
  '/security/signin': 'the few providers of one server, which are read together',
  '/configuration/files/missing': 'an answer to the list of the request, which has at most 100,000 hashes',
  '/about/nodes': 'the few nodes of one storage, which are read together',
  '/history': 'changes have numbers and no names',
  '/crs': 'pages of at most 200 codes with offset and limit, as clients know them',
  '/workspaces/:workspace/coveragestores/:store/coverages/:coverage/index/granules':
    'granules in insertion order, with offset and limit, as clients expect them',
};

const isList = ({ kind }: { readonly kind: string }) => kind === 'collection' || kind === 'file';
const listings = everyRoute().filter(({ route }) => isList(route));
const pathsOf = (rows: typeof listings) =>
  rows.flatMap(({ route }) => readablePaths[route.path] ?? []).filter((path) => !/\.sld/.test(path));
const asked = pathsOf(listings);
const askedInXml = pathsOf(listings.filter(({ route }) => route.formats.includes('xml')));

describe('every listing', () => {
  let states: TwoStates;
  beforeAll(async () => {
    states = await startWithTwoStates();
    // Its layers sort before those of acme by qualified name, and after them by workspace.
    const file = zipOf({ places: pointShapefile() });
    await states.server.post('/workspaces', '{"workspace":{"name":"acme-2"}}', { type: 'json' });
    await states.server.request('PUT', '/workspaces/acme-2/datastores/shapes/file.shp', { type: ZIP_TYPE, body: file });
  });
  afterAll(() => states?.server.close());

  it('supports pages, unless it has its own paging rules', () => {
    const others = everyRoute().filter(({ route }) => /^List\b/.test(route.summary) && !isList(route));

    const paths = others.map(({ route }) => route.path).filter((path) => path !== '');
    expect(paths.toSorted()).toEqual(Object.keys(ownPages).toSorted());
    expect(asked.length).toBeGreaterThan(40);
  });

  it.each(asked)('links from page to page through all of %s', async (path) => {
    const whole = await get(path, 'json');

    const pages = await follow(path, 1, 'json');

    expect(whole.status).toBe(200);
    expect(whole.headers['link']).toBeUndefined();
    const entries = pages.flatMap(({ reply }) => entriesIn(reply.json()));
    expect(sorted(entries)).toEqual(sorted(entriesIn(whole.json())));
    const names = entries.map(nameOf);
    expect(names).toEqual(inOrder(names));
  });

  it.each(asked)('returns the number of items in %s', async (path) => {
    const all = entriesIn((await get(path, 'json')).json()).length;

    const counted = await get(`${path}${path.includes('?') ? '&' : '?'}limit=1&count=true`, 'json');
    const uncounted = await get(`${path}${path.includes('?') ? '&' : '?'}limit=1`, 'json');

    expect(counted.headers['graticule-total']).toBe(`${all}`);
    expect(uncounted.headers['graticule-total']).toBeUndefined();
  });

  it.each(asked)('skips the first items of %s, and continues after them', async (path) => {
    const ask = (query: string) => get(`${path}${path.includes('?') ? '&' : '?'}${query}`, 'json');
    const names = entriesIn((await ask('limit=1000')).json()).map(nameOf);

    const second = await ask('limit=1&offset=1');
    const beyond = await ask(`limit=1&offset=${names.length}`);

    expect(entriesIn(second.json()).map(nameOf)).toEqual(names.slice(1, 2));
    expect(nextOf(second)?.searchParams.get('offset') ?? null).toBe(names.length > 2 ? '2' : null);
    expect(entriesIn(beyond.json())).toEqual([]);
  });

  it.each(asked)('finds the items of %s by a part of their names in any case', async (path) => {
    const ask = (query: string) => get(`${path}${path.includes('?') ? '&' : '?'}${query}`, 'json');
    const names = entriesIn((await ask('limit=1000')).json()).map(nameOf);
    const part = encodeURIComponent((names.at(-1) ?? 'none').slice(-3).toUpperCase());

    const found = await ask(`q=${part}&limit=1000&count=true`);
    const page = await ask(`q=${part}&limit=1`);

    const foundNames = entriesIn(found.json()).map(nameOf);
    expect(found.headers['graticule-total']).toBe(`${foundNames.length}`);
    expect(names.filter((name) => !foundNames.includes(name) && name.endsWith((names.at(-1) ?? '').slice(-3)))).toEqual(
      [],
    );
    expect(names).toEqual(expect.arrayContaining(foundNames));
    expect(entriesIn(page.json()).map(nameOf)).toEqual(foundNames.slice(0, 1));
    expect(entriesIn((await ask('q=no%20item%20has%20this%20name')).json())).toEqual([]);
  });

  it('rejects an offset without limit or with a cursor, and names the parameter', async () => {
    for (const query of ['offset=1', 'offset=-1&limit=1', 'offset=x&limit=1', 'offset=1&limit=1&after=abc']) {
      const reply = await get(`/workspaces?${query}`, 'problem+json');
      expect([query, reply.status, reply.text]).toEqual([query, 400, expect.stringContaining("'offset'")]);
    }
  });

  it.each(askedInXml)('returns the same pages of %s in every format', async (path) => {
    const json = await follow(path, 2, 'json');
    const xml = await follow(path, 2, 'xml');
    const html = await follow(path, 2, 'html');

    expect(xml.map(({ after }) => after)).toEqual(json.map(({ after }) => after));
    expect(html.map(({ after }) => after)).toEqual(json.map(({ after }) => after));
    for (const [index, { reply }] of json.entries()) {
      for (const name of entriesIn(reply.json()).map(nameOf)) {
        expect(xml[index]?.reply.text).toContain(name);
        expect(html[index]?.reply.text).toContain(name);
      }
    }
  });

  it.each(asked)('rejects invalid pages of %s', async (path) => {
    const ask = (query: string) => get(`${path}${path.includes('?') ? '&' : '?'}${query}`, 'problem+json');

    for (const limit of ['0', '1001', '-1', 'many', '']) {
      expect(await ask(`limit=${limit}`)).toMatchObject({ status: 400 });
    }
    for (const query of [
      'after=abc',
      'limit=1&after=abc',
      'limit=1&after=YWNtZQ',
      `limit=1&after=${'x'.repeat(900)}`,
    ]) {
      const reply = await ask(query);
      expect(reply.status).toBe(400);
      expect(reply.text).toContain("The query parameter 'after' is not a valid cursor");
    }
  });

  it('contains only visible items for users with restricted access, also in the links', async () => {
    await states.toggle();
    const as = states.keeper;
    const whole = entriesIn((await get('/layers', 'json', as)).json()).map(nameOf);

    const pages = await follow('/layers', 1, 'json', as);
    const counted = await get('/layers?count=true&limit=1', 'json', as);

    expect(pages.flatMap(({ reply }) => entriesIn(reply.json()).map(nameOf))).toEqual(whole);
    expect(whole.length).toBeLessThan(entriesIn((await get('/layers', 'json')).json()).length);
    expect(counted.headers['graticule-total']).toBe(`${whole.length}`);
    for (const { after } of pages) {
      const said = Buffer.from(after ?? '', 'base64url')
        .subarray(9)
        .toString();
      expect(['', ...whole]).toContain(said);
    }
    await states.toggle();
  });

  it('rejects a cursor of another listing', async () => {
    const [first] = await follow('/workspaces', 1, 'json');

    const reply = await get(`/styles?limit=1&after=${first?.after}`, 'problem+json');

    expect(reply.json()).toMatchObject({ code: 'page-unknown' });
  });

  function get(path: string, format: string, as?: string): Promise<Reply> {
    return getFrom(states.server, path, format, as);
  }

  function follow(path: string, limit: number, format: string, as?: string) {
    return followIn(states.server, path, limit, format, as);
  }
});

describe.each<DialectName>(['graticule', 'geoserver'])('pages of a server in mode %s', (compat) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ compat });
    for (const name of ['b', 'a', 'd', 'e', 'c', '\u{1F600}', '\uFF5E']) await addWorkspace(name);
  });
  afterAll(() => server?.close());

  it('returns consistent pages despite concurrent creates and deletes', async () => {
    const first = await getFrom(server, '/workspaces?limit=2', 'json');
    await server.delete('/workspaces/b');
    await server.delete('/workspaces/d');
    await addWorkspace('aa');
    await addWorkspace('ca');

    const rest = await followLink(server, first);

    expect(entriesIn(first.json()).map(nameOf)).toEqual(['a', 'b']);
    expect(rest.flatMap((reply) => entriesIn(reply.json()).map(nameOf))).toEqual([
      'c',
      'ca',
      'e',
      '\uFF5E',
      '\u{1F600}',
    ]);
  });

  it('keeps the query and the extension of the first page', async () => {
    const reply = await server.get('/workspaces.xml?quietOnNotFound=true&limit=1&count=true');

    expect(reply.headers['link']).toMatch(
      /^<http:\/\/[^/]+\/geoserver\/rest\/workspaces\.xml\?quietOnNotFound=true&limit=1&count=true&after=[\w-]+>; rel="next"$/,
    );
  });

  it('reads no more of a long listing than the page shows', async () => {
    const { storage } = server.server;
    await storage.write({ who: 'tester', what: 'make many' }, async (transaction) => {
      for (let count = 0; count < 1_500; count += 1) {
        await transaction.insert({ kind: 'layerGroup', parent: null, name: `group-${count}`, body: {}, keys: {} });
      }
    });
    const lengths: number[] = [];
    const take = storage.snapshot.bind(storage);
    Object.assign(storage, {
      snapshot: () => {
        const snapshot = take();
        const listNames = snapshot.listNames.bind(snapshot);
        return Object.assign(snapshot, {
          listNames: async (...sent: Parameters<typeof listNames>) => {
            const names = await listNames(...sent);
            lengths.push(names.length);
            return names;
          },
        });
      },
    });

    const pages = await followIn(server, '/layergroups', 700, 'json');

    Object.assign(storage, { snapshot: take });
    expect(pages.map(({ reply }) => entriesIn(reply.json()).length)).toEqual([700, 700, 100]);
    expect(lengths).toEqual([701, 701, 100]);
  });

  it('links to the correct resource if a name on another page looks like one of its formats', async () => {
    await addWorkspace('twin');
    await addWorkspace('twin.json');

    const pages = await followIn(server, '/workspaces', 1, 'json');

    const links = pages.map(({ reply }) => entriesIn(reply.json())[0] as { name: string; href: string });
    const twin = links.find(({ name }) => name === 'twin');
    expect(twin?.href).toMatch(/\/workspaces\/twin\/\.json$/);
    expect(await server.get(`/workspaces${twin?.href.split('/workspaces')[1]}`)).toMatchObject({ status: 200 });
  });

  async function addWorkspace(name: string): Promise<void> {
    const reply = await server.post('/workspaces', JSON.stringify({ workspace: { name } }), { type: 'json' });
    expect(reply.status).toBe(201);
  }
});

function getFrom(server: TestServer, path: string, format: string, as?: string): Promise<Reply> {
  const accept = format === 'html' ? 'text/html' : `application/${format}`;
  return server.get(path, { accept, ...(as === undefined ? {} : { as }) });
}

interface FollowedPage {
  readonly reply: Reply;
  /** The link to the next page. */
  readonly after: string | null;
}

async function followIn(
  server: TestServer,
  path: string,
  limit: number,
  format: string,
  as?: string,
): Promise<FollowedPage[]> {
  const first = await getFrom(server, `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`, format, as);
  const replies = [first, ...(await followLink(server, first, format, as))];
  for (const { status } of replies) expect(status).toBe(200);
  return replies.map((reply) => ({ reply, after: nextOf(reply)?.searchParams.get('after') ?? null }));
}

async function followLink(server: TestServer, first: Reply, format = 'json', as?: string): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let next = nextOf(first); next !== undefined; next = nextOf(replies.at(-1))) {
    replies.push(await getFrom(server, `${next.pathname.slice('/geoserver/rest'.length)}${next.search}`, format, as));
  }
  return replies;
}

function nextOf(reply: Reply | undefined): URL | undefined {
  const link = /^<(.*)>; rel="next"$/.exec(reply?.headers['link'] ?? '')?.[1];
  return link === undefined ? undefined : new URL(link);
}

/** The items of a listing, regardless of its kind. */
function entriesIn(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  if (typeof document !== 'object' || document === null) return [];
  for (const value of Object.values(document)) {
    const found = entriesIn(value);
    if (found.length > 0) return found;
  }
  return [];
}

function nameOf(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const { name, userName, '@name': marked } = entry as Readonly<Record<string, string>>;
  return name ?? userName ?? marked ?? '';
}

const sorted = (entries: readonly unknown[]) => entries.map((entry) => JSON.stringify(entry)).toSorted();

const inOrder = (names: readonly string[]) =>
  names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
