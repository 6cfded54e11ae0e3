import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '../../lib/problems/problem.ts';
import { convertJsonInput } from './convert-json-input.ts';
import { startReadingJsonInput } from './read-json.ts';

const limits = { maxDepth: 100, maxNodes: 10_000, maxBytes: 100_000 };

function readText(value: unknown, within: Pick<typeof limits, 'maxDepth' | 'maxNodes'> = limits) {
  return startReadingJsonInput(JSON.stringify(value), within).advance(Number.POSITIVE_INFINITY);
}

const name = fc.oneof(fc.constantFrom('$', '@key', '@', '__proto__', 'entry', '7'), fc.string({ maxLength: 3 }));

const { value: anyJson } = fc.letrec((again) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ maxLength: 4 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(again('value'), { maxLength: 4 }),
    fc.dictionary(name, again('value'), { maxKeys: 4 }),
  ),
}));

test('a value becomes the same tree as its text', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as never;
      expect(convertJsonInput(plain, limits)).toEqual(readText(plain));
    }),
  );
});

test('returns undefined for values whose text could be rejected', () => {
  expect(convertJsonInput(['\ud800'], limits)).toBeUndefined();
  expect(convertJsonInput({ '\ud800': 1 }, limits)).toBeUndefined();
  expect(convertJsonInput('a'.repeat(1_000), { ...limits, maxBytes: 1_000 })).toBeUndefined();
  expect(convertJsonInput([1, 2, 3], { ...limits, maxNodes: 3 })).toBeUndefined();
  expect(convertJsonInput([[1]], { ...limits, maxDepth: 1 })).toBeUndefined();
});

test('returns undefined for values that are too deep', () => {
  const within = { maxDepth: 3, maxNodes: 100 };
  const nested = [[[[]]]];
  expect(() => readText(nested, within)).toThrow(Problem);
  expect(convertJsonInput(nested, { ...limits, ...within })).toBeUndefined();
});
