import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startRawServer, startRemoteServer } from '../../test/support/remote-server.ts';
import { readStreamText, testGate } from '../../test/support/url-gates.ts';

/** A check that names the host, because only such checks open the loopback address of the tests. */
const tiles = { tiles: '^http://tiles\\.example\\.com:\\d+/.*$' };
const names = { 'tiles.example.com': ['127.0.0.1'] };

describe('allowed URL', () => {
  it('is opened with its host name at the address that was checked', async () => {
    const remote = await startRemoteServer((_request, response) => {
      response.setHeader('content-type', 'image/png').end('pixels');
    });
    const gate = testGate({ checks: tiles, names });

    const opened = await gate.open(`http://tiles.example.com:${remote.port}/a?b=c#d`);

    expect(await readStreamText(opened.body)).toBe('pixels');
    expect(opened).toMatchObject({
      contentType: 'image/png',
      shown: `http://tiles.example.com:${remote.port}/a`,
    });
    expect(remote.asked).toEqual([`GET tiles.example.com:${remote.port} /a?b=c`]);
    expect(gate.lookedUp).toEqual(['tiles.example.com']);
  });

  it('is requested without credentials, cookies, referrer and compression', async () => {
    const remote = await startRemoteServer((_request, response) => response.end());
    const gate = testGate({ checks: tiles, names });

    (await gate.open(`http://tiles.example.com:${remote.port}/`, { accept: 'image/png' })).body.resume();

    expect(remote.headers[0]).toEqual({
      accept: 'image/png',
      'accept-encoding': 'identity',
      'user-agent': 'Graticule',
      host: `tiles.example.com:${remote.port}`,
      connection: 'close',
    });
  });

  it('tries its addresses in turn', async () => {
    const remote = await startRemoteServer((_request, response) => response.end('here'));
    const gate = testGate({ checks: tiles, names: { 'tiles.example.com': ['127.0.0.2', '127.0.0.1'] } });

    const { body } = await gate.open(`http://tiles.example.com:${remote.port}/`);

    expect(await readStreamText(body)).toBe('here');
  });

  it('can contain an address instead of a host name', async () => {
    const remote = await startRemoteServer((_request, response) => response.end('here'));
    const gate = testGate({ checks: { loopback: '^http://(127\\.0\\.0\\.1|\\[::ffff:7f00:1\\]):\\d+/.*$' } });

    const old = await gate.open(`http://127.0.0.1:${remote.port}/`);
    const mapped = await gate.open(`http://[::ffff:7f00:1]:${remote.port}/`);

    expect(await readStreamText(old.body)).toBe('here');
    expect(await readStreamText(mapped.body)).toBe('here');
    expect(remote.asked).toEqual([`GET 127.0.0.1:${remote.port} /`, `GET [::ffff:7f00:1]:${remote.port} /`]);
    expect(gate.lookedUp).toEqual([]);
  });

  it('sends its host name to a TLS server', async () => {
    const remote = await startRawServer('', true);
    const gate = testGate({ checks: { tiles: '^https://tiles\\.example\\.com:\\d+/.*$' }, names });

    await expect(gate.open(`https://tiles.example.com:${remote.port}/`)).rejects.toMatchObject({
      code: 'url-unreachable',
    });

    const [hello] = remote.asked;
    expect(hello?.charCodeAt(0)).toBe(22);
    expect(hello).toContain('tiles.example.com');
  });

  it('can be checked without being opened', async () => {
    const gate = testGate({ checks: tiles, names });

    expect(await gate.check('http://tiles.example.com:1/a')).toMatchObject({
      kind: 'open',
      check: 'tiles',
      addresses: [{ address: '127.0.0.1', family: 4 }],
    });
    expect(await gate.check('http://tiles.example.com/a')).toEqual({
      kind: 'refused',
      shown: 'http://tiles.example.com/a',
      reason:
        'no enabled URL check matches it; an administrator can allow it with a check at /urlchecks, such as ^http://tiles[.]example[.]com/.*$',
    });
    expect(await testGate({ checks: tiles }).check('http://tiles.example.com:1/a')).toMatchObject({
      kind: 'unresolved',
      check: 'tiles',
    });
  });

  it('follows a relative redirect', async () => {
    const remote = await startRemoteServer((request, response) => {
      if (request.url === '/old/a') {
        response.writeHead(302, { location: '../new?x=1#y' }).end('moved');
      } else {
        response.end('moved here');
      }
    });
    const gate = testGate({ checks: tiles, names });

    const opened = await gate.open(`http://tiles.example.com:${remote.port}/old/a`);

    expect(await readStreamText(opened.body)).toBe('moved here');
    expect(remote.asked.map((each) => each.split(' ')[2])).toEqual(['/old/a', '/new?x=1']);
  });
});

