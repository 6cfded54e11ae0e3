import { expect, test } from 'vitest';
import { createLiteral } from '../../model/model.ts';
import { createLengths } from '../values/lengths.ts';
import { createTile, type Tile } from './tile.ts';

function scatter(options: Readonly<Record<string, string>>, size = 10): Tile {
  const graphic = { width: size, height: size, outerWidth: size, outerHeight: size, radians: 0 };
  const written = Object.entries({ 'random-tile-size': '100', ...options });
  return createTile(
    graphic,
    written.map(([name, value]) => ({ name, value: createLiteral(value) })),
    createLengths('pixel', undefined),
  );
}

/** The smallest distance of two centres along the longer axis, also across the borders of the tile. */
function measureClosest({ places, width }: Tile): number {
  const apart = (one: number, other: number): number => Math.min(Math.abs(one - other), width - Math.abs(one - other));
  return Math.min(
    ...places.flatMap((one, index) =>
      places.slice(index + 1).map((other) => Math.max(apart(one.x, other.x), apart(one.y, other.y))),
    ),
  );
}

test.each(['free', 'grid'])('random symbols do not overlap with random=%s', (random) => {
  const tile = scatter({ random, 'random-symbol-count': '30' });

  expect(tile.places.length).toBeGreaterThan(20);
  expect(measureClosest(tile)).toBeGreaterThanOrEqual(10);
});

test('random symbols keep the space around them', () => {
  const tile = scatter({ random: 'free', 'random-space-around': '5' });

  expect(measureClosest(tile)).toBeGreaterThanOrEqual(20);
});

test('random symbols without room are omitted, except the first', () => {
  expect(scatter({ random: 'free', 'random-symbol-count': '500' }).places.length).toBeLessThan(100);
  expect(scatter({ random: 'grid' }, 300).places).toHaveLength(1);
});

test('the places of random symbols depend only on the seed', () => {
  const [one, same, other] = ['1', '1', '2'].map((seed) => scatter({ random: 'free', 'random-seed': seed }).places);

  expect(one).toEqual(same);
  expect(one).not.toEqual(other);
});

test('random symbols are turned only with random-rotation=free', () => {
  const count = (rotation: string) =>
    new Set(scatter({ random: 'free', 'random-rotation': rotation }).places.map(({ radians }) => radians)).size;

  expect([count('none'), count('free') > 10]).toEqual([1, true]);
});
