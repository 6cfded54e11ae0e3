import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ask,
  FEATURES,
  findLinkPath,
  itemsAt,
  places,
  publishShapefiles,
  towns,
} from '../../../../test/support/features.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

interface Linked {
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type?: string }[];
}

interface Stores {
  readonly dataStore: readonly { readonly name: string }[];
}

describe('OGC API Features', () => {
  const server = useTestServer();
  beforeAll(() => publishShapefiles(server, 'acme', { places, towns }));

  it('has a landing page that links to every resource', async () => {
    const reply = await ask(server, '');
    const { links } = reply.json() as Linked;

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
    expect(links.map(({ rel }) => rel)).toEqual(
      expect.arrayContaining(['self', 'alternate', 'service-desc', 'service-doc', 'conformance', 'data']),
    );
    for (const { href } of links) {
      expect((await ask(server, href.split('/ogc/features/v1')[1] ?? '')).status, href).toBe(200);
    }
  });

  it('redirects from its former path without a version', async () => {
    const reply = await server.get('//geoserver/acme/ogc/features', { as: null });

    expect([reply.status, reply.headers['location']]).toEqual([
      301,
      'http://localhost:80/geoserver/acme/ogc/features/v1',
    ]);
  });

  it('lists its conformance classes', async () => {
    const { conformsTo } = (await ask(server, '/conformance')).json() as { conformsTo: readonly string[] };

    expect(conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core');
    expect(conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson');
  });

  it('lists collections with their extent, CRSs and links', async () => {
    const { collections } = (await ask(server, '/collections')).json() as {
      collections: readonly (Linked & { readonly id: string })[];
    };
    const found = collections.find(({ id }) => id === 'acme:places');

    expect(collections.map(({ id }) => id)).toEqual(['acme:places', 'acme:towns']);
    expect(found).toMatchObject({
      title: 'places',
      itemType: 'feature',
      extent: { spatial: { bbox: [[10, 50, 34, 74]], crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' } },
      storageCrs: 'http://www.opengis.net/def/crs/EPSG/0/4326',
    });
    expect(found?.links).toContainEqual(
      expect.objectContaining({
        rel: 'items',
        type: 'application/geo+json',
        href: 'http://localhost:80/geoserver/ogc/features/v1/collections/acme:places/items?f=geojson',
      }),
    );
  });

  it('returns one collection for every escaping of its name', async () => {
    const [plain, escaped] = [
      await ask(server, '/collections/acme:places'),
      await ask(server, '/collections/acme%3Aplaces'),
    ];

    expect(plain.json()).toMatchObject({ id: 'acme:places' });
    expect(escaped.text).toBe(plain.text);
    expect((await ask(server, '/collections/acme:nothing')).status).toBe(404);
  });

  it('has a service for each workspace with names without a prefix', async () => {
    const inAcme = (path: string) => server.get(`//geoserver/acme/ogc/features/v1${path}`, { as: null });
    const { collections } = (await inAcme('/collections')).json() as {
      collections: readonly { readonly id: string }[];
    };

    expect(collections.map(({ id }) => id)).toEqual(['places', 'towns']);
    expect((await inAcme('/collections/places/items')).status).toBe(200);
    expect((await inAcme('/collections/acme:places/items')).status).toBe(200);
    expect((await server.get('//geoserver/nowhere/ogc/features/v1', { as: null })).status).toBe(404);
  });

  it('returns features with all their values', async () => {
    const { features, numberMatched } = await itemsAt(server, '/collections/acme:towns/items');

    expect(numberMatched).toBe(3);
    expect(features).toMatchObject([
      {
        type: 'Feature',
        id: 'towns.1',
        geometry: { type: 'Point', coordinates: [-0.1, 51.5] },
        properties: { name: 'London', people: 8_900_000, founded: '0047-01-01' },
      },
      { id: 'towns.2', properties: { name: '東京', people: 14_000_000 } },
      { id: 'towns.3', properties: { name: 'Berlin', people: null } },
    ]);
  });

  it('returns a single feature with a link to its collection', async () => {
    const reply = await ask(server, '/collections/acme:towns/items/towns.2');

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/geo+json']);
    expect(reply.json()).toMatchObject({ type: 'Feature', id: 'towns.2', properties: { name: '東京' } });
    expect((reply.json() as Linked).links.map(({ rel }) => rel)).toEqual(['self', 'alternate', 'collection']);
    expect((await ask(server, '/collections/acme:towns/items/towns.99')).status).toBe(404);
    expect((await ask(server, '/collections/acme:towns/items/places.1')).status).toBe(404);
  });

  it('pages forwards and backwards by links without missing or repeated features', async () => {
    const seen: string[] = [];
    let last = '';
    for (let path: string | undefined = '/collections/acme:places/items?limit=10'; path !== undefined; ) {
      const page = await itemsAt(server, path);
      seen.push(...page.features.map(({ id }) => id));
      expect(page.numberMatched).toBe(25);
      last = findLinkPath(page.links, 'prev') ?? last;
      path = findLinkPath(page.links, 'next');
    }
    const before = await itemsAt(server, last);

    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `places.${index + 1}`));
    expect(before.features.map(({ id }) => id)).toEqual(seen.slice(10, 20));
    expect(findLinkPath(before.links, 'prev')).toBeDefined();
  });

  it('keeps all parameters in page links', async () => {
    const { links } = await itemsAt(
      server,
      '/collections/acme:places/items?limit=2&sortby=-rank&properties=name&f=json',
    );

    expect(findLinkPath(links, 'next')).toMatch(/limit=2&sortby=-rank&properties=name&f=json&after=/);
  });

  it('accepts an offset, and limits the page size to the maximum', async () => {
    const page = await itemsAt(server, '/collections/acme:places/items?limit=2&offset=3');
    const older = await itemsAt(server, '/collections/acme:places/items?limit=2&startIndex=3');
    const all = await itemsAt(server, '/collections/acme:places/items?limit=1000000');

    expect(older.features).toEqual(page.features);
    expect(findLinkPath(older.links, 'next')).not.toContain('startIndex');
    expect(page.features.map(({ id }) => id)).toEqual(['places.4', 'places.5']);
    expect([all.numberReturned, findLinkPath(all.links, 'next')]).toEqual([25, undefined]);
  });

  it.each([
    ['a box', 'bbox=12,52,14,54', ['places.3', 'places.4', 'places.5']],
    ['a box with heights', 'bbox=12,52,0,12.5,52.5,9', ['places.3']],
    ['a box across the antimeridian', 'bbox=33,0,-170,90', ['places.24', 'places.25']],
    ['an attribute', 'rank=7', ['places.8']],
    ['several attributes', 'rank=7&name=place%208', []],
    ['a day', 'datetime=2026-01-02&limit=1', ['places.1']],
    ['a time within a day', 'datetime=2026-01-02T12:00:00Z&limit=1', ['places.1']],
    ['another day', 'datetime=2026-01-03', []],
    ['an interval', 'datetime=2026-01-01/2026-02-01&limit=1', ['places.1']],
    ['an interval with an open start', 'datetime=../2026-01-01', []],
    ['an interval with an open end', 'datetime=2026-01-02/..&limit=1', ['places.1']],
  ])('filters features by %s', async (_by, query, ids) => {
    const { features } = await itemsAt(server, `/collections/acme:places/items?${query}`);

    expect(features.map(({ id }) => id)).toEqual(ids);
  });

  it('sorts features, and returns the requested attributes only', async () => {
    const { features } = await itemsAt(
      server,
      '/collections/acme:places/items?sortby=-rank,name&limit=1&properties=rank&skipGeometry=true',
    );

    expect(features).toEqual([{ type: 'Feature', id: 'places.25', geometry: null, properties: { rank: 24 } }]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['bbox=1,2,3', 'bbox'],
    ['bbox=1,2,3,x', 'bbox'],
    ['bbox=1,5,3,2', 'bbox'],
    ['bbox=NaN,0,1,1', 'bbox'],
    ['crs=EPSG:4326', 'crs'],
    ['bbox-crs=urn:nothing', 'bbox-crs'],
    ['datetime=yesterday', 'datetime'],
    ['datetime=2026-02-01/2026-01-01', 'datetime'],
    ['rank=seven', 'rank'],
    ['sortby=nothing', 'sortby'],
    ['sortby=the_geom', 'sortby'],
    ['properties=nothing', 'properties'],
    ['skipGeometry=perhaps', 'skipGeometry'],
    ['offset=-1', 'offset'],
    ['offset=1&after=n3', 'offset'],
    ['offset=1&startIndex=2', 'offset'],
    ['f=gif', 'f'],
    ['nothing=1', 'nothing'],
    ['LIMIT=1', 'LIMIT'],
  ])('rejects %s with a reason', async (query, field) => {
    const reply = await ask(server, `/collections/acme:places/items?${query}`);

    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(reply.json()).toMatchObject({ status: 400, field, detail: expect.stringContaining(field) as string });
  });

  it('rejects an invalid page cursor', async () => {
    expect((await ask(server, '/collections/acme:places/items?after=nonsense')).status).toBe(400);
  });

  it('rejects unknown parameters on other documents', async () => {
    expect((await ask(server, '/collections?limit=3')).status).toBe(400);
    expect((await ask(server, '/collections/acme:places/items/places.1?limit=3')).status).toBe(400);
  });

  it('returns the queryables of a collection', async () => {
    const reply = await ask(server, '/collections/acme:places/queryables');

    expect(reply.headers['content-type']).toBe('application/schema+json');
    expect(reply.json()).toMatchObject({
      $id: 'http://localhost:80/geoserver/ogc/features/v1/collections/acme:places/queryables',
      type: 'object',
      properties: {
        the_geom: { format: 'geometry-point', 'x-ogc-role': 'primary-geometry' },
        name: { type: 'string', maxLength: 20 },
        rank: { type: 'integer' },
        seen: { type: 'string', format: 'date' },
      },
      additionalProperties: false,
    });
  });

  it('selects the format by f before Accept', async () => {
    const typeOf = async (path: string, accept?: string) =>
      (await ask(server, path, accept === undefined ? {} : { accept })).headers['content-type'];
    const items = '/collections/acme:places/items';
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

    expect(await typeOf(items)).toBe('application/geo+json');
    expect(await typeOf(items, 'application/json')).toBe('application/geo+json');
    expect(await typeOf(items, browser)).toBe('text/html; charset=utf-8');
    expect(await typeOf(`${items}?f=json`, browser)).toBe('application/geo+json');
    expect(await typeOf(`${items}?f=application/geo%2Bjson`, browser)).toBe('application/geo+json');
    expect((await ask(server, items, { accept: 'image/png' })).status).toBe(406);
  });

  it('has a valid API definition', async () => {
    const source = (await ask(server, '/api')).text;
    const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });

    const found = await lintFromString({ source, config });

    expect(found.map(({ message }) => message)).toEqual([]);
  });

  it('declares the maximum page size in its OpenAPI 3.0 definition', async () => {
    const reply = await ask(server, '/api');

    expect(reply.headers['content-type']).toBe('application/vnd.oai.openapi+json;version=3.0');
    expect(reply.json()).toMatchObject({
      openapi: '3.0.3',
      servers: [{ url: 'http://localhost:80/geoserver/ogc/features/v1' }],
      components: { parameters: { limit: { schema: { minimum: 1, maximum: 10_000, default: 10 } } } },
    });
  });

  it('declares the formats of a feature and all parameters of a change', async () => {
    interface Defined {
      readonly parameters: readonly { readonly name?: string; readonly $ref?: string; readonly schema?: unknown }[];
      readonly requestBody?: { readonly content: object };
    }
    const { paths } = (await ask(server, '/api')).json() as {
      paths: Readonly<Record<string, Readonly<Record<string, Defined>>>>;
    };
    const feature = paths['/collections/{collectionId}/items/{featureId}'];
    const named = (of: Defined | undefined) => of?.parameters.map(({ name, $ref }) => name ?? $ref?.split('/').at(-1));

    expect(feature?.['get']?.parameters.at(-1)).toMatchObject({ name: 'f', schema: { enum: ['geojson', 'html'] } });
    expect(named(feature?.['put'])).toEqual([
      'collectionId',
      'featureId',
      'dryRun',
      'Content-Crs',
      'If-Match',
      'If-None-Match',
    ]);
    expect(Object.keys(feature?.['patch']?.requestBody?.content ?? {})).toContain('application/merge-patch+json');
    expect(named(paths['/collections/{collectionId}/items']?.['get'])).toContain('queryables');
  });

  it('answers HEAD and OPTIONS, and lists the allowed methods', async () => {
    const path = `${FEATURES}/collections/acme:places/items`;

    expect((await server.request('HEAD', path, { as: null })).status).toBe(200);
    expect((await server.request('OPTIONS', path, { as: null })).headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await server.request('DELETE', path, { as: null })).status).toBe(405);
  });

  it('returns 404 for unknown paths without a challenge', async () => {
    const reply = await ask(server, '/nowhere/at/all');

    expect([reply.status, reply.headers['www-authenticate']]).toEqual([404, undefined]);
  });
});

