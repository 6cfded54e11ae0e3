/** Lessons 12 to 14 for vector uploads by URL: the URL gate decides, and rejected uploads leave no files. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startRemoteServer } from '../support/remote-server.ts';
import { useTestServer } from '../support/test-server.ts';
import { featureTypes, pointShapefile, snapshot, zipOf } from '../support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const zip = zipOf({ remote: pointShapefile() });

describe('vector uploads by URL', () => {
  const server = useTestServer({ resolveHost: async () => [{ address: '127.0.0.1', family: 4 }] });
  const put = (body: string, store = 's') =>
    server.request('PUT', `${stores}/${store}/url.shp`, { type: 'text/plain', body });
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it('lesson 12: rejects a URL without a matching check, sends no request and stores nothing', async () => {
    const remote = await startRemoteServer((_request, response) => response.end(zip));
    const before = await snapshot(server.dataDir);

    const reply = await put(`http://data.example.com:${remote.port}/roads.zip?token=hunter2`);

    expect(reply.status).toBe(403);
    expect(reply.text).toContain('no enabled URL check matches');
    expect(reply.text).not.toContain('hunter2');
    expect(remote.asked).toEqual([]);
    expect(await snapshot(server.dataDir)).toEqual(before);
  });

  describe('vector uploads by URL with a check for one host', () => {
    beforeAll(async () => {
      const check = { regexUrlCheck: { name: 'data', enabled: true, regex: '^http://data\\.example\\.com:\\d+/.*$' } };
      await server.post('/urlchecks', JSON.stringify(check));
    });

    it('publishes the data at the URL', async () => {
      const remote = await startRemoteServer((_request, response) => response.end(zip));

      const reply = await put(`http://data.example.com:${remote.port}/roads.zip\n`);

      expect(reply.status).toBe(201);
      expect(await featureTypes(server, 'acme/s')).toEqual(['remote']);
    });

    it.each([
      [
        'the allowed host as credentials of another host',
        (port: number) => `http://data.example.com:${port}@evil.example/`,
      ],
      ['a longer host name', (port: number) => `http://data.example.com.evil.example:${port}/`],
      ['the allowed host in a fragment', (port: number) => `http://evil.example:${port}/#http://data.example.com:1/`],
      ['a tab in the host', (port: number) => `http://evil.example\t:${port}/`],
      ['an IP address as a number', (port: number) => `http://2130706433:${port}/`],
      ['the loopback address', (port: number) => `http://127.0.0.1:${port}/`],
      ['the IPv6 loopback address', (port: number) => `http://[::1]:${port}/`],
      ['a file URL', () => 'file:///etc/passwd'],
      ['a relative path', () => 'roads.zip'],
    ])('lesson 13: rejects %s', async (_what, url) => {
      const remote = await startRemoteServer((_request, response) => response.end(zip));

      const reply = await put(url(remote.port), 'talked');

      expect([400, 403]).toContain(reply.status);
      expect(remote.asked).toEqual([]);
      expect((await server.get(`${stores}/talked.xml`)).status).toBe(404);
    });

    it('lesson 14: checks every redirect and follows none to another host', async () => {
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
        'closes the connection early',
        502,
        (response: { write(text: string): void; destroy(): void }) => {
          response.write('PK');
          setTimeout(() => response.destroy(), 20);
        },
      ],
    ] as const)('reports a host that %s, and stores nothing', async (_what, status, answer) => {
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
