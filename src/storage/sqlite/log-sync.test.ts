import { describe, expect, test } from 'vitest';
import { createLogSync } from './log-sync.ts';

/** A disk with a configurable latency and a simulated clock. */
function createDisk() {
  const calls: ('in place' | 'beside')[] = [];
  let nowMs = 0;
  const disk = { takesMs: 0.1, calls };
  const sync = createLogSync({
    syncInline: () => {
      calls.push('in place');
      nowMs += disk.takesMs;
    },
    syncInThread: async () => {
      calls.push('beside');
      nowMs += disk.takesMs;
    },
    nowMs: () => nowMs,
  });
  const syncTimes = async (count: number) => {
    for (let index = 0; index < count; index += 1) await sync(7);
  };
  return { disk, calls, syncTimes };
}

describe('log synchronization', () => {
  test('runs in a thread until the disk has proven fast', async () => {
    const { calls, syncTimes } = createDisk();

    await syncTimes(34);

    expect(calls.slice(0, 32)).toEqual(Array(32).fill('beside'));
    expect(calls.slice(32)).toEqual(['in place', 'in place']);
  });

  test('always runs in a thread on a slow disk', async () => {
    const { disk, calls, syncTimes } = createDisk();
    disk.takesMs = 8;

    await syncTimes(3_000);

    expect(new Set(calls)).toEqual(new Set(['beside']));
  });

  test('blocks once when a fast disk becomes slow, and not again', async () => {
    const { disk, calls, syncTimes } = createDisk();
    await syncTimes(32);

    disk.takesMs = 8;
    await syncTimes(3_000);

    expect(calls.filter((call) => call === 'in place')).toHaveLength(1);
  });

  test('runs in place again after the disk has been fast for long', async () => {
    const { disk, calls, syncTimes } = createDisk();
    await syncTimes(32);
    disk.takesMs = 8;
    await syncTimes(10);

    disk.takesMs = 0.1;
    await syncTimes(1_001);

    expect(calls.at(-1)).toBe('in place');
  });

  test('fails when the disk reports an error', async () => {
    const refusing = () => {
      throw new Error('EIO');
    };
    const sync = createLogSync({ syncInline: refusing, syncInThread: async () => refusing(), nowMs: () => 0 });

    await expect(sync(7)).rejects.toThrow('EIO');
  });
});
