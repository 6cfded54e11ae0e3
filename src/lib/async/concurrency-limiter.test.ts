import { describe, expect, it } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

describe('concurrency limiter', () => {
  it('runs calls in order and within the limit, also after a failure', async () => {
    const twoAtATime = createConcurrencyLimiter(2);
    const started: number[] = [];
    let [running, most] = [0, 0];
    const work = (number: number) =>
      twoAtATime(async () => {
        started.push(number);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (number === 1) throw new Error('failure');
        return number;
      });

    const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(work));

    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true, true, true]);
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(most).toBe(2);
  });

  it('starts a call immediately while a slot is free', async () => {
    const twoAtATime = createConcurrencyLimiter(2);
    const held = Promise.withResolvers<void>();
    const first = twoAtATime(() => held.promise);

    expect(await twoAtATime(async () => 'done')).toBe('done');
    expect(await twoAtATime(async () => 'again')).toBe('again');

    held.resolve();
    await first;
  });
});
