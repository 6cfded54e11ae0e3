import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Feature, VectorSource } from '../../vector/port/port.ts';
import { withTimeout } from './with-timeout.ts';

const feature: Feature = { id: 'roads.1', values: [] };

/** A source of three batches; `isAwaited` returns whether other requests wait for it. */
function reading(isAwaited: () => boolean) {
  let isReleased = false;
  async function* batches(): AsyncGenerator<readonly Feature[]> {
    try {
      for (let number = 0; number < 3; number += 1) yield [feature];
    } finally {
      isReleased = true;
    }
  }
  const source = { isAwaited } as unknown as VectorSource;
  const held = { source, within: <T>(work: (signal: AbortSignal) => Promise<T>) => work(new AbortController().signal) };
  const failures: unknown[] = [];
  return {
    taken: withTimeout(batches(), { ...held, isFiltering: () => false }, (error) => failures.push(error)),
    failures,
    isReleased: () => isReleased,
  };
}

describe('features that a client does not read', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are released when other requests wait for the source, and the response is aborted', async () => {
    let isAwaited = false;
    const { taken, failures, isReleased } = reading(() => isAwaited);
    await taken.next();

    await vi.advanceTimersByTimeAsync(60_000);
    const before = isReleased();
    isAwaited = true;
    await vi.advanceTimersByTimeAsync(1_000);

    expect([before, isReleased()]).toEqual([false, true]);
    await expect(taken.next()).rejects.toMatchObject({ code: 'work-refused' });
    expect(failures).toHaveLength(1);
  });

  it('are retained for some seconds even if other requests wait', async () => {
    const { taken, isReleased } = reading(() => true);
    await taken.next();

    await vi.advanceTimersByTimeAsync(2_500);

    expect(isReleased()).toBe(false);
    expect((await taken.next()).done).toBe(false);
  });

  it('are no longer watched after the client has disconnected', async () => {
    const { taken, isReleased } = reading(() => false);
    await taken.next();

    await taken.return(undefined);

    expect([isReleased(), vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('are delivered completely if the client reads them', async () => {
    const { taken } = reading(() => true);
    const sizes: number[] = [];
    for await (const batch of taken) sizes.push(batch.length);

    expect([sizes, vi.getTimerCount()]).toEqual([[1, 1, 1], 0]);
  });
});
