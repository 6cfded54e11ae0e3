/** Shutdown: requests in progress finish, new ones are rejected, and no client can delay the exit forever. */
import { readdir } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createClient, replyTo } from './http-client.ts';
import { type StartedServer, startServer } from './started-server.ts';
import { within } from './within.ts';

const body = '{"workspace":{"name":"late"}}';
const refused = /ECONNREFUSED|ECONNRESET|socket hang up/;

/** A request that is certainly in progress: the server has requested its body and received half of it. */
async function halfARequest(server: StartedServer): Promise<{ request: ClientRequest; finish: () => void }> {
  const request = server.client.open('POST', '/workspaces', {
    'content-type': 'application/json',
    'content-length': String(body.length),
    expect: '100-continue',
  });
  await within(new Promise((resolve) => request.once('continue', resolve)), 'the server to ask for the body');
  request.write(body.slice(0, 10));
  return { request, finish: () => request.end(body.slice(10)) };
}

async function isStopping(server: StartedServer): Promise<void> {
  await server.process.waitFor('stderr', /"msg":"stopping/);
}

describe.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('On %s', (signal) => {
  test('a request in progress is answered, new ones are rejected, and the exit code is 0', async () => {
    const server = await startServer();
    const { request, finish } = await halfARequest(server);
    const reply = replyTo(request);

    server.process.signal(signal);
    await isStopping(server);
    const newcomer = createClient(server.url, { credentials: null });
    await expect(newcomer.request('GET', '/readyz')).rejects.toThrow(refused);
    finish();

    expect(await reply).toMatchObject({ status: 201, text: 'late', headers: { connection: 'close' } });
    expect(await server.process.ended()).toMatchObject({ code: 0, signal: null });

    const next = await startServer({ dataDir: server.dataDir });
    expect((await next.request('GET', '/workspaces/late')).status).toBe(200);
  });

  test('an idle server exits immediately despite open keep-alive connections', async () => {
    const server = await startServer();
    await server.request('GET', '/workspaces');

    expect(await server.stop(signal)).toMatchObject({ code: 0, signal: null });
  });
});

test('a connection without any request is closed immediately, while requests in progress finish', async () => {
  const server = await startServer({ flags: ['--drain-timeout-ms', '600000'] });
  const { hostname, port } = new URL(server.url);
  const silent = createConnection(Number(port), hostname).resume();
  const closed = new Promise((resolve) => silent.once('close', resolve));
  await within(new Promise((resolve) => silent.once('connect', resolve)), 'a connection');
  const { request, finish } = await halfARequest(server);
  const reply = replyTo(request);

  server.process.signal('SIGTERM');
  await within(closed, 'the silent connection to be closed');
  finish();

  expect((await reply).status).toBe(201);
  expect(await server.process.ended()).toMatchObject({ code: 0, signal: null });
});

test('a client that keeps sending after its body was rejected does not delay the exit', async () => {
  // The log would contain a warning if the server had waited for the drain timeout.
  const server = await startServer({ flags: ['--drain-timeout-ms', '20000'] });
  const request = server.client.open('POST', '/workspaces', {
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
  });
  const reply = replyTo(request);
  let isOver = false;
  const ended = new Promise((resolve) => request.once('close', resolve));
  request.once('close', () => {
    isOver = true;
  });
  const spaces = Buffer.alloc(1_000_000, ' ');
  const sendMore = () => {
    if (!isOver) request.write(spaces, () => setTimeout(sendMore, 1));
  };
  sendMore();

  expect((await reply).status).toBe(413);
  expect(await server.stop()).toMatchObject({ code: 0, signal: null });
  await within(ended, 'the connection to be closed');
});

test('a keep-alive connection accepts no further request', async () => {
  const server = await startServer();
  const { request, finish } = await halfARequest(server);
  const reply = replyTo(request);
  const other = createClient(server.url, { credentials: null, maxConnections: 1 });
  expect((await other.request('GET', '/readyz')).status).toBe(200);

  server.process.signal('SIGTERM');
  await isStopping(server);
  const afterwards = await other.request('GET', '/readyz').then(
    ({ status }) => status,
    () => 'refused',
  );
  finish();

  expect([503, 'refused']).toContain(afterwards);
  expect((await reply).status).toBe(201);
  expect((await server.process.ended()).code).toBe(0);
});

test('a second signal, as from a terminal and from npm, does not interrupt requests in progress', async () => {
  const server = await startServer();
  const { request, finish } = await halfARequest(server);
  const reply = replyTo(request);

  server.process.signal('SIGINT');
  await isStopping(server);
  server.process.signal('SIGINT');
  server.process.signal('SIGTERM');
  finish();

  expect((await reply).status).toBe(201);
  expect(await server.process.ended()).toMatchObject({ code: 0, signal: null });
});

test('a request that never ends is aborted after the drain timeout, and leaves no data', async () => {
  const server = await startServer({
    flags: ['--drain-timeout-ms', '200'],
    expectedLog: [/"msg":"requests in progress did not finish within the drain timeout"/],
  });
  const { request } = await halfARequest(server);
  const reply = replyTo(request);
  reply.catch(() => undefined);

  const { code, signal, stderr } = await server.stop();

  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(stderr).toContain('"drainTimeoutMs":200,"msg":"requests in progress did not finish within the drain timeout"');
  await expect(reply).rejects.toThrow(refused);
  const next = await startServer({ dataDir: server.dataDir });
  expect((await next.request('GET', '/workspaces/late')).status).toBe(404);
});

test('an upload that never ends is aborted as well, and the next start finds no part of it', async () => {
  const server = await startServer({
    flags: ['--drain-timeout-ms', '200'],
    expectedLog: [/"msg":"requests in progress did not finish within the drain timeout"/],
  });
  expect((await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' })).status).toBe(201);
  const request = server.client.open('PUT', '/workspaces/acme/datastores/s/file.shp', {
    'content-type': 'application/zip',
    'content-length': '9000000',
    expect: '100-continue',
  });
  const reply = replyTo(request);
  reply.catch(() => undefined);
  await within(new Promise((resolve) => request.once('continue', resolve)), 'the server to ask for the body');
  request.write(Buffer.alloc(2_000_000));

  const { code, signal } = await server.stop();

  expect({ code, signal }).toEqual({ code: 0, signal: null });
  await expect(reply).rejects.toThrow(refused);
  const next = await startServer({ dataDir: server.dataDir });
  expect((await next.request('GET', '/workspaces/acme/datastores/s')).status).toBe(404);
  expect(await readdir(join(next.dataDir, 'staging'))).toEqual([]);
});

test('a client that disconnects in the middle of a request causes no server error', async () => {
  const server = await startServer();
  const { request } = await halfARequest(server);
  const reply = replyTo(request);
  reply.catch(() => undefined);

  request.destroy();
  await expect(reply).rejects.toThrow(refused);
  await server.process.waitFor('stderr', /"method":"POST"/);

  expect((await server.request('GET', '/workspaces/late')).status).toBe(404);
  expect((await server.stop()).code).toBe(0);
});
