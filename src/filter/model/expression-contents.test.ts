import { expect, it } from 'vitest';
import { readEcqlExpression } from '../ecql/reader.ts';
import type { Expression } from './expression.ts';
import { isExpression, listContents } from './expression-contents.ts';

function parse(text: string): Expression {
  const read = readEcqlExpression(text);
  if (read.kind !== 'read') throw new Error(`${text} is no expression.`);
  return read.value;
}

it('lists the attributes and functions of an expression at every depth', () => {
  const { attributes, functions } = listContents(parse("Concatenate(name, strTrim(property('kind')), a + area(geom))"));

  expect([...attributes].sort()).toEqual(['a', 'geom', 'kind', 'name']);
  expect([...functions].sort()).toEqual(['area', 'concatenate', 'property', 'strtrim']);
});

it('lists nothing for constants', () => {
  for (const text of ["'name'", '5', 'POINT (1 2)']) {
    const expression = parse(text);

    expect([...listContents(expression).attributes, ...listContents(expression).functions]).toEqual([]);
  }
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
