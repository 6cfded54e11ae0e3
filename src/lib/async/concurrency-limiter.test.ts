import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

describe('work of which a few may run at once', () => {
  it('waits for a place in the order it was asked for, also after a failure', async () => {
    const twoAtATime = createConcurrencyLimiter(2);
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const work = (number: number) =>
      twoAtATime(async () => {
        begun.push(number);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (number === 1) throw new Error('one of them fails');
        return number;
      });

    const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(work));

    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true, true, true]);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(most).toBe(2);
  });

  it('begins at once while there is a place', async () => {
    const twoAtATime = createConcurrencyLimiter(2);
    const held = Promise.withResolvers<void>();
    const first = twoAtATime(() => held.promise);

    expect(await twoAtATime(async () => 'done')).toBe('done');
    expect(await twoAtATime(async () => 'again')).toBe('again');

    held.resolve();
    await first;
  });
});
