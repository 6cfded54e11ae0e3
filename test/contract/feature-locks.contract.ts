/** The contract of feature locks, for every storage. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLockKey, type FeatureLocks, type NewLock } from '../../src/lib/locks/feature-locks.ts';
import { countTurns } from '../support/count-turns.ts';

/** Two independent users of one storage: two nodes, or a server before and after a restart. */
export interface LockPlaces {
  readonly here: FeatureLocks;
  readonly there: FeatureLocks;
  destroy(): Promise<void>;
}

/** The limit of locks of one user in these tests. */
export const MAX_LOCKS = 5;

const key = (number: number) => createLockKey('store', 'roads', `roads.${number}`);

function lock(id: string, numbers: readonly number[], changed: Partial<NewLock> = {}): NewLock {
  return { id, who: 'ann', seconds: 60, layers: ['acme:roads'], keys: numbers.map(key), isPartial: false, ...changed };
}

export function featureLocksContract(name: string, open: (clock: () => number) => Promise<LockPlaces>): void {
  describe(`feature locks in ${name}`, () => {
    async function openPlaces() {
      let nowMs = 1_000_000;
      const places = await open(() => nowMs);
      onTestFinished(() => places.destroy());
      const advance = (seconds: number) => {
        nowMs += seconds * 1_000;
      };
      return { ...places, advance };
    }

    it('hold everywhere until they are released', async () => {
      const { here, there } = await openPlaces();
      expect(await there.hasAny()).toBe(false);
      expect(await here.acquire(lock('a', [1, 2]))).toEqual(new Set());

      expect(await there.findHeld([key(3), key(2)], undefined)).toBe(key(2));
      expect(await there.findHeld([key(1), key(2)], 'a')).toBeUndefined();
      expect(await there.list(undefined, 10)).toEqual([
        {
          id: 'a',
          who: 'ann',
          seconds: 60,
          layers: ['acme:roads'],
          createdAtMs: 1_000_000,
          expiresAtMs: 1_060_000,
          features: 2,
        },
      ]);
      expect(await there.release('a')).toBe(true);
      expect(await here.release('a')).toBe(false);
      expect(await here.find('a')).toBeUndefined();
      expect(await here.findHeld([key(1), key(2)], undefined)).toBeUndefined();
    });

    it('lock all features or none, unless they are partial', async () => {
      const { here, there } = await openPlaces();
      await here.acquire(lock('a', [1, 2]));

      expect(await there.acquire(lock('b', [2, 3]))).toEqual(new Set([key(2)]));
      expect(await there.find('b')).toBeUndefined();
      expect(await here.findHeld([key(3)], undefined)).toBeUndefined();
      expect(await there.acquire(lock('b', [2, 3], { isPartial: true }))).toEqual(new Set([key(2)]));
      expect(await here.findHeld([key(3)], 'a')).toBe(key(3));
      expect(await here.find('b')).toMatchObject({ features: 1, isExpired: false });
    });

    it('expire, and are then known as expired until others take their features', async () => {
      const { here, there, advance } = await openPlaces();
      await here.acquire(lock('a', [1, 2]));
      advance(59);
      expect(await there.renew('a', 30)).toBe(true);
      advance(29);
      expect(await there.findHeld([key(1)], undefined)).toBe(key(1));
      advance(1);

      expect(await there.findHeld([key(1)], undefined)).toBeUndefined();
      expect(await there.hasAny()).toBe(false);
      expect(await there.list(undefined, 10)).toEqual([]);
      expect(await there.find('a')).toMatchObject({ isExpired: true });
      expect([await there.renew('a', 30), await there.release('a')]).toEqual([false, false]);
      expect(await there.acquire(lock('b', [2]))).toEqual(new Set());
      advance(100_000);
      await here.acquire(lock('c', [1]));
      expect(await here.find('a')).toBeUndefined();
    });

    it('release some features and start the time of the others again', async () => {
      const { here, there, advance } = await openPlaces();
      await here.acquire(lock('a', [1, 2, 3]));
      advance(50);
      await here.releaseSome('a', [key(2), key(9)]);
      advance(50);

      expect(await there.findHeld([key(2)], undefined)).toBeUndefined();
      expect(await there.findHeld([key(3)], undefined)).toBe(key(3));
      expect(await there.find('a')).toMatchObject({ features: 2, expiresAtMs: 1_110_000 });
    });

    it('are limited in number for each user', async () => {
      const { here } = await openPlaces();
      for (let number = 0; number < MAX_LOCKS; number += 1) await here.acquire(lock(`lock ${number}`, []));

      await expect(here.acquire(lock('one more', [1]))).rejects.toMatchObject({ code: 'feature-locks-too-many' });
      expect(await here.acquire(lock('of bob', [1], { who: 'bob' }))).toEqual(new Set());
      expect(await here.list('lock 3', 10)).toMatchObject([{ id: 'lock 4' }, { id: 'of bob' }]);
    });

    it('keep exactly one of many concurrent locks of the same features', async () => {
      const { here, there } = await openPlaces();
      const numbers = Array.from({ length: 300 }, (_, index) => index);

      const ended = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? here : there).acquire(
            lock(`lock ${index}`, index % 3 === 0 ? numbers : numbers.toReversed()),
          ),
        ),
      );

      expect(ended.filter((held) => held.size === 0)).toHaveLength(1);
      expect(await here.list(undefined, 10)).toHaveLength(1);
    });

    it('of many features leave turns of the event loop to others', async () => {
      const { here } = await openPlaces();
      const many = Array.from({ length: 12_000 }, (_, index) => key(index));

      expect(await countTurns(() => here.acquire({ ...lock('a', []), keys: many }))).toBeGreaterThan(2);
      expect(await countTurns(() => here.findHeld(many, 'a'))).toBeGreaterThan(2);
      // A database releases them with one statement, whose answer can come in the next turn.
      expect(await countTurns(() => here.release('a'))).toBeGreaterThan(0);
      expect(await here.findHeld(many.slice(0, 1_000), undefined)).toBeUndefined();
    });
  });
}
