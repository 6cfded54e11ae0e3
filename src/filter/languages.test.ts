/** Checks that a filter has the same meaning in every language. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type FilterVersion,
  Unspeakable,
  writeCql2Json,
  writeCql2Text,
  writeXmlFilter,
} from '../../test/support/filter-languages.ts';
import { rowSchema, testFilters, testRowAccess, testRows } from '../../test/support/filter-rows.ts';
import { writeEcqlFilter } from './ecql/ecql.ts';
import type { Constant, Filter } from './model/filter.ts';
import { joinFilters, negateFilter } from './model/join-filters.ts';
import type { ResolvedFilter } from './model/resolved-filter.ts';
import { compilePredicate } from './predicate/predicate.ts';
import { readFilter, readFilterFor, type WrittenFilter } from './read-filter.ts';
import { resolveFilter } from './resolve/resolve.ts';

const CASES = Number(process.env['FILTER_FUZZ_CASES'] ?? '60');

const inXml =
  (version: FilterVersion) =>
  (filter: Filter): WrittenFilter => ({ language: 'filter-xml', text: writeXmlFilter(filter, version) });

const languages: readonly (readonly [string, (filter: Filter) => WrittenFilter])[] = [
  ['ECQL', (filter) => ({ language: 'ecql', text: writeEcqlFilter(filter) })],
  ['Filter 1.0', inXml('1.0')],
  ['Filter 1.1', inXml('1.1')],
  ['Filter 2.0', inXml('2.0')],
  ['CQL2 text', (filter) => ({ language: 'cql2-text', text: writeCql2Text(filter) })],
  ['CQL2 JSON', (filter) => ({ language: 'cql2-json', text: writeCql2Json(filter) })],
];

function inWords(write: (filter: Filter) => WrittenFilter, filter: Filter): WrittenFilter | undefined {
  try {
    return write(filter);
  } catch (error) {
    if (error instanceof Unspeakable) return undefined;
    throw error;
  }
}

describe.each(languages)('filters in %s', (name, write) => {
  test('reads the filter tree that was written', async () => {
    await fc.assert(
      fc.asyncProperty(testFilters.filter(hasWordsEverywhere), async (filter) => {
        const written = inWords(write, filter);
        // ECQL expands these to comparisons.
        const isSpelledOut = name === 'ECQL' && /matchCase|temporal/.test(JSON.stringify(filter));
        fc.pre(written !== undefined && !isSpelledOut);

        const { filter: read } = await readFilter(written as WrittenFilter);

        expect(canonical(read)).toEqual(canonical(filter));
      }),
      { numRuns: CASES },
    );
  });

  test('selects the same rows as the filter tree, or rejects the filter like the tree', async () => {
    await fc.assert(
      fc.asyncProperty(testFilters, testRows, async (filter, rows) => {
        const written = inWords(write, filter);
        fc.pre(written !== undefined);
        const idsOf = async (resolved: ResolvedFilter): Promise<readonly number[]> => {
          const fits = await compilePredicate(resolved, testRowAccess);
          return rows.filter(fits).map(({ id }) => id);
        };

        const expected = await resolveFilter(filter, rowSchema);
        const found = await readFilterFor(written as WrittenFilter, rowSchema).catch((error: unknown) => error);

        if (expected.kind === 'refused') expect(found).toMatchObject({ code: 'filter-invalid' });
        else {
          if (found instanceof Error) throw found;
          expect(await idsOf(found as ResolvedFilter)).toEqual(await idsOf(expected.filter));
        }
      }),
      { numRuns: CASES },
    );
  });
});

/** Languages without lists, boxes or durations spell them differently. */
function hasWordsEverywhere(filter: Filter): boolean {
  const text = JSON.stringify(filter);
  return !/"kind":"(?:membership|boundingBox|identifiers)"|"P1[DY]"/.test(text);
}

/** Merges nested conditions of the same kind and removes double negations. */
function canonical(filter: Filter | Constant): Filter | Constant {
  if (filter.kind === 'and' || filter.kind === 'or') return joinFilters(filter.kind, filter.filters.map(canonical));
  return filter.kind === 'not' ? negateFilter(canonical(filter.filter)) : filter;
}
