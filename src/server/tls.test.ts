/** A server with a certificate, reached by real connections of HTTP/2 and HTTP/1.1. */
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect, constants, type ServerHttp2Session } from 'node:http2';
import { request as requestOnce } from 'node:https';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../../test/support/test-server.ts';
import { readCertificate } from './certificate.ts';

const fixtures = join(import.meta.dirname, '../../test/fixtures/tls');
const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;

/** The response as the server sees it. */
interface SecureRaw {
  readonly writableLength: number;
  watchStall(timeoutMs: number): void;
}

let folder = '';
let running: TestServer | undefined;
let port = 0;

async function useCertificate(name: string): Promise<void> {
  await copyFile(join(fixtures, `${name}.cert.pem`), join(folder, 'cert.pem'));
  await copyFile(join(fixtures, `${name}.key.pem`), join(folder, 'key.pem'));
}

function getServer(): TestServer {
  if (running === undefined) throw new Error('The server is not started');
  return running;
}

/** Logged messages after the given number of lines. */
const readLog = (after = 0) =>
  getServer()
    .log.slice(after)
    .map((line) => JSON.parse(line) as { readonly msg: string; readonly status?: number; readonly reason?: string });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graticule-tls-'));
  await useCertificate('first');
  running = await startTestServer({
    flags: ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')],
  });
  const { app } = running.server;
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});

afterAll(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends a request over HTTP/2. */
function send(session: ClientHttp2Session, method: string, path: string, body?: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': method,
      ':path': `/geoserver${path}`,
      authorization,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    let headers: Received['headers'] = {};
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (received) => {
      headers = received;
    });
    stream.on('data', (piece: string) => {
      text += piece;
    });
    stream.on('end', () => resolve({ status: Number(headers[':status']), headers, text }));
    stream.on('error', reject);
    stream.end(body);
  });
}

async function withSession<T>(use: (session: ClientHttp2Session) => Promise<T>): Promise<T> {
  const session = connect(`https://localhost:${port}`, { rejectUnauthorized: false });
  try {
    return await use(session);
  } finally {
    session.close();
  }
}

/** Returns the name in the certificate of a new connection. */
function readServerName(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

async function waitUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('HTTP/2 over TLS', () => {
  it('creates, reads and deletes resources, with links that begin with https', async () => {
    await withSession(async (session) => {
      const created = await send(session, 'POST', '/rest/workspaces', '{"workspace":{"name":"secure"}}');
      const head = await send(session, 'HEAD', '/rest/workspaces/secure.json');
      const read = await send(session, 'GET', '/rest/workspaces/secure.json');
      const deleted = await send(session, 'DELETE', '/rest/workspaces/secure');

      expect([created.status, created.headers['location']]).toEqual([
        201,
        `https://localhost:${port}/geoserver/rest/workspaces/secure`,
      ]);
      expect([head.status, head.text, read.status, deleted.status]).toEqual([200, '', 200, 200]);
      expect(read.text).toContain(`https://localhost:${port}/geoserver/rest/workspaces/secure/`);
    });
  });

  it('serves many requests of one connection at a time', async () => {
    await withSession(async (session) => {
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, index) => send(session, 'GET', `/rest/workspaces/unknown-${index}.json`)),
      );

      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 404));
      expect(replies.every(({ text }, index) => text.includes(`'unknown-${index}'`))).toBe(true);
    });
  });

  it('sends long documents completely', async () => {
    await withSession(async (session) => {
      const { status, text, headers } = await send(session, 'GET', '/rest/openapi.json');

      expect(status).toBe(200);
      expect(Buffer.byteLength(text)).toBe(Number(headers['content-length']));
      expect(text.length).toBeGreaterThan(200_000);
    });
  });

  it('logs 499 for a client that cancels an event stream', async () => {
    const before = getServer().log.length;
    await withSession(async (session) => {
      const stream = session.request({ ':path': '/geoserver/rest/events', authorization, accept: 'text/event-stream' });
      await new Promise((resolve) => stream.once('response', resolve));

      stream.close(constants.NGHTTP2_CANCEL);

      await waitUntil(() => readLog(before).some(({ status }) => status === 499));
    });
  });
});

