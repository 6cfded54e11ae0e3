import { describe, expect, it } from 'vitest';
import { compileLinearRegex } from '../../lib/linear-regex/linear-regex.ts';
import { readPlainUrl } from './plain-url.ts';
import { isHostSpecific } from './specific-host.ts';

function isSpecific(regex: string, text: string): boolean {
  const read = readPlainUrl(text, 2_048);
  if (!('url' in read)) {
    throw new Error(read.objection);
  }
  const check = { name: 'x', ...compileLinearRegex(regex, { what: 'The regex', field: 'regex' }) };
  expect(check.matches(read.url.href)).toBe(true);
  return isHostSpecific(check, read.url);
}

describe('check that names the host', () => {
  it.each([
    ['^http://localhost/.*$', 'http://localhost/a'],
    ['^http://localhost(:\\d+)?/.*$', 'http://localhost:8080/a'],
    ['^http://localhost:8080.*$', 'http://localhost:8080/a'],
    ['(?i)https?://LOCALHOST/.*', 'http://localhost/a'],
    ['^http://127\\.0\\.0\\.1(:\\d+)?/.*$', 'http://127.0.0.1:8080/a'],
    ['^http://(localhost|127\\.0\\.0\\.1)/.*$', 'http://127.0.0.1/a'],
    ['^http://\\[::1\\]/.*$', 'http://[::1]/a'],
    ['^http://10\\.\\d+\\.\\d+\\.\\d+/.*$', 'http://10.1.2.3/a'],
    ['^http://192\\.168\\.1\\.\\d{1,3}/.*$', 'http://192.168.1.17/a'],
    ['^https?://tiles\\.example\\.com/.*$', 'http://tiles.example.com/a'],
    ['^https?://(www\\.)?example\\.com/.*$', 'http://example.com/a'],
    ['^https?://(maps|tiles\\d)\\.example\\.co\\.uk/.*$', 'http://maps.example.co.uk/a'],
    ['^http://db\\.internal/.*$', 'http://db.internal/a'],
    ['^http://[^/]+\\.internal/.*$', 'http://db.internal/a'],
  ])('%s is specific for %s', (regex, url) => {
    expect(isSpecific(regex, url)).toBe(true);
  });
});

describe('check that also matches other hosts', () => {
  it.each([
    ['.*', 'http://localhost/a'],
    ['^https?://.*$', 'http://127.0.0.1/a'],
    ['^http://[^/]+/a$', 'http://localhost/a'],
    ['^http://[a-z]+/.*$', 'http://localhost/a'],
    ['^http://[a-z]{9}/.*$', 'http://localhost/a'],
    ['^http://[a-z.]+/.*$', 'http://db.internal/a'],
    ['^http://\\w+\\.\\w+/.*$', 'http://db.internal/a'],
    ['^http://[\\d.]+/.*$', 'http://127.0.0.1/a'],
    ['^http://\\d{3}\\.\\d\\.\\d\\.\\d/.*$', 'http://127.0.0.1/a'],
    ['^http://\\d{2}\\.\\d\\.\\d\\.\\d{3}/.*$', 'http://10.0.0.200/a'],
    ['^http://\\[[0-9a-f:]+\\]/.*$', 'http://[::1]/a'],
    ['^http://localhost.*$', 'http://localhost/a'],
    ['^http://127\\.0\\.0\\.1.*$', 'http://127.0.0.1/a'],
    ['^http://.*localhost/.*$', 'http://localhost/a'],
    ['^http://.*example\\.com/.*$', 'http://a.example.com/a'],
    ['^https?://([a-z0-9-]+\\.)*example\\.com/.*$', 'http://example.com/a'],
    ['^https?://([a-z0-9-]+\\.)*example\\.com/.*$', 'http://a.b.example.com/a'],
    ['^https?://[^/]+\\.example\\.co\\.uk/.*$', 'http://maps.example.co.uk/a'],
    ['^https?://[a-z]{4}\\.example\\.com/.*$', 'http://evil.example.com/a'],
    ['^http://.*\\.com/.*$', 'http://evil.com/a'],
    ['^http://.*\\.co\\.uk/.*$', 'http://evil.co.uk/a'],
    ['^http://10\\..*$', 'http://10.evil.com/a'],
    ['^http://tiles\\..*/.*$', 'http://tiles.evil.com/a'],
    ['^.*localhost.*$', 'http://10.0.0.1/?localhost'],
    ['^http://(localhost|.*)/.*$', 'http://localhost/a'],
  ])('%s is not specific for %s', (regex, url) => {
    expect(isSpecific(regex, url)).toBe(false);
  });
});

describe('check of many parts', () => {
  it('is not specific if a longer host makes the URL too long to match', () => {
    const many = Array.from({ length: 45 }, (_, index) => `${index}-tiles\\.example\\.com`).join('|');
    const regex = `^http://(${many}|127\\.[^/]*)/.*$`;
    const check = compileLinearRegex(regex, { what: 'The regex', field: 'regex' });
    const padded = (length: number) => `http://127.0.0.1/${'a'.repeat(length)}`;
    const longest = Array.from({ length: 2_000 }, (_, index) => padded(index)).findLast((url) => check.matches(url));

    expect(longest?.length).toBeLessThan(2_000);
    expect(isSpecific(regex, longest ?? '')).toBe(false);
  });
});
