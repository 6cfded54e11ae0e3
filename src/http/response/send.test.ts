import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runAtEndOfTurn } from './reply.ts';

it('deferred work runs at the end of the turn, in order', async () => {
  const done: string[] = [];
  runAtEndOfTurn(() => done.push('first'));
  await Promise.resolve();
  runAtEndOfTurn(() => done.push('second'));
  await Promise.resolve();
  expect(done).toEqual([]);

  await nextTurn();

  expect(done).toEqual(['first', 'second']);
});

it('work deferred by deferred work runs in a later turn', async () => {
  const done: string[] = [];
  runAtEndOfTurn(() => runAtEndOfTurn(() => done.push('later')));
  await nextTurn();
  expect(done).toEqual([]);

  await nextTurn();

  expect(done).toEqual(['later']);
});

it('many items run immediately', async () => {
  const done: number[] = [];
  for (let count = 0; count < 100; count += 1) runAtEndOfTurn(() => done.push(count));
  expect(done).toHaveLength(64);

  await nextTurn();

  expect(done).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
