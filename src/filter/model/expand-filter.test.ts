import { expect, test } from 'vitest';
import { readEcqlFilter, writeEcqlFilter } from '../ecql/ecql.ts';
import { expandFilter } from './expand-filter.ts';

test.each([
  ['a IN (1, 2) OR b = 3', '("a" = 1) OR ("a" = 2) OR ("b" = 3)'],
  ['NOT a IN (1)', 'NOT ("a" = 1)'],
  ['t DURING 2020-01-31/P1M', `("t" > '2020-01-31') AND ("t" < '2020-02-29T00:00:00.000Z')`],
  ['t BEFORE now AND a = 1', '("t" < "now") AND ("a" = 1)'],
  ['a EXISTS', "PropertyExists('a') = 'true'"],
  ["RELATE(g, POINT(1 2), 'T********')", `relatePattern("g", POINT(1 2), 'T********') = 'true'`],
  ["a LIKE 'x%'", `"a" LIKE 'x%'`],
])('%s is expanded to %s', (text, expected) => {
  const outcome = readEcqlFilter(text);
  if (outcome.kind === 'refused' || outcome.value.kind === 'include' || outcome.value.kind === 'exclude')
    throw new Error('A condition was expected.');

  expect(writeEcqlFilter(expandFilter(outcome.value))).toBe(expected);
});
