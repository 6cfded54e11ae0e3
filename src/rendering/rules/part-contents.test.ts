/** The walk over a part of a style that finds what it refers to. */
import { expect, test } from 'vitest';
import type { Filter } from '../../filter/model/filter.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { listContents, listContentsInTurns } from './part-contents.ts';

/** Compares attributes with calls of `env`. */
function createFilter(count: number): Filter {
  const filters = Array.from({ length: count }, (_, index): Filter => {
    const name = createLiteral(`v${index % 7}`);
    return {
      kind: 'comparison',
      operator: 'equal',
      left: { kind: 'property', name: `a${index % 3}` },
      right: { kind: 'function', name: 'Env', arguments: [name, createLiteral('1')] },
    };
  });
  return { kind: 'or', filters };
}

test('it lists attributes, functions, identifiers and computed relations, also of properties by name', async () => {
  const part: readonly object[] = [
    createFilter(5),
    { kind: 'function', name: 'property', arguments: [createLiteral('named')] },
    { kind: 'identifiers', identifiers: ['a.1'] },
    {
      kind: 'spatial',
      operator: 'intersects',
      left: { kind: 'function', name: 'buffer', arguments: [{ kind: 'property', name: 'geom' }, createLiteral('1')] },
      right: { kind: 'geometry', type: 'Point', coordinates: [1, 2] },
    },
  ];
  const expected = {
    attributes: new Set(['a0', 'a1', 'a2', 'named', 'geom']),
    functions: new Set(['env', 'property', 'buffer']),
    hasComputedRelation: true,
    hasIdentifiers: true,
  };

  expect(listContents(part)).toEqual(expected);
  expect(await listContentsInTurns([...part])).toEqual(expected);
  expect(listContents({ symbolizers: [] })).toEqual({
    attributes: new Set(),
    functions: new Set(),
    hasComputedRelation: false,
    hasIdentifiers: false,
  });
});

test('other work continues during the walk over a large filter, and the result is remembered', async () => {
  const filter = createFilter(200_000);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const contents = await listContentsInTurns(filter);
  clearImmediate(next);

  expect(turns).toBeGreaterThan(1);
  expect(listContents(filter)).toBe(contents);
});
