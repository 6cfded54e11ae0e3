import { expect, test } from 'vitest';
import { createRestriction } from '../../security/data-rules/restriction.ts';
import { listVisibleAreas } from './list-visible-areas.ts';

const POLYGON = 'POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))';

const createRule = (geometry: string | null, rows?: { readonly kind: 'exclude' }) => ({
  name: 'rule',
  layer: 'acme:water',
  rows,
  writeRows: undefined,
  attributes: {},
  area: geometry === null ? null : { geometry, crs: 'EPSG:4326', mode: 'clip' as const },
});

test('a rule without area shows everything; no rule and conditions on rows show nothing', () => {
  expect(listVisibleAreas(undefined)).toBeUndefined();
  expect(listVisibleAreas(createRestriction([createRule(POLYGON), createRule(null)]))).toBeUndefined();
  expect(listVisibleAreas(createRestriction([]))).toEqual([]);
  expect(listVisibleAreas(createRestriction([createRule(null, { kind: 'exclude' })]))).toEqual([]);
  expect(listVisibleAreas(createRestriction([createRule(POLYGON)]))).toEqual([{ geometry: POLYGON, crs: 'EPSG:4326' }]);
});
