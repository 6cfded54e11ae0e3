import { expect, it } from 'vitest';
import { problem } from '../../lib/problems/problem.ts';
import { createTimeoutBreaker } from './timeout-breaker.ts';

const late = problem('store-unreachable', { name: 'far', reason: 'it did not answer within 100 ms' });
const broken = problem('store-unreachable', { name: 'far', reason: 'connection refused' });

it('rejects requests after three timeouts, tests the server again later, and accepts them after a response', async () => {
  let nowMs = 0;
  let asked = 0;
  let answer: () => Promise<string> = () => Promise.reject(late);
  const breaker = createTimeoutBreaker(() => nowMs);
  const ask = (key = 'far') =>
    breaker.run(key, () => {
      asked += 1;
      return answer();
    });
  for (let count = 0; count < 5; count += 1) await expect(ask()).rejects.toBe(late);
  expect(asked).toBe(3);
  nowMs += 10_000;
  const held = Promise.withResolvers<string>();
  answer = () => held.promise;
  const test = ask();
  await expect(ask()).rejects.toBe(late);
  held.resolve('here');
  expect(await test).toBe('here');
  expect(await ask()).toBe('here');
  expect(asked).toBe(5);
});

it('counts neither other errors nor the timeouts of other stores', async () => {
  const breaker = createTimeoutBreaker(() => 0);
  for (let count = 0; count < 5; count += 1) {
    await expect(breaker.run('a', () => Promise.reject(broken))).rejects.toBe(broken);
    await expect(breaker.run('b', () => Promise.reject(late))).rejects.toBe(late);
  }
  expect(await breaker.run('a', async () => 'here')).toBe('here');
});
