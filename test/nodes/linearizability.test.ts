/** The checker that the histories of several nodes are looked at with tells good ones from bad ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isLinearizable,
  type NamesAsked,
  type NamesSeen,
  names,
  type Operation,
  type RegisterAsked,
  type RegisterSeen,
  register,
} from '../support/linearizability.ts';

type OfRegister = Operation<RegisterAsked, RegisterSeen>;
type OfNames = Operation<NamesAsked, NamesSeen>;

const make = (value: string, from: number, to: number, isDone = true): OfRegister => ({
  asked: { kind: 'make', value },
  seen: { isDone },
  from,
  to,
});
const change = (value: string, from: number, to: number): OfRegister => ({
  asked: { kind: 'change', value },
  seen: { isDone: true },
  from,
  to,
});
const remove = (from: number, to: number, isDone = true): OfRegister => ({
  asked: { kind: 'remove' },
  seen: { isDone },
  from,
  to,
});
const read = (value: string | null, from: number, to: number): OfRegister => ({
  asked: { kind: 'read' },
  seen: { value },
  from,
  to,
});
const unknown = (asked: RegisterAsked, from: number): OfRegister => ({ asked, seen: undefined, from, to: from + 1 });

describe('a history of one place is', () => {
  test.each<readonly [string, readonly OfRegister[]]>([
    ['empty', []],
    ['one after the other', [make('a', 0, 1), read('a', 2, 3), change('b', 4, 5), read('b', 6, 7), remove(8, 9)]],
    ['read before or after what goes on meanwhile', [make('a', 0, 10), read(null, 1, 2), read('a', 3, 4)]],
    ['made by only one of two at once', [make('a', 0, 5), make('b', 1, 6, false), read('a', 7, 8)]],
    ['removed and made again meanwhile', [make('a', 0, 1), remove(2, 9), make('b', 3, 8), read('b', 10, 11)]],
    ['in doubt, and was done', [make('a', 0, 1), unknown({ kind: 'change', value: 'b' }, 2), read('b', 9, 10)]],
    ['in doubt, and was never done', [make('a', 0, 1), unknown({ kind: 'remove' }, 2), read('a', 9, 10)]],
    [
      'in doubt, and was done late',
      [make('a', 0, 1), unknown({ kind: 'remove' }, 2), read('a', 9, 10), read(null, 11, 12)],
    ],
  ])('good: %s', (_, history) => {
    expect(isLinearizable(register, history)).toBe(true);
  });

  test.each<readonly [string, readonly OfRegister[]]>([
    ['an answer from the past', [make('a', 0, 1), change('b', 2, 3), read('a', 4, 5)]],
    ['an acknowledged change that is lost', [make('a', 0, 1), read(null, 2, 3)]],
    ['something read that nobody wrote', [make('a', 0, 1), read('c', 2, 3)]],
    ['two that made the same', [make('a', 0, 5), make('b', 1, 6)]],
    ['new, then old again', [make('a', 0, 1), change('b', 2, 20), read('b', 3, 4), read('a', 5, 6)]],
    ['removed twice', [make('a', 0, 1), remove(2, 9), remove(3, 8)]],
    ['refused although it was not there', [make('a', 0, 1), remove(2, 3), make('b', 4, 5, false)]],
    [
      'two readers who disagree on the order',
      [make('a', 0, 1), change('b', 2, 9), change('c', 2, 9), read('b', 10, 11), read('c', 12, 13)],
    ],
    [
      'in doubt, done, and then not',
      [make('a', 0, 1), unknown({ kind: 'remove' }, 2), read(null, 9, 10), read('a', 11, 12)],
    ],
    ['done before it was asked for', [read('a', 0, 1), make('a', 2, 3)]],
  ])('bad: %s', (_, history) => {
    expect(isLinearizable(register, history)).toBe(false);
  });
});

const add = (name: string, from: number, to: number): OfNames => ({
  asked: { kind: 'add', name },
  seen: { isDone: true },
  from,
  to,
});
const drop = (name: string, from: number, to: number): OfNames => ({
  asked: { kind: 'remove', name },
  seen: { isDone: true },
  from,
  to,
});
const list = (seen: readonly string[], from: number, to: number): OfNames => ({
  asked: { kind: 'list' },
  seen: { names: seen },
  from,
  to,
});

describe('a history of a listing is', () => {
  test.each<readonly [string, readonly OfNames[]]>([
    [
      'one after the other',
      [add('a', 0, 1), add('b', 2, 3), list(['a', 'b'], 4, 5), drop('a', 6, 7), list(['b'], 8, 9)],
    ],
    ['seen half-way', [add('a', 0, 9), add('b', 0, 9), list(['b'], 2, 3), list(['a', 'b'], 4, 5)]],
  ])('good: %s', (_, history) => {
    expect(isLinearizable(names, history)).toBe(true);
  });

  test.each<readonly [string, readonly OfNames[]]>([
    ['one is missing', [add('a', 0, 1), add('b', 2, 3), list(['b'], 4, 5)]],
    ['one came back', [add('a', 0, 1), drop('a', 2, 3), list(['a'], 4, 5)]],
    ['two lists that no order explains', [add('a', 0, 9), add('b', 0, 9), list(['a'], 2, 3), list(['b'], 4, 5)]],
  ])('bad: %s', (_, history) => {
    expect(isLinearizable(names, history)).toBe(false);
  });
});

test('a long history of many clients is looked at in time, and one wrong read in it is found', () => {
  const changes = Array.from({ length: 400 }, (_, index) => change(`${index}`, index, index + 2.5));
  // One of them takes until the end, and was done last.
  const history = [make('first', -2, -1), change('slow', 0, 5_500), ...changes];

  expect(isLinearizable(register, [...history, read('slow', 6_000, 6_001)])).toBe(true);
  expect(isLinearizable(register, [...history, read('2', 6_000, 6_001)])).toBe(false);
});

test('any history that happened in some order is good, however much of it went on at once', () => {
  const kinds = fc.constantFrom('make', 'change', 'remove', 'read');
  const spans = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, spans), { maxLength: 24 }), (operations) => {
      let state: string | null = null;
      const history = operations.map(([kind, [before, after]], at): OfRegister => {
        const asked: RegisterAsked = kind === 'make' || kind === 'change' ? { kind, value: `v${at}` } : { kind };
        const canBeDone = (kind === 'make') === (state === null);
        const seen = kind === 'read' ? { value: state } : { isDone: canBeDone };
        if (kind !== 'read' && canBeDone) state = kind === 'remove' ? null : `v${at}`;
        return { asked, seen, from: at - before - 0.25, to: at + after + 0.25 };
      });

      expect(isLinearizable(register, history)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a history in which nobody knows of many is looked at in time, and one wrong listing in it is found', () => {
  const doubtful = Array.from({ length: 120 }, (_, index): OfNames => {
    const asked: NamesAsked = { kind: index % 4 < 2 ? 'add' : 'remove', name: `s${index % 6}` };
    return { asked, seen: undefined, from: index, to: index + 1 };
  });
  const listed = (shown: readonly string[], from: number): OfNames => ({
    asked: { kind: 'list' },
    seen: { names: shown },
    from,
    to: from + 1,
  });

  expect(isLinearizable(names, [...doubtful, listed(['s0', 's1'], 200)])).toBe(true);
  expect(isLinearizable(names, [...doubtful, listed(['s0', 'nobody'], 200)])).toBe(false);
});

test('any history that happened in some order is good, whatever nobody knows of it', () => {
  const steps = fc.tuple(fc.constantFrom('add', 'remove', 'list'), fc.integer({ min: 0, max: 2 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 24 }), (operations) => {
      const there = new Set<string>();
      const history = operations.map(([kind, number, isKnown], at): OfNames => {
        const name = `s${number}`;
        const asked: NamesAsked = kind === 'list' ? { kind } : { kind, name };
        const canBeDone = (kind === 'remove') === there.has(name);
        const seen = kind === 'list' ? { names: [...there] } : { isDone: canBeDone };
        if (kind === 'add') there.add(name);
        if (kind === 'remove') there.delete(name);
        return { asked, seen: isKnown ? seen : undefined, from: at, to: at + 0.5 };
      });

      expect(isLinearizable(names, history)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
