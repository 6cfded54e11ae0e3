/**
 * Retains one `process.nextTick` object for the lifetime of the process. Node creates one for each tick, five per
 * request. After a few garbage collections without any such object, V8 drops their hidden class and creates each of
 * them five times slower from then on.
 */
import { executionAsyncResource } from 'node:async_hooks';

export const retainedTick: Promise<object> = new Promise((resolve) => {
  process.nextTick(() => resolve(executionAsyncResource()));
});
