import { expect, it, onTestFinished } from 'vitest';
import { startThreads } from './thread-supply.ts';

it('ignores results that arrive after their tasks were aborted, which Piscina emits as errors', async () => {
  const threads = await startThreads({ maxThreads: 1, idleMs: 1_000, maxMemoryMegabytes: 24 });
  onTestFinished(() => threads.destroy());

  expect(threads.emit('error', new Error('Unexpected message from Worker'))).toBe(true);
});
