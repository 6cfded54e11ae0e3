import { describe, expect, it } from 'vitest';
import { createLruCache } from './lru-cache.ts';

describe('LRU cache', () => {
  it('evicts the least recently used value first', () => {
    const recent = createLruCache<string>(10);
    recent.set('a', 'A', 4);
    recent.set('b', 'B', 4);
    recent.get('a');

    recent.set('c', 'C', 4);

    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual(['A', undefined, 'C']);
  });

  it('counts only the latest value of a key', () => {
    const recent = createLruCache<string>(10);
    recent.set('a', 'A', 4);

    recent.set('b', 'old', 6);
    recent.set('b', 'new', 6);

    expect(['a', 'b'].map((key) => recent.get(key))).toEqual(['A', 'new']);
  });

  it('does not store a value larger than the whole cache', () => {
    const recent = createLruCache<string>(10);

    recent.set('a', 'A', 11);

    expect(recent.get('a')).toBeUndefined();
  });
});
