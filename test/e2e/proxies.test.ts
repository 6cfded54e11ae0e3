/** nginx and Caddy with the files of deploy/proxy, in front of two nodes. */
import { get, type IncomingMessage } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { freePort } from '../support/services/free-port.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { type ProxyName, startProxy } from './started-proxy.ts';
import { ADMIN_PASSWORD, type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;

/** Differs from the address of the proxy. */
const CLIENT = '127.0.0.2';
const STRANGER = '127.0.0.3';

/** As an attacker sends them. */
const forgedHeaders = {
  forwarded: 'for=203.0.113.9;host=evil.example;proto=http',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-port': '666',
  'x-forwarded-prefix': '/evil',
};

/** Pixels that hardly compress. */
const mixBits = (index: number) =>
  Math.imul(Math.imul(index ^ (index >>> 7), 0x2c1b3c6d) ^ (index << 11), 0x297a2d39) >>> 24;

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A browser, which uses one HTTP/2 connection. */
function openBrowser(port: number): ClientHttp2Session {
  const session = connect('https://maps.example.org', {
    createConnection: () =>
      connectTls({
        ...{ host: '127.0.0.1', port, localAddress: CLIENT },
        ...{ servername: 'maps.example.org', ALPNProtocols: ['h2'], rejectUnauthorized: false },
      }),
  });
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

function begin(session: ClientHttp2Session, path: string, { method = 'GET', headers = {} }: Sent): ClientHttp2Stream {
  const all = {
    ':authority': 'maps.example.org',
    ':method': method,
    ':path': `/geoserver${path}`,
    authorization,
    ...headers,
  };
  return session.request(all, { endStream: method === 'GET' });
}

function receiveHeaders(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => stream.once('response', resolve).once('error', reject));
}

async function send(session: ClientHttp2Session, path: string, sent: Sent = {}): Promise<Received> {
  const stream = begin(session, path, sent);
  if (sent.body !== undefined) stream.end(sent.body);
  const [headers, body] = await Promise.all([receiveHeaders(stream), buffer(stream)]);
  return { status: Number(headers[':status']), headers, body };
}

const asJson = (value: object): Sent => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** The client addresses in the log of a node, by path. */
const findClients = (node: StartedServer, path: string) =>
  node.log().flatMap((line) => (line['path'] === path ? [line['client']] : []));

function getPlainly(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const options = { host: '127.0.0.1', port, path, localAddress: STRANGER, headers: { ...headers, authorization } };
  return new Promise((resolve, reject) => get(options, resolve).on('error', reject));
}

describeWithPostgis('Two nodes', (postgis) => {
  async function startNodes(schema: string) {
    const folder = await temporaryFolder();
    const start = async (name: string) => {
      const port = await freePort('127.0.0.1');
      const server = await startServer({
        dataDir: join(folder, name),
        flags: ['--node-name', name, '--trust-proxy', '127.0.0.1', '--port', String(port)],
        environment: {
          GRATICULE_STORAGE: postgresAddress(postgis, schema),
          GRATICULE_SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
        },
      });
      return { server, port };
    };
    return [await start('north'), await start('south')] as const;
  }

  describeWithTool('nginx', 'behind nginx', () => defineTests('nginx'));
  describeWithTool('caddy', 'behind Caddy', () => defineTests('caddy'));

  function defineTests(name: ProxyName): void {
    test('serve HTTPS with public links, uploads, downloads and events, and survive the loss of a node', async () => {
      const [north, south] = await startNodes(`behind_${name}`);
      const proxy = await startProxy(name, [north.port, south.port]);
      const nodes = [north.server, south.server];
      const isOpen = () => getPlainly(proxy.httpPort, '/', {}).then(Boolean, () => false);
      await expect.poll(isOpen, { message: proxy.process.stderr() }).toBe(true);
      const browser = openBrowser(proxy.httpsPort);

      // HTTP is redirected to HTTPS.
      const plain = await getPlainly(proxy.httpPort, '/geoserver/wms?a=b', { host: 'maps.example.org' });
      expect([plain.statusCode, plain.headers.location]).toEqual([308, 'https://maps.example.org/geoserver/wms?a=b']);

      // Links have the address of the proxy, and the log the address of the client; forged headers change neither.
      const capabilities = await send(browser, '/wms?service=WMS&version=1.3.0&request=GetCapabilities', {
        headers: forgedHeaders,
      });
      expect(capabilities.status).toBe(200);
      expect(capabilities.body.toString()).toContain('"https://maps.example.org/geoserver/wms"');
      expect(capabilities.body.toString()).not.toMatch(/evil|666|127\.0\.0\.1/);
      await expect.poll(() => nodes.flatMap((node) => findClients(node, '/geoserver/wms'))).toEqual([CLIENT]);

      // A peer that is no trusted proxy cannot choose its address or the links.
      const direct = await getPlainly(north.port, '/geoserver/rest/workspaces/none.json', forgedHeaders);
      direct.resume();
      expect(direct.statusCode).toBe(404);
      await expect.poll(() => findClients(north.server, '/geoserver/rest/workspaces/none.json')).toEqual([STRANGER]);

      // Events arrive while the stream is open, whichever node made the change.
      const stream = begin(browser, '/rest/events', { headers: { accept: 'text/event-stream' } });
      let events = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        events += text;
      });
      stream.on('error', () => undefined);
      expect((await receiveHeaders(stream))['content-type']).toBe('text/event-stream');
      const created = await send(browser, '/rest/workspaces', asJson({ workspace: { name: 'acme' } }));
      expect(created.headers.location).toBe('https://maps.example.org/geoserver/rest/workspaces/acme');
      await expect.poll(() => events).toContain('/workspaces/acme');
      stream.close();

      // A raster of some megabytes goes up and comes back.
      const uploaded = await send(browser, '/rest/workspaces/acme/coveragestores/dem/file.geotiff', {
        ...{ method: 'PUT', headers: { 'content-type': 'image/tiff' }, body: geotiffBytes(3_000, 2_000, mixBits) },
      });
      expect(uploaded.status).toBe(201);
      const coverage = 'service=WCS&version=2.0.1&request=GetCoverage&coverageId=acme__dem&format=image/tiff';
      const downloaded = await send(browser, `/wcs?${coverage}`);
      expect([downloaded.status, downloaded.headers['content-type']]).toEqual([200, 'image/tiff']);
      expect(downloaded.body.length).toBeGreaterThan(5_000_000);

      // Reads continue while a node is killed, and so do writes afterwards.
      const statuses = new Set<number>();
      let isKilled = false;
      let afterwards = 0;
      const read = async () => {
        while (afterwards < 40) {
          if (isKilled) afterwards += 1;
          statuses.add((await send(browser, '/rest/workspaces/acme.json')).status);
        }
      };
      const reading = Promise.all([read(), read(), read(), read()]);
      await expect.poll(() => statuses.size).toBeGreaterThan(0);
      await north.server.kill();
      isKilled = true;
      await reading;
      const later = await send(browser, '/rest/workspaces', asJson({ workspace: { name: 'later' } }));
      expect([...statuses]).toEqual([200]);
      expect(later.status).toBe(201);
    });
  }
});
