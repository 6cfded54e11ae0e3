import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atEndOfTurn } from './end-of-turn.ts';

it('what is put off to the end of a turn is done then, in its order', async () => {
  const done: string[] = [];
  atEndOfTurn(() => done.push('first'));
  await Promise.resolve();
  atEndOfTurn(() => done.push('second'));
  await Promise.resolve();
  expect(done).toEqual([]);

  await nextTurn();

  expect(done).toEqual(['first', 'second']);
});

it('what is put off while others are done has its turn later', async () => {
  const done: string[] = [];
  atEndOfTurn(() => atEndOfTurn(() => done.push('later')));
  await nextTurn();
  expect(done).toEqual([]);

  await nextTurn();

  expect(done).toEqual(['later']);
});

it('many are not put off', async () => {
  const done: number[] = [];
  for (let count = 0; count < 100; count += 1) atEndOfTurn(() => done.push(count));
  expect(done).toHaveLength(64);

  await nextTurn();

  expect(done).toEqual(Array.from({ length: 100 }, (_, index) => index));
});
