/** Behaviour that client libraries rely on, numbered as in the list of client habits, for workspaces and namespaces. */
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../src/interface/common/dialects.ts';
import { authorization, useSocketClient } from '../support/socket-client.ts';
import { useTestServer } from '../support/test-server.ts';

const base = 'http://localhost:80/geoserver/rest';

const modes: readonly { mode: string; compat: DialectName }[] = [
  { mode: 'by default', compat: 'graticule' },
  { mode: 'with --compat geoserver', compat: 'geoserver' },
];

function workspace(name: string): string {
  return `<workspace><name>${name}</name></workspace>`;
}

describe.each(modes)('client habits, $mode', ({ compat }) => {
  const server = useTestServer({ compat });
  const inCompat = compat === 'geoserver';

  it('1: an extension takes precedence over Accept on reads', async () => {
    await server.post('/workspaces', workspace('h1'));

    const json = await server.get('/workspaces/h1.json', { accept: 'application/xml' });
    const xml = await server.get('/workspaces/h1.xml', { accept: 'application/json' });

    expect(json.headers['content-type']).toBe('application/json');
    expect(xml.headers['content-type']).toBe('application/xml');
  });

  it.each(['text/plain', 'application/xml', 'image/png', '*/*', undefined])(
    '1: writes accept any extension and any Accept (%s), and never return 406',
    async (accept) => {
      const how = accept === undefined ? {} : { accept };
      const name = `h1-${accept?.replace(/\W/g, '-')}`;

      expect((await server.post('/workspaces.json', workspace(name), how)).status).toBe(201);
      expect((await server.put(`/workspaces/${name}.xml`, '{"workspace":{"isolated":true}}', how)).status).toBe(200);
      expect((await server.put('/workspaces/default.html', workspace(name), how)).status).toBe(200);
      expect((await server.delete(`/workspaces/${name}.json`, how)).status).toBe(200);
    },
  );

  it('2: without Accept, or with */*, the resource family selects the default format', async () => {
    for (const path of ['/workspaces', '/namespaces']) {
      for (const how of [{}, { accept: '*/*' }]) {
        const { headers } = await server.get(path, how);

        expect(headers['content-type']).toBe(inCompat ? 'application/json' : 'application/xml');
      }
    }
  });

  it('2: the Accept list that browser scripts send selects JSON', async () => {
    const { headers } = await server.get('/workspaces', { accept: 'application/json, text/plain, */*' });

    expect(headers['content-type']).toBe('application/json');
  });

  it('3: a list is an array, also with one item; a nested list of one collapses in compat mode only', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"h3","metadata":{"a":"1"}}}');

    expect((await server.get('/workspaces.json')).json()).toMatchObject({
      workspaces: { workspace: expect.any(Array) },
    });
    expect((await server.get('/workspaces/h3.json')).json()).toMatchObject({
      workspace: { metadata: { entry: inCompat ? { '@key': 'a', $: '1' } : [{ '@key': 'a', $: '1' }] } },
    });
  });

  it('4: links are absolute, keep the format of their document, and name the host the client used', async () => {
    await server.post('/workspaces', workspace('h4'));
    const host = { headers: { host: 'maps.example.org:8080' } };

    const list = (await server.get('/workspaces.json', host)).json() as {
      workspaces: { workspace: { name: string; href: string }[] };
    };
    const href = list.workspaces.workspace.find(({ name }) => name === 'h4')?.href;
    const xml = (await server.get('/workspaces/h4.xml', host)).text;

    expect(href).toBe('http://maps.example.org:8080/geoserver/rest/workspaces/h4.json');
    expect(xml).toContain('href="http://maps.example.org:8080/geoserver/rest/workspaces/h4/datastores.xml"');
  });

  it.each([
    ['entries', '{"workspace":{"name":"h5a","metadata":{"entry":[{"@key":"port","$":5432},{"@key":"ssl","$":true}]}}}'],
    ['members', '{"workspace":{"name":"h5b","metadata":{"port":5432,"ssl":true}}}'],
    ['elements', '<workspace><name>h5c</name><metadata><port>5432</port><ssl>true</ssl></metadata></workspace>'],
    [
      'XML entries',
      '<workspace><name>h5d</name><metadata><entry key="port">5432</entry><entry key="ssl">true</entry></metadata></workspace>',
    ],
  ])('5: a map sent as %s is returned as entries with string values', async (_case, body) => {
    const { text: name } = await server.post('/workspaces', body);

    expect((await server.get(`/workspaces/${name}.json`)).json()).toMatchObject({
      workspace: {
        metadata: {
          entry: [
            { '@key': 'port', $: '5432' },
            { '@key': 'ssl', $: 'true' },
          ],
        },
      },
    });
  });

  it('7: a create returns 201 with Location and the bare name; changes and deletes return 200 without a body', async () => {
    const created = await server.post('/workspaces', workspace('h7'));

    expect(created).toMatchObject({ status: 201, text: 'h7' });
    expect(created.headers['content-type']).toMatch(/^text\/plain/);
    expect(created.headers['location']).toBe(`${base}/workspaces/h7`);
    expect(await server.put('/workspaces/h7', '<workspace/>')).toMatchObject({ status: 200, text: '' });
    expect(await server.delete('/workspaces/h7?recurse=true')).toMatchObject({ status: 200, text: '' });
  });

  it('7: a missing resource returns 404, a conflict 409, an unsupported method 405, and an anonymous request 401', async () => {
    await server.post('/workspaces', workspace('h7b'));

    expect((await server.get('/workspaces/no-such.json')).status).toBe(404);
    expect((await server.delete('/workspaces/no-such')).status).toBe(404);
    expect((await server.post('/workspaces', workspace('h7b'))).status).toBe(409);
    expect((await server.put('/workspaces', workspace('h7b'))).status).toBe(405);
    expect((await server.delete('/workspaces')).status).toBe(405);
    expect((await server.post('/workspaces/h7b', workspace('h7b'))).status).toBe(405);
    expect((await server.get('/workspaces', { as: null })).status).toBe(401);
  });

  it('7: deleting a workspace that is not empty without recurse returns 403', async () => {
    await server.post('/workspaces', workspace('h7c'));
    const parent = await server.server.storage.find('workspace', null, 'h7c');
    await server.server.storage.write({ who: 'test', what: 'put something in' }, (transaction) =>
      transaction.insert({ kind: 'dataStore', parent: parent?.id ?? null, name: 'roads', body: {}, keys: {} }),
    );

    expect((await server.delete('/workspaces/h7c')).status).toBe(403);
    expect((await server.delete('/workspaces/h7c?recurse=false')).status).toBe(403);
    expect((await server.delete('/workspaces/h7c?recurse=true')).status).toBe(200);
  });

  it('8: error messages contain the words that clients search for', async () => {
    await server.post('/workspaces', workspace('h8'));

    expect((await server.post('/workspaces', workspace('h8'))).text).toContain('already exists');
    expect((await server.get('/workspaces/h8-not')).text).toMatch(/no such workspace/i);
    expect((await server.put('/workspaces/h8-not', '<workspace/>')).text).toMatch(/no such workspace/i);
    expect((await server.delete('/workspaces/h8-not')).text).toMatch(/no such workspace/i);
  });

  it('9: PUT keeps fields that are not sent', async () => {
    await server.post('/workspaces', '{"workspace":{"name":"h9","isolated":true,"metadata":{"a":"1","b":"2"}}}');

    await server.put('/workspaces/h9', '{"workspace":{"name":"h9"}}');

    expect((await server.get('/workspaces/h9.json')).json()).toMatchObject({
      workspace: { isolated: true, metadata: { entry: [{ '@key': 'a' }, { '@key': 'b' }] } },
    });
  });

  it.each(['true', 'True', 'TRUE'])('10: query parameters accept booleans in any case: %s', async (flag) => {
    const name = `h10-${flag}`;
    await server.post(`/workspaces?default=${flag}`, workspace(name));

    expect((await server.get('/workspaces/default.json')).json()).toMatchObject({ workspace: { name } });
    expect((await server.delete(`/workspaces/${name}?recurse=${flag}`)).status).toBe(200);
  });

  it.each(['/workspaces/h11/', '//workspaces//h11', '/workspaces///h11.json/', '/workspaces/h11/.json'])(
    '11: extra slashes are ignored: %s',
    async (path) => {
      await server.post('/workspaces/', workspace('h11'));

      expect((await server.request('GET', `//geoserver/rest${path}`)).status).toBe(200);
    },
  );

  it.each([
    ['*', '%2A'],
    ['@', '%40'],
    [',', '%2C'],
    ['+', '%2B'],
    [' ', '%20'],
    [' ', '+'],
    ['%', '%25'],
    ['%20', '%2520'],
    ['.json', '%2Ejson'],
  ])('12: a name with %j is requested with %s, decoded once, after the extension is removed', async (part, encoded) => {
    const name = `h12${part}x`;
    await server.post('/workspaces', JSON.stringify({ workspace: { name } }));

    for (const path of [`/workspaces/h12${encoded}x.json`, `/namespaces/h12${encoded}x.json`]) {
      const { workspace: found, namespace } = (await server.get(path)).json() as Record<
        string,
        { name: string; prefix: string }
      >;
      expect(found?.name ?? namespace?.prefix).toBe(name);
    }
  });

  it.each(['my.ws', 'it.geosolutions', 'v1.0.0', 'a.tif', 'my.ws.xml', 'external', 'file', 'file.shp', 'rest', 'null'])(
    '13: a workspace may be named %s',
    async (name) => {
      expect((await server.post('/workspaces', workspace(name))).status).toBe(201);

      expect((await server.get(`/workspaces/${name}`, { accept: 'application/json' })).json()).toMatchObject({
        workspace: { name },
      });
      expect((await server.get(`/workspaces/${name}.json`)).json()).toMatchObject({ workspace: { name } });
      expect((await server.delete(`/workspaces/${name}.xml`)).status).toBe(200);
      expect((await server.get(`/workspaces/${name}`)).status).toBe(404);
    },
  );

  it('17: ten workspaces created at the same time are all stored', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `h17-${index}`);

    const replies = await Promise.all(names.map((name) => server.post('/workspaces.json', workspace(name))));

    expect(replies.map((reply) => reply.status)).toEqual(names.map(() => 201));
    const listed = (await server.get('/workspaces.json')).text;
    expect(names.filter((name) => !listed.includes(`"${name}"`))).toEqual([]);
  });

  it('18: every request needs credentials; sessions do not exist', async () => {
    const reply = await server.get('/workspaces');
    const again = await server.get('/workspaces', { as: null });

    expect(reply.headers).not.toHaveProperty('set-cookie');
    expect(again.status).toBe(401);
    expect(again.headers['www-authenticate']).toBe('Basic realm="Graticule", charset="UTF-8"');
  });
});

