/** Returns the items that are kept. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Thinning } from './thinning.ts';

function keptOf(room: number, names: readonly string[], isLarge: (name: string) => boolean = () => false) {
  const thinning = new Thinning<string>(room);
  for (const name of names) thinning.add(name, isLarge(name), name);
  return thinning.listItems();
}

const crowd = Array.from({ length: 10_000 }, (_, index) => `parcels.${index}`);

describe('thinning', () => {
  it('keeps all features within the limit', () => {
    expect(keptOf(10_000, crowd)).toEqual(crowd);
  });

  it('reduces features evenly to the limit', () => {
    const kept = keptOf(1_000, crowd).map((name) => Number(name.slice('parcels.'.length)));

    expect(kept.length).toBeGreaterThan(400);
    expect(kept.length).toBeLessThanOrEqual(1_000);
    expect(kept.filter((each) => each < 5_000).length / kept.length).toBeCloseTo(0.5, 1);
  });

  it('keeps large features', () => {
    const isLarge = (name: string) => name.endsWith('00');

    expect(keptOf(1_000, crowd, isLarge)).toEqual(expect.arrayContaining(crowd.filter(isLarge)));
  });

  it('never exceeds the limit, even for large features', () => {
    expect(keptOf(50, crowd, () => true)).toHaveLength(50);
  });

  it('keeps the same features in any order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.infiniteStream(fc.nat()),
        (names, room, numbers) => {
          const keys = new Map(names.map((name) => [name, numbers.next().value ?? 0]));
          const other = names.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));

          // If all remaining features have equal hashes, the order decides.
          const [one, two] = [keptOf(room, names), keptOf(room, other)];
          expect(new Set(one)).toEqual(new Set(two));
        },
      ),
    );
  });
});
