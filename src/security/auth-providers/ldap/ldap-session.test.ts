import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { askOnce } from '../../../../test/support/directories.ts';
import { freePort } from '../../../../test/support/services/free-port.ts';
import { DirectoryUnavailable } from './ldap-session.ts';

const host = '127.0.0.1';
const ann = { user: 'ann', password: 'secret' };

/** Runs a server that handles each connection with `treat`, and passes its port to the work. */
async function withServer(treat: (socket: Socket) => void, work: (port: number) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    treat(socket);
  }).listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  try {
    await work(typeof address === 'object' ? (address?.port ?? 0) : 0);
  } finally {
    for (const socket of sockets) {
      socket.destroy();
    }
    server.close();
  }
}

const settings = (port: number) => ({ serverURL: `ldap://${host}:${port}`, userDnPattern: 'uid={0}' });

it('reports an unreachable directory as unavailable without delay', async () => {
  const port = await freePort(host);

  await expect(askOnce(settings(port), ann, { timeoutMs: 60_000 })).rejects.toThrow(/ECONNREFUSED/);
});

it.each([
  ['', {}],
  [' to StartTLS', { useTLS: true }],
])('reports a directory that never responds%s as unavailable after the timeout', async (_what, more) => {
  const seen: Buffer[] = [];
  await withServer(
    (socket) => socket.on('data', (data) => seen.push(data)),
    async (port) => {
      const asked = askOnce({ ...settings(port), ...more }, ann, { timeoutMs: 200 });

      await expect(asked).rejects.toThrow(DirectoryUnavailable);
    },
  );
  if ('useTLS' in more) {
    expect(Buffer.concat(seen).includes('secret')).toBe(false);
  }
});

it('reports a directory that sends garbage or closes the connection as unavailable', async () => {
  for (const treat of [
    (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    (socket: Socket) => void socket.destroy(),
  ]) {
    await withServer(treat, async (port) => {
      await expect(askOnce(settings(port), ann, { timeoutMs: 60_000 })).rejects.toThrow(DirectoryUnavailable);
    });
  }
});

const consent = (code: number) => [0x30, 0x0c, 0x02, 0x01, 0x01, 0x78, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00];

it.each([
  ['refuses StartTLS', consent(2), /refuses StartTLS/],
  ['sends another response', [0x30, 0x03, 0x02, 0x01, 0x01], /refuses StartTLS/],
  ['sends cleartext after its StartTLS response', [...consent(0), 0x30], /between/],
  ['sends an endless response', Array<number>(2_000).fill(0x30), /refuses StartTLS|between|malformed/],
  ['does not start TLS after its response', [...consent(0)], /./],
])('sends no password when TLS is required and a server %s', async (_what, answer, reason) => {
  const seen: Buffer[] = [];
  await withServer(
    (socket) =>
      socket.on('data', (data) => {
        seen.push(data);
        socket.write(Buffer.from(seen.length === 1 ? answer : [1, 2, 3, 4, 5, 6]));
      }),
    async (port) => {
      const asked = askOnce({ ...settings(port), useTLS: true }, ann, { timeoutMs: 60_000 });

      await expect(asked).rejects.toThrow(reason);
    },
  );
  expect(seen.length).toBeGreaterThan(0);
  expect(Buffer.concat(seen).includes('secret')).toBe(false);
});

it('closes the connection to a server that never stops sending', async () => {
  const noise = Buffer.alloc(1_048_576, 0x41);
  await withServer(
    (socket) => {
      // The header of a message of 4 GB.
      socket.write(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]));
      const send = () => {
        while (!socket.destroyed && socket.write(noise)) {}
      };
      socket.on('drain', send).on('data', send);
    },
    async (port) => {
      await expect(askOnce(settings(port), ann, { timeoutMs: 60_000 })).rejects.toThrow(/more than/);
    },
  );
});

it('authenticates no user with a directory that has no URL or no way to find users', async () => {
  expect(await askOnce({}, ann, { timeoutMs: 60_000 })).toBeUndefined();
  await withServer(
    () => undefined,
    async (port) => {
      expect(await askOnce({ serverURL: `ldap://${host}:${port}` }, ann, { timeoutMs: 60_000 })).toBeUndefined();
    },
  );
});
