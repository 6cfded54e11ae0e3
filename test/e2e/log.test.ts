/** The log: one line per request, in JSON or readable text, without secrets. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../support/find-program.ts';
import { type LogLine, requestLines } from './log-lines.ts';
import { spawnServer } from './server-process.ts';
import { ADMIN_PASSWORD, type StartedServer, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { within } from './within.ts';

/** The request lines below the REST root, after the log is complete. */
async function linesAtTheEnd(server: StartedServer): Promise<readonly LogLine[]> {
  const { stderr } = await server.stop();
  return requestLines(stderr).filter((line) => line['path'] !== '/readyz');
}

/** Sends bytes that no HTTP client would send. */
function sendBytes(server: StartedServer, request: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.end(request, 'latin1');
  return within(text(socket), 'the end of the connection');
}

describe('The log in JSON', () => {
  test('has one line per request, with its details and the id of the response, which no client chooses', async () => {
    const server = await startServer();
    const created = await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
    const read = await server.request('GET', '/workspaces/acme.json', { headers: { 'x-request-id': 'forged' } });
    const missing = await server.request('GET', '/workspaces/missing');
    const nowhere = await server.request('GET', '/nowhere');
    const anonymous = await server.request('DELETE', '/workspaces/acme', { as: null });

    const lines = await linesAtTheEnd(server);

    const root = '/geoserver/rest';
    const one = `${root}/workspaces/:workspace`;
    const facts = {
      level: 30,
      ms: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      client: '127.0.0.1',
      msg: 'request',
    };
    const id = (reply: typeof created) => reply.headers['x-request-id'];
    const request = (method: string, path: string, route: string, status: number, user: unknown) =>
      ({ ...facts, method, path: `${root}${path}`, route, status, user }) as const;
    const refused = (code: string, reason: string) => ({ code, reason });
    expect(lines).toEqual([
      { ...request('POST', '/workspaces', `${root}/workspaces`, 201, 'admin'), requestId: id(created) },
      { ...request('GET', '/workspaces/acme.json', one, 200, 'admin'), requestId: id(read) },
      {
        ...request('GET', '/workspaces/missing', one, 404, 'admin'),
        requestId: id(missing),
        ...refused('workspace-unknown', "No such workspace: 'missing'."),
      },
      {
        ...request('GET', '/nowhere', '-', 404, 'admin'),
        requestId: id(nowhere),
        ...refused('path-unknown', "No resource exists at '/geoserver/rest/nowhere'."),
      },
      {
        ...request('DELETE', '/workspaces/acme', one, 401, expect.stringMatching(/^(?:-|anonymous)$/)),
        requestId: id(anonymous),
        ...refused('credentials-required', 'A valid user name and password are required (HTTP Basic).'),
      },
    ]);
    expect(new Set(lines.map((line) => line['requestId'])).size).toBe(5);
    expect(id(read)).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.process.stderr()).not.toContain('forged');
  });

  test('has a line for a client that disconnected before the response', async () => {
    const server = await startServer();
    const request = server.client.open('POST', '/workspaces', { 'content-length': '100', expect: '100-continue' });
    request.on('error', () => undefined);
    await within(new Promise((resolve) => request.once('continue', resolve)), 'the server to ask for the body');

    request.destroy();
    await server.process.waitFor('stderr', /"method":"POST"/);

    const lines = await linesAtTheEnd(server);
    expect(lines).toMatchObject([{ method: 'POST', status: 499, note: 'the client disconnected' }]);
  });
});

describe('Secrets', () => {
  test.each(['json', 'text'])('the log in %s contains no credentials, queries, bodies or cookies', async (format) => {
    const server = await startServer({ flags: ['--log-format', format, '--log-level', 'debug'] });
    const secrets: string[] = [ADMIN_PASSWORD, Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')];
    const secret = (name: string) => {
      secrets.push(`secret-${name}`);
      return `secret-${name}`;
    };

    await server.request('GET', `/workspaces?token=${secret('query')}`);
    await server.request('GET', `/workspaces/none?quietOnNotFound=true&x=${secret('query-of-404')}`);
    await server.request('GET', '/workspaces', { as: `admin:${secret('wrong-password')}` });
    await server.request('GET', '/workspaces', { as: `${secret('wrong-user')}:x` });
    await server.request('GET', '/workspaces', {
      headers: { cookie: secret('cookie'), 'x-api-key': secret('header') },
    });
    await server.request('POST', '/workspaces', { body: `{"workspace":{"name":"a","isolated":"${secret('value')}"}}` });
    await server.request('POST', '/workspaces', { body: `<workspace><${secret('malformed')}` });
    await server.request('DELETE', `/workspaces/none?recurse=${secret('flag')}`);
    await server.request('POST', '/workspaces', { body: `{"workspace":{"name":"a/'${secret('name')}' is"}}` });
    await server.request('POST', '/workspaces', {
      body: `<workspace><name>acme</name><metadata><entry key="k">${secret('metadata')}</entry></metadata></workspace>`,
    });
    const { hostname, port } = new URL(server.url);
    await sendBytes(
      server,
      `GET http://admin:${secret('url-password')}@${hostname}:${port}/geoserver/rest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    await sendBytes(server, `GET /x HTTP/1.1\r\nAuthorization: ${secret('broken-header')}\0\r\n\r\n`);
    const { stdout, stderr } = await server.stop();

    expect(secrets.filter((each) => stderr.includes(each) || stdout.includes(each))).toEqual([]);
    expect(stderr).toContain('/geoserver/rest/workspaces');
  });
});

describe('The text log', () => {
  test('has one readable line per request, in which control characters are escaped', async () => {
    const server = await startServer({ flags: ['--log-format', 'text'] });
    const reply = await server.request('GET', '/workspaces/missing');
    // Both the one-byte and the two-byte form start an escape sequence.
    for (const introducer of ['\x9b', '\x1b[']) {
      const request = `GET /geoserver/rest/${introducer}31mred HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expect(await sendBytes(server, request)).toMatch(/^HTTP\/1\.1 40[01] /);
    }
    await server.request('GET', '/workspaces/%1b%5b31mred%0d%0aforged%20line');
    await server.request('DELETE', '/workspaces/%C2%9b31mred%7f');

    const { stderr } = await server.stop();

    const lines = stderr.split('\n').filter((line) => line.includes('missing'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} INFO {2}404 GET \/geoserver\/rest\/workspaces\/missing [\d.]+ ms admin 127\.0\.0\.1 [0-9a-f-]{36} workspace-unknown: No such workspace: 'missing'\.$/,
    );
    expect(lines[0]).toContain(reply.headers['x-request-id']);
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(stderr).toContain('GET /geoserver/rest/workspaces/%1b%5b31mred%0d%0aforged%20line ');
    expect(stderr.split('\n').slice(0, -1)).toSatisfy((lines: readonly string[]) =>
      lines.every((line) => /^\d\d:\d\d:\d\d\.\d{3} INFO {2}/.test(line)),
    );
  });

  test('uses the text format on a terminal', async ({ skip }) => {
    const script = process.platform === 'linux' ? findProgram(['script']) : undefined;
    skip(script === undefined, "the 'script' of util-linux is missing; to get it: apt-get install bsdutils");
    const dataDir = join(await temporaryFolder(), 'data');
    const command = `'${process.execPath}' src/main.ts --port 0 --data-dir '${dataDir}'`;

    const server = spawnServer({ command: [script ?? '', '-qec', command, '/dev/null'] });

    await server.waitFor('stdout', /^\d\d:\d\d:\d\d\.\d{3} INFO {2}listening on http/m);
  });
});
