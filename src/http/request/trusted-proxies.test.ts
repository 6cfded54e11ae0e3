import { describe, expect, it } from 'vitest';
import { noProxies, parseTrustedProxies, toPlainAddress } from './request-head.ts';

describe('trusted proxies', () => {
  it.each([
    ['an address', ['192.0.2.1'], ['192.0.2.1', '::ffff:192.0.2.1'], ['192.0.2.2', '::1']],
    ['an address in the notation of a dual-stack socket', ['::ffff:192.0.2.1'], ['192.0.2.1'], ['192.0.2.2']],
    ['a network', ['10.0.0.0/8'], ['10.0.0.1', '10.255.255.255', '::ffff:10.1.1.1'], ['11.0.0.1', '9.255.255.255']],
    ['an IPv6 network', ['2001:db8::/32'], ['2001:db8::1', '2001:db8:ffff::1'], ['2001:db9::1', '10.0.0.1']],
    ['link-local IPv6 with its zone', ['fe80::/10'], ['fe80::1%eth0', 'fe80::1'], ['::1']],
    ['the loopback interface', ['loopback'], ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'], ['10.0.0.1']],
    ['everybody', ['0.0.0.0/0'], ['1.2.3.4'], ['::1']],
    ['several', ['loopback', '10.0.0.0/8', '192.0.2.7'], ['::1', '10.1.1.1', '192.0.2.7'], ['192.0.2.8']],
  ])('can be %s', (_case, entries, trusted, others) => {
    const proxies = parseTrustedProxies(entries);

    expect(trusted.filter((address) => !proxies?.includes(address))).toEqual([]);
    expect(others.filter((address) => proxies?.includes(address))).toEqual([]);
  });

  it.each([
    [''],
    ['proxy.example.org'],
    ['10.0.0.0/33'],
    ['::/129'],
    ['10.0.0.0/'],
    ['10.0.0.0/-1'],
    ['10.0.0.0/8/9'],
    ['10.0.0.0/eight'],
    ['10.0.0'],
    ['Loopback'],
  ])('cannot be %j', (entry) => {
    expect(parseTrustedProxies([entry])).toBeUndefined();
    expect(parseTrustedProxies(['10.0.0.1', entry])).toBeUndefined();
  });

  it('never include an invalid address', () => {
    const everybody = parseTrustedProxies(['0.0.0.0/0', '::/0']);

    expect(['', 'unknown', '_hidden', '10.0.0.1.2'].filter((each) => everybody?.includes(each))).toEqual([]);
  });

  it('are empty by default', () => {
    expect(noProxies.includes('127.0.0.1')).toBe(false);
  });
});

it('an IPv6 address that only looks mapped stays unchanged', () => {
  expect(toPlainAddress('::ffff:0:1')).toBe('::ffff:0:1');
  expect(toPlainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
});
