import { expect, test } from 'vitest';
import { freeBuffers } from './free-buffers.ts';

test('memory that belongs to one buffer is freed, and shared memory is kept', () => {
  const own = Buffer.allocUnsafeSlow(100_000);
  const whole = Buffer.allocUnsafeSlow(100_000).fill(1);
  const [first, second] = [whole.subarray(0, 50_000), whole.subarray(50_000)];

  freeBuffers([own, first]);

  expect([own.length, first.length, second.length]).toEqual([0, 50_000, 50_000]);
  expect(second[0]).toBe(1);
});
