import { expect, test } from 'vitest';
import { BlockCache } from './block-cache.ts';

test('reads each block once, and forgets the oldest beyond its size', async () => {
  const cache = new BlockCache(20);
  const reads: string[] = [];
  const read = (key: string) =>
    cache.getOrRead(key, async () => {
      reads.push(key);
      return new Uint8Array(10);
    });

  for (const key of ['a', 'b', 'a', 'b', 'c', 'b', 'a']) await read(key);

  expect(reads).toEqual(['a', 'b', 'c', 'a']);
});

test('does not keep a block that is larger than the cache', async () => {
  const cache = new BlockCache(20);
  let reads = 0;
  const read = async () => {
    reads += 1;
    return new Uint8Array(30);
  };

  await cache.getOrRead('a', read);
  await cache.getOrRead('a', read);

  expect(reads).toBe(2);
});