describe('a client of HTTP/2', () => {
  it('can send as many headers as a client of HTTP/1.1', async () => {
    await withSession(async (session) => {
      const headers = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x-${index}`, 'v']));
      const stream = session.request({ ':path': '/readyz', ...headers });
      const status = await new Promise((resolve, reject) => {
        stream.once('response', (received) => resolve(received[':status'])).once('error', reject);
      });
      stream.close();

      expect(status).toBe(200);
    });
  });

  it('is disconnected when it is idle, although the headers of a request are incomplete', async () => {
    const { app } = getServer().server;
    const opened = once(app.server, 'session') as Promise<[ServerHttp2Session]>;
    const client = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    await once(client, 'secureConnect');
    client.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    // Settings, and the beginning of the headers of a request.
    client.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    client.write(Buffer.from([0, 0, 3, 1, 0, 0, 0, 0, 1, 0x82, 0x87, 0x84]));
    const [session] = await opened;
    await once(client, 'data');

    session.emit('timeout');

    await once(client.resume(), 'close');
    expect(session.destroyed).toBe(true);
  });

  it('is disconnected if it reads nothing, although it sends pings', { timeout: 60_000 }, async () => {
    await withSession(async (session) => {
      const raw: { response?: SecureRaw } = {};
      getServer().server.app.server.once('request', (_, response: SecureRaw) => {
        raw.response = response;
      });
      const stream = session.request({ ':path': '/geoserver/rest/openapi.json', authorization });
      stream.pause();
      const closed = new Promise((resolve) => stream.once('close', () => resolve(stream.rstCode)));
      stream.on('error', () => undefined);
      const pings = setInterval(() => session.ping(() => undefined), 20);
      await waitUntil(() => (raw.response?.writableLength ?? 0) > 0);

      raw.response?.watchStall(200);

      expect(await closed).toBe(constants.NGHTTP2_CANCEL);
      clearInterval(pings);
    });
  });
});

describe('a server with a certificate', () => {
  it('closes connections that do not begin TLS within the time for headers', async () => {
    const flags = ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')];
    const impatient = await startTestServer({ flags: [...flags, '--request-timeout-ms', '1000'] });
    try {
      const { app } = impatient.server;
      await app.listen({ host: '127.0.0.1', port: 0 });
      const silent = connectPlain((app.server.address() as AddressInfo).port, '127.0.0.1').resume();
      await once(silent, 'close');

      expect(silent.bytesRead).toBe(0);
    } finally {
      await impatient.close();
    }
  });

  it('serves HTTP/1.1 as well', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false };
      requestOnce(options, (reply) => {
        reply.resume();
        resolve([reply.httpVersion, reply.statusCode]);
      })
        .on('error', reject)
        .end();
    });

    expect(status).toEqual(['1.1', 200]);
  });

  it('uses replaced files for new connections without an interruption of others', { timeout: 60_000 }, async () => {
    await withSession(async (session) => {
      expect(await readServerName()).toBe('first.example');
      await useCertificate('second');

      const statuses = new Set<number>();
      await waitUntil(async () => {
        statuses.add((await send(session, 'GET', '/rest/workspaces.json')).status);
        return (await readServerName()) === 'second.example';
      });

      expect([...statuses]).toEqual([200]);
    });
  });

  it('keeps its certificate while the files are unusable, and logs the reason once', { timeout: 60_000 }, async () => {
    const inUse = await readServerName();
    const before = getServer().log.length;
    await writeFile(join(folder, 'key.pem'), 'not a key');

    const listFaults = () => readLog(before).filter(({ msg }) => msg === 'the new certificate cannot be used');
    await waitUntil(() => listFaults().length > 0);

    expect(listFaults()[0]?.reason).toContain('are not a certificate and its private key');
    expect(await readServerName()).toBe(inUse);
  });

  it.each([
    ['only a certificate', { tlsCert: 'cert.pem', tlsKey: undefined }, 'TLS requires both --tls-cert and --tls-key'],
    ['a missing file', { tlsCert: 'missing.pem', tlsKey: 'missing.pem' }, "Cannot read --tls-cert 'missing.pem'"],
    [
      'a key of another certificate',
      { tlsCert: join(fixtures, 'first.cert.pem'), tlsKey: join(fixtures, 'second.key.pem') },
      'are not a certificate and its private key',
    ],
  ])('does not start with %s', async (_, settings, message) => {
    await expect(readCertificate(settings)).rejects.toThrow(message);
  });
});
