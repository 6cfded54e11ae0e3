import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createDeletion,
  createInsertion,
  createMutatedDocument,
  type Mutation,
  place,
} from '../../../test/support/text-mutations.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { readSld } from '../sld/reader.ts';
import { writeSld } from '../sld/writer.ts';
import { readCss } from './reader.ts';

const documents = ['accepted', 'broken'].flatMap((name) => {
  const folder = new URL(`../../../test/styles/css/${name}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.css') && !file.startsWith('too-'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
});

/** Fragments of style sheets, inserted at wrong positions. */
const fragments = [
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ';',
  ':',
  ',',
  "'",
  '"',
  '*',
  '/*',
  '*/',
  '#',
  '@',
  '\\',
  '\u0000',
  '\uD800',
  '\uFEFF',
  '-1',
  '1e999',
  'none',
  '50%',
  '[a = 1]',
  '[@sd < 10k]',
  ':nth-mark(2)',
  ':symbol',
  '__proto__: 1;',
  'constructor: 1;',
  'symbol(circle)',
  'url()',
  'rgb(1, 2, 3)',
  'z-index: 99999999999;',
  "@mode 'Simple';",
  '[NOT NOT a = 1]',
  '[POINT(1 2) = POINT(1 2)]',
];

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  createInsertion(fragments),
  createDeletion(30),
  // Swap whole values, properties and rules, so that more of the result is readable.
  fc.tuple(place, place, fc.constantFrom(/[^;:{}]+/g, /[^;{}]+;/g, /\[[^\]]*\]/g, /[\w-]+/g)).map(
    ([from, to, pattern]): Mutation =>
      (text) => {
        const found = [...text.matchAll(pattern)];
        const one = found[Math.floor(found.length * from)];
        const other = found[Math.floor(found.length * to)];
        if (one === undefined || other === undefined) return text;
        return text.slice(0, one.index) + other[0] + text.slice(one.index + one[0].length);
      },
  ),
  fc.constantFrom(...documents).map(
    (other): Mutation =>
      (text) =>
        `${text}\n${other}`,
  ),
);

test('each of 2,000 mutated style sheets is rejected with a reason or translated to valid SLD', () => {
  let accepted = 0;
  fc.assert(
    fc.property(createMutatedDocument(documents, mutation), (text) => {
      let read: ReturnType<typeof readCss>;
      try {
        read = readCss(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        expect(error).toHaveProperty('status', 400);
        return;
      }
      accepted += 1;
      expect(readSld(writeSld(read.model, '1.1.0')).model).toEqual(read.model);
    }),
    { numRuns: 2_000, seed: 20_240_601 },
  );

  expect(accepted).toBeGreaterThan(200);
}, 60_000);
