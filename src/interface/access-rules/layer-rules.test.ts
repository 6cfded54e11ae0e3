import { describe, expect, it } from 'vitest';
import { startTestServer, useTestServer } from '../../../test/support/test-server.ts';

const rule = (key: string, roles: string) => `<rules><rule resource="${key}">${roles}</rule></rules>`;

describe('layer rules', () => {
  const server = useTestServer();

  it('are added in XML and returned in both formats', async () => {
    const reply = await server.post(
      '/security/acl/layers.xml',
      '<rules><rule resource="acme.*.r">ROLE_AUTHORIZED</rule><rule resource="acme.states.w"> ROLE_1 , ROLE_2,</rule></rules>',
      { type: 'text/xml' },
    );

    expect(reply).toMatchObject({ status: 201, text: '' });
    expect((await server.get('/security/acl/layers.xml')).text).toBe(`<rules>
  <rule resource="acme.*.r">ROLE_AUTHORIZED</rule>
  <rule resource="acme.states.w">ROLE_1,ROLE_2</rule>
</rules>
`);
    expect((await server.get('/security/acl/layers.json')).json()).toEqual({
      'acme.*.r': 'ROLE_AUTHORIZED',
      'acme.states.w': 'ROLE_1,ROLE_2',
    });
  });

  it.each([
    ['flat JSON', '{"one.*.r":"ROLE_A,*","one.*.w":"ROLE_A"}'],
    ['JSON with a root', '{"rules":{"two.*.r":"ROLE_A,*","two.*.w":"ROLE_A"}}'],
    [
      'JSON in the structure of XML',
      '{"rules":{"rule":[{"@resource":"three.*.r","$":"*"},{"@resource":"three.*.w","$":"ROLE_A"}]}}',
    ],
    ['JSON with a leading @', '{"@five.*.r":"ROLE_A,*","@five.*.w":"ROLE_A"}'],
    ['JSON with lists of roles', '{"four.*.r":["ROLE_A","*"],"four.*.w":["ROLE_A"]}'],
  ])('are added by %s', async (_what, body) => {
    const workspace = /one|two|three|four|@five/.exec(body)?.[0];

    expect((await server.post('/security/acl/layers', body)).status).toBe(201);

    expect((await server.get('/security/acl/layers.json')).json()).toMatchObject({
      [`${workspace}.*.r`]: '*',
      [`${workspace}.*.w`]: 'ROLE_A',
    });
  });

  it('are listed from the most general to the most specific, read rules first', async () => {
    const own = await startTestServer();
    await own.post('/security/acl/layers', '{"b.*.r":"B","a.x.w":"A","*.*.w":"W","a.x.r":"A","a.*.a":"A","*.*.r":"*"}');

    const keys = Object.keys((await own.get('/security/acl/layers.json')).json() as object);

    expect(keys).toEqual(['*.*.r', '*.*.w', 'a.*.a', 'a.x.r', 'a.x.w', 'b.*.r']);
    await own.close();
  });

  it('are added atomically: an existing rule is a conflict', async () => {
    await server.post('/security/acl/layers', rule('there.*.r', 'ROLE_A'));

    const reply = await server.post('/security/acl/layers.json', '{"new.*.r":"ROLE_A","there.*.r":"ROLE_B"}');

    expect(reply.status).toBe(409);
    expect(reply.json()).toEqual({ status: 409, message: expect.stringContaining('already exist: there.*.r') });
    const rules = (await server.get('/security/acl/layers.json')).json() as Record<string, string>;
    expect(rules['there.*.r']).toBe('ROLE_A');
    expect(rules).not.toHaveProperty(['new.*.r']);
  });

  it.each([
    ['two parts', rule('a.b', 'ROLE_A'), 422],
    ['an unknown mode', rule('a.b.x', 'ROLE_A'), 422],
    ['all workspaces but one layer', rule('*.states.r', 'ROLE_A'), 422],
    ['administering one layer', rule('topp.states.a', 'ROLE_A'), 422],
    ['no roles', rule('bad.*.r', ' , '), 422],
    ['one good rule and one bad', '{"bad.*.r":"ROLE_A","bad":"ROLE_A"}', 422],
    ['one rule twice', '<rules><rule resource="bad.*.r">A</rule><rule resource=" bad.*.r">B</rule></rules>', 422],
    ['no resource', '<rules><rule>ROLE_A</rule></rules>', 400],
    ['a role that is an object', '{"bad.*.r":{"role":"A"}}', 400],
    ['a role that is null', '{"bad.*.r":null}', 400],
    ['a list', '[{"bad.*.r":"A"}]', 400],
    ['plain text in the root', '<rules>bad.*.r</rules>', 400],
    ['no body', '', 400],
    ['broken XML', '<rules><rule', 400],
    ['broken JSON', '{"bad.*.r"', 400],
    ['an entity', `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>${rule('bad.*.r', '&x;')}`, 400],
  ])('are rejected with %s, on addition and on change', async (_what, body, status) => {
    const before = (await server.get('/security/acl/layers.json')).text;

    expect((await server.post('/security/acl/layers', body)).status).toBe(status);
    expect((await server.put('/security/acl/layers', body)).status).toBe(status);
    expect((await server.get('/security/acl/layers.json')).text).toBe(before);
  });

  it('may be an empty set', async () => {
    expect((await server.post('/security/acl/layers', '<rules/>')).status).toBe(201);
    expect((await server.put('/security/acl/layers', '{}')).status).toBe(200);
  });

  it('are changed atomically: an unknown rule is a conflict', async () => {
    await server.post('/security/acl/layers', '{"five.*.r":"ROLE_A","five.*.w":"ROLE_A"}');

    expect(await server.put('/security/acl/layers.xml', rule('five.*.r', 'ROLE_B,ROLE_C'))).toMatchObject({
      status: 200,
      text: '',
    });
    const refused = await server.put('/security/acl/layers', '{"five.*.w":"ROLE_X","nowhere.*.w":"ROLE_X"}');

    expect(refused.status).toBe(409);
    expect(refused.text).toContain('these rules do not exist: nowhere.*.w');
    expect((await server.get('/security/acl/layers.json')).json()).toMatchObject({
      'five.*.r': 'ROLE_B,ROLE_C',
      'five.*.w': 'ROLE_A',
    });
  });

  it.each([
    ['unencoded', 'gone.*.r', '/security/acl/layers/gone.*.r'],
    ['percent-encoded', 'gone.*.r', '/security/acl/layers/gone%2E%2A%2Er'],
    ['with an extension', 'gone.*.r', '/security/acl/layers/gone.*.r.xml'],
    ['with a trailing slash', 'gone.*.r', '/security/acl/layers/gone.*.r/'],
    ['in a query', 'gone.*.r', '/security/acl/layers?rule=gone.*.r'],
    ['in a query, encoded', 'gone.*.r', '/security/acl/layers.json?rule=gone%2E%2A.r'],
    ['with spaces', 'a gone one.x y.w', '/security/acl/layers/a%20gone+one.x%20y.w'],
    ['with dots in its names', 'gone\\.xml.v\\.2.r', '/security/acl/layers/gone%5C.xml.v%5C.2.r'],
    ['for everything', '*.*.w', '/security/acl/layers/*.*.w'],
  ])('are deleted by key %s', async (_what, key, path) => {
    expect((await server.post('/security/acl/layers', JSON.stringify({ [key]: 'ROLE_A' }))).status).toBe(201);

    expect(await server.delete(path)).toMatchObject({ status: 200, text: '' });
    expect((await server.get('/security/acl/layers.json')).json()).not.toHaveProperty([key]);
    expect((await server.delete(path)).status).toBe(404);
  });

  it.each([
    ['/security/acl/layers/never.*.r', 404],
    ['/security/acl/layers/never', 422],
    ['/security/acl/layers/never.states.xml', 422],
    ['/security/acl/layers/never/at.*.r', 422],
    ['/security/acl/layers?rule=never', 422],
    ['/security/acl/layers?rule=', 400],
    ['/security/acl/layers', 400],
  ])('are not deleted by DELETE %s: %i', async (path, status) => {
    const before = (await server.get('/security/acl/layers.json')).text;

    expect((await server.delete(path)).status).toBe(status);
    expect((await server.get('/security/acl/layers.json')).text).toBe(before);
  });

  it('are deleted only one at a time at their own URL', async () => {
    for (const method of ['GET', 'POST', 'PUT']) {
      const reply = await server.request(method, '/security/acl/layers/acme.*.r');
      expect(reply.status).toBe(405);
      expect(reply.headers['allow']).toBe('DELETE, OPTIONS');
    }
  });

  it('have an ETag that guards changes and that a change without effect keeps', async () => {
    await server.post('/security/acl/layers', rule('tagged.*.r', 'ROLE_A'));
    const etag = async () => (await server.get('/security/acl/layers.xml')).headers['etag'] ?? '';
    const before = await etag();

    expect((await server.put('/security/acl/layers', rule('tagged.*.r', 'ROLE_A'))).status).toBe(200);
    expect(await etag()).toBe(before);
    const guarded = { headers: { 'if-match': before } };
    expect((await server.put('/security/acl/layers', rule('tagged.*.r', 'ROLE_B'), guarded)).status).toBe(200);
    expect((await server.put('/security/acl/layers', rule('tagged.*.r', 'ROLE_C'), guarded)).status).toBe(412);
    expect((await server.post('/security/acl/layers', rule('tagged.*.w', 'ROLE_C'), guarded)).status).toBe(412);
    expect((await server.delete('/security/acl/layers/tagged.*.r', guarded)).status).toBe(412);
    expect(await etag()).not.toBe(before);
  });

  it('are logged individually with the user who changed them', async () => {
    await server.post('/security/acl/layers', rule('logged.*.r', 'ROLE_A'));
    await server.put('/security/acl/layers', rule('logged.*.r', 'ROLE_B'));

    const entry = (await server.server.storage.listChanges(0, 10_000)).at(-1);

    expect(entry).toMatchObject({ who: 'admin', what: 'change layers rules: logged.*.r' });
    expect(entry?.items).toContainEqual(
      expect.objectContaining({
        kind: 'accessRule',
        before: expect.objectContaining({ body: { roles: ['ROLE_A'], position: expect.any(Number) } }),
        after: expect.objectContaining({ body: { roles: ['ROLE_B'], position: expect.any(Number) } }),
      }),
    );
  });

  it('are neither lost nor duplicated by concurrent requests', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `many${index}.*.r`);
    const both = await Promise.all(
      [...keys, ...keys].map((key) => server.post('/security/acl/layers', rule(key, 'ROLE_A'))),
    );
    const deleted = await Promise.all(
      [...keys.slice(10), ...keys.slice(10)].map((key) => server.delete(`/security/acl/layers/${key}`)),
    );

    const count = (replies: typeof both, status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(both, 201), count(both, 409)]).toEqual([20, 20]);
    expect([count(deleted, 200), count(deleted, 404)]).toEqual([10, 10]);
    const left = Object.keys((await server.get('/security/acl/layers.json')).json() as object);
    expect(left.filter((key) => key.startsWith('many')).sort()).toEqual(keys.slice(0, 10).sort());
  });

  it('are updated when a workspace is renamed', async () => {
    await server.post('/workspaces', '<workspace><name>old.name</name></workspace>');
    await server.post(
      '/security/acl/layers',
      '{"old\\\\.name.*.r":"ROLE_A","old\\\\.name.x.w":"ROLE_B","new.*.r":"*"}',
    );

    await server.put('/workspaces/old.name', '<workspace><name>new</name></workspace>');

    const rules = (await server.get('/security/acl/layers.json')).json();
    expect(rules).toMatchObject({ 'new.*.r': 'ROLE_A', 'new.x.w': 'ROLE_B' });
    expect(rules).not.toHaveProperty(['old\\.name.*.r']);
    expect(rules).not.toHaveProperty(['old\\.name.x.w']);
  });
});
