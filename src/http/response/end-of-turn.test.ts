import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runAtEndOfTurn } from './end-of-turn.ts';

it('what is put off to the end of a turn is done then, in its order', async () => {
  const done: string[] = [];
  runAtEndOfTurn(() => done.push('first'));
  await Promise.resolve();
  runAtEndOfTurn(() => done.push('second'));
  await Promise.resolve();
  expect(done).toEqual([]);

  await nextTurn();

  expect(done).toEqual(['first', 'second']);
});

it('what is put off while others are done has its turn later', async () => {
  const done: string[] = [];
  runAtEndOfTurn(() => runAtEndOfTurn(() => done.push('later')));
  await nextTurn();
  expect(done).toEqual([]);

  await nextTurn();

  expect(done).toEqual(['later']);
});

it('many are not put off', async () => {
  const done: number[] = [];
  for (let count = 0; count < 100; count += 1) runAtEndOfTurn(() => done.push(count));
  expect(done).toHaveLength(64);

  await nextTurn();

  expect(done).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
