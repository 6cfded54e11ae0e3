import { describe, expect, test } from 'vitest';
import { evaluateFilter } from '../evaluate/evaluate.ts';
import { createLiteral } from '../model/literal.ts';
import { type EcqlFilter, readEcqlFilter } from './ecql.ts';

function filterOf(text: string): EcqlFilter {
  const outcome = readEcqlFilter(text);
  if (outcome.kind === 'read') return outcome.value;
  throw new Error(outcome.complaint.message);
}

function complaintOf(text: string): string {
  const outcome = readEcqlFilter(text);
  if (outcome.kind === 'read') throw new Error('The text was accepted.');
  const { line, column, message } = outcome.complaint;
  return `${line}:${column} ${message}`;
}

const feature = { name: "O'Hara", pop: 12, area: 4, 'state name': 'Ohio', ref: null, open: true, day: '2020-05-01' };

describe('ECQL conditions', () => {
  test.each<[string, boolean | undefined]>([
    ["name = 'O''Hara'", true],
    ['pop > 10', true],
    ['pop >= 12 AND pop <= 12', true],
    ['pop <> 12', false],
    ['pop != 13', true],
    ['not pop = 12', false],
    ['NOT (pop = 12 OR area = 4)', false],
    ['pop = 1 or pop = 12 and area = 5', false],
    ['(pop = 12 or pop = 1) and area = 4', true],
    ['pop BETWEEN 12 AND 20', true],
    ['pop NOT BETWEEN 13 AND 20', true],
    ["name LIKE 'O%'", true],
    ["name LIKE 'o%'", false],
    ["name ILIKE 'o_hara'", true],
    ["name NOT LIKE 'A%'", true],
    ['pop IN (1, 12)', true],
    ["name NOT IN ('a', 'b')", true],
    ['pop in (12)', true],
    ['ref IS NULL', true],
    ['name is not null', true],
    ['"state name" = \'Ohio\'', true],
    ['pop / area = 3', true],
    ['pop - area * 2 = 4', true],
    ['pop - 2 - 3 = 7', true],
    ['(pop - 2) * 2 = 20', true],
    ['-pop < -11.5', true],
    ['pop > -1e3', true],
    ["strToUpperCase(name) = 'O''HARA'", true],
    ['isNull(ref)', true],
    ['open = TRUE', true],
    ['INCLUDE AND pop = 12', true],
    ['EXCLUDE OR pop = 12', true],
    ['day AFTER 2020-04-30T00:00:00Z', true],
    ['day DURING 2020-04-30 / 2020-05-02', true],
    ['day BEFORE 2020-04-30', false],
    ['day BEFORE 2020-05-02/P1D', true],
    ['day BEFORE 2020-05-01/2020-05-02', false],
    ['day AFTER P1M/2020-04-30', true],
    ['day DURING P2D/2020-05-02', true],
    ['day DURING 2020-04-30/P1D', false],
    ['day DURING 2020-05-01/P1D', false],
    ['day BEFORE OR DURING 2020-05-01/P1D', true],
    ['day BEFORE OR DURING 2020-04-30/P1D', false],
    ['day DURING OR AFTER 2020-04-30/P1M', true],
    ['day DURING OR AFTER 2020-05-01/P1M OR pop = 12', true],
    ['day TEQUALS 2020-05-01T02:00:00+02:00', true],
    ['NOT day TEQUALS 2020-05-02', true],
    ['ref AFTER 2020-05-02', false],
    ['name AFTER 2020-05-02', false],
    ['pop EXISTS', true],
    ['ref exists', true],
    ['nothing EXISTS', false],
    ['nothing DOES-NOT-EXIST', true],
    ['pop does-not-exist', false],
    ['[pop = 12 OR area = 5] AND [area = 4]', true],
    ["RELATE(the_geom, POINT(1 2), 'T********')", undefined],
    ['INTERSECTS(the_geom, POINT(1 2))', undefined],
    ['BBOX(the_geom, -10, -20, 30.5, 40) AND pop = 1', false],
  ])('evaluates %s to %j', (text, expected) => {
    const filter = filterOf(text);

    expect(filter.kind === 'include' || filter.kind === 'exclude' ? filter.kind : evaluateFilter(filter, feature)).toBe(
      expected,
    );
  });

  test.each<[string, EcqlFilter]>([
    ['INCLUDE', { kind: 'include' }],
    ['exclude', { kind: 'exclude' }],
    ['true', { kind: 'include' }],
    ["IN ('a.1', 'a.2')", { kind: 'identifiers', identifiers: ['a.1', 'a.2'] }],
    [
      "BBOX(g, 1, 2, 3, 4, 'EPSG:4326')",
      {
        kind: 'boundingBox',
        geometry: { kind: 'property', name: 'g' },
        bounds: {
          kind: 'geometry',
          type: 'Envelope',
          coordinates: [
            [1, 2],
            [3, 4],
          ],
          srsName: 'EPSG:4326',
        },
      },
    ],
    [
      'DWITHIN(g, SRID=3857;POINT(1 2 3), 10, nautical miles)',
      {
        kind: 'distance',
        operator: 'within',
        left: { kind: 'property', name: 'g' },
        right: { kind: 'geometry', type: 'Point', coordinates: [1, 2, 3], srsName: 'EPSG:3857' },
        distance: 10,
        units: 'nautical miles',
      },
    ],
    [
      'WITHIN(g, MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0))))',
      {
        kind: 'spatial',
        operator: 'within',
        left: { kind: 'property', name: 'g' },
        right: {
          kind: 'geometry',
          type: 'MultiPolygon',
          members: [
            {
              kind: 'geometry',
              type: 'Polygon',
              coordinates: [
                [
                  [0, 0],
                  [1, 0],
                  [1, 1],
                  [0, 0],
                ],
              ],
            },
          ],
        },
      },
    ],
  ])('parses %s', (text, expected) => {
    expect(filterOf(text)).toEqual(expected);
  });
});

