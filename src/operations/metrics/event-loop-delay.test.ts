import { expect, onTestFinished, test, vi } from 'vitest';
import { EventLoopDelay } from './event-loop-delay.ts';

/** Only ends a failing test. */
const patience = { timeout: 120_000 };

test('measures a blocked event loop', async () => {
  const delay = new EventLoopDelay();
  onTestFinished(() => delay.stop());
  const longest = () => delay.collect()[0]?.samples.find(({ labels }) => labels?.['statistic'] === 'max')?.value ?? 0;
  expect(longest()).toBe(0);

  delay.start();
  await vi.waitUntil(() => longest() > 0, patience);
  const startedAt = performance.now();
  while (performance.now() - startedAt < 200) {
    // Blocks the event loop.
  }

  await vi.waitUntil(() => longest() > 0.15, patience);
});
