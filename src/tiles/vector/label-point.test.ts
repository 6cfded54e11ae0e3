import { expect, it } from 'vitest';
import { wkt } from '../../../test/support/feature-collections.ts';
import { findLabelPoint } from './label-point.ts';

it.each([
  ['POINT (3 4)', [3, 4]],
  ['LINESTRING (0 0, 1 0, 10 0)', [5, 0]],
  ['MULTILINESTRING ((0 0, 1 0), (0 5, 0 9))', [0, 7]],
  ['POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (1 1, 9 1, 9 9, 1 9, 1 1))', [0.5, 5]],
  ['MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((10 10, 20 10, 20 20, 10 20, 10 10)))', [15, 15]],
])('the label of %s is at %j', (text, expected) => {
  expect([...(findLabelPoint(wkt(text))?.ordinates ?? [])]).toEqual(expected);
});
