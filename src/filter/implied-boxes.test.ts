import { expect, test } from 'vitest';
import { createNearBoxFilter } from '../vector/query/box-filter.ts';
import { findImpliedBoxes } from './implied.ts';

const boxAt = (x: number) => ({ minX: x, minY: 0, maxX: x + 1, maxY: 1 });
const near = (x: number) => createNearBoxFilter('geom', boxAt(x));

test('alternatives imply one box each, and boxes that must all be met imply one of them', () => {
  const filter = { kind: 'or', filters: [near(170), { kind: 'and', filters: [near(-90), near(90)] }] } as const;

  expect(findImpliedBoxes(filter, 'geom')).toMatchObject([boxAt(170), boxAt(-90)]);
});

test('many alternatives imply the box around them', () => {
  const filters = Array.from({ length: 17 }, (_, x) => near(x));

  expect(findImpliedBoxes({ kind: 'or', filters }, 'geom')).toMatchObject([{ minX: 0, minY: 0, maxX: 17, maxY: 1 }]);
});
