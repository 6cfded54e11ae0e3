/** Lessons 12 to 14 where vector data is uploaded by URL: the gate decides, and nothing is left of what it refuses. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startRemoteServer } from '../support/remote-server.ts';
import { useTestServer } from '../support/test-server.ts';
import { featureTypes, pointShapefile, snapshot, zipOf } from '../support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const zip = zipOf({ remote: pointShapefile() });

describe('an upload by URL', () => {
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const put = (body: string, store = 's') =>
    server.request('PUT', `${stores}/${store}/url.shp`, { type: 'text/plain', body });
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it('lesson 12: is refused without a check that matches, and nothing is asked or kept', async () => {
    const remote = await startRemoteServer((_request, response) => response.end(zip));
    const before = await snapshot(server.dataDir);

    const reply = await put(`http://data.example.com:${remote.port}/roads.zip?token=hunter2`);

    expect(reply.status).toBe(403);
    expect(reply.text).toContain('no enabled URL check matches');
    expect(reply.text).not.toContain('hunter2');
    expect(remote.asked).toEqual([]);
    expect(await snapshot(server.dataDir)).toEqual(before);
  });

  describe('with a check for one host', () => {
    beforeAll(async () => {
      const check = { regexUrlCheck: { name: 'data', enabled: true, regex: '^http://data\\.example\\.com:\\d+/.*$' } };
      await server.post('/urlchecks', JSON.stringify(check));
    });

    it('publishes what is there', async () => {
      const remote = await startRemoteServer((_request, response) => response.end(zip));

      const reply = await put(`http://data.example.com:${remote.port}/roads.zip\n`);

      expect(reply.status).toBe(201);
      expect(await featureTypes(server, 'acme/s')).toEqual(['remote']);
    });

    it.each([
      ['a name in front', (port: number) => `http://data.example.com:${port}@evil.example/`],
      ['a longer name', (port: number) => `http://data.example.com.evil.example:${port}/`],
      ['a fragment', (port: number) => `http://evil.example:${port}/#http://data.example.com:1/`],
      ['a tab', (port: number) => `http://evil.example\t:${port}/`],
      ['an address as a number', (port: number) => `http://2130706433:${port}/`],
      ['loopback itself', (port: number) => `http://127.0.0.1:${port}/`],
      ['IPv6', (port: number) => `http://[::1]:${port}/`],
      ['a file', () => 'file:///etc/passwd'],
      ['no URL', () => 'roads.zip'],
    ])('lesson 13: is not talked round by %s', async (_what, url) => {
      const remote = await startRemoteServer((_request, response) => response.end(zip));

      const reply = await put(url(remote.port), 'talked');

      expect([400, 403]).toContain(reply.status);
      expect(remote.asked).toEqual([]);
      expect((await server.get(`${stores}/talked.xml`)).status).toBe(404);
    });

    it('lesson 14: checks every redirect, and follows none that leads elsewhere', async () => {
      const inner = await startRemoteServer((_request, response) => response.end(zip));
      const outer = await startRemoteServer((_request, response) => {
        response.writeHead(302, { location: `http://evil.example:${inner.port}/roads.zip` }).end();
      });
      const before = await snapshot(server.dataDir);

      const reply = await put(`http://data.example.com:${outer.port}/`, 'redirected');

      expect(reply.status).toBe(403);
      expect(inner.asked).toEqual([]);
      expect(await snapshot(server.dataDir)).toEqual(before);
    });

    it.each([
      [
        'breaks off',
        502,
        (response: { write(text: string): void; destroy(): void }) => {
          response.write('PK');
          setTimeout(() => response.destroy(), 20);
        },
      ],
    ] as const)('tells of a host that %s, and keeps nothing', async (_what, status, answer) => {
      const remote = await startRemoteServer((_request, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        answer(response);
      });
      const before = await snapshot(server.dataDir);

      expect((await put(`http://data.example.com:${remote.port}/`, 'broken')).status).toBe(status);
      expect(await snapshot(server.dataDir)).toEqual(before);
    });
  });
});
