/** The linearizability checker accepts valid histories and rejects invalid ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isLinearizable,
  type NamesRequest,
  type NamesSeen,
  names,
  type Operation,
  type RegisterRequest,
  type RegisterSeen,
  register,
} from '../support/linearizability.ts';

type OfRegister = Operation<RegisterRequest, RegisterSeen>;
type OfNames = Operation<NamesRequest, NamesSeen>;

const make = (value: string, from: number, to: number, isDone = true): OfRegister => ({
  request: { kind: 'make', value },
  seen: { isDone },
  from,
  to,
});
const change = (value: string, from: number, to: number): OfRegister => ({
  request: { kind: 'change', value },
  seen: { isDone: true },
  from,
  to,
});
const remove = (from: number, to: number, isDone = true): OfRegister => ({
  request: { kind: 'remove' },
  seen: { isDone },
  from,
  to,
});
const read = (value: string | null, from: number, to: number): OfRegister => ({
  request: { kind: 'read' },
  seen: { value },
  from,
  to,
});
const unknown = (asked: RegisterRequest, from: number): OfRegister => ({
  request: asked,
  seen: undefined,
  from,
  to: from + 1,
});

describe('history of one register', () => {
  test.each<readonly [string, readonly OfRegister[]]>([
    ['an empty history', []],
    ['sequential operations', [make('a', 0, 1), read('a', 2, 3), change('b', 4, 5), read('b', 6, 7), remove(8, 9)]],
    ['reads before and after a concurrent write', [make('a', 0, 10), read(null, 1, 2), read('a', 3, 4)]],
    ['two concurrent creates of which one fails', [make('a', 0, 5), make('b', 1, 6, false), read('a', 7, 8)]],
    ['a delete with a concurrent create', [make('a', 0, 1), remove(2, 9), make('b', 3, 8), read('b', 10, 11)]],
    [
      'an unknown outcome that was applied',
      [make('a', 0, 1), unknown({ kind: 'change', value: 'b' }, 2), read('b', 9, 10)],
    ],
    ['an unknown outcome that was never applied', [make('a', 0, 1), unknown({ kind: 'remove' }, 2), read('a', 9, 10)]],
    [
      'an unknown outcome that was applied late',
      [make('a', 0, 1), unknown({ kind: 'remove' }, 2), read('a', 9, 10), read(null, 11, 12)],
    ],
  ])('accepts %s', (_, history) => {
    expect(isLinearizable(register, history)).toBe(true);
  });

  test.each<readonly [string, readonly OfRegister[]]>([
    ['a stale read', [make('a', 0, 1), change('b', 2, 3), read('a', 4, 5)]],
    ['a lost acknowledged change', [make('a', 0, 1), read(null, 2, 3)]],
    ['a read of a value that was never written', [make('a', 0, 1), read('c', 2, 3)]],
    ['two successful creates of the same record', [make('a', 0, 5), make('b', 1, 6)]],
    ['a new value followed by the old one', [make('a', 0, 1), change('b', 2, 20), read('b', 3, 4), read('a', 5, 6)]],
    ['two successful deletes', [make('a', 0, 1), remove(2, 9), remove(3, 8)]],
    ['a rejected create of a missing record', [make('a', 0, 1), remove(2, 3), make('b', 4, 5, false)]],
    [
      'two readers that disagree on the order',
      [make('a', 0, 1), change('b', 2, 9), change('c', 2, 9), read('b', 10, 11), read('c', 12, 13)],
    ],
    [
      'an unknown outcome that was applied and then reverted',
      [make('a', 0, 1), unknown({ kind: 'remove' }, 2), read(null, 9, 10), read('a', 11, 12)],
    ],
    ['a read before the write started', [read('a', 0, 1), make('a', 2, 3)]],
  ])('rejects %s', (_, history) => {
    expect(isLinearizable(register, history)).toBe(false);
  });
});

const add = (name: string, from: number, to: number): OfNames => ({
  request: { kind: 'add', name },
  seen: { isDone: true },
  from,
  to,
});
const drop = (name: string, from: number, to: number): OfNames => ({
  request: { kind: 'remove', name },
  seen: { isDone: true },
  from,
  to,
});
const list = (seen: readonly string[], from: number, to: number): OfNames => ({
  request: { kind: 'list' },
  seen: { names: seen },
  from,
  to,
});

describe('history of a listing', () => {
  test.each<readonly [string, readonly OfNames[]]>([
    [
      'sequential operations',
      [add('a', 0, 1), add('b', 2, 3), list(['a', 'b'], 4, 5), drop('a', 6, 7), list(['b'], 8, 9)],
    ],
    [
      'a listing between two concurrent writes',
      [add('a', 0, 9), add('b', 0, 9), list(['b'], 2, 3), list(['a', 'b'], 4, 5)],
    ],
  ])('accepts %s', (_, history) => {
    expect(isLinearizable(names, history)).toBe(true);
  });

  test.each<readonly [string, readonly OfNames[]]>([
    ['a missing name', [add('a', 0, 1), add('b', 2, 3), list(['b'], 4, 5)]],
    ['a deleted name that reappears', [add('a', 0, 1), drop('a', 2, 3), list(['a'], 4, 5)]],
    ['two listings that no order explains', [add('a', 0, 9), add('b', 0, 9), list(['a'], 2, 3), list(['b'], 4, 5)]],
  ])('rejects %s', (_, history) => {
    expect(isLinearizable(names, history)).toBe(false);
  });
});

test('a long history of many clients is checked in time, and one wrong read in it is found', () => {
  const changes = Array.from({ length: 400 }, (_, index) => change(`${index}`, index, index + 2.5));
  // This change overlaps all others and is applied last.
  const history = [make('first', -2, -1), change('slow', 0, 5_500), ...changes];

  expect(isLinearizable(register, [...history, read('slow', 6_000, 6_001)])).toBe(true);
  expect(isLinearizable(register, [...history, read('2', 6_000, 6_001)])).toBe(false);
});

test('any history that happened in some order is accepted, with any concurrency', () => {
  const kinds = fc.constantFrom('make', 'change', 'remove', 'read');
  const spans = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, spans), { maxLength: 24 }), (operations) => {
      let state: string | null = null;
      const history = operations.map(([kind, [before, after]], at): OfRegister => {
        const asked: RegisterRequest = kind === 'make' || kind === 'change' ? { kind, value: `v${at}` } : { kind };
        const canBeDone = (kind === 'make') === (state === null);
        const seen = kind === 'read' ? { value: state } : { isDone: canBeDone };
        if (kind !== 'read' && canBeDone) state = kind === 'remove' ? null : `v${at}`;
        return { request: asked, seen, from: at - before - 0.25, to: at + after + 0.25 };
      });

      expect(isLinearizable(register, history)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a history with many unknown outcomes is checked in time, and one wrong listing in it is found', () => {
  const doubtful = Array.from({ length: 120 }, (_, index): OfNames => {
    const asked: NamesRequest = { kind: index % 4 < 2 ? 'add' : 'remove', name: `s${index % 6}` };
    return { request: asked, seen: undefined, from: index, to: index + 1 };
  });
  const listed = (shown: readonly string[], from: number): OfNames => ({
    request: { kind: 'list' },
    seen: { names: shown },
    from,
    to: from + 1,
  });

  expect(isLinearizable(names, [...doubtful, listed(['s0', 's1'], 200)])).toBe(true);
  expect(isLinearizable(names, [...doubtful, listed(['s0', 'missing'], 200)])).toBe(false);
});

test('any history that happened in some order is accepted, with any unknown outcomes', () => {
  const steps = fc.tuple(fc.constantFrom('add', 'remove', 'list'), fc.integer({ min: 0, max: 2 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 24 }), (operations) => {
      const there = new Set<string>();
      const history = operations.map(([kind, number, isKnown], at): OfNames => {
        const name = `s${number}`;
        const asked: NamesRequest = kind === 'list' ? { kind } : { kind, name };
        const canBeDone = (kind === 'remove') === there.has(name);
        const seen = kind === 'list' ? { names: [...there] } : { isDone: canBeDone };
        if (kind === 'add') there.add(name);
        if (kind === 'remove') there.delete(name);
        return { request: asked, seen: isKnown ? seen : undefined, from: at, to: at + 0.5 };
      });

      expect(isLinearizable(names, history)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
