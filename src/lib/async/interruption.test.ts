import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createInterruption } from './interruption.ts';

test('work that ends first is as if nobody could have interrupted it', async () => {
  const interruption = createInterruption();

  const done = await interruption.guard(Promise.resolve('done'));
  const failed = interruption.guard(Promise.reject(new Error('failed')));

  expect(done).toBe('done');
  await expect(failed).rejects.toThrow('failed');
});

test('an interruption lets all work go, and what comes later', async () => {
  const interruption = createInterruption();
  const { promise: under, reject } = Promise.withResolvers<never>();
  const guarded = interruption.guard(under);

  interruption.interrupt(new Error('gone'));
  reject(new Error('nobody hears this'));

  await expect(guarded).rejects.toThrow('gone');
  await expect(interruption.guard(Promise.resolve('late'))).rejects.toThrow('gone');
});

test('what work has given is not kept until an interruption comes', async () => {
  const interruption = createInterruption();
  const given = new WeakRef(await interruption.guard(Promise.resolve({ large: true })));

  // What is collected is told only when all that was asked of it is over.
  await turn();
  collectGarbage();

  expect(given.deref()).toBeUndefined();
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
