/**
 * Lesson 14: the address is pinned after the check, every redirect is checked again, and internal addresses stay
 * closed.
 */
import { describe, expect, it } from 'vitest';
import { startRemoteServer } from '../support/remote-server.ts';
import { readStreamText, testGate } from '../support/url-gates.ts';

describe('lesson 14: host names that change their address', () => {
  it('looks up the name once, and connects to the address that was checked', async () => {
    const remote = await startRemoteServer((_request, response) => response.end('first'));
    const gate = testGate({
      checks: { mine: '^http://rebind\\.example\\.com:\\d+/.*$' },
      // A second lookup would return an address where no server listens.
      names: { 'rebind.example.com': [['127.0.0.1'], ['127.0.0.9']] },
    });

    const { body } = await gate.open(`http://rebind.example.com:${remote.port}/`);

    expect(await readStreamText(body)).toBe('first');
    expect(gate.lookedUp).toEqual(['rebind.example.com']);
  });

  it('does not reach an internal address through a check that matches every host', async () => {
    const remote = await startRemoteServer((_request, response) => response.end('secret'));
    const gate = testGate({
      checks: { all: '^https?://.*$' },
      names: { 'rebind.example.com': [['93.184.216.34'], ['127.0.0.1']] },
    });

    // The first lookup returns a public address (allowed), the second an internal one (rejected): no result is cached.
    expect(await gate.check('http://rebind.example.com/')).toMatchObject({ kind: 'open' });
    await expect(gate.open(`http://rebind.example.com:${remote.port}/`)).rejects.toMatchObject({ code: 'url-refused' });
    expect(remote.asked).toEqual([]);
  });

  it('checks all addresses of a name, not only the first', async () => {
    const gate = testGate({
      checks: { all: '^https?://.*$' },
      names: { 'mixed.example.com': ['93.184.216.34', '10.0.0.1'], 'mixed6.example.com': ['93.184.216.34', 'fe80::1'] },
    });

    expect(await gate.check('http://mixed.example.com/')).toMatchObject({ kind: 'refused', check: 'all' });
    expect(await gate.check('http://mixed6.example.com/')).toMatchObject({ kind: 'refused', check: 'all' });
  });
});

describe('lesson 14: redirects', () => {
  const targets = [
    ['a host without a check', 'http://evil.example.org/'],
    ['the loopback address', 'http://127.0.0.1/admin'],
    ['the metadata address', 'http://169.254.169.254/latest/meta-data/'],
    ['an internal host name', 'http://inside.example.com/'],
    ['a file URL', 'file:///etc/passwd'],
    ['another protocol', 'gopher://evil.example.org/'],
    ['credentials', 'http://user:pw@start.example.com/'],
    ['a host written as a number', 'http://2130706433/'],
    ['a protocol-relative URL', '//evil.example.org/'],
    ['a host after backslashes', '\\\\evil.example.org\\'],
    ['a host after a slash and a backslash', '/\\evil.example.org'],
  ] as const;

  it.each(targets)('does not follow a redirect to %s', async (_case, location) => {
    const remote = await startRemoteServer((_request, response) => response.writeHead(302, { location }).end());
    const gate = testGate({
      checks: { start: '^http://start\\.example\\.com:\\d+/.*$', broad: '^http://(inside|169|127).*$' },
      names: {
        'start.example.com': ['127.0.0.1'],
        'inside.example.com': ['10.0.0.1'],
        'evil.example.org': ['93.184.216.34'],
      },
    });

    await expect(gate.open(`http://start.example.com:${remote.port}/`)).rejects.toMatchObject({
      code: 'url-refused',
      status: 403,
    });
    expect(remote.asked).toHaveLength(1);
  });

  it('checks and looks up every hop again', async () => {
    const remote = await startRemoteServer((request, response) => {
      const hop = Number(request.url?.slice(1));
      const host = hop === 2 ? 'forbidden.example.com' : 'start.example.com';
      response.writeHead(307, { location: `http://${host}:${remote.port}/${hop + 1}` }).end();
    });
    const gate = testGate({
      checks: { start: '^http://start\\.example\\.com:\\d+/.*$' },
      names: { 'start.example.com': ['127.0.0.1'], 'forbidden.example.com': ['127.0.0.1'] },
    });

    await expect(gate.open(`http://start.example.com:${remote.port}/0`)).rejects.toMatchObject({
      message: expect.stringContaining(
        `The URL 'http://forbidden.example.com:${remote.port}/3' is not allowed: no enabled URL check matches it;`,
      ),
    });
    expect(remote.asked.map((each) => each.split('/').at(-1))).toEqual(['0', '1', '2']);
    expect(gate.lookedUp).toEqual(Array(3).fill('start.example.com'));
  });

  it('stops following a redirect loop', async () => {
    const remote = await startRemoteServer((_request, response) =>
      response.writeHead(301, { location: '/again' }).end(),
    );
    const gate = testGate({
      checks: { start: '^http://start\\.example\\.com:\\d+/.*$' },
      names: { 'start.example.com': ['127.0.0.1'] },
    });

    await expect(gate.open(`http://start.example.com:${remote.port}/`)).rejects.toThrow('redirects more than 5 times');
    expect(remote.asked).toHaveLength(6);
  });
});

describe('lesson 14: internal addresses', () => {
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '::1',
    'fd12::1',
    '::ffff:7f00:1',
  ];
  const sealed = [
    '169.254.169.254',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'ff02::1',
    'fd00:ec2::254',
  ];
  const urlOf = (address: string) => `http://${address.includes(':') ? `[${address}]` : address}/`;
  const exactly = (url: string) => ({ exact: `^${url.replaceAll(/[.[\]]/g, '\\$&')}.*$` });

  it.each([...inside, ...sealed])('rejects %s with a check that matches everything', async (address) => {
    const gate = testGate({ checks: { all: '.*' }, names: { 'name.example.com': [address] } });

    expect(await gate.check(urlOf(address))).toMatchObject({ kind: 'refused', check: 'all' });
    expect(await gate.check('http://name.example.com/')).toMatchObject({ kind: 'refused', check: 'all' });
  });

  it.each(inside)('allows %s with a check that names its host', async (address) => {
    const url = urlOf(address);
    const gate = testGate({
      checks: { all: '.*', ...exactly(url), name: '^http://name\\.example\\.com/.*$' },
      names: { 'name.example.com': [address] },
    });

    expect(await gate.check(url)).toMatchObject({ kind: 'open', check: 'exact' });
    expect(await gate.check('http://name.example.com/')).toMatchObject({ kind: 'open', check: 'name' });
  });

  it.each(sealed)('rejects %s even with a check that names its host, unless the setting allows it', async (address) => {
    const url = urlOf(address);

    expect(await testGate({ checks: exactly(url) }).check(url)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('which no URL check can open'),
    });
    expect(await testGate({ checks: { all: '.*' }, allowPrivateAddresses: true }).check(url)).toMatchObject({
      kind: 'open',
      check: 'all',
    });
  });
});
