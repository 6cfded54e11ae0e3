import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeTurn } from './event-loop-turns.ts';

test('each of several connections continues in its own turn, in the order of their calls', async () => {
  const continued: string[] = [];
  for (const name of ['first', 'second', 'third']) takeTurn(() => continued.push(name));
  const seen: number[] = [continued.length];
  for (let turns = 0; turns < 3; turns += 1) {
    await turn();
    seen.push(continued.length);
  }

  expect(seen).toEqual([0, 1, 2, 3]);
  expect(continued).toEqual(['first', 'second', 'third']);
});

test('a connection that continues can wait again', async () => {
  let count = 0;
  takeTurn(() => {
    count += 1;
    takeTurn(() => {
      count += 1;
    });
  });
  while (count < 2) await turn();

  expect(count).toBe(2);
});
