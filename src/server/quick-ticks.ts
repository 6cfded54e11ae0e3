/**
 * Node makes an object for each `process.nextTick`, five for a request. When garbage was collected a few times while there
 * was none of them, V8 has forgotten what they look like, and makes each five times slower from then on, for good. So one is
 * kept, for as long as the program runs.
 */
import { executionAsyncResource } from 'node:async_hooks';

export const retainedTick: Promise<object> = new Promise((resolve) => {
  process.nextTick(() => resolve(executionAsyncResource()));
});
