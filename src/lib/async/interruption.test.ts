import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createInterruption } from './interruption.ts';

test('settles like the work if no interruption occurs', async () => {
  const interruption = createInterruption();

  const done = await interruption.guard(Promise.resolve('done'));
  const failed = interruption.guard(Promise.reject(new Error('failed')));

  expect(done).toBe('done');
  await expect(failed).rejects.toThrow('failed');
});

test('rejects pending and later work after an interruption', async () => {
  const interruption = createInterruption();
  const { promise: under, reject } = Promise.withResolvers<never>();
  const guarded = interruption.guard(under);

  interruption.interrupt(new Error('gone'));
  reject(new Error('ignored'));

  await expect(guarded).rejects.toThrow('gone');
  await expect(interruption.guard(Promise.resolve('late'))).rejects.toThrow('gone');
});

test('does not retain the results of finished work', async () => {
  const interruption = createInterruption();
  const given = new WeakRef(await interruption.guard(Promise.resolve({ large: true })));

  // A WeakRef is cleared only after the current job has ended.
  await turn();
  collectGarbage();

  expect(given.deref()).toBeUndefined();
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
