import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertName, moveName } from './provider-order.ts';

const lists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 6 });

describe('order of authentication providers', () => {
  it('inserts a new provider at its position and keeps the order of the others', () => {
    fc.assert(
      fc.property(lists, fc.nat(6), (names, position) => {
        fc.pre(!names.includes('new one') && position <= names.length);
        const after = insertName(names, 'new one', position);
        expect(after[position]).toBe('new one');
        expect(after.filter((each) => each !== 'new one')).toEqual(names);
      }),
    );
  });

  it('moves a provider to its position and keeps the order of the others', () => {
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

  it('rejects positions before the start and after the end', () => {
    expect(insertName(['a'], 'b', null)).toEqual(['a', 'b']);
    expect(() => insertName(['a'], 'b', 2)).toThrow(/out of range/);
    expect(() => insertName(['a'], 'b', -1)).toThrow(/out of range/);
    expect(() => moveName(['a', 'b'], 'a', 2)).toThrow(/out of range/);
    expect(() => moveName(['a'], 'b', 0)).toThrow(/disabled/);
  });
});
