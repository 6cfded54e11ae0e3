import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findChildNode, parseWkt, readNodeNumber, readNodeText } from './wkt-node.ts';

describe('WKT parser', () => {
  test('parses a tree of keywords, texts, numbers and bare words', () => {
    const node = parseWkt('GEOGCS["WGS 84", UNIT["degree", 1.74532925199433e-2],\n AXIS["Lon",EAST]]');

    expect(node).toEqual({
      keyword: 'GEOGCS',
      values: ['WGS 84'],
      children: [
        { keyword: 'UNIT', values: ['degree', 0.0174532925199433], children: [] },
        { keyword: 'AXIS', values: ['Lon', 'EAST'], children: [] },
      ],
    });
  });

  test('accepts round brackets, keywords in any case, doubled quotes and trailing text', () => {
    const node = parseWkt('  projcs("a ""quoted"" name",Unit("m",1)),VERTCS["ignored"]');

    expect(node?.keyword).toBe('PROJCS');
    expect(readNodeText(node)).toBe('a "quoted" name');
    expect(readNodeNumber(findChildNode(node, 'UNIT'), 1)).toBe(1);
  });

  test('reads quoted numbers and rejects other texts as numbers', () => {
    const node = parseWkt('A["1.5"," ","x",-2]');

    expect([0, 1, 2, 3, 4].map((index) => readNodeNumber(node, index))).toEqual([
      1.5,
      undefined,
      undefined,
      -2,
      undefined,
    ]);
  });

  test.for([
    '',
    'GEOGCS',
    'GEOGCS[',
    'GEOGCS[]',
    'GEOGCS["a"',
    'GEOGCS["a",]',
    'GEOGCS["a" "b"]',
    '["a"]',
    '5[1]',
    'A["unclosed]',
  ])('returns undefined for %j', (text) => {
    expect(parseWkt(text)).toBeUndefined();
  });

  test('never throws, hangs or recurses without limit on random input', () => {
    expect(parseWkt('A['.repeat(30_000))).toBeUndefined();
    expect(parseWkt(`A["${'x'.repeat(70_000)}"]`)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('A', 'B', '[', ']', '(', ')', ',', '"', '1', '.', '-', 'e', ' ') }),
        (text) => {
          const node = parseWkt(text);
          expect(node === undefined || node.keyword.length > 0).toBe(true);
        },
      ),
    );
  });
});
