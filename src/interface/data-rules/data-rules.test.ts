import { beforeAll, describe, expect, it } from 'vitest';
import { places, publishShapefiles } from '../../../test/support/features.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';

const DATA = '/security/acl/data';
const problems = { headers: { accept: 'application/problem+json' } };
const rule = (fields: object) => JSON.stringify({ dataRule: { layer: 'acme:towns', roles: ['FIELD'], ...fields } });
const getProblem = (reply: Reply) => {
  const { code, field } = reply.json() as { code: string; field?: string };
  return [reply.status, code, field];
};

describe('data rules', () => {
  const server = useTestServer();
  beforeAll(() => publishShapefiles(server, 'acme', { towns: places }));

  it('are created with defaults, listed by name, changed, cleared, renamed, undone and deleted', async () => {
    const made = await server.post(
      DATA,
      rule({ name: 'staff', rows: "name = ${user.name} OR name = '${claim.dept}'" }),
    );
    expect([made.status, made.headers['location']]).toEqual([
      201,
      'http://localhost:80/geoserver/rest/security/acl/data/staff',
    ]);
    await server.post(DATA, rule({ name: 'all', layer: '*:*', roles: ['*'], attributes: { '*': 'read' } }));

    const change = { name: 'crew', attributes: { '*': 'read', rank: 'hide' }, enabled: false };
    expect((await server.put(`${DATA}/staff`, JSON.stringify({ dataRule: change }))).status).toBe(200);
    const changed = (await server.get(`${DATA}/crew`)).json();
    expect((await server.get(DATA)).json()).toEqual({
      dataRules: [
        {
          name: 'all',
          layer: '*:*',
          roles: ['*'],
          enabled: true,
          rows: null,
          writeRows: null,
          attributes: { '*': 'read' },
          area: null,
        },
        {
          name: 'crew',
          layer: 'acme:towns',
          roles: ['FIELD'],
          enabled: false,
          rows: "name = ${user.name} OR name = '${claim.dept}'",
          writeRows: null,
          attributes: { '*': 'read', rank: 'hide' },
          area: null,
        },
      ],
    });

    await server.put(`${DATA}/crew`, '{"dataRule":{"rows":null,"attributes":null,"enabled":null}}');
    expect((await server.get(`${DATA}/crew`)).json()).toMatchObject({
      dataRule: { rows: null, attributes: {}, enabled: true },
    });
    const { changes } = (await server.get('/history?limit=1')).json() as { changes: { sequence: number }[] };
    expect((await server.post(`/history/${changes[0]?.sequence}/undo`, '')).status).toBe(200);
    expect((await server.get(`${DATA}/crew`)).json()).toEqual(changed);
    expect((await server.get(`${DATA}.html`)).text).toContain('crew');

    for (const name of ['crew', 'all']) expect((await server.delete(`${DATA}/${name}`)).status).toBe(200);
    expect(getProblem(await server.get(`${DATA}/crew`, problems))).toEqual([404, 'data-rule-unknown', undefined]);
  });

  it.each([
    ['an unknown member', { rowz: 'a = 1' }, 'document-invalid', 'dataRule.rowz'],
    ['a member of the area that is unknown', { area: { polygon: '' } }, 'document-invalid', 'dataRule.area'],
    ['a layer without workspace', { layer: 'towns' }, 'data-rule-invalid', 'dataRule.layer'],
    ['a layer of all workspaces', { layer: '*:towns' }, 'data-rule-invalid', 'dataRule.layer'],
    ['no roles', { roles: [] }, 'document-invalid', 'dataRule.roles'],
    ['an empty role', { roles: [''] }, 'data-rule-invalid', 'dataRule.roles'],
    ['a syntax error', { rows: 'name = ' }, 'data-rule-invalid', 'dataRule.rows'],
    ['an unknown attribute in a condition', { rows: 'color = 1' }, 'data-rule-invalid', 'dataRule.rows'],
    ['an unknown attribute', { attributes: { color: 'hide' } }, 'data-rule-invalid', 'dataRule.attributes'],
    ['an unknown access', { attributes: { name: 'see' } }, 'document-invalid', 'dataRule.attributes'],
    ['an unknown variable', { rows: 'name = ${user.email}' }, 'data-rule-invalid', 'dataRule.rows'],
    ['a variable in LIKE', { rows: "name LIKE '${user.name}'" }, 'data-rule-invalid', 'dataRule.rows'],
    ['a variable in a longer text', { rows: "name = 'x${user.name}'" }, 'data-rule-invalid', 'dataRule.rows'],
    ['a variable as a name', { rows: '"${user.name}" = 1' }, 'data-rule-invalid', 'dataRule.rows'],
    ['a list outside of IN', { writeRows: 'name = ${user.roles}' }, 'data-rule-invalid', 'dataRule.writeRows'],
    ['101 conditions', { rows: Array(101).fill('rank = 1').join(' OR ') }, 'data-rule-invalid', 'dataRule.rows'],
    ['too long a text', { rows: `name = '${'x'.repeat(8_192)}'` }, 'data-rule-invalid', 'dataRule.rows'],
    ['a line', { area: { geometry: 'LINESTRING (0 0, 1 1)' } }, 'data-rule-invalid', 'dataRule.area.geometry'],
    [
      'a polygon that crosses itself',
      { area: { geometry: 'POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))' } },
      'data-rule-invalid',
      'dataRule.area.geometry',
    ],
    [
      'an unknown CRS',
      { area: { geometry: 'POLYGON ((0 0, 1 1, 1 0, 0 0))', crs: 'EPSG:1' } },
      'data-rule-invalid',
      'dataRule.area.crs',
    ],
    [
      'an unknown mode',
      { area: { geometry: 'POLYGON ((0 0, 1 1, 1 0, 0 0))', mode: 'cut' } },
      'document-invalid',
      'dataRule.area',
    ],
  ])('are rejected with %s', async (_, fields, code, field) => {
    expect(getProblem(await server.post(DATA, rule({ name: 'bad', ...fields }), problems))).toEqual([400, code, field]);
  });

  it('report the position of an error in the text as written', async () => {
    const reply = await server.post(DATA, rule({ name: 'bad', rows: 'name = ${user.name} AND color = 1' }), problems);

    expect((reply.json() as { detail: string }).detail).toContain('line 1, column 25');
  });

  it('accept GeoJSON, return WKT, and warn about an unknown layer', async () => {
    const geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [20, 0],
          [20, 30.5],
          [0, 0],
        ],
      ],
    };
    const made = await server.post(DATA, rule({ name: 'later', layer: 'acme:roads', area: { geometry } }));

    expect(made.status).toBe(201);
    expect(made.headers['warning']).toContain("Unknown layer 'acme:roads'");
    expect((await server.get(`${DATA}/later`)).json()).toMatchObject({
      dataRule: { area: { geometry: 'POLYGON ((0 0, 20 0, 20 30.5, 0 0))', crs: 'EPSG:4326', mode: 'intersects' } },
    });
    await server.delete(`${DATA}/later`);
  });

  it('follow renames, and stay when their layer is deleted', async () => {
    await publishShapefiles(server, 'moving', { old: places });
    await server.post(DATA, rule({ name: 'one', layer: 'moving:old', rows: 'rank = 1' }));
    await server.post(DATA, rule({ name: 'every', layer: 'moving:*' }));
    const getLayers = async () =>
      ((await server.get(DATA)).json() as { dataRules: { layer: string }[] }).dataRules.map(({ layer }) => layer);

    await server.put('/workspaces/moving', '{"workspace":{"name":"moved"}}');
    expect(await getLayers()).toEqual(['moved:*', 'moved:old']);
    await server.put('/workspaces/moved/datastores/old/featuretypes/old', '{"featureType":{"name":"new"}}');
    expect(await getLayers()).toEqual(['moved:*', 'moved:new']);
    await server.delete('/workspaces/moved?recurse=true');
    expect(await getLayers()).toEqual(['moved:*', 'moved:new']);
    for (const name of ['one', 'every']) await server.delete(`${DATA}/${name}`);
  });

  it('are limited to 100 for a layer', async () => {
    for (let at = 0; at < 100; at += 1) await server.post(DATA, rule({ name: `r${at}`, layer: 'acme:many' }));

    const reply = await server.post(DATA, rule({ name: 'more', layer: 'acme:many' }), problems);

    expect(getProblem(reply)).toEqual([409, 'data-rule-limit', undefined]);
    for (let at = 0; at < 100; at += 1) await server.delete(`${DATA}/r${at}`);
  });
});

