import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import { testGate } from '../../../test/support/url-gates.ts';

const checks = { tiles: '^http://(?:tiles|other)\\.example\\.com:\\d+/.*$' };
const names = { 'tiles.example.com': ['127.0.0.1'], 'other.example.com': ['127.0.0.1'] };

/** Answers ranges of a file of 1,000 bytes and records the connection of each request. */
async function startFileServer() {
  const sockets: Socket[] = [];
  const remote = await startRemoteServer((request, response) => {
    sockets.push(request.socket);
    const [, first, last] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []).map(Number);
    if (first === undefined || last === undefined) return void response.end('all');
    response.writeHead(206, {
      'content-range': `bytes ${first}-${last}/1000`,
      'content-length': last - first + 1,
    });
    response.end(Buffer.alloc(last - first + 1));
  });
  return { port: remote.port, sockets, countConnections: () => new Set(sockets).size };
}

type Gate = ReturnType<typeof testGate>;

async function readRange(gate: Gate, url: string, first: number): Promise<void> {
  const { body } = await gate.open(url, { range: { first, last: first + 9 } });
  expect(Buffer.concat(await body.toArray())).toHaveLength(10);
}

it('a connection is used for several ranges of a file', async () => {
  const { port, countConnections, sockets } = await startFileServer();
  const gate = testGate({ checks, names });

  for (const first of [0, 100, 200]) await readRange(gate, `http://tiles.example.com:${port}/a`, first);

  expect([sockets.length, countConnections()]).toEqual([3, 1]);
});

it('a connection is not shared with another host at the same address', async () => {
  const { port, countConnections } = await startFileServer();
  const gate = testGate({ checks, names });

  await readRange(gate, `http://tiles.example.com:${port}/a`, 0);
  await readRange(gate, `http://other.example.com:${port}/a`, 0);

  expect(countConnections()).toBe(2);
});

it('a connection that is open does not replace the decision about a URL', async () => {
  const { port, sockets } = await startFileServer();
  const gate = testGate({ checks: { tiles: '^http://tiles\\.example\\.com:\\d+/a$' }, names });
  await readRange(gate, `http://tiles.example.com:${port}/a`, 0);

  await expect(readRange(gate, `http://tiles.example.com:${port}/b`, 0)).rejects.toMatchObject({ code: 'url-refused' });
  expect(sockets).toHaveLength(1);
});

it('requests for whole bodies close their connection', async () => {
  const { port, countConnections } = await startFileServer();
  const gate = testGate({ checks, names });

  for (let count = 0; count < 2; count += 1) (await gate.open(`http://tiles.example.com:${port}/a`)).body.resume();

  await expect.poll(countConnections).toBe(2);
});
