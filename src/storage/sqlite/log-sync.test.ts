import { describe, expect, test } from 'vitest';
import { createLogSync } from './log-sync.ts';

/** A disk that takes as long as it is told, by a clock that nobody waits for. */
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

describe('a log that is brought to the disk', () => {
  test('is waited for beside everybody else until the disk has shown that it answers at once', async () => {
    const { calls, syncTimes } = createDisk();

    await syncTimes(34);

    expect(calls.slice(0, 32)).toEqual(Array(32).fill('beside'));
    expect(calls.slice(32)).toEqual(['in place', 'in place']);
  });

  test('is always waited for beside everybody else on a slow disk', async () => {
    const { disk, calls, syncTimes } = createDisk();
    disk.takesMs = 8;

    await syncTimes(3_000);

    expect(new Set(calls)).toEqual(new Set(['beside']));
  });

  test('holds everybody up once when a quick disk becomes slow, and not again', async () => {
    const { disk, calls, syncTimes } = createDisk();
    await syncTimes(32);

    disk.takesMs = 8;
    await syncTimes(3_000);

    expect(calls.filter((call) => call === 'in place')).toHaveLength(1);
  });

  test('is brought there in place again once the disk has been quick for long', async () => {
    const { disk, calls, syncTimes } = createDisk();
    await syncTimes(32);
    disk.takesMs = 8;
    await syncTimes(10);

    disk.takesMs = 0.1;
    await syncTimes(1_001);

    expect(calls.at(-1)).toBe('in place');
  });

  test('is not on the disk when the disk says so', async () => {
    const refusing = () => {
      throw new Error('EIO');
    };
    const sync = createLogSync({ syncInline: refusing, syncInThread: async () => refusing(), nowMs: () => 0 });

    await expect(sync(7)).rejects.toThrow('EIO');
  });
});
