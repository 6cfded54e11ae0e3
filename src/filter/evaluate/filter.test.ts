import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { property } from '../../../test/support/property-name.ts';
import type { Comparison, Filter, Like } from '../model/filter.ts';
import { createLiteral } from '../model/literal.ts';
import { evaluateFilter } from './filter.ts';
import { createLikeMatcher } from './values/like-pattern.ts';

const feature = {
  name: 'Elm Street',
  lanes: 10,
  code: '9',
  ref: null,
  day: '2024-03-31',
  at: '2024-03-31T00:30:00.000Z',
  '@id': 'roads.7',
};

const comparison = (name: string, operator: Comparison['operator'], value: string): Comparison => ({
  kind: 'comparison',
  operator,
  left: property(name),
  right: createLiteral(value),
});
const like = (pattern: string, more: Partial<Like> = {}): Like => ({
  kind: 'like',
  value: property('name'),
  pattern,
  wildCard: '%',
  singleCharacter: '_',
  escape: '\\',
  ...more,
});
const unknown: Filter = {
  kind: 'boundingBox',
  bounds: {
    kind: 'geometry',
    type: 'Envelope',
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
};
const yes = comparison('lanes', 'equal', '10');
const no = comparison('lanes', 'equal', '11');

describe('filter evaluation', () => {
  test.each<[Filter, boolean | undefined]>([
    [comparison('lanes', 'greater', '9'), true],
    [comparison('code', 'less', '10'), true],
    [comparison('lanes', 'equal', '10.0'), true],
    [comparison('name', 'less', 'F'), true],
    [comparison('day', 'equal', '2024-03-31'), true],
    [comparison('day', 'equal', '2024-03-31T00:00:00Z'), true],
    [comparison('day', 'equal', '2024-03-31T02:00:00+02:00'), true],
    [comparison('day', 'notEqual', '2024-03-31T00:00:00Z'), false],
    [comparison('day', 'lessOrEqual', '2024-03-31 00:00'), true],
    [comparison('day', 'less', '2024-03-31T01:00:00+02:00'), false],
    [comparison('day', 'equal', '2024-03-31 spring'), false],
    [comparison('at', 'equal', '2024-03-31T00:30:00Z'), true],
    [comparison('at', 'equal', '2024-03-31'), false],
    [comparison('at', 'greater', '2024-03-31'), true],
    [comparison('at', 'less', '2024-03-31T00:30:00.0001Z'), true],
    [{ kind: 'membership', value: property('at'), list: [createLiteral('2024-03-31T00:30Z')] }, true],
    [comparison('name', 'equal', 'elm street'), false],
    [{ ...comparison('name', 'equal', 'elm street'), matchCase: false }, true],
    [comparison('ref', 'equal', ''), false],
    [comparison('ref', 'notEqual', '1'), true],
    [comparison('ref', 'lessOrEqual', '1'), false],
    [{ kind: 'not', filter: comparison('ref', 'lessOrEqual', '1') }, true],
    [{ kind: 'isNull', value: property('ref') }, true],
    [{ kind: 'isNull', value: property('name') }, false],
    [{ kind: 'between', value: property('lanes'), lower: createLiteral(10), upper: createLiteral(20) }, true],
    [{ kind: 'between', value: property('lanes'), lower: createLiteral(11), upper: createLiteral(20) }, false],
    [like('Elm%'), true],
    [like('%Str__t'), true],
    [like('elm%'), false],
    [like('elm%', { matchCase: false }), true],
    [{ kind: 'identifiers', identifiers: ['roads.6', 'roads.7'] }, true],
    [{ kind: 'identifiers', identifiers: ['roads.70'] }, false],
    [unknown, undefined],
    [{ kind: 'and', filters: [unknown, yes] }, undefined],
    [{ kind: 'and', filters: [unknown, no] }, false],
    [{ kind: 'or', filters: [unknown, yes] }, true],
    [{ kind: 'or', filters: [unknown, no] }, undefined],
    [{ kind: 'not', filter: unknown }, undefined],
  ])('evaluates %j to %j', (filter, expected) => {
    expect(evaluateFilter(filter, feature)).toBe(expected);
  });

  test('leaves an identifier filter undecided for a feature without an id', () => {
    expect(evaluateFilter({ kind: 'identifiers', identifiers: ['a'] }, {})).toBeUndefined();
  });
});

describe('LIKE patterns', () => {
  test('match like the equivalent regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '%', '_', '\\%', '\\_'), maxLength: 6 });

    fc.assert(
      fc.property(text, pattern, (candidate, written) => {
        const source = written.replace(
          /\\(.)|%|_/g,
          (sign, escaped?: string) => escaped ?? (sign === '%' ? '.*' : '.'),
        );
        expect(createLikeMatcher(like(written))(candidate)).toBe(new RegExp(`^${source}$`, 'su').test(candidate));
      }),
    );
  });

  test.each<[string, string, boolean]>([
    ['Straße', 'STRASSE', true],
    ['STRAẞE', 'strasse', true],
    ['STRASSE', 'straße', true],
    ['Straße', 'stra_e', true],
    ['Straße', 'stra__e', false],
    ['STRASSE', 'stra__e', true],
    ['Οδος', 'ΟΔΟΣ', true],
    ['ΟΔΟΣ', 'οδοσ', true],
    ['ﬁne', 'FI%', true],
    ['ﬁne', 'F%', false],
    ['ẖa', 'h%', false],
    ['ẖa', '_a', true],
    ['Straße', '%sse', true],
    ['Straße', '%se', false],
    ['\u212Aelvin', 'kelvin', true],
    ['ılk', 'ilk', false],
  ])('ignores case: matching %s with %s returns %j', (text, pattern, expected) => {
    expect(createLikeMatcher(like(pattern, { matchCase: false }))(text)).toBe(expected);
  });

  test('matches a pattern with many wildcards quickly', () => {
    expect(createLikeMatcher(like(`${'%a'.repeat(500)}b`))('a'.repeat(5_000))).toBe(false);
  });
});