describe('remote response', () => {
  it('is rejected if its declared length exceeds the limit', async () => {
    const remote = await startRemoteServer((_request, response) => response.end('x'.repeat(101)));
    const gate = testGate({ checks: tiles, names });

    await expect(gate.open(`http://tiles.example.com:${remote.port}/big?key=1`, { maxBytes: 100 })).rejects.toThrow(
      expect.objectContaining({
        code: 'url-too-large',
        message: `The content of the URL 'http://tiles.example.com:${remote.port}/big' exceeds the limit of 100 bytes.`,
      }),
    );
  });

  it('is cut off at its declared length', async () => {
    const remote = await startRawServer('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdefgh', false);
    const gate = testGate({ checks: tiles, names });

    const { body } = await gate.open(`http://tiles.example.com:${remote.port}/`);

    expect(await readStreamText(body)).toBe('abc');
  });

  it.each([true, false])('is rejected if it switches the protocol (the server disconnects: %s)', async (ends) => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nabc';
    const remote = await startRawServer(switching, ends);
    const gate = testGate({ checks: tiles, names });

    await expect(gate.open(`http://tiles.example.com:${remote.port}/`)).rejects.toThrow('it returned status 101');
    await expect.poll(() => remote.connections()).toBe(0);
  });

  it('is cut off at the limit without a declared length', async () => {
    const remote = await startRemoteServer((_request, response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) {}
      };
      response.on('drain', pour);
      pour();
    });
    const gate = testGate({ checks: tiles, names });

    const { body } = await gate.open(`http://tiles.example.com:${remote.port}/`, { maxBytes: 1_000_000 });

    await expect(readStreamText(body)).rejects.toMatchObject({ code: 'url-too-large' });
  });

  it('counts as reset if it is shorter than declared', async () => {
    const remote = await startRawServer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', true);
    const gate = testGate({ checks: tiles, names });

    const { body } = await gate.open(`http://tiles.example.com:${remote.port}/`);

    await expect(readStreamText(body)).rejects.toMatchObject({
      code: 'url-unreachable',
      message: expect.stringContaining('the connection was reset'),
    });
  });

  it.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde', 'valid HTTP'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      'valid HTTP',
    ],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'valid HTTP'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(10_000)}`, 'headers'],
    ['an unrequested encoding', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n', 'encoding'],
    ['an error', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n', 'status 404'],
    ['a redirect without a target', 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n', 'status 302'],
    ['nothing', '', 'was reset'],
  ])('reports the reason for %s', async (_case, bytes, reason) => {
    const remote = await startRawServer(bytes, true);
    const gate = testGate({ checks: tiles, names });

    await expect(gate.open(`http://tiles.example.com:${remote.port}/`)).rejects.toMatchObject({
      code: 'url-unreachable',
      message: expect.stringContaining(reason),
    });
  });

  it('closes the connection if the caller stops reading', async () => {
    const remote = await startRemoteServer((_request, response) => response.write('begin'));
    const gate = testGate({ checks: tiles, names });
    const { body } = await gate.open(`http://tiles.example.com:${remote.port}/`);
    await once(body, 'readable');

    body.destroy();

    await expect.poll(() => remote.connections()).toBe(0);
  });
});

describe('time limits', () => {
  it('limits the time to the first byte', async () => {
    const remote = await startRemoteServer(() => {});
    const gate = testGate({ checks: tiles, names });

    await expect(gate.open(`http://tiles.example.com:${remote.port}/a?b`, { timeoutMs: 50 })).rejects.toThrow(
      expect.objectContaining({
        code: 'url-too-slow',
        message: `The URL 'http://tiles.example.com:${remote.port}/a' could not be read within 50 ms.`,
      }),
    );
  });

  it('limits the time for a slow body', async () => {
    const late = new AbortController();
    const remote = await startRemoteServer((_request, response) => {
      const dripping = setInterval(() => response.write('.'), 1);
      response.on('close', () => clearInterval(dripping));
    });
    const gate = testGate({ checks: tiles, names, deadline: () => late.signal });
    const { body } = await gate.open(`http://tiles.example.com:${remote.port}/`);
    let drops = 0;
    body.on('data', () => {
      drops += 1;
      if (drops === 5) {
        late.abort();
      }
    });

    const error = await new Promise((resolve) => body.on('error', resolve));

    expect(error).toMatchObject({ code: 'url-too-slow' });
    await expect.poll(() => remote.connections()).toBe(0);
  });

  it('limits the idle time within a body', async () => {
    const remote = await startRemoteServer((_request, response) => response.write('begin'));
    const gate = testGate({ checks: tiles, names, limits: { idleTimeoutMs: 50 } });

    const reading = gate.open(`http://tiles.example.com:${remote.port}/`).then(({ body }) => readStreamText(body));

    await expect(reading).rejects.toMatchObject({ code: 'url-too-slow' });
  });

  it('limits the time for a name server', async () => {
    const gate = testGate({ checks: tiles, names, deadline: () => AbortSignal.abort() });

    await expect(gate.open('http://tiles.example.com:1/')).rejects.toMatchObject({ code: 'url-too-slow' });
  });

  it('ends when the caller aborts', async () => {
    const caller = new AbortController();
    const remote = await startRemoteServer(() => caller.abort(new Error('enough')));
    const gate = testGate({ checks: tiles, names });

    await expect(
      gate.open(`http://tiles.example.com:${remote.port}/`, { signal: caller.signal }),
    ).rejects.toMatchObject({ message: 'The caller aborted the request', cause: { message: 'enough' } });
    await expect.poll(() => remote.connections()).toBe(0);
  });
});

describe('unreachable host', () => {
  it('is reported as unknown or refused, without its address', async () => {
    const remote = await startRawServer('', true);
    const gate = testGate({ checks: tiles, names: { ...names, 'tiles.example.com': ['127.0.0.3'] } });

    await expect(testGate({ checks: tiles }).open('http://tiles.example.com:1/')).rejects.toThrow(
      "The URL 'http://tiles.example.com:1/' could not be read: its host is unknown.",
    );
    await expect(gate.open(`http://tiles.example.com:${remote.port}/`)).rejects.toThrow(
      `The URL 'http://tiles.example.com:${remote.port}/' could not be read: its host refused the connection.`,
    );
  });
});
