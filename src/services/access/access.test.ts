/** Visibility and read access on every OGC API Features resource, by principal, rule, catalog mode and operation. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, FEATURES, places, publishShapefiles } from '../../../test/support/features.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

/** The outcome of a request: features, 404, a challenge (401) or a refusal (403). */
type Outcome = 200 | 404 | 401 | 403;

interface Case {
  readonly mode: 'HIDE' | 'MIXED' | 'CHALLENGE';
  readonly who: 'anonymous' | 'stranger' | 'reader' | 'administrator';
  readonly listed: boolean;
  readonly described: Outcome;
  readonly read: Outcome;
}

/** Only `READERS` may read this layer; the rest of its workspace is public. */
const cases: readonly Case[] = [
  { mode: 'HIDE', who: 'anonymous', listed: false, described: 404, read: 404 },
  { mode: 'HIDE', who: 'stranger', listed: false, described: 404, read: 404 },
  { mode: 'HIDE', who: 'reader', listed: true, described: 200, read: 200 },
  { mode: 'HIDE', who: 'administrator', listed: true, described: 200, read: 200 },
  { mode: 'MIXED', who: 'anonymous', listed: false, described: 401, read: 401 },
  { mode: 'MIXED', who: 'stranger', listed: false, described: 403, read: 403 },
  { mode: 'MIXED', who: 'reader', listed: true, described: 200, read: 200 },
  { mode: 'MIXED', who: 'administrator', listed: true, described: 200, read: 200 },
  { mode: 'CHALLENGE', who: 'anonymous', listed: true, described: 200, read: 401 },
  { mode: 'CHALLENGE', who: 'stranger', listed: true, described: 200, read: 403 },
  { mode: 'CHALLENGE', who: 'reader', listed: true, described: 200, read: 200 },
  { mode: 'CHALLENGE', who: 'administrator', listed: true, described: 200, read: 200 },
];

const lists = ['/collections', '?f=html', '/collections?f=html'];
const descriptions = ['', '/queryables'];
const reads = [
  '/items',
  '/items?f=html',
  '/items?f=csv',
  '/items/secret.1',
  '/items?filter=rank%3D1',
  '/items?nothing=1',
];

describe('feature access', () => {
  const server = useTestServer();
  const people: Record<Case['who'], string | null | undefined> = {
    anonymous: null,
    stranger: undefined,
    reader: undefined,
    administrator: undefined,
  };
  beforeAll(async () => {
    await publishShapefiles(server, 'acme', { secret: places, open: places });
    await publishShapefiles(server, 'other', { places });
    people.stranger = await addUser(server, 'stranger');
    people.reader = await addUser(server, 'reader', 'READERS');
    await server.post('/security/acl/layers', '{"acme.secret.r":"READERS"}');
  });

  const options = (who: Case['who']) => {
    const as = people[who];
    return as === undefined ? {} : { as };
  };
  /** The default credentials of the tests are those of an administrator. */
  const get = (path: string, who: Case['who']) =>
    who === 'administrator' ? server.get(`${FEATURES}${path}`) : ask(server, path, options(who));

  it.each(cases)('in mode $mode for $who: listed $listed, described $described, read $read', async (wanted) => {
    await server.put('/security/acl/catalog', JSON.stringify({ mode: wanted.mode }));

    for (const path of lists) {
      const { text } = await get(path, wanted.who);
      expect(text.includes('acme:secret'), path).toBe(wanted.listed);
      expect(text, path).toContain('acme:open');
    }
    for (const path of descriptions) {
      expect((await get(`/collections/acme:secret${path}`, wanted.who)).status, path).toBe(wanted.described);
    }
    for (const path of reads) {
      const isMistaken = path.includes('nothing=1') && wanted.read === 200;
      expect((await get(`/collections/acme:secret${path}`, wanted.who)).status, path).toBe(
        isMistaken ? 400 : wanted.read,
      );
    }
  });

  it('returns the same response for a hidden layer and for a missing one', async () => {
    await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
    const blurred = (text: string) =>
      text.replaceAll(/secret|absent/g, 'x').replaceAll(/"x-request-id":"[^"]*",|"date":"[^"]*",/g, '');

    for (const path of [...descriptions, ...reads]) {
      const [hidden, absent] = [
        await get(`/collections/acme:secret${path}`, 'stranger'),
        await get(`/collections/acme:absent${path.replace('secret', 'absent')}`, 'stranger'),
      ];
      expect(blurred(hidden.text), path).toBe(blurred(absent.text));
      expect(blurred(JSON.stringify(hidden.headers)), path).toBe(blurred(JSON.stringify(absent.headers)));
    }
  });

  it('returns 404 for a workspace without visible layers', async () => {
    await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
    await server.post('/security/acl/layers', '{"other.*.r":"READERS"}');

    const [hidden, absent] = await Promise.all(
      ['other', 'none'].map((name) => server.get(`//geoserver/${name}/ogc/features/v1/collections`, { as: null })),
    );

    expect([hidden?.status, absent?.status]).toEqual([404, 404]);
    expect((await server.get('//geoserver/other/ogc/features/v1/collections', options('reader'))).status).toBe(200);
    expect((await ask(server, '/collections/other:places', options('stranger'))).status).toBe(404);
  });

  it('resolves a name without a workspace among the visible layers only', async () => {
    await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
    await publishShapefiles(server, 'third', { secret: places });

    expect((await ask(server, '/collections/secret')).json()).toMatchObject({ id: 'third:secret' });
    expect((await ask(server, '/collections/open')).json()).toMatchObject({ id: 'acme:open' });
  });

  it('checks service rules before data rules', async () => {
    await server.post('/security/acl/services', '{"wfs.GetFeature":"READERS"}');

    const statuses = async (who: Case['who']) =>
      Promise.all(
        ['/collections', '/collections/acme:open', '/collections/acme:open/items'].map(
          async (path) => (await get(path, who)).status,
        ),
      );
    const found = [await statuses('anonymous'), await statuses('stranger'), await statuses('reader')];
    await server.delete('/security/acl/services/wfs.GetFeature');

    expect(found).toEqual([
      [200, 200, 401],
      [200, 200, 403],
      [200, 200, 200],
    ]);
  });

  it('rejects a wrong password with 401', async () => {
    expect((await ask(server, '/collections', { as: 'reader:wrong' })).status).toBe(401);
  });
});

