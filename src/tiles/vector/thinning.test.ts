/** What is left of a crowd. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Thinning } from './thinning.ts';

function keptOf(room: number, names: readonly string[], isLarge: (name: string) => boolean = () => false) {
  const thinning = new Thinning<string>(room);
  for (const name of names) thinning.add(name, isLarge(name), name);
  return thinning.listItems();
}

const crowd = Array.from({ length: 10_000 }, (_, index) => `parcels.${index}`);

describe('A crowd of features', () => {
  it('is kept whole where there is room', () => {
    expect(keptOf(10_000, crowd)).toEqual(crowd);
  });

  it('is thinned evenly to what there is room for', () => {
    const kept = keptOf(1_000, crowd).map((name) => Number(name.slice('parcels.'.length)));

    expect(kept.length).toBeGreaterThan(400);
    expect(kept.length).toBeLessThanOrEqual(1_000);
    expect(kept.filter((each) => each < 5_000).length / kept.length).toBeCloseTo(0.5, 1);
  });

  it('keeps its large members', () => {
    const isLarge = (name: string) => name.endsWith('00');

    expect(keptOf(1_000, crowd, isLarge)).toEqual(expect.arrayContaining(crowd.filter(isLarge)));
  });

  it('has no more members than there is room for, be they ever so large', () => {
    expect(keptOf(50, crowd, () => true)).toHaveLength(50);
  });

  it('is thinned alike in whatever order it comes', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.infiniteStream(fc.nat()),
        (names, room, numbers) => {
          const keys = new Map(names.map((name) => [name, numbers.next().value ?? 0]));
          const other = names.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));

          // Where all are left and none gives way it is a matter of order alone: hashes of few texts may agree.
          const [one, two] = [keptOf(room, names), keptOf(room, other)];
          expect(new Set(one)).toEqual(new Set(two));
        },
      ),
    );
  });
});
