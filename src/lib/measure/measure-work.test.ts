import { expect, test } from 'vitest';
import { measureItems, measureWork, readDurations, type Stage } from './measure-work.ts';

function readKind(stage: Stage, kind: string) {
  const histogram = readDurations(stage).get(kind);
  return {
    count: histogram?.counts.reduce((sum, each) => sum + each, 0) ?? 0,
    seconds: histogram?.sumSeconds ?? 0,
  };
}

test('counts work that succeeds and work that fails', async () => {
  const work = { stage: 'query', kind: 'counted' } as const;

  expect(await measureWork(work, async () => 'result')).toBe('result');
  await expect(measureWork(work, () => Promise.reject(new Error('no data')))).rejects.toThrow('no data');

  expect(readKind('query', 'counted').count).toBe(2);
});

test('counts a stream once, also if the reader stops early, without the time of the reader', async () => {
  const work = { stage: 'encode', kind: 'streamed' } as const;
  async function* produce() {
    yield 1;
    yield 2;
  }
  const read: number[] = [];
  for await (const item of measureItems(work, produce())) read.push(item);
  for await (const item of measureItems(work, produce())) {
    read.push(item);
    const startedAt = performance.now();
    while (performance.now() - startedAt < 100) {
      // The reader uses the item.
    }
    break;
  }

  expect(read).toEqual([1, 2, 1]);
  const { count, seconds } = readKind('encode', 'streamed');
  expect(count).toBe(2);
  expect(seconds).toBeLessThan(0.1);
});
