import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { startRemoteServer } from '../../../test/support/remote-server.ts';
import { readStreamText, testGate } from '../../../test/support/url-gates.ts';

const checks = { data: '^http://(data|mirror)\\.example\\.com:\\d+/.*$' };
const names = { 'data.example.com': ['127.0.0.1'], 'mirror.example.com': ['127.0.0.1'] };

async function openRange(answer: (response: ServerResponse, path: string, port: number) => void, ifMatch?: string) {
  const remote = await startRemoteServer((request, response) => answer(response, request.url ?? '', remote.port));
  const gate = testGate({ checks, names });
  const range = { first: 10, last: 19, ...(ifMatch === undefined ? {} : { ifMatch }) };
  const opening = gate.open(`http://data.example.com:${remote.port}/dem.tif`, { range, nothingBy: [412] });
  return { remote, opening };
}

it('requests a part of a body and returns it with its version', async () => {
  const { remote, opening } = await openRange((response) => {
    response.writeHead(206, {
      'content-range': 'bytes 10-14/15',
      etag: '"7"',
      'last-modified': 'Sun, 15 Nov 2026 00:00:00 GMT',
    });
    response.end('abcde');
  }, '"7"');

  const opened = await opening;

  expect(opened.part).toEqual({
    first: 10,
    last: 14,
    totalBytes: 15,
    etag: '"7"',
    lastModified: 'Sun, 15 Nov 2026 00:00:00 GMT',
  });
  expect(await readStreamText(opened.body)).toBe('abcde');
  expect(remote.headers[0]).toMatchObject({ range: 'bytes=10-19', 'if-match': '"7"' });
});

it('does not send a weak entity tag, which never matches', async () => {
  const { remote, opening } = await openRange((response) => response.writeHead(412).end(), 'W/"7"');

  const opened = await opening;

  expect([opened.isNothing, opened.part]).toEqual([true, undefined]);
  expect(remote.headers[0]).not.toHaveProperty('if-match');
});

it('requests the part from the target of a redirect that a check allows', async () => {
  const { remote, opening } = await openRange((response, path, port) => {
    if (path === '/dem.tif') response.writeHead(307, { location: `http://mirror.example.com:${port}/b.tif` }).end();
    else response.writeHead(206, { 'content-range': 'bytes 10-19/100' }).end('abcdefghij');
  });

  expect(await readStreamText((await opening).body)).toBe('abcdefghij');
  expect(remote.headers.map(({ range }) => range)).toEqual(['bytes=10-19', 'bytes=10-19']);
});

it.each([
  ['the whole body', 200, {}, 'its server does not support range requests'],
  ['a part beyond the end', 416, { 'content-range': 'bytes */5' }, 'it has fewer than 11 bytes'],
  ['an error', 500, {}, 'it returned status 500'],
  ['a part without its position', 206, {}, 'its response is not the requested range'],
  ['an earlier part', 206, { 'content-range': 'bytes 9-19/100' }, 'its response is not the requested range'],
  ['a shorter part', 206, { 'content-range': 'bytes 10-18/100' }, 'its response is not the requested range'],
  ['a part of unknown size', 206, { 'content-range': 'bytes 10-19/*' }, 'its response is not the requested range'],
  [
    'several parts',
    206,
    { 'content-type': 'multipart/byteranges; boundary=x' },
    'its response is not the requested range',
  ],
] as const)('rejects %s', async (_, status, headers, reason) => {
  const { opening } = await openRange((response) => response.writeHead(status, headers).end('abcdefghij'));

  await expect(opening).rejects.toMatchObject({ code: 'url-unreachable', message: expect.stringContaining(reason) });
});
