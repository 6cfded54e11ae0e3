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
import { readSld } from './reader.ts';
import { writeSld } from './writer.ts';

const folder = new URL('../../../test/styles/sld/accepted/', import.meta.url);
const documents = readdirSync(folder)
  .filter((name) => name.endsWith('.sld'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));

/** Fragments of styles, inserted at wrong positions. */
const fragments = [
  '<',
  '>',
  '/>',
  '</Rule>',
  '<Rule>',
  '&',
  '&#0;',
  '<![CDATA[',
  ']]>',
  '"',
  '\u0000',
  '\uD800',
  '-1',
  '1e999',
  'NaN',
  '#',
  '<ogc:Literal><gml:Point/></ogc:Literal>',
  '<ogc:Function name="">',
  '<ogc:And/>',
  '<CssParameter name="__proto__">1</CssParameter>',
  '<CssParameter name="constructor">1</CssParameter>',
  '<se:Recode/>',
  ' version="1.1.0"',
  ' xmlns=""',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '<?xml version="1.1"?>',
];

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  createInsertion(fragments),
  createDeletion(40),
  // Remove, duplicate or move whole elements, so that the document stays well-formed.
  fc.tuple(place, place, fc.constantFrom('remove', 'double', 'move', 'rename', 'empty')).map(
    ([from, to, what]): Mutation =>
      (text) =>
        mutateElement(text, from, to, what),
  ),
  fc.tuple(place, fc.string({ maxLength: 5 })).map(
    ([share, value]): Mutation =>
      (text) => {
        const values = [...text.matchAll(/"[^"]*"/g)];
        const found = values[Math.floor(values.length * share)];
        return found === undefined
          ? text
          : `${text.slice(0, found.index)}"${value}"${text.slice(found.index + found[0].length)}`;
      },
  ),
);

function mutateElement(text: string, from: number, to: number, what: string): string {
  const found = [...text.matchAll(/<([\w:]+)[^<>]*>[^<]*<\/\1>|<[\w:]+[^<>]*\/>/g)];
  const one = found[Math.floor(found.length * from)];
  const other = found[Math.floor(found.length * to)];
  if (one === undefined || other === undefined) return text;
  const without = text.slice(0, one.index) + text.slice(one.index + one[0].length);
  switch (what) {
    case 'remove':
      return without;
    case 'double':
      return text.slice(0, one.index) + one[0] + text.slice(one.index);
    case 'move':
      return text.slice(0, other.index) + one[0] + text.slice(other.index);
    case 'rename':
      return text.slice(0, one.index) + other[0] + text.slice(one.index + one[0].length);
    default:
      return text.slice(0, one.index) + one[0].replace(/>[^<]*</, '><') + text.slice(one.index + one[0].length);
  }
}

test('each of 5,000 mutated styles is rejected with a reason or can be written', () => {
  fc.assert(
    fc.property(createMutatedDocument(documents, mutation), (text) => {
      let read: ReturnType<typeof readSld>;
      try {
        read = readSld(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Problem);
        expect(error).toHaveProperty('status', 400);
        return;
      }
      expect(readSld(writeSld(read.model, '1.1.0')).model).toEqual(read.model);
    }),
    { numRuns: 5_000 },
  );
}, 120_000);