describe('client habits on a new server', () => {
  const ours = useTestServer();
  const theirs = useTestServer({ compat: 'geoserver' });

  it('3: an empty collection is an empty array, and in compat mode the empty string', async () => {
    expect((await ours.get('/workspaces.json')).text).toBe('{"workspaces":{"workspace":[]}}');
    expect((await ours.get('/namespaces.json')).text).toBe('{"namespaces":{"namespace":[]}}');
    expect((await theirs.get('/workspaces.json')).text).toBe('{"workspaces":""}');
    expect((await theirs.get('/namespaces.json')).text).toBe('{"namespaces":""}');
  });
});

describe.each(modes)('client habits over a socket, $mode', ({ compat }) => {
  const client = useSocketClient({ compat });
  const xml = { 'content-type': 'text/xml' };

  it('14: a body may be chunked, without a Content-Length', async () => {
    const chunks = [
      '<works',
      'pace><name>',
      Buffer.from('m\u00fcn').subarray(0, 2),
      Buffer.from('\u00fcn').subarray(1),
    ];

    const reply = await client.request('POST', '/workspaces', {
      headers: xml,
      chunks: [...chunks, '</name></workspace>'],
    });

    expect(reply).toMatchObject({ status: 201, text: 'mün' });
  });

  it('14: a POST with a Content-Length of 0 returns an error that names the missing body', async () => {
    const reply = await client.request('POST', '/workspaces', { headers: { ...xml, 'content-length': '0' } });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain('The request has no body');
  });

  it('14: GET and DELETE may have a Content-Type, and even a body', async () => {
    await client.request('POST', '/workspaces', { headers: xml, body: workspace('h14') });
    const headers = { 'content-type': 'application/json' };

    expect((await client.request('GET', '/workspaces/h14', { headers })).status).toBe(200);
    expect((await client.request('GET', '/workspaces/h14', { headers, body: '{}' })).status).toBe(200);
    expect((await client.request('DELETE', '/workspaces/h14', { headers, body: '{"force":true}' })).status).toBe(200);
  });

  it('14: Accept-Encoding: identity returns the bytes unencoded', async () => {
    const reply = await client.request('GET', '/workspaces.json', { headers: { 'accept-encoding': 'identity' } });

    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty('content-encoding');
  });

  it('14: Expect: 100-continue is answered with 100 Continue', async () => {
    const body = workspace('h14-expects');

    const said = await client.exchange(
      `POST /geoserver/rest/workspaces HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: text/xml\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );

    expect(said).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
  });
});
