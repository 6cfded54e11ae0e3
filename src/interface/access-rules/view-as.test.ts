/** Previews with the header `Graticule-View-As`: they show what others see, only read, and never widen rights. */
import { beforeAll, describe, expect, it } from 'vitest';
import { authorization, useSocketClient } from '../../../test/support/socket-client.ts';
import type { Reply, RequestOptions } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';
import { trials } from '../../../test/support/write-trials.ts';

const client = useSocketClient();
const problems = { accept: 'application/problem+json' };

/** Users by name, with the credentials for `as`. */
const users: Record<string, string> = {};

const view = (as: string, how: RequestOptions = {}): RequestOptions => ({
  ...how,
  headers: { ...how.headers, 'graticule-view-as': as },
});
const wms = 'service=WMS&version=1.1.1&styles=&srs=EPSG:4326&bbox=9,49,13,53&width=64&height=64&format=image/png';
const requests = {
  capabilities: '//geoserver/wms?service=WMS&version=1.3.0&request=GetCapabilities',
  features:
    '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=land:wells&outputFormat=application/json',
  items: '//geoserver/ogc/features/v1/collections/land:wells/items?f=json',
  collections: '//geoserver/ogc/features/v1/collections?f=json',
  map: `//geoserver/wms?${wms}&request=GetMap&layers=land:wells`,
  secret: `//geoserver/wms?${wms}&request=GetMap&layers=sea:wells`,
  tile: '//geoserver/gwc/service/wmts?service=WMTS&version=1.0.0&request=GetTile&layer=land:wells&style=&tilematrixset=EPSG:4326&tilematrix=EPSG:4326:2&tilerow=0&tilecol=4&format=image/png',
} as const;

const codeOf = ({ status, text }: Reply) => [status, /"code":"([\w-]+)"/.exec(text)?.[1]];
const namesOf = ({ text }: Reply) =>
  ['land:wells', 'land:roads', 'sea:wells'].filter((name) => text.includes(`<Name>${name}<`));
/** Times of documents and of their features differ between requests. */
const comparable = ({ status, bytes }: Reply) => [
  status,
  bytes.toString('latin1').replaceAll(/"timeStamp": ?"[^"]*"/g, ''),
];

beforeAll(async () => {
  const { server } = client;
  for (const [workspace, layers] of Object.entries({ land: ['wells', 'roads'], sea: ['wells'] })) {
    await server.post('/workspaces', JSON.stringify({ workspace: { name: workspace } }));
    for (const name of layers) {
      const body = zipOf({ [name]: pointShapefile(3) });
      const path = `/workspaces/${workspace}/datastores/${name}/file.shp`;
      expect((await server.request('PUT', path, { type: 'application/zip', body })).status).toBe(201);
    }
  }
  users['ann'] = await addUser(server, 'ann', 'FIELD');
  users['steward'] = await addUser(server, 'steward', 'LAND_ADMIN', 'FIELD');
  users['boss'] = await addUser(server, 'boss', 'ADMIN');
  await addUser(server, 'finn', 'FISHER');
  const rules = { 'land.wells.r': 'FIELD', 'sea.*.r': 'FIELD,FISHER', 'land.*.a': 'LAND_ADMIN' };
  expect((await server.post('/security/acl/layers', JSON.stringify(rules))).status).toBe(201);
  const rows = { own: "name = 'place 1'", named: 'name = ${user.name}', stated: 'name IN (${claim.places})' };
  for (const [name, condition] of Object.entries(rows)) {
    const shared = { layer: 'land:wells', roles: ['FIELD', 'FISHER'], attributes: { rank: 'hide' } };
    const dataRule = { name, rows: condition, ...shared };
    expect((await server.post('/security/acl/data', JSON.stringify({ dataRule }))).status).toBe(201);
  }
});

