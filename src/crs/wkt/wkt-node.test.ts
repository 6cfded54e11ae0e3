import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findChildNode, parseWkt, readNodeNumber, readNodeText } from './wkt-node.ts';

describe('well-known text', () => {
  test('is a tree of keywords, texts, numbers and bare words', () => {
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

  test('may have round brackets, keywords in any case, doubled quotes, and more after its end', () => {
    const node = parseWkt('  projcs("a ""quoted"" name",Unit("m",1)),VERTCS["ignored"]');

    expect(node?.keyword).toBe('PROJCS');
    expect(readNodeText(node)).toBe('a "quoted" name');
    expect(readNodeNumber(findChildNode(node, 'UNIT'), 1)).toBe(1);
  });

  test('has numbers also in quotes, and none in other texts', () => {
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
  ])('%j is none', (text) => {
    expect(parseWkt(text)).toBeUndefined();
  });

  test('nothing makes the reader fail, hang or recurse without end', () => {
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
