import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSqliteRows } from '../../../test/support/filter-databases.ts';
import { rowSchema, testFilters, testRowAccess, testRows } from '../../../test/support/filter-rows.ts';
import { writeEcqlFilter } from '../ecql/ecql.ts';
import { compilePredicate } from '../predicate/predicate.ts';
import { resolveFilter } from '../resolve/resolve.ts';

test('SQLite with an in-memory remainder selects the same rows as evaluation in memory', async () => {
  const counts = { run: 0, exact: 0, selected: 0 };
  const database = createSqliteRows();

  await fc.assert(
    fc.asyncProperty(testRows, fc.array(testFilters, { minLength: 20, maxLength: 20 }), async (rows, filters) => {
      await database.fill(rows);
      for (const filter of filters) {
        const outcome = await resolveFilter(filter, rowSchema);
        if (outcome.kind === 'refused') continue;
        const inMemory = await compilePredicate(outcome.filter, testRowAccess);
        const { sql, remainder, ids } = await database.select(outcome.filter);
        const expected = rows.filter(inMemory).map(({ id }) => id);

        expect(ids, `${writeEcqlFilter(filter)} as ${sql}`).toEqual(expected);
        counts.run += 1;
        counts.exact += remainder === undefined ? 1 : 0;
        counts.selected += expected.length;
      }
    }),
    { numRuns: 30, endOnFailure: true },
  );

  // Ensures that the comparison covered enough cases.
  expect(counts.run).toBeGreaterThan(300);
  expect(counts.exact).toBeGreaterThan(100);
  expect(counts.selected).toBeGreaterThan(500);
});
