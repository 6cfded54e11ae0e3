import { describe, expect, it } from 'vitest';
import { createLruCache } from './lru-cache.ts';

describe('what was used recently', () => {
  it('is kept as long as there is room, what was used last longest', () => {
    const recent = createLruCache<string>(10);
    recent.set('a', 'A', 4);
    recent.set('b', 'B', 4);
    recent.get('a');

    recent.set('c', 'C', 4);

    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual(['A', undefined, 'C']);
  });

  it('takes the room of its last value only', () => {
    const recent = createLruCache<string>(10);
    recent.set('a', 'A', 4);

    recent.set('b', 'old', 6);
    recent.set('b', 'new', 6);

    expect(['a', 'b'].map((key) => recent.get(key))).toEqual(['A', 'new']);
  });

  it('does not keep what is larger than all the room', () => {
    const recent = createLruCache<string>(10);

    recent.set('a', 'A', 11);

    expect(recent.get('a')).toBeUndefined();
  });
});
