import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withDeadline } from './deadline.ts';
import { createFairSemaphore } from './fair-semaphore.ts';

describe('deadline of a store', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** One permit, which is held, and work that needs it. */
  async function waitForPlace(afterwardsMs: number) {
    const places = createFairSemaphore({ places: 1, extraPlaces: 0, maxWaiting: 10 });
    const taken = await places.acquire();
    const outcome = withDeadline(1_000, 'roads', async (signal) => {
      const place = await places.acquire({ signal });
      await new Promise((resolve) => setTimeout(resolve, afterwardsMs));
      place.release();
      return 'read';
    }).catch((error: unknown) => error);
    return { taken, outcome };
  }

  it('does not run while the work waits for a thread', async () => {
    const { taken, outcome } = await waitForPlace(900);

    await vi.advanceTimersByTimeAsync(50_000);
    taken.release();
    await vi.advanceTimersByTimeAsync(900);

    expect(await outcome).toBe('read');
  });

  it('starts when the work gets a thread', async () => {
    const { taken, outcome } = await waitForPlace(2_000);

    await vi.advanceTimersByTimeAsync(50_000);
    taken.release();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await outcome).toMatchObject({ code: 'store-unreachable' });
  });

  it('does not report a store as unreachable if the work never gets a thread', async () => {
    const { outcome } = await waitForPlace(0);

    await vi.advanceTimersByTimeAsync(60_000);

    expect(await outcome).toMatchObject({ code: 'work-refused' });
  });
});

// Uses real timers: fake timers behave differently once they are cleared.
it('ends work on a store after a wait for a thread', async () => {
  const places = createFairSemaphore({ places: 1, extraPlaces: 0, maxWaiting: 10 });
  const taken = await places.acquire();
  const outcome = withDeadline(20, 'roads', async () => {
    await places.acquire();
    await new Promise(() => undefined);
  }).catch((error: unknown) => error);

  taken.release();

  expect(await outcome).toMatchObject({ code: 'store-unreachable' });
});
