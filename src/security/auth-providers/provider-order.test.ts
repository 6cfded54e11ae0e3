import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withInserted, withMoved } from './provider-order.ts';

const lists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 6 });

describe('the order of providers', () => {
  it('has a new one where it was put, and the others as they were', () => {
    fc.assert(
      fc.property(lists, fc.nat(6), (names, position) => {
        fc.pre(!names.includes('new one') && position <= names.length);
        const after = withInserted(names, 'new one', position);
        expect(after[position]).toBe('new one');
        expect(after.filter((each) => each !== 'new one')).toEqual(names);
      }),
    );
  });

  it('has a moved one where it was put, and the others as they were', () => {
    fc.assert(
      fc.property(lists, fc.nat(5), fc.nat(5), (names, index, position) => {
        const moved = names[index];
        fc.pre(moved !== undefined && position < names.length);
        const after = withMoved(names, moved ?? '', position);
        expect(after[position]).toBe(moved);
        expect(after.filter((each) => each !== moved)).toEqual(names.filter((each) => each !== moved));
      }),
    );
  });

  it('has no place before the first nor after the end', () => {
    expect(withInserted(['a'], 'b', null)).toEqual(['a', 'b']);
    expect(() => withInserted(['a'], 'b', 2)).toThrow(/out of range/);
    expect(() => withInserted(['a'], 'b', -1)).toThrow(/out of range/);
    expect(() => withMoved(['a', 'b'], 'a', 2)).toThrow(/out of range/);
    expect(() => withMoved(['a'], 'b', 0)).toThrow(/disabled/);
  });
});