describe('a preview by an administrator', () => {
  it('returns the same layers, features, maps and tiles as a request of the user, in any order', async () => {
    const { server } = client;
    for (const [as, credentials] of [
      ['user=ann', users['ann'] ?? ''],
      ['role=ROLE_ANONYMOUS', null],
    ] as const) {
      for (const path of Object.values(requests)) {
        const own = await server.get(path);
        const previewed = await server.get(path, view(as));
        const real = await server.get(path, { as: credentials });
        const again = await server.get(path, view(as));
        expect([as, path, comparable(previewed)]).toEqual([as, path, comparable(real)]);
        expect([as, path, comparable(again)]).toEqual([as, path, comparable(real)]);
        expect(comparable(await server.get(path))).toEqual(comparable(own));
      }
    }
    const features = (await server.get(requests.features, view('user=ann'))).json() as {
      features: { properties: object }[];
    };
    expect(features.features.map(({ properties }) => properties)).toEqual([{ name: 'place 1', seen: '2026-01-02' }]);
    const drawn = await server.get(requests.map, view('user=ann'));
    expect(comparable(drawn)).not.toEqual(comparable(await server.get(requests.map)));
  });

  it('shows what roles see, with claims', async () => {
    const { server } = client;
    const names = async (as: string) => namesOf(await server.get(requests.capabilities, view(as)));
    expect(await names('role=FIELD')).toEqual(['land:wells', 'land:roads', 'sea:wells']);
    expect(await names('role=FISHER')).toEqual(['land:roads', 'sea:wells']);
    expect(await names('role=FISHER&role=FIELD')).toEqual(['land:wells', 'land:roads', 'sea:wells']);
    expect(await names('role=ROLE_AUTHENTICATED')).toEqual(['land:roads']);
    const places = async (as: string) =>
      (
        (await server.get(requests.items, view(as))).json() as { features: { properties: { name: string } }[] }
      ).features.map(({ properties }) => properties.name);
    expect(await places('role=FIELD')).toEqual(['place 1']);
    expect(await places('role=FIELD&claim.places=place%200&claim.places=place%202')).toEqual([
      'place 0',
      'place 1',
      'place 2',
    ]);
  });

  it('shows who the user is, and nothing of the account', async () => {
    const { server } = client;
    const self = (await server.get('/security/self', view('user=ann'))).json();
    expect(self).toMatchObject({ self: { name: 'ann', administrator: false, workspaces: [] } });
    expect((await server.get('/security/self/tokens', view('user=ann'))).json()).toEqual({ tokens: [] });
    expect((await server.get('/security/self', view('role=ROLE_ANONYMOUS', problems))).status).toBe(401);
  });

  it('is stored by no cache, and is never answered with the copy of another', async () => {
    const { server } = client;
    for (const path of [requests.features, requests.items, requests.tile, requests.map, requests.capabilities]) {
      const { headers } = await server.get(path);
      const reply = await server.get(path, view('user=ann', { headers: { 'if-none-match': headers['etag'] ?? '*' } }));
      expect([path, reply.status, reply.headers['cache-control']]).toEqual([path, 200, 'private, no-store']);
      expect(reply.headers['vary']).toContain('Graticule-View-As');
      expect(reply.headers['graticule-view-as']).toBe('user=ann');
      expect([reply.headers['etag'], reply.headers['expires'], reply.headers['last-modified']]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      const anonymous = await server.get(path, view('role=ROLE_ANONYMOUS'));
      expect(anonymous.headers['cache-control']).toBe('private, no-store');
    }
  });

  it('is refused for administrators, unknown users and invalid values', async () => {
    const { server } = client;
    const invalid = [
      ...['', ' ', 'role=', 'user=', 'role', 'ann', 'role=FIELD&x=1', 'user=ann&user=finn', 'user=ann&role=FIELD'],
      ...['claim.a=1', 'role=FIELD&claim.=1', `role=${'x'.repeat(2_000)}`, 'user=nobody', 'USER=ann'],
      ...['role=ADMIN', 'role=ROLE_ADMINISTRATOR', 'role=FIELD&role=GROUP_ADMIN', 'user=boss', 'user=admin'],
      ...['role=ROLE_ANONYMOUS&role=ADMIN'],
    ];
    for (const as of invalid) {
      expect([as, ...codeOf(await server.get('/security/self', view(as, problems)))]).toEqual([
        as,
        400,
        'view-as-invalid',
      ]);
    }
    const headers = ['Host: a', 'Accept: application/problem+json', `Authorization: ${authorization}`];
    const sent = [...headers, 'Graticule-View-As: role=FIELD', 'Graticule-View-As: role=FISHER', 'Connection: close'];
    const twice = `GET /geoserver/rest/security/self HTTP/1.1\r\n${sent.join('\r\n')}\r\n\r\n`;
    expect(await client.exchange(twice)).toContain('"code":"view-as-invalid"');
  });

  it('changes nothing, whatever the request is', async () => {
    const { server } = client;
    const position = async () => (await server.get('/workspaces')).headers['graticule-position'];
    const before = await position();
    // The request that signs in has no user yet.
    for (const [row, path, sent] of trials.filter(([each]) => !each.startsWith('POST /security/signin/'))) {
      const [method = ''] = row.split(' ');
      const reply = await server.request(method, path, view('role=FIELD', { ...sent, ...problems }));
      expect([row, reply.status]).toEqual([row, 403]);
      expect(reply.text).toContain('A preview only reads');
    }
    const transaction =
      '<wfs:Transaction service="WFS" version="1.1.0" xmlns:wfs="http://www.opengis.net/wfs"><wfs:Delete typeName="land:roads"><ogc:Filter xmlns:ogc="http://www.opengis.net/ogc"><ogc:FeatureId fid="roads.1"/></ogc:Filter></wfs:Delete></wfs:Transaction>';
    const items = requests.items.replace('?f=json', '');
    const services: readonly (readonly [string, string, RequestOptions])[] = [
      ['POST', '//geoserver/wfs', { type: 'text/xml', body: transaction }],
      ['GET', '//geoserver/wfs?service=WFS&version=2.0.0&request=LockFeature&typeNames=land:roads', {}],
      ['GET', '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeatureWithLock&typeNames=land:roads', {}],
      ['GET', '//geoserver/wfs?service=WFS&version=2.0.0&request=DropStoredQuery&id=x', {}],
      ['POST', items, { type: 'application/geo+json', body: '{"type":"Feature","geometry":null,"properties":{}}' }],
      ['PUT', `${items}/wells.1`, { type: 'application/geo+json', body: '{}' }],
      ['DELETE', `${items}/wells.1`, {}],
      [
        'POST',
        '//geoserver/gwc/rest/seed/land:roads.json',
        { type: 'json', body: '{"seedRequest":{"name":"land:roads"}}' },
      ],
      [
        'POST',
        '//geoserver/gwc/rest/masstruncate',
        { type: 'text/xml', body: '<truncateLayer><layerName>land:roads</layerName></truncateLayer>' },
      ],
    ];
    for (const [method, path, how] of services) {
      const reply = await server.request(method, path, view('role=FIELD', how));
      expect([method, path, reply.status, reply.text]).toEqual([method, path, 403, expect.any(String)]);
      expect(reply.text).toContain('A preview only reads');
    }
    expect(await position()).toBe(before);
  });
});

describe('a preview by others', () => {
  it('is refused without administrator rights, also for the own roles', async () => {
    const { server } = client;
    for (const as of ['user=ann', 'role=FIELD', 'role=ROLE_ANONYMOUS', 'user=admin', 'x']) {
      const reply = await server.get(requests.capabilities, view(as, { as: users['ann'] ?? '' }));
      expect([as, reply.status]).toEqual([as, 403]);
      expect((await server.get(requests.capabilities, view(as, { as: null }))).status).toBe(401);
      expect((await server.get(requests.capabilities, view(as, { as: 'admin:wrong' }))).status).toBe(401);
    }
  });

  it('by the administrator of a workspace is limited to own roles', async () => {
    const { server } = client;
    const steward = { as: users['steward'] ?? '', ...problems };
    for (const as of [
      'user=ann',
      'user=steward',
      'user=nobody',
      'role=FISHER',
      'role=FIELD&role=FISHER',
      'role=ADMIN',
    ]) {
      expect([as, ...codeOf(await server.get('/security/self', view(as, steward)))]).toEqual([
        as,
        403,
        'view-as-denied',
      ]);
    }
    for (const as of ['role=FIELD', 'role=ROLE_AUTHENTICATED']) {
      expect([as, (await server.get('/security/self', view(as, steward))).status]).toEqual([as, 200]);
    }
  });

  it('by the administrator of a workspace shows this workspace only', async () => {
    const { server } = client;
    const steward = { as: users['steward'] ?? '' };
    expect(namesOf(await server.get(requests.capabilities, steward))).toContain('sea:wells');

    expect(namesOf(await server.get(requests.capabilities, view('role=FIELD', steward)))).toEqual([
      'land:wells',
      'land:roads',
    ]);
    expect(namesOf(await server.get(requests.capabilities, view('role=ROLE_ANONYMOUS', steward)))).toEqual([
      'land:roads',
    ]);
    // The administrator of the server is not answered with the document of the steward.
    expect(namesOf(await server.get(requests.capabilities, view('role=FIELD')))).toContain('sea:wells');
    expect((await server.get(requests.secret, view('role=FIELD', steward))).text).toContain('LayerNotDefined');
    const { features } = (await server.get(requests.features, view('role=FIELD', steward))).json() as {
      features: object[];
    };
    expect(features).toHaveLength(1);
  });

  it('shows nothing that a service rule denies to the administrator of the workspace', async () => {
    const { server } = client;
    const steward = { as: users['steward'] ?? '' };
    const rule = { 'wfs.GetFeature': 'ROLE_ANONYMOUS' };
    expect((await server.post('/security/acl/services', JSON.stringify(rule))).status).toBe(201);
    const roads = requests.features.replace('land:wells', 'land:roads');
    expect((await server.get(roads, { as: null })).status).toBe(200);
    expect((await server.get(roads, steward)).status).toBe(403);
    expect((await server.get(roads, view('role=ROLE_ANONYMOUS', steward))).status).not.toBe(200);
    await server.delete('/security/acl/services/wfs.GetFeature');
  });

  it('has the limits of the token that it is sent with', async () => {
    const { server } = client;
    const createToken = async (name: string, scopes: object) => {
      const reply = await server.post('/security/self/tokens', JSON.stringify({ token: { name, scopes } }));
      const { secret } = (reply.json() as { token: { secret: string } }).token;
      return { as: null, headers: { authorization: `Bearer ${secret}` } };
    };
    const plain = await createToken('plain', {});
    const maps = await createToken('maps', { admin: true, services: ['wms'] });
    const land = await createToken('land', { admin: true, workspaces: ['land'] });

    expect((await server.get(requests.capabilities, view('role=FIELD', plain))).status).toBe(403);
    expect(namesOf(await server.get(requests.capabilities, view('role=FISHER', maps)))).toEqual([
      'land:roads',
      'sea:wells',
    ]);
    expect((await server.get(requests.items, view('role=FIELD', maps))).status).toBe(403);
    expect((await server.get('/security/self', view('role=FIELD', maps))).status).toBe(403);
    expect(namesOf(await server.get(requests.capabilities, view('role=ROLE_ANONYMOUS', land)))).toEqual(['land:roads']);
    expect((await server.get(requests.capabilities, view('role=FISHER', land))).status).toBe(403);
  });
});

it('is described in the OpenAPI document of the services', async () => {
  const { components, paths } = (await client.server.get('//geoserver/ows/openapi.json')).json() as {
    components: { parameters: Record<string, object> };
    paths: Record<string, { get: { parameters: object[] } }>;
  };
  expect(components.parameters['Graticule-View-As']).toMatchObject({ in: 'header', schema: { type: 'string' } });
  expect(paths['/geoserver/wms']?.get.parameters).toContainEqual({ $ref: '#/components/parameters/Graticule-View-As' });
});
