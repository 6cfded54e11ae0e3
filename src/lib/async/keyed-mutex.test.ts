import { describe, expect, it } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';

describe('keyed mutex', () => {
  it('runs work with the same key sequentially and in order, also after a failure', async () => {
    const oneAtATime = createKeyedMutex();
    const steps: string[] = [];
    const work = (name: string, fails = false) =>
      oneAtATime('key', async () => {
        steps.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });

    const outcomes = await Promise.allSettled([work('a'), work('b', true), work('c')]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('does not wait for work with another key', async () => {
    const oneAtATime = createKeyedMutex();
    const held = Promise.withResolvers<void>();
    const first = oneAtATime('a', () => held.promise);

    expect(await oneAtATime('b', async () => 'done')).toBe('done');

    held.resolve();
    await first;
  });
});
