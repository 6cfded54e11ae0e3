import { expect, it } from 'vitest';
import { formatThumbnailBox } from './thumbnail-box.ts';

it.each([
  ['a margin of a tenth', [10, 40, 20, 50], '9,39,21,51'],
  ['a box around a single point', [7, 47, 7, 47], '6.3,46.3,7.7,47.7'],
  ['a broader box around a vertical line', [7, 40, 7, 50], '3.5,39,10.5,51'],
  ['no margin outside the Earth', [-180, -90, 180, 83], '-180,-90,180,90'],
  ['an extent beyond the Earth as it is', [-200, 0, 200, 100], '-200,-90,200,100'],
])('a thumbnail has %s', (_what, [minX = 0, minY = 0, maxX = 0, maxY = 0], expected) => {
  expect(formatThumbnailBox({ minX, minY, maxX, maxY })).toBe(expected);
});