describe('disabled resources', () => {
  const server = useTestServer();
  beforeAll(() => publishShapefiles(server, 'acme', { places, other: places }));

  const items = async (name = 'places') => (await ask(server, `/collections/acme:${name}/items`)).status;
  const ids = async () => {
    const { collections } = (await ask(server, '/collections')).json() as {
      collections: readonly { readonly id: string }[];
    };
    return collections.map(({ id }) => id);
  };
  const type = '/workspaces/acme/datastores/places/featuretypes/places';

  it('returns 404 for a layer whose layer, feature type or store is disabled', async () => {
    const switches = [
      ['/layers/acme:places', 'layer'],
      [type, 'featureType'],
      ['/workspaces/acme/datastores/places', 'dataStore'],
    ] as const;
    for (const [path, root] of switches) {
      const put = (enabled: boolean) => server.put(path, JSON.stringify({ [root]: { enabled } }));

      expect((await put(false)).status).toBe(200);
      expect([await items(), await ids()], root).toEqual([404, ['acme:other']]);
      await put(true);
      expect([await items(), (await ids()).length], root).toEqual([200, 2]);
    }
  });

  it('serves a layer that is not advertised but does not list it', async () => {
    await server.put('/layers/acme:places', '{"layer":{"advertised":false}}');
    const found = [await items(), await ids()];
    await server.put('/layers/acme:places', '{"layer":{"advertised":true}}');

    expect(found).toEqual([200, ['acme:other']]);
  });

  it('returns 404 when the service is disabled for the layer', async () => {
    const put = (disabled: readonly string[]) =>
      server.put(
        type,
        JSON.stringify({ featureType: { serviceConfiguration: true, disabledServices: { string: disabled } } }),
      );

    await put(['WFS']);
    const found = [await items(), await ids()];
    await put([]);

    expect(found).toEqual([404, ['acme:other']]);
    expect(await items()).toBe(200);
  });

  it('returns 404 when the service is disabled for the server or the workspace', async () => {
    const inAcme = async () => (await server.get('//geoserver/acme/ogc/features/v1', { as: null })).status;

    await server.put('/services/wfs/workspaces/acme/settings', '{"wfs":{"enabled":false}}');
    expect([await inAcme(), (await ask(server, '')).status]).toEqual([404, 200]);
    await server.delete('/services/wfs/workspaces/acme/settings');
    await server.put('/services/wfs/settings', '{"wfs":{"enabled":false}}');
    expect([await inAcme(), (await ask(server, '')).status, await items()]).toEqual([404, 404, 404]);
    await server.put('/services/wfs/settings', '{"wfs":{"enabled":true}}');
    expect(await inAcme()).toBe(200);
  });

  it('hides an isolated workspace from the global service', async () => {
    await server.put('/workspaces/acme', '{"workspace":{"isolated":true}}');
    const found = [
      await ids(),
      await items(),
      (await server.get('//geoserver/acme/ogc/features/v1/collections/places', { as: null })).status,
    ];
    await server.put('/workspaces/acme', '{"workspace":{"isolated":false}}');

    expect(found).toEqual([[], 404, 200]);
  });

  it('sends the cache lifetime of the layer to the client', async () => {
    const entry = [
      { '@key': 'cachingEnabled', $: 'true' },
      { '@key': 'cacheAgeMax', $: '600' },
    ];
    await server.put(type, JSON.stringify({ featureType: { metadata: { entry } } }));

    const reply = await ask(server, '/collections/acme:places/items');

    expect(reply.headers['cache-control']).toBe('public, max-age=600, must-revalidate');
    expect((await ask(server, '/collections/acme:other/items')).headers['cache-control']).toBe('public, no-cache');
  });
});
