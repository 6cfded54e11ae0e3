import { describe, expect, it } from 'vitest';
import { checkCrossSite } from './auth.ts';

const ours = 'https://maps.example.org/gis';

describe('a change', () => {
  it.each([
    ['from a program, which sends no headers', {}],
    ['from a page of the same origin', { origin: 'https://maps.example.org', 'sec-fetch-site': 'same-origin' }],
    ['from a page of the same origin, in an old browser', { origin: 'https://maps.example.org' }],
    ['entered by the user', { 'sec-fetch-site': 'none' }],
  ])('is accepted %s', (_case, headers) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(() => checkCrossSite(method, headers, ours)).not.toThrow();
    }
  });

  it.each([
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'https://evil.example'],
    ['of another site, in an old browser', { origin: 'https://evil.example' }, 'https://evil.example'],
    ['of a sister site', { 'sec-fetch-site': 'same-site' }, 'same-site'],
    ['of another scheme', { origin: 'http://maps.example.org' }, 'http://maps.example.org'],
    ['of another port', { origin: 'https://maps.example.org:8443' }, 'https://maps.example.org:8443'],
    [
      'of a host name with our host name as its prefix',
      { origin: 'https://maps.example.org.evil.example' },
      'evil.example',
    ],
    ['in a sandbox', { origin: 'null' }, 'null'],
    ['without an Origin', { 'sec-fetch-site': 'cross-site' }, 'cross-site'],
  ])('is rejected from a page %s', (_case, headers, named) => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(() => checkCrossSite(method, headers, ours)).toThrow(
        expect.objectContaining({ code: 'cross-site', status: 403, message: expect.stringContaining(named) }),
      );
    }
  });
});

it('reads are accepted from any site, because a page cannot see the response without CORS headers', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(() => checkCrossSite(method, { origin: 'https://evil.example' }, ours)).not.toThrow();
  }
});
