import { describe, expect, it } from 'vitest';
import { madeUpApp } from '../../../test/support/made-up-app.ts';

const xml = { 'content-type': 'text/xml' };
const place = '<place><name>a</name></place>';

describe('a read', () => {
  it('returns 304 for a current copy, and 412 for a version that does not exist', async () => {
    const { app } = madeUpApp();
    const status = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/rest/places/b.json', headers })).statusCode;

    expect(await status({ 'if-none-match': '"7.json"' })).toBe(304);
    expect(await status({ 'if-none-match': '"7.xml"' })).toBe(200);
    expect(await status({ 'if-match': '"7.xml"' })).toBe(200);
    expect(await status({ 'if-match': '"6.json"' })).toBe(412);
    expect(await status({ 'if-match': '"6.json"', 'if-none-match': '"7.json"' })).toBe(412);
  });

  it.each(['true', 'True', 'TRUE', 'yes', '1'])(
    'returns an empty 404 for a missing resource with quietOnNotFound=%s',
    async (flag) => {
      const { app } = madeUpApp();

      const reply = await app.inject({ url: `/rest/places/nowhere.json?quietOnNotFound=${flag}` });

      expect([reply.statusCode, reply.body]).toEqual([404, '']);
    },
  );

  it.each(['false', 'no', '', 'perhaps'])(
    'returns a message for a missing resource with quietOnNotFound=%s',
    async (flag) => {
      const { app } = madeUpApp();

      const reply = await app.inject({ url: `/rest/places/nowhere.json?quietOnNotFound=${flag}` });

      expect([reply.statusCode, reply.json()]).toEqual([
        404,
        { status: 404, message: "No such workspace: 'nowhere'." },
      ]);
    },
  );

  it('returns 406 for an unsupported format', async () => {
    const { app } = madeUpApp();

    expect((await app.inject({ url: '/rest/places/b', headers: { accept: 'image/png' } })).statusCode).toBe(406);
    expect((await app.inject({ url: '/rest/places/b.xml', headers: { accept: 'image/png' } })).statusCode).toBe(200);
  });
});

describe('a write', () => {
  it('ignores the Accept header', async () => {
    const { app } = madeUpApp();
    for (const accept of ['image/png', 'text/plain', '*/*;q=0', 'nonsense', '']) {
      const headers = { ...xml, accept };

      expect((await app.inject({ method: 'POST', url: '/rest/places', headers, payload: place })).statusCode).toBe(201);
      expect(
        (await app.inject({ method: 'PUT', url: '/rest/places/b.json', headers, payload: place })).statusCode,
      ).toBe(200);
      expect((await app.inject({ method: 'DELETE', url: '/rest/places/b.html', headers })).statusCode).toBe(200);
      expect((await app.inject({ method: 'POST', url: '/rest/echoes', headers, payload: place })).statusCode).toBe(201);
    }
  });

  it('returns the percent-encoded location of a created resource', async () => {
    const { app } = madeUpApp();
    const payload = '{"place":{"name":"ü /?#%.xml"}}';

    const reply = await app.inject({
      method: 'POST',
      url: '/rest/places.json',
      headers: { host: 'maps.example.org', 'content-type': 'application/json' },
      payload,
    });

    expect(reply.headers['location']).toBe('http://maps.example.org/rest/places/%C3%BC%20%2F%3F%23%25.xml');
    expect(reply.body).toBe('ü /?#%.xml');
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('can return the new resource, in the format of the body by default', async () => {
    const { app } = madeUpApp();
    const create = (headers: Record<string, string>, payload: string, url = '/rest/echoes') =>
      app.inject({ method: 'POST', url, headers, payload });

    expect((await create(xml, place)).body).toBe('<place>\n  <name>a</name>\n</place>\n');
    expect((await create({ ...xml, accept: 'application/json' }, place)).json()).toEqual({ place: { name: 'a' } });
    expect((await create({ 'content-type': 'text/json', accept: '*/*' }, '{"place":{"name":"b"}}')).json()).toEqual({
      place: { name: 'b' },
    });
    expect((await create(xml, place, '/rest/echoes.json')).json()).toEqual({ place: { name: 'a' } });
  });

  it('never returns 304', async () => {
    const { app } = madeUpApp();
    const headers = { ...xml, 'if-none-match': '"7.xml"' };

    const reply = await app.inject({ method: 'PUT', url: '/rest/echoes/a', headers, payload: place });

    expect(reply.statusCode).toBe(200);
  });

  it('accepts a line of text', async () => {
    const { app } = madeUpApp();

    const reply = await app.inject({ method: 'POST', url: '/rest/questions.json', payload: ' why?\n' });

    expect(reply.json()).toEqual({ place: { name: 'why?' } });
    expect((await app.inject({ method: 'POST', url: '/rest/questions' })).body).toContain(
      "The request has no body. Expected a 'question' document.",
    );
  });
});

describe('errors', () => {
  it('have the same fields in every dialect for families with structured errors', async () => {
    const { app } = madeUpApp('geoserver');
    const headers = { 'content-type': 'application/json' };

    const reply = await app.inject({ method: 'POST', url: '/rest/echoes', headers, payload: '{"place":{}}' });

    expect(reply.json()).toEqual({ status: 400, message: 'place.name: is required' });
  });

  it('are plain text in the compatible dialect for other families', async () => {
    const { app } = madeUpApp('geoserver');

    const reply = await app.inject({ method: 'GET', url: '/rest/places/nowhere.json' });

    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.body).toBe("No such workspace: 'nowhere'.\n");
  });
});
