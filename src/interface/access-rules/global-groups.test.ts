/** Layer rules without a workspace restrict global groups, whose members keep their own rules. */
import { beforeAll, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { pointShapefile, zipOf } from '../../../test/support/vector-samples.ts';

const server = useTestServer();

const getMap = (layer: string, as: string | null) =>
  server.get(
    `//wms?service=WMS&version=1.1.1&request=GetMap&layers=${layer}&styles=&srs=EPSG:4326&bbox=9,49,13,53&width=8&height=8&format=image/png`,
    { as },
  );
const getNames = async (as: string | null) =>
  Array.from(
    (await server.get('//wms?service=WMS&version=1.1.1&request=GetCapabilities', { as })).text.matchAll(
      /<Layer[^>]*>\s*<Name>([^<]*)/g,
    ),
    ([, name]) => name,
  );

let member = '';
let other = '';

beforeAll(async () => {
  await server.post('/workspaces', '{"workspace":{"name":"acme"}}', { type: 'json' });
  await server.request('PUT', '/workspaces/acme/datastores/wells/file.shp', {
    type: 'application/zip',
    body: zipOf({ wells: pointShapefile(3) }),
  });
  for (const name of ['base', 'open']) {
    const layerGroup = {
      name,
      mode: 'SINGLE',
      publishables: { published: [{ '@type': 'layer', name: 'acme:wells' }] },
    };
    expect((await server.post('/layergroups', JSON.stringify({ layerGroup }), { type: 'json' })).status).toBe(201);
  }
  member = await addUser(server, 'member', 'READERS');
  other = await addUser(server, 'other', 'OTHERS');
  const reply = await server.post('/security/acl/layers', '{"base.r":"READERS"}', { type: 'json' });
  expect(reply.status, reply.text).toBe(201);
});

it('hides the group from other users in maps, capabilities and REST, but not its members', async () => {
  expect((await getMap('base', member)).headers['content-type']).toBe('image/png');
  expect((await getMap('base', other)).text).toContain('LayerNotDefined');
  expect((await getMap('base', null)).text).toContain('LayerNotDefined');
  expect((await getMap('open', null)).headers['content-type']).toBe('image/png');
  expect((await getMap('acme:wells', null)).headers['content-type']).toBe('image/png');
  expect(await getNames(member)).toEqual(expect.arrayContaining(['base', 'open', 'acme:wells']));
  expect(await getNames(null)).not.toContain('base');
  expect(await getNames(null)).toEqual(expect.arrayContaining(['open', 'acme:wells']));
});

it('follows a renamed group and is part of the configuration', async () => {
  await server.put('/layergroups/base', '{"layerGroup":{"name":"renamed.map"}}', { type: 'json' });
  const { resources } = (await server.get('/configuration?path=/security/acl/layers')).json() as {
    resources: { fields: { rules: { rule: string; roles: string[] }[] } }[];
  };

  expect(resources[0]?.fields.rules).toContainEqual({ rule: 'renamed\\.map.r', roles: ['READERS'] });
  expect((await getMap('renamed.map', other)).text).toContain('LayerNotDefined');
  const rules = resources[0]?.fields.rules ?? [];
  const document = {
    format: 'graticule-configuration/1',
    resources: [
      {
        kind: 'accessRules',
        path: '/security/acl/layers',
        fields: { rules: [...rules, { rule: 'open.w', roles: ['OTHERS'] }] },
      },
    ],
  };
  const applied = await server.post('/configuration/apply', JSON.stringify(document), { type: 'json' });
  const again = await server.post('/configuration/diff', JSON.stringify(document), { type: 'json' });
  expect(applied.status, applied.text).toBe(200);
  expect(again.json()).toMatchObject({ steps: [] });
});
