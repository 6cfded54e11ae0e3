import { describe, expect, it } from 'vitest';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';

const base = 'http://localhost:80/geoserver/rest';
const problems = { accept: 'application/problem+json' };

const hook = (fields: object) => JSON.stringify({ webhook: { enabled: false, ...fields } });
const codeOf = (reply: Reply) => [reply.status, (reply.json() as { code: string }).code];

describe('webhooks', () => {
  const server = useTestServer();

  async function allowed(): Promise<void> {
    await server.post(
      '/urlchecks',
      '{"regexUrlCheck":{"name":"hooks","regex":"^https://ci[.]example/.*$","enabled":true}}',
    );
  }

  it('have pages, which are linked with each other', async () => {
    await allowed();
    await server.post('/webhooks', hook({ name: 'shown', url: 'https://ci.example/hook', secret: 'open sesame' }));
    const [list, page, deliveries] = [
      await server.get('/webhooks.html'),
      await server.get('/webhooks/shown.html'),
      await server.get('/webhooks/shown/deliveries.html'),
    ];
    await server.delete('/webhooks/shown');
    await server.delete('/urlchecks/hooks');

    expect(list.text).toContain(`<a href="${base}/webhooks/shown.html">shown</a>`);
    expect(page.text).toContain(`<a href="${base}/webhooks/shown/deliveries.html">Deliveries</a>`);
    expect(page.text).toContain('https://ci.example/hook');
    expect(page.text).not.toContain('sesame');
    expect(deliveries.text).toContain('No deliveries yet.');
  });

  it('are created, returned without their secret, listed, changed, renamed and deleted', async () => {
    await allowed();
    const made = await server.post(
      '/webhooks',
      hook({ name: 'ci', url: 'https://ci.example/hook', secret: 'open sesame', kinds: ['workspace'] }),
    );
    const number = Number(made.headers['graticule-change']);

    expect([made.status, made.headers['location'], made.text]).toEqual([201, `${base}/webhooks/ci`, 'ci']);
    expect((await server.get('/webhooks')).json()).toEqual({
      webhooks: { webhook: [{ name: 'ci', href: `${base}/webhooks/ci.json` }] },
    });
    expect((await server.get('/webhooks/ci')).json()).toEqual({
      webhook: {
        name: 'ci',
        url: 'https://ci.example/hook',
        enabled: false,
        kinds: ['workspace'],
        paths: [],
        expand: false,
        position: number,
        failure: null,
      },
    });
    expect((await server.get('/webhooks/ci/deliveries')).json()).toEqual({ deliveries: [] });

    const changed = await server.put('/webhooks/ci', '{"webhook":{"name":"cd","paths":["/workspaces/a"],"kinds":[]}}');

    expect(changed.status).toBe(200);
    expect((await server.get('/webhooks/cd.json')).json()).toMatchObject({
      webhook: { name: 'cd', url: 'https://ci.example/hook', kinds: [], paths: ['/workspaces/a'], position: number },
    });
    expect((await server.delete('/webhooks/cd')).status).toBe(200);
    expect(codeOf(await server.get('/webhooks/cd', problems))).toEqual([404, 'webhook-unknown']);
    expect(codeOf(await server.get('/webhooks/cd/deliveries', problems))).toEqual([404, 'webhook-unknown']);
  });

  it('have an ETag that changes with them and with their deliveries, and that a change can require', async () => {
    await allowed();
    await server.post('/webhooks', hook({ name: 'tagged', url: 'https://ci.example/hook' }));
    const { headers } = await server.get('/webhooks/tagged');
    const tag = headers['etag'] ?? '';
    const change = (ifMatch: string) =>
      server.put('/webhooks/tagged', '{"webhook":{"expand":true}}', { headers: { 'if-match': ifMatch } });

    expect(tag).toMatch(/^"\d+\.json_\d+"$/);
    expect((await server.get('/webhooks/tagged', { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await change('"1.json"')).status).toBe(412);
    expect((await change(tag)).status).toBe(200);
    expect((await change(tag)).status).toBe(412);
    expect((await server.get('/webhooks/tagged')).headers['etag']).not.toBe(tag);
  });

  it('are unchanged by their own document and by the same secret', async () => {
    await allowed();
    await server.post('/webhooks', hook({ name: 'same', url: 'https://ci.example/hook', secret: 'hush' }));
    const read = await server.get('/webhooks/same');

    const again = await server.put('/webhooks/same', read.text);
    const withSecret = await server.put('/webhooks/same', '{"webhook":{"secret":"hush"}}');
    const without = await server.put('/webhooks/same', '{"webhook":{"secret":null}}');

    expect(again.headers['graticule-change']).toBeUndefined();
    expect(withSecret.headers['graticule-change']).toBeUndefined();
    expect(without.headers['graticule-change']).toBeDefined();
  });

  it('are recorded in the history without the secret, and can be undone', async () => {
    await allowed();
    await server.post('/webhooks', hook({ name: 'past', url: 'https://ci.example/hook', secret: 'open sesame' }));
    const deleted = Number((await server.delete('/webhooks/past')).headers['graticule-change']);

    const reported = await server.get(`/history/${deleted}`);
    const undone = await server.request('POST', `/history/${deleted}/undo`);

    expect(reported.json()).toMatchObject({ items: [{ kind: 'webhook', path: '/webhooks/past', action: 'delete' }] });
    expect(reported.text).toContain('(secret)');
    expect(`${reported.text}${undone.text}${server.log.join()}`).not.toMatch(/open sesame|sealed:1/);
    expect((await server.get('/webhooks/past')).status).toBe(200);
  });

  it.each([
    ['no name', { url: 'https://ci.example/' }, [400, 'document-invalid']],
    ['an invalid name', { name: 'a/b', url: 'https://ci.example/' }, [400, 'name-illegal']],
    ['no URL', { name: 'x' }, [400, 'document-invalid']],
    ['an empty URL', { name: 'x', url: '' }, [400, 'document-invalid']],
    ['a URL that no check allows', { name: 'x', url: 'https://elsewhere.example/' }, [403, 'url-refused']],
    ['a URL with a header in it', { name: 'x', url: 'https://ci.example/\r\nHost: evil' }, [403, 'url-refused']],
    ['a URL with a password', { name: 'x', url: 'https://me:hush@ci.example/' }, [403, 'url-refused']],
    ['a URL with another scheme', { name: 'x', url: 'file:///etc/passwd' }, [403, 'url-refused']],
    ['an empty secret', { name: 'x', url: 'https://ci.example/', secret: '' }, [400, 'document-invalid']],
    ['a path without a slash', { name: 'x', url: 'https://ci.example/', paths: ['a'] }, [400, 'document-invalid']],
    [
      'kinds that are not texts',
      { name: 'x', url: 'https://ci.example/', kinds: [{ a: 1 }] },
      [400, 'document-invalid'],
    ],
    ['unknown kinds', { name: 'x', url: 'https://ci.example/', kinds: ['layer', 'x'] }, [400, 'document-invalid']],
    ['an unknown member', { name: 'x', url: 'https://ci.example/', secrt: 'a' }, [400, 'names-unknown']],
  ])('are rejected with %s', async (_what, fields, expected) => {
    await allowed();

    const reply = await server.post('/webhooks', hook(fields), problems);

    expect(codeOf(reply)).toEqual(expected);
    expect(reply.text).not.toContain('hush');
  });

  it('are rejected with a text instead of kinds, and the response names the allowed form', async () => {
    await allowed();

    const reply = await server.post('/webhooks', hook({ name: 'x', url: 'https://ci.example/', kinds: 'x' }), problems);

    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      field: 'webhook.kinds',
      detail: expect.stringMatching(/unknown kind 'x'; expected a list of kinds: .*layer, .*workspace/),
    });
  });

  it('cannot use the name of another webhook', async () => {
    await allowed();
    for (const name of ['one', 'two']) await server.post('/webhooks', hook({ name, url: 'https://ci.example/' }));

    const made = await server.post('/webhooks', hook({ name: 'one', url: 'https://ci.example/' }), problems);
    const renamed = await server.put('/webhooks/two', '{"webhook":{"name":"one"}}', problems);

    expect([codeOf(made), codeOf(renamed)]).toEqual([
      [409, 'webhook-exists'],
      [409, 'webhook-exists'],
    ]);
  });

  it('can be disabled but not enabled when their URL is no longer allowed', async () => {
    await allowed();
    await server.post('/webhooks', hook({ name: 'late', url: 'https://ci.example/', enabled: true }));
    await server.delete('/urlchecks/hooks');

    const off = await server.put('/webhooks/late', '{"webhook":{"enabled":false}}');
    const on = await server.put('/webhooks/late', '{"webhook":{"enabled":true}}', problems);

    expect(off.status).toBe(200);
    expect(codeOf(on)).toEqual([403, 'url-refused']);
  });

  it('require administrator rights', async () => {
    expect((await server.get('/webhooks', { as: null })).status).toBe(401);
    expect((await server.post('/webhooks', hook({ name: 'x' }), { as: null })).status).toBe(401);
  });
});