describe('list of more than 200 collections', () => {
  const server = useTestServer();
  const COUNT = 201;
  beforeAll(async () => {
    await publishShapefiles(server, 'acme', { places });
    const [store] = ((await server.get('/workspaces/acme/datastores.json')).json() as { dataStores: Stores }).dataStores
      .dataStore;
    for (let index = 1; index < COUNT; index += 1) {
      const featureType = { name: `places-${index}`, nativeName: 'places' };
      const types = `/workspaces/acme/datastores/${store?.name}/featuretypes`;
      const reply = await server.post(types, JSON.stringify({ featureType }));
      expect(reply.status, reply.text).toBe(201);
    }
  });

  it('is streamed as one document without an ETag', async () => {
    const reply = await ask(server, '/collections');
    const { links, crs, collections } = reply.json() as Linked & {
      readonly crs: readonly string[];
      readonly collections: readonly (Linked & { readonly id: string })[];
    };

    expect([reply.status, reply.headers['content-type'], reply.headers['etag']]).toEqual([
      200,
      'application/json',
      undefined,
    ]);
    expect(links.map(({ rel }) => rel)).toContain('self');
    expect(crs).toEqual(['http://www.opengis.net/def/crs/OGC/1.3/CRS84']);
    expect(collections).toHaveLength(COUNT);
    const one = (await ask(server, '/collections/acme:places-7')).json() as Linked;
    const { links: listed, ...rest } = collections.find(({ id }) => id === 'acme:places-7') ?? { links: [] };
    expect(one).toMatchObject(rest);
    expect(one.links).toEqual(expect.arrayContaining(listed.filter(({ rel }) => rel !== 'self')));
  });
});
