import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createYieldIfDue } from './yield-if-due.ts';

/** A clock that the test advances. */
function scene() {
  let nowMs = 0;
  return { pace: createYieldIfDue({ everyMs: 10, now: () => nowMs }), work: (ms: number) => (nowMs += ms) };
}

test('does not wait during short work', () => {
  const { pace, work } = scene();

  expect(pace()).toBeUndefined();
  work(9);
  expect(pace()).toBeUndefined();
});

test('waits for the next turn once the time is used up', async () => {
  const { pace, work } = scene();
  pace();
  work(10);

  const turn = pace();
  expect(turn).toBeInstanceOf(Promise);
  await turn;

  expect(pace()).toBeUndefined();
});

test('continues concurrent long tasks one at a time, each in a separate turn', async () => {
  const { pace, work } = scene();
  const steps: string[] = [];
  let turn = 0;
  const job = async (name: string) => {
    for (let step = 0; step < 3; step += 1) {
      await pace();
      steps.push(`${name} in turn ${turn}`);
      work(10);
    }
  };
  let isOver = false;
  const turns = (async () => {
    while (!isOver) {
      await nextTurn();
      turn += 1;
    }
  })();

  await Promise.all([job('a'), job('b'), job('c')]);
  isOver = true;
  await turns;

  // The first call of each job does not wait.
  const perTurn = Map.groupBy(steps.slice(3), (step) => step.slice(2));
  expect(Math.max(...[...perTurn.values()].map((each) => each.length))).toBe(1);
  expect(steps).toHaveLength(9);
});
