import { describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';

describe('catalog mode', () => {
  const server = useTestServer();

  it('is HIDE on a new server, in each format', async () => {
    expect((await server.get('/security/acl/catalog.xml')).text).toBe('<catalog>\n  <mode>HIDE</mode>\n</catalog>\n');
    expect((await server.get('/security/acl/catalog.json')).json()).toEqual({ mode: 'HIDE' });
    expect((await server.get('/security/acl/catalog')).headers['content-type']).toBe('application/xml');
  });

  it.each([
    ['MIXED', '<catalog><mode>MIXED</mode></catalog>'],
    ['CHALLENGE', '{"mode":"CHALLENGE"}'],
    ['HIDE', '{"catalog":{"mode":"HIDE"}}'],
    ['MIXED', '<catalog><mode>\n  MIXED\n</mode></catalog>'],
  ])('is set to %s by %s', async (mode, body) => {
    expect(await server.put('/security/acl/catalog.xml', body)).toMatchObject({ status: 200, text: '' });
    expect((await server.get('/security/acl/catalog.json')).json()).toEqual({ mode });
  });

  it.each([
    ['<catalog><mode>BOGUS</mode></catalog>', 422],
    ['<catalog><mode>hide</mode></catalog>', 422],
    ['{"mode":"__proto__"}', 422],
    ['<catalog><mode/></catalog>', 400],
    ['<catalog/>', 400],
    ['{}', 400],
    ['{"mode":null}', 400],
    ['{"mode":["HIDE","MIXED"]}', 400],
    ['{"mode":{"mode":"HIDE"}}', 400],
    ['', 400],
    ['<catalog><mode>', 400],
    ['<!DOCTYPE c [<!ENTITY m "HIDE">]><catalog><mode>&m;</mode></catalog>', 400],
  ])('is unchanged after %s: %i', async (body, status) => {
    await server.put('/security/acl/catalog', '{"mode":"CHALLENGE"}');

    const reply = await server.put('/security/acl/catalog', body);

    expect(reply.status).toBe(status);
    expect((await server.get('/security/acl/catalog.json')).json()).toEqual({ mode: 'CHALLENGE' });
  });

  it('is protected by its ETag', async () => {
    await server.put('/security/acl/catalog', '{"mode":"HIDE"}');
    const etag = (await server.get('/security/acl/catalog.json')).headers['etag'] ?? '';
    const guarded = { headers: { 'if-match': etag } };

    expect((await server.put('/security/acl/catalog', '{"mode":"MIXED"}', guarded)).status).toBe(200);
    expect((await server.put('/security/acl/catalog', '{"mode":"HIDE"}', guarded)).status).toBe(412);
  });

  it('accepts a reload request, which has no effect', async () => {
    expect((await server.request('POST', '/security/acl/catalog/reload')).status).toBe(200);
    expect((await server.request('PUT', '/security/acl/catalog/reload')).status).toBe(200);
    expect((await server.delete('/security/acl/catalog')).status).toBe(405);
  });
});
