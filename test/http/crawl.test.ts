/** Dead links: every link in an HTML, XML or JSON document must lead to an existing resource. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { startWithTwoStates } from '../support/two-states.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';

const ORIGIN = 'http://localhost:80';
const REST = `${ORIGIN}/geoserver/rest`;

/** Every reachable address, with its status and the document that links to it. */
async function crawl(server: TestServer): Promise<ReadonlyMap<string, { status: number; from: string }>> {
  const seen = new Map<string, { status: number; from: string }>();
  const waiting = ['.html', '.json', '.xml'].map((format) => ({ url: `${REST}${format}`, from: 'the start' }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { url, from } = next;
    if (seen.has(url) || isOneOfManySystems(url)) continue;
    const { status, text, headers } = url.startsWith(`${ORIGIN}/`)
      ? await server.get(`/${url.slice(ORIGIN.length)}`)
      : { status: 0, text: '', headers: {} as Record<string, string> };
    seen.set(url, { status, from });
    const links = linksIn(text, headers['content-type'] ?? '');
    waiting.push(...links.map((link) => ({ url: resolveLink(link, url), from: url })));
  }
  return seen;
}

/** The page of the console has relative links. */
function resolveLink(link: string, from: string): string {
  return link.includes('://') ? link : `${ORIGIN}${new URL(link, from).pathname}`;
}

/** Ten thousand coordinate reference systems have the same kinds of links: those with a code that ends in 57 suffice. */
const isOneOfManySystems = (url: string) => /\/crs\/\w+%3A(?!\d*57\.)/.test(url);

function linksIn(text: string, mediaType: string): readonly string[] {
  if (/html|xml/.test(mediaType) && !/sld|se\+xml/.test(mediaType)) {
    const attributes = [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)]
      .map(([, value = '']) => value)
      .filter((value) => !value.startsWith('data:'));
    return attributes.map((value) => value.replaceAll('&amp;', '&'));
  }
  // Examples in the API description are not links.
  if (!mediaType.includes('json') || text.startsWith('{"openapi"')) return [];
  const links: string[] = [];
  JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === 'string' && value.startsWith(`${ORIGIN}/`)) links.push(value);
    return value;
  });
  return links;
}

/** A map of a cascaded server, which does not run in this test. */
const isDrawnElsewhere = (url: string) => /\/wms\b.*layers?=acme%3Aroads-wmt?sStore&/.test(url);

function deadIn(seen: ReadonlyMap<string, { status: number; from: string }>): readonly string[] {
  return [...seen].flatMap(([url, { status, from }]) =>
    status === (isDrawnElsewhere(url) ? 503 : 200) ? [] : [`${url} is ${status}, from ${from}`],
  );
}

describe('links', { timeout: 300_000 }, () => {
  it('every link leads to an existing resource on a server with resources of every kind', async () => {
    const { server } = await startWithTwoStates();
    onTestFinished(() => server.close());
    const zip = { type: 'application/zip', body: zipOf({ wells: pointShapefile() }) };
    const uploaded = await server.request('PUT', '/workspaces/acme/datastores/pack/file.shp?target=gpkg', zip);
    await server.post('/workspaces', '{"workspace":{"name":"acme.html"}}');
    await server.post('/styles', '{"style":{"name":"empty","filename":"empty.sld"}}');

    const seen = await crawl(server);

    expect(uploaded.status).toBe(201);
    expect(deadIn(seen)).toEqual([]);
    const wanted = [
      '/openapi.json',
      '/workspaces/acme/coveragestores.json',
      '/workspaces/acme/coveragestores/relief.html',
      '/workspaces/acme/coveragestores/relief/coverages/relief.html',
      '/workspaces/acme/layers/relief.html',
      '/workspaces/acme/wmsstores.xml',
      '/workspaces/acme/wmtsstores.html',
      '/workspaces/acme/datastores/pack/featuretypes/wells.html',
      '/workspaces/acme/layers/wells.html',
      '/layers/acme%3Awells.xml',
      '/layergroups/base.json',
      '/workspaces/acme/layergroups/near.html',
      '/styles/point/.png?width=48&height=32',
      '/styles/pinned/.zip',
      '/security/authproviders.html',
      '/security/authproviders/two.html',
      '/security/usergroupservices/club.json',
      '/urlchecks/maps.html',
      '/about/status/Catalog.html',
    ];
    expect(wanted.filter((path) => !seen.has(`${REST}${path}`))).toEqual([]);
  });

  it('every link leads to an existing resource on a new server', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.close());

    expect(deadIn(await crawl(server))).toEqual([]);
  });
});
