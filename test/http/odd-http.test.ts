/** Unusual HTTP from proxies, scripts and attackers that only a real socket can send. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { authorization, useSocketClient } from '../support/socket-client.ts';

function workspace(name: string): string {
  return `<workspace><name>${name}</name></workspace>`;
}

/** Sends half a request, and disconnects once the server has received it. */
function leaveInTheMiddle(port: number, half: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(half, () => setImmediate(() => socket.destroy())));
    socket.on('close', () => resolve());
  });
}

describe('unusual HTTP over a socket', () => {
  const client = useSocketClient({ flags: ['--max-document-bytes', '2000'] });
  const xml = { 'content-type': 'text/xml' };
  const ask = (line: string, headers = '') =>
    client.exchange(
      `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n${headers}\r\n`,
    );

  it('HTTP/1.0 without a Host is answered with links to the local address', async () => {
    await client.request('POST', '/workspaces', { headers: xml, body: workspace('h10') });

    const said = await client.exchange(
      `GET /geoserver/rest/workspaces/h10.xml HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`,
    );

    expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(said).toContain(`href="http://127.0.0.1:${client.port}/geoserver/rest/workspaces/h10/datastores.xml"`);
  });

  it('an absolute request URL, as proxies send it, is accepted, and only its path is logged', async () => {
    const said = await client.exchange(
      `GET http://admin:hunter2@x/geoserver/rest/workspaces.json?a=b HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );

    expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(client.server.log.join('')).not.toContain('hunter2');
  });

  it('HEAD returns the headers of GET and no body', async () => {
    const got = await client.request('GET', '/workspaces.json');
    const headed = await client.request('HEAD', '/workspaces.json');

    expect(headed).toMatchObject({ status: 200, text: '' });
    expect(headed.headers['content-length']).toBe(got.headers['content-length']);
    expect(headed.headers['content-type']).toBe(got.headers['content-type']);
  });

  it('path traversal reaches no resource', async () => {
    for (const path of ['/workspaces/../../../../etc/passwd', '/workspaces/%2e%2e%2f%2e%2e', '/workspaces/..%5c..']) {
      expect((await client.request('GET', path)).status).toBe(404);
    }
  });

  it.each(['PATCH', 'PROPFIND', 'QUERY', 'TRACE', 'SEARCH'])(
    '%s returns 405, and 401 for anonymous clients',
    async (method) => {
      const reply = await client.request(method, '/workspaces');

      expect(reply.status).toBe(405);
      expect(reply.headers['allow']).toBe('GET, HEAD, OPTIONS, POST');
      expect((await client.request(method, '/workspaces', { anonymous: true })).status).toBe(401);
    },
  );

  it.each([
    ['in chunks', { chunks: Array.from({ length: 40 }, () => 'x'.repeat(10_000)) }],
    ['with a Content-Length', { body: 'x'.repeat(400_000) }],
  ])('a body that is too large, sent %s, is answered with 413 during the upload', async (_case, how) => {
    const reply = await client.request('POST', '/workspaces', { headers: xml, ...how });

    expect(reply.status).toBe(413);
    expect(reply.text).toContain('The body exceeds the limit of 2000 bytes.');
    expect((await client.request('GET', '/workspaces')).status).toBe(200);
  });

  it('a connection is reusable after a rejected body', async () => {
    const chunk = `7d0\r\n${'x'.repeat(2000)}\r\n`;

    const said = await client.exchange(
      `POST /geoserver/rest/workspaces HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );

    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('a client that disconnects in the middle of a body causes no server error', async () => {
    const half = `POST /geoserver/rest/workspaces HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 1000\r\n\r\n<workspace>`;

    await leaveInTheMiddle(client.port, half);
    await expect.poll(() => client.server.log.join('')).toContain('the client disconnected');

    expect(client.server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  it.each(['a:99999', '1.2.3.4.5', '[::::]', 'evil/path', 'a b'])(
    'a Host that is invalid in a URL (%s) is ignored and causes no server error',
    async (host) => {
      const headers = { ...xml, host, origin: 'http://x' };

      expect((await client.request('POST', '/workspaces', { headers, body: workspace('h') })).status).toBe(403);
      expect((await client.request('GET', '/workspaces.json', { headers })).text).not.toContain(host);
    },
  );

  it.each([
    [
      'a path with unencoded UTF-8',
      'GET /geoserver/rest/workspaces/m\u00c3\u00bcnchen',
      '',
      400,
      'Percent-encode every non-ASCII character',
    ],
    ['a request in another protocol', 'HELO maps.example.org', '', 400, 'This is not a valid HTTP request.'],
    [
      'an excess of headers',
      'GET /geoserver/rest',
      `X: ${'x'.repeat(100_000)}\r\n`,
      431,
      'request headers exceed the size limit',
    ],
    [
      'a duplicate Content-Length',
      'POST /geoserver/rest',
      'Content-Length: 1\r\nContent-Length: 2\r\n',
      400,
      'not a valid HTTP',
    ],
    [
      'a Content-Length with chunked encoding',
      'POST /',
      'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n',
      400,
      'not a valid HTTP',
    ],
  ])('%s is answered with a message', async (_case, line, headers, status, message) => {
    const said = await ask(line, headers);

    expect(said).toContain(`HTTP/1.1 ${status} `);
    expect(said).toContain(message);
    expect((await client.request('GET', '/workspaces')).status).toBe(200);
  });
});
