import { ReadableStream } from 'node:stream/web';
import { expect, it } from 'vitest';
import { readDurations } from '../lib/measure/measure-work.ts';
import { measureSource } from './measure-source.ts';
import type { VectorSource } from './port/port.ts';

function countQueries(type: string): number {
  return (
    readDurations('query')
      .get(type)
      ?.counts.reduce((sum, each) => sum + each, 0) ?? 0
  );
}

it('measures counts, extents and statistics as queries, and adds no function that the source lacks', async () => {
  const source = {
    read: () => ReadableStream.from([]),
    count: async () => 3,
    bounds: async () => undefined,
    computeStatistics: async () => ({ kind: 'values', counts: [] }),
  } as unknown as VectorSource;
  const measured = measureSource(source, 'a test');
  const signal = new AbortController().signal;

  await measured.computeStatistics?.('towns', { kind: 'values', attribute: 'name', limit: 5 }, signal);
  expect(countQueries('a test')).toBe(1);
  await measured.count?.('towns', undefined, signal);
  await measured.bounds?.('towns', undefined, signal);
  expect(countQueries('a test')).toBe(3);
  expect(measured.tile).toBeUndefined();
});
