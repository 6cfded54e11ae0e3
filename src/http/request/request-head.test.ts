import { describe, expect, it } from 'vitest';
import { noProxies, parseTrustedProxies, resolveOrigin } from './request-head.ts';

const proxies = parseTrustedProxies(['10.0.0.0/8', '::1']) ?? noProxies;
const localHost = '127.0.0.1:8080';

function seenFrom(remoteAddress: string, headers: Record<string, string>, publicUrl?: string) {
  const settings = { proxies, ...(publicUrl === undefined ? {} : { publicUrl }) };
  return resolveOrigin({ headers, remoteAddress, localHost, isSecure: false }, settings);
}

const stranger = '203.0.113.9';
const proxy = '10.0.0.1';

describe('links', () => {
  it.each([
    ['the host the client used', { host: 'maps.example.org:8080' }, 'http://maps.example.org:8080'],
    ['an IPv6 host', { host: '[2001:db8::1]:8080' }, 'http://[2001:db8::1]:8080'],
    ['the local address without a Host header', {}, 'http://127.0.0.1:8080'],
    ['the local address if Host contains a path', { host: 'a/b' }, 'http://127.0.0.1:8080'],
    ['the local address if Host contains a password', { host: 'a@b' }, 'http://127.0.0.1:8080'],
    ['the local address if Host contains markup', { host: '"><script>' }, 'http://127.0.0.1:8080'],
    ['the local address if the port is invalid', { host: 'a:99999' }, 'http://127.0.0.1:8080'],
    ['the local address if the IPv4 address is invalid', { host: '1.2.3.4.5' }, 'http://127.0.0.1:8080'],
    ['the local address if the IPv6 address is invalid', { host: '[::::]' }, 'http://127.0.0.1:8080'],
    [
      'the host, ignoring forwarding headers of untrusted clients',
      {
        host: 'maps.example.org',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-forwarded-prefix': '/evil',
        forwarded: 'host=evil.example;proto=https',
      },
      'http://maps.example.org',
    ],
  ])('name %s', (_case, headers, expected) => {
    expect(seenFrom(stranger, headers).baseUrl).toBe(expected);
  });

  it.each([
    ['the scheme', { 'x-forwarded-proto': 'https' }, 'https://inside'],
    ['the scheme in capitals', { 'x-forwarded-proto': 'HTTPS' }, 'https://inside'],
    ['the host', { 'x-forwarded-host': 'maps.example.org' }, 'http://maps.example.org'],
    ['the first of several hosts', { 'x-forwarded-host': 'maps.example.org, inner' }, 'http://maps.example.org'],
    ['the host and its port', { 'x-forwarded-host': 'maps.example.org:81' }, 'http://maps.example.org:81'],
    ['the port', { 'x-forwarded-port': '8443', 'x-forwarded-proto': 'https' }, 'https://inside:8443'],
    ['no default port', { 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' }, 'https://inside'],
    ['no second port', { 'x-forwarded-port': '9', 'x-forwarded-host': 'a:81' }, 'http://a:81'],
    ['the prefix it took off', { 'x-forwarded-prefix': '/gis/' }, 'http://inside/gis'],
    ['RFC 7239', { forwarded: 'for=1.2.3.4;host="maps.example.org";proto=https' }, 'https://maps.example.org'],
    ['RFC 7239, the first element', { forwarded: 'proto=https, proto=http' }, 'https://inside'],
    ['no scheme except http and https', { 'x-forwarded-proto': 'javascript' }, 'http://inside'],
    ['no invalid host', { 'x-forwarded-host': 'a/b' }, 'http://inside'],
    ['no host that is invalid in a URL', { 'x-forwarded-host': 'a:99999' }, 'http://inside'],
    ['no invalid prefix', { 'x-forwarded-prefix': '//evil.example' }, 'http://inside'],
    ['no invalid port', { 'x-forwarded-port': '80@evil' }, 'http://inside'],
  ])('trust a proxy: %s', (_case, headers, expected) => {
    expect(seenFrom(proxy, { host: 'inside', ...headers }).baseUrl).toBe(expected);
  });

  it('use the public URL regardless of headers', () => {
    const headers = { host: 'inside', 'x-forwarded-host': 'other.example' };

    expect(seenFrom(proxy, headers, 'https://maps.example.org/gis').baseUrl).toBe('https://maps.example.org/gis');
    expect(seenFrom(stranger, headers, 'https://maps.example.org/gis').baseUrl).toBe('https://maps.example.org/gis');
  });
});

describe('client address', () => {
  it.each([
    ['is the address of the socket', stranger, {}, stranger],
    [
      'is the address of the socket, ignoring forwarding headers of untrusted clients',
      stranger,
      { 'x-forwarded-for': '1.2.3.4' },
      stranger,
    ],
    ['is plain for IPv4 on a dual-stack socket', '::ffff:203.0.113.9', {}, stranger],
    ['is the address that a trusted proxy forwards', proxy, { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4'],
    [
      'is the address that a trusted proxy on a dual-stack socket forwards',
      '::ffff:10.1.1.1',
      {
        'x-forwarded-for': '1.2.3.4',
      },
      '1.2.3.4',
    ],
    [
      'is the nearest address that is not a proxy',
      proxy,
      { 'x-forwarded-for': 'made-up, 1.2.3.4, 10.2.2.2' },
      '1.2.3.4',
    ],
    ['has no port', proxy, { 'x-forwarded-for': '1.2.3.4:5678' }, '1.2.3.4'],
    ['has no brackets', proxy, { 'x-forwarded-for': '[2001:db8::7]:5678' }, '2001:db8::7'],
    ['is the furthest address if all are proxies', proxy, { 'x-forwarded-for': '10.9.9.9, 10.2.2.2' }, '10.9.9.9'],
    ['is the proxy if it forwards no address', proxy, { 'x-forwarded-for': '1.2.3.4, unknown' }, proxy],
    ['is no other text', proxy, { 'x-forwarded-for': '"><b>, 10.2.2.2' }, '10.2.2.2'],
    ['is no obfuscated identifier', proxy, { forwarded: 'for=_hidden' }, proxy],
    ['is the proxy if it forwards nothing', proxy, { 'x-forwarded-for': ' , ' }, proxy],
    ['can come from an RFC 7239 header', proxy, { forwarded: 'for=9.9.9.9, for="[2001:db8::7]:1"' }, '2001:db8::7'],
    [
      'comes from X-Forwarded-For if both headers exist',
      proxy,
      {
        forwarded: 'for=6.6.6.6',
        'x-forwarded-for': '1.2.3.4',
      },
      '1.2.3.4',
    ],
  ])('%s', (_case, remoteAddress, headers: Record<string, string>, expected) => {
    expect(seenFrom(remoteAddress, headers).clientAddress).toBe(expected);
  });
});
