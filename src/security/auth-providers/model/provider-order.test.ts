import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertName, moveName } from './provider-order.ts';

const lists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 6 });

describe('the order of providers', () => {
  it('has a new one where it was put, and the others as they were', () => {
    fc.assert(
      fc.property(lists, fc.nat(6), (names, position) => {
        fc.pre(!names.includes('new one') && position <= names.length);
        const after = insertName(names, 'new one', position);
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
        const after = moveName(names, moved ?? '', position);
        expect(after[position]).toBe(moved);
        expect(after.filter((each) => each !== moved)).toEqual(names.filter((each) => each !== moved));
      }),
    );
  });

  it('has no place before the first nor after the end', () => {
    expect(insertName(['a'], 'b', null)).toEqual(['a', 'b']);
    expect(() => insertName(['a'], 'b', 2)).toThrow(/out of range/);
    expect(() => insertName(['a'], 'b', -1)).toThrow(/out of range/);
    expect(() => moveName(['a', 'b'], 'a', 2)).toThrow(/out of range/);
    expect(() => moveName(['a'], 'b', 0)).toThrow(/disabled/);
  });
});
