import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesAntPath } from './ant-path.ts';

const split = (path: string) => path.split('/').filter((segment) => segment !== '');

describe('Ant pattern', () => {
  it.each([
    ['/**', '/', true],
    ['/**', '/rest/workspaces/acme', true],
    ['/rest/**', '/rest', true],
    ['/rest/**', '/rest/a/b/c', true],
    ['/rest/**', '/other', false],
    ['/rest/*', '/rest', false],
    ['/rest/*', '/rest/a', true],
    ['/rest/*', '/rest/a/b', false],
    ['/rest/a*', '/rest/a', true],
    ['/rest/a*', '/rest/abc', true],
    ['/rest/a*', '/rest/b', false],
    ['/rest/?', '/rest/a', true],
    ['/rest/?', '/rest/ab', false],
    ['/rest/?', '/rest/😀', true],
    ['/rest/*a*b', '/rest/xaybzb', true],
    ['/rest/*a*b', '/rest/xaybz', false],
    ['/**/settings', '/rest/workspaces/acme/settings', true],
    ['/**/settings', '/settings', true],
    ['/**/settings', '/settings/x', false],
    ['/rest/**/layers/*', '/rest/a/layers/b/layers/c', true],
    ['/rest/workspaces', '/rest/workspaces', true],
    ['/rest/workspaces', '/rest/workspaces/acme', false],
    ['/', '/rest', false],
  ])('%s matches %s: %s', (pattern, path, expected) => {
    expect(matchesAntPath(split(pattern), split(path))).toBe(expected);
  });

  it('agrees with an exhaustive matcher', () => {
    const segment = fc.string({ unit: fc.constantFrom(...'ab*?'), minLength: 1, maxLength: 4 });
    const pattern = fc.array(fc.oneof(fc.constant('**'), segment), { maxLength: 5 });
    const path = fc.array(fc.string({ unit: fc.constantFrom(...'ab'), minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(pattern, path, (parts, segments) => {
        expect(matchesAntPath(parts, segments)).toBe(tryEveryWay(parts, segments));
      }),
      { numRuns: 2_000 },
    );
  });

  it('matches patterns with many stars quickly', () => {
    const startedAtMs = performance.now();

    matchesAntPath(Array(25).fill(['**', 'a']).flat(), Array(500).fill('a').concat('b'));
    matchesAntPath([`${'*a'.repeat(500)}*b`], ['a'.repeat(5_000)]);

    expect(performance.now() - startedAtMs).toBeLessThan(60_000);
  });
});

function tryEveryWay(pattern: readonly string[], path: readonly string[]): boolean {
  const [part, ...others] = pattern;
  if (part === undefined) {
    return path.length === 0;
  }
  if (part === '**') {
    return path.some((_, index) => tryEveryWay(others, path.slice(index))) || tryEveryWay(others, []);
  }
  const [segment, ...rest] = path;
  const expression = new RegExp(`^${part.replaceAll('*', '.*').replaceAll('?', '.')}$`);
  return segment !== undefined && expression.test(segment) && tryEveryWay(others, rest);
}
