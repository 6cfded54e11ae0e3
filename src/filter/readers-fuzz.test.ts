/** Checks that arbitrary input is read as a filter or rejected with a reason. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type FilterVersion,
  Unspeakable,
  writeCql2Json,
  writeCql2Text,
  writeXmlFilter,
} from '../../test/support/filter-languages.ts';
import { rowSchema, testFilters } from '../../test/support/filter-rows.ts';
import { createDeletion, createInsertion, type Mutation, place } from '../../test/support/text-mutations.ts';
import { Problem } from '../lib/problems/problem.ts';
import { writeEcqlFilter } from './ecql/ecql.ts';
import type { Filter } from './model/filter.ts';
import { readFilterFor, type WrittenFilter } from './read-filter.ts';

const CASES = Number(process.env['FILTER_FUZZ_CASES'] ?? '60') * 5;

type Language = WrittenFilter['language'];

const xml =
  (version: FilterVersion) =>
  (filter: Filter): string =>
    writeXmlFilter(filter, version);

const languages: readonly (readonly [string, Language, (filter: Filter) => string])[] = [
  ['ECQL', 'ecql', writeEcqlFilter],
  ['Filter 1.0', 'filter-xml', xml('1.0')],
  ['Filter 1.1', 'filter-xml', xml('1.1')],
  ['Filter 2.0', 'filter-xml', xml('2.0')],
  ['CQL2 text', 'cql2-text', writeCql2Text],
  ['CQL2 JSON', 'cql2-json', writeCql2Json],
];

/** Fragments of all languages for insertion at wrong positions. */
const fragments = [
  ...[
    "'",
    '"',
    "''",
    '\\',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    ';',
    '..',
    '-',
    '^',
    '%',
    '--',
    '/*',
    '\0',
    '\ud800',
  ],
  ...[' AND ', ' OR ', ' NOT ', ' IN ', ' LIKE ', ' IS NULL', 'INTERVAL(', 'BBOX(', 'CASEI(', 'A_EQUALS(', 'DATE('],
  ...['SRID=4326;', 'POINT(1 2)', 'POLYGON((', 'EMPTY', '1e999', '-0', 'NaN', '99999999999999999999', 'null', 'true'],
  ...[
    '<Not>',
    '</Not>',
    '<And/>',
    '<!--',
    '<![CDATA[',
    ']]>',
    '&#0;',
    '&amp;',
    '<Literal>',
    ' srsName="EPSG:0"',
    '<gml:Point/>',
  ],
  ...[
    '"op":',
    '"args":',
    '"property":',
    '{"op":"not","args":[',
    '{"bbox":[]}',
    '{"type":"Point"}',
    '"__proto__"',
    'constructor',
  ],
];

const doubling: fc.Arbitrary<Mutation> = fc.tuple(place, place, fc.integer({ min: 1, max: 200 })).map(
  ([from, to, times]): Mutation =>
    (text) => {
      const [start, end] = [from, to].map((share) => Math.floor(text.length * share)).sort((one, other) => one - other);
      return text.slice(0, start) + text.slice(start, end).repeat(text.length > 5_000 ? 1 : times) + text.slice(end);
    },
);
const mutations = fc.array(fc.oneof(createInsertion(fragments), createDeletion(12), doubling), {
  minLength: 1,
  maxLength: 4,
});

async function isFilterOrRefused(written: WrittenFilter): Promise<void> {
  try {
    expect(await readFilterFor(written, rowSchema)).toHaveProperty('kind');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect([400, 413]).toContain(error.status);
    expect(error.message.length).toBeLessThan(2_000);
  }
}

describe.each(languages)('mutated %s', (_name, language, write) => {
  test('is read as a filter or rejected', async () => {
    await fc.assert(
      fc.asyncProperty(testFilters, mutations, async (filter, mutate) => {
        let text: string;
        try {
          text = write(filter);
        } catch (error) {
          if (error instanceof Unspeakable) return;
          throw error;
        }
        await isFilterOrRefused({ language, text: mutate.reduce((scribbled, each) => each(scribbled), text) });
      }),
      { numRuns: CASES },
    );
  });
});

const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);

describe('oversized filters', () => {
  test.each<[string, WrittenFilter]>([
    ['nested brackets', { language: 'cql2-text', text: nested('(', 'pop = 1', ')', 100_000) }],
    ['negations', { language: 'cql2-text', text: `${'NOT '.repeat(100_000)}pop = 1` }],
    ['signs', { language: 'cql2-text', text: `${'-'.repeat(100_000)}1 = pop` }],
    ['powers', { language: 'cql2-text', text: `${'2^'.repeat(100_000)}1 = pop` }],
    ['sums', { language: 'cql2-text', text: `${'1+'.repeat(100_000)}1 = pop` }],
    ['functions', { language: 'cql2-text', text: `${nested('abs(', 'pop', ')', 50_000)} = 1` }],
    ['conditions', { language: 'cql2-text', text: `${'pop=1 OR '.repeat(50_000)}pop=2` }],
    ['quotes', { language: 'cql2-text', text: `name = ${"'a\\".repeat(100_000)}` }],
    ['an endless list', { language: 'cql2-text', text: `pop IN (${'1,'.repeat(200_000)}1)` }],
    ['nested operations', { language: 'cql2-json', text: nested('{"op":"not","args":[', 'true', ']}', 20_000) }],
    ['nested lists', { language: 'cql2-json', text: nested('[', '', ']', 100_000) }],
    [
      'an endless line',
      {
        language: 'cql2-json',
        text: `{"op":"s_within","args":[{"property":"geom"},{"type":"LineString","coordinates":[${'[1,2],'.repeat(20_000)}[1,2]]}]}`,
      },
    ],
    ['nested elements', { language: 'filter-xml', text: `<Filter>${nested('<Not>', '', '</Not>', 50_000)}</Filter>` }],
    [
      'nested sums',
      {
        language: 'filter-xml',
        text: `<Filter><PropertyIsNull>${nested('<Add><Literal>1</Literal>', '<Literal>1</Literal>', '</Add>', 5_000)}</PropertyIsNull></Filter>`,
      },
    ],
    [
      'many elements',
      {
        language: 'filter-xml',
        text: `<Filter><Or>${'<PropertyIsNull><PropertyName>pop</PropertyName></PropertyIsNull>'.repeat(20_000)}</Or></Filter>`,
      },
    ],
    [
      'a DOCTYPE',
      { language: 'filter-xml', text: '<!DOCTYPE Filter [<!ENTITY a "b">]><Filter><FeatureId fid="&a;"/></Filter>' },
    ],
    ['endless coordinates', { language: 'ecql', text: `INTERSECTS(geom, LINESTRING(${'1 2,'.repeat(50_000)}1 2))` }],
  ])('rejects %s', async (_title, written) => {
    await expect(readFilterFor(written, rowSchema)).rejects.toBeInstanceOf(Problem);
  });
});
