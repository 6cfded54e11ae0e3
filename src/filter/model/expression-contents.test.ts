import { expect, it } from 'vitest';
import { readEcqlExpression } from '../ecql/reader.ts';
import type { Expression } from './expression.ts';
import { isExpression, listCallContents } from './expression-contents.ts';

function parse(text: string): Expression {
  const read = readEcqlExpression(text);
  if (read.kind !== 'read') throw new Error(`${text} is no expression.`);
  return read.value;
}

const manyPairs = Array.from({ length: 40 }, (_, index) => `'key ${index}', '${index}'`).join(', ');

it('lists the attributes and functions of a call with many arguments, at every depth', () => {
  const contents = listCallContents(parse(`Recode(strTrim(property('kind')), ${manyPairs}, 'x', a + area(geom))`));

  expect([...(contents?.attributes ?? [])].sort()).toEqual(['a', 'geom', 'kind']);
  expect([...(contents?.functions ?? [])].sort()).toEqual(['area', 'property', 'recode', 'strtrim']);
});

it('lists nothing for other parts', () => {
  for (const text of ["'name'", 'name', 'POINT (1 2)', "Recode(kind, 'a', 'b')"])
    expect(listCallContents(parse(text))).toBeUndefined();
});

it('distinguishes expressions from other parts of styles', () => {
  expect([parse('name'), parse('1 + a'), { kind: 'mark' }, [parse('name')], {}].map(isExpression)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