describe('ECQL syntax of style sheets', () => {
  test('is read when the option is set', () => {
    expect(readEcqlFilter('@sd < 1.5M', { variables: true })).toEqual({
      kind: 'read',
      value: {
        kind: 'comparison',
        operator: 'less',
        left: { kind: 'property', name: '@sd' },
        right: createLiteral('1500000'),
      },
    });
  });

  test('is rejected without the option', () => {
    expect(complaintOf('@sd < 10')).toBe("1:1 unexpected character '@'");
    expect(complaintOf('sd < 10k')).toBe("1:8 AND, OR or the end was expected, but 'k' was found");
  });
});

describe('invalid ECQL conditions', () => {
  test.each([
    ['', '1:1 a value or a condition was expected, but the end was found'],
    ['a', '1:1 a condition such as a = 1 was expected, but a value was found'],
    ['a = ', '1:5 a value or a condition was expected, but the end was found'],
    ['a = 1 b', "1:7 AND, OR or the end was expected, but 'b' was found"],
    ['a = 1\nAND b == 2', "2:8 a value or a condition was expected, but '=' was found"],
    ["a = 'x", "1:5 the string has no closing '"],
    ['"a = 1', '1:1 the name has no closing "'],
    ['a ? 1', "1:3 unexpected character '?'"],
    ['a BETWEEN 1', '1:12 AND was expected, but the end was found'],
    ['a LIKE b', "1:8 a pattern such as 'A%' was expected, but 'b' was found"],
    ['a IS 1', "1:6 NULL was expected, but '1' was found"],
    ['a NOT 1', "1:7 LIKE, ILIKE, IN or BETWEEN was expected, but '1' was found"],
    ['a IN ()', "1:7 a value or a condition was expected, but ')' was found"],
    ['(a = 1', "1:7 ')' was expected, but the end was found"],
    ['f(a, = 1', "1:6 a value or a condition was expected, but '=' was found"],
    ['(a = 1) + 2 = 3', '1:2 a value was expected, but a condition was found'],
    ['a AND b = 1', '1:1 a condition such as a = 1 was expected, but a value was found'],
    ['WITHIN(g, POLYGON((0 0, 1 1, 0 0)))', '1:19 a ring requires at least four positions'],
    ['DWITHIN(g, POINT(1 2), -1, meters)', '1:24 a distance must not be negative'],
    ['[a = 1)', "1:7 ']' was expected, but ')' was found"],
    ['a DURING 2020-01-01', "1:20 '/' between the start and the end of a period was expected, but the end was found"],
    ['a DURING 2020-13-01/P1D', "1:10 invalid date '2020-13-01'"],
    ['a DURING P1D/P2D', "1:14 a date was expected, but 'P2D' was found"],
    ['a DURING 2020-02-01/2020-01-01', '1:10 the end of the period is before its start'],
    ['a DURING 2020-01-01/P9999Y', '1:10 the period exceeds the years 1 to 9999'],
    ['a BEFORE OR AFTER 2020-01-01', "1:10 a value or a condition was expected, but 'OR' was found"],
    ['a + 1 EXISTS', '1:1 an attribute name was expected before EXISTS or DOES-NOT-EXIST'],
    ['a DOES NOT EXIST', "1:8 '-' was expected, but 'NOT' was found"],
    ["RELATE(a, b, 'T**')", "1:14 a pattern of nine characters such as 'T*F**F***' was expected"],
    ['"" = 1', '1:1 the attribute name is empty'],
  ])('rejects %s: %s', (text, expected) => {
    expect(complaintOf(text)).toContain(expected);
  });

  test.each([
    ['brackets', `${'('.repeat(50_000)}a = 1`],
    ['negations', `${'NOT '.repeat(50_000)}a = 1`],
    ['signs', `${'-'.repeat(50_000)}a = 1`],
    ['functions', `${'f('.repeat(50_000)}a`],
    ['collections', `WITHIN(g, ${'GEOMETRYCOLLECTION('.repeat(20_000)}`],
  ])('rejects a condition with too many nested %s', (_, text) => {
    expect(complaintOf(text)).toContain('nested more than 100 levels deep');
  });

  test('rejects an endless sum and reads long lists of conditions', () => {
    expect(complaintOf(`${'1 + '.repeat(1_000)}1 = a`)).toContain('more than 500 terms');
    expect(filterOf(Array.from({ length: 20_000 }, () => 'a = 1').join(' OR '))).toHaveProperty(
      'filters.length',
      20_000,
    );
  });
});
