import { expect, it } from 'vitest';
import { findNearestName } from './nearest-name.ts';

it.each([
  ['nmae', ['title', 'name'], 'name'],
  ['minX', ['miny', 'minx'], 'minx'],
  ['isolatd', ['isolated'], 'isolated'],
  ['colour', ['name', 'title'], undefined],
  ['', ['a'], undefined],
  ['x'.repeat(51), ['x'.repeat(50)], undefined],
])('suggests for %s, among %j: %s', (written, known, nearest) => {
  expect(findNearestName(written, known)).toBe(nearest);
});
