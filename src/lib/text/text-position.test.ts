import { describe, expect, test } from 'vitest';
import { computeTextPosition, TextCursor } from './text-position.ts';

describe('text position', () => {
  test.each([
    ['abc', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['a\nbc', 1, 1, 2],
    ['a\nbc', 2, 2, 1],
    ['a\r\nbc', 4, 2, 2],
    ['a\rbc', 2, 2, 1],
    ['a\r\rb', 3, 3, 1],
    ['😀b', 2, 1, 2],
    ['a\nb', 99, 2, 2],
    ['', 0, 1, 1],
  ])('converts %j at offset %i to line %i, column %i', (text, offset, line, column) => {
    expect(computeTextPosition(text, offset)).toEqual({ line, column });
  });

  test('is the same whether a cursor moves in steps or directly', () => {
    const text = 'one\r\ntwo\rthree\n😀four\n\nfive';
    const cursor = new TextCursor(text);

    for (let offset = 0; offset <= text.length; offset += 1) {
      expect(cursor.moveTo(offset)).toEqual(computeTextPosition(text, offset));
    }
  });
});
