/** The features that remain in a tile with too many of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeatureBox, Thinning } from './thinning.ts';
import { EXTENT } from './tile-geometry.ts';

type Named = FeatureBox & { readonly name: string };

function keep(room: number, items: readonly Named[]): readonly string[] {
  const thinning = new Thinning<string>(room);
  for (const { name, ...box } of items) thinning.add(name, box, name);
  return thinning.listItems();
}

/** Nine tenths in one corner, as in a town. */
const crowd = Array.from({ length: 10_000 }, (_, index): Named => {
  const side = index % 10 === 0 ? EXTENT : EXTENT / 16;
  return { name: `places.${index}`, x: (index * 7_919) % side, y: (index * 104_729) % side, size: 0 };
});

describe('thinning', () => {
  it('keeps all features within the limit, in the order of the data', () => {
    expect(keep(10_000, crowd)).toEqual(crowd.map(({ name }) => name));
  });

  it('fills the limit', () => {
    expect(keep(1_000, crowd)).toHaveLength(1_000);
  });

  it('keeps one feature in each cell of a grid, so that isolated features remain', () => {
    const isolated = { name: 'hermit', x: 4_000, y: 4_000, size: 0 };
    const town = crowd.map((each) => ({ ...each, x: each.x % 256, y: each.y % 256 }));

    expect(keep(300, [...town, isolated])).toContain('hermit');
  });

  it('keeps large features, the largest first', () => {
    const sized = crowd.map((each, index) => ({ ...each, size: index % 100 === 0 ? 1_000 + index : 0 }));
    const large = sized.filter(({ size }) => size > 0).map(({ name }) => name);

    expect(keep(1_000, sized)).toEqual(expect.arrayContaining(large));
    expect(keep(50, sized)).toEqual(large.slice(-50));
  });

  it('removes features in the buffer before features in the tile', () => {
    const beyond = crowd.map((each, index) => ({ ...each, name: `b.${index}`, x: EXTENT + (each.x % 256) }));
    const visible = crowd.slice(0, 1_000);
    const kept = keep(1_500, [...beyond, ...visible]);

    expect(kept).toEqual(expect.arrayContaining(visible.map(({ name }) => name)));
    expect(kept).toHaveLength(1_500);
  });

  it('keeps a large feature with its centre in the buffer or beyond it', () => {
    const lake = { name: 'lake', x: -2_000, y: 2_000, size: 6_000 };

    expect(keep(300, [...crowd, lake])).toContain('lake');
  });

  it('keeps the same features in any order of the data', () => {
    const item = fc.record({
      name: fc.string(),
      x: fc.integer({ min: -256, max: 4_352 }),
      y: fc.integer({ min: -256, max: 4_352 }),
      size: fc.constantFrom(0, 0, 100, 5_000),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(item, { maxLength: 60, selector: ({ name }) => name }),
        fc.integer({ min: 1, max: 40 }),
        (items, room) => {
          expect(keep(room, items.toReversed()).toSorted()).toEqual(keep(room, items).toSorted());
        },
      ),
    );
  });

  it('limits the features that it retains', () => {
    const many = Array.from({ length: 60_000 }, (_, index): Named => {
      return { name: `${index}`, x: (index * 7_919) % EXTENT, y: (index * 104_729) % EXTENT, size: index % 2 };
    });

    expect(keep(10, many)).toHaveLength(10);
  });

  it('shows the first feature of a cell at all higher levels', () => {
    const shown = new Set(keep(2_000, crowd));
    // The upper left quarter of the tile, at the next level.
    const quarter = crowd.flatMap((each) =>
      each.x < 2_048 && each.y < 2_048 ? { ...each, x: each.x * 2, y: each.y * 2 } : [],
    );
    const shownAbove = new Set(keep(2_000, quarter));

    expect(quarter.filter(({ name }) => shown.has(name) && !shownAbove.has(name))).toEqual([]);
  });
});