describe('explanations of access', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await publishShapefiles(server, 'acme', { towns: places });
    await addUser(server, 'ann', 'FIELD');
    await server.post('/security/acl/layers', '{"acme.*.w":"EDITOR","acme.*.a":"BOSS"}');
    const rules = [
      {
        name: 'field-staff',
        rows: 'name = ${claim.dept} OR name = ${user.name}',
        writeRows: 'name = ${user.name}',
        attributes: { rank: 'hide', '*': 'read' },
      },
      { name: 'audit', roles: ['AUDIT'] },
      { name: 'former', enabled: false },
      { name: 'wide', layer: 'acme:*', roles: ['*'] },
    ];
    for (const each of rules) expect((await server.post(DATA, rule(each))).status).toBe(201);
  });
  const explain = async (query: string) => {
    const reply = await server.get(`/security/acl/explain?layer=acme:towns&${query}`, problems);
    return reply.status === 200 ? (reply.json() as { explanation: object }).explanation : getProblem(reply);
  };

  it('name the rules and the effective limits of a user', async () => {
    expect(await explain('user=ann&claim.dept=red')).toEqual({
      layer: 'acme:towns',
      subject: { user: 'ann', roles: ['FIELD', 'ROLE_AUTHENTICATED'] },
      read: { verdict: 'limit', decidedBy: { kind: 'data-rule', level: 'acme:towns', rules: ['field-staff'] } },
      write: {
        verdict: 'deny',
        shownAs: 'challenge',
        decidedBy: { kind: 'layer-rule', rule: 'acme.*.w', roles: ['EDITOR'] },
      },
      admin: {
        verdict: 'deny',
        shownAs: 'hidden',
        decidedBy: { kind: 'layer-rule', rule: 'acme.*.a', roles: ['BOSS'] },
      },
      data: {
        applied: ['field-staff'],
        skipped: [
          { rule: 'audit', reason: 'roles' },
          { rule: 'former', reason: 'disabled' },
          { rule: 'wide', reason: 'level' },
        ],
        rows: `("name" = 'red') OR ("name" = 'ann')`,
        writeRows: `"name" = 'ann'`,
        attributes: { the_geom: 'read', name: 'read', rank: 'hide', seen: 'read' },
        area: null,
      },
    });
  });

  it('say that a variable is missing, that no rule applies, and that administrators are not restricted', async () => {
    expect(await explain('user=ann')).toMatchObject({
      read: { verdict: 'empty', decidedBy: { kind: 'data-rule', level: 'acme:towns', rules: [] } },
      data: {
        applied: [],
        rows: 'EXCLUDE',
        skipped: expect.arrayContaining([{ rule: 'field-staff', reason: 'variable' }]),
      },
    });
    expect(await explain('role=OTHER')).toMatchObject({ read: { verdict: 'empty' }, data: { applied: [] } });
    expect(await explain('role=BOSS')).toMatchObject({
      read: { verdict: 'allow', decidedBy: { kind: 'layer-rule', rule: 'acme.*.a' } },
      data: null,
    });
    expect(await explain('user=admin')).toMatchObject({
      read: { verdict: 'allow', decidedBy: { kind: 'administrator' } },
      data: null,
    });
  });

  it('reject other questions', async () => {
    expect(await explain('')).toEqual([400, 'explanation-subject', 'user']);
    expect(await explain('user=ann&role=FIELD')).toEqual([400, 'explanation-subject', 'user']);
    expect(await explain('user=missing')).toEqual([404, 'user-unknown', undefined]);
    expect(await explain('user=ann&claims=1')).toEqual([400, expect.any(String), 'claims']);
    expect(getProblem(await server.get('/security/acl/explain?layer=acme:no&user=ann', problems))).toEqual([
      404,
      'layer-unknown',
      undefined,
    ]);
    expect((await server.get('/security/acl/explain?layer=acme:towns&user=ann', { as: null })).status).toBe(401);
  });
});
