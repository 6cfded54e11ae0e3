import { describe, expect, test } from 'vitest';
import type { Polyline, Position } from '../values/sample-geometry.ts';
import { type BendOptions, bendMarks } from './bend-marks.ts';

const line = (...positions: readonly Position[]): Polyline => ({ positions, isClosed: false });
const mark = (places: readonly number[], isClosed = false) => ({
  lines: [{ places: Float64Array.from(places), isClosed }],
  isLine: !isClosed,
});

/** Up, right, down, and right; y points down. */
const wave = mark([0, 0, 0, -0.5, 0.5, -0.5, 0.5, 0.5, 1, 0.5, 1, 0]);

function bent(along: Polyline, bentMark: ReturnType<typeof mark>, options: Partial<BendOptions> = {}) {
  return bendMarks(along, bentMark, { height: 10, maxMarks: 100, ...options }).map(({ positions }) =>
    positions.map((position) => position.map((each) => Math.round(each * 1_000) / 1_000 + 0)),
  );
}

describe('bendMarks', () => {
  test.each([
    [0, 15],
    [0.5, 15],
    [0.51, 10],
    [1, 10],
  ])('scales the last mark to the rest of the line down to the limit %d', (scaleLimit, end) => {
    expect(bent(line([0, 0], [15, 0]), wave, { scaleLimit })[0]?.at(-1)).toEqual([end, 0]);
  });

  test('joins adjacent marks into one line', () => {
    expect(bent(line([0, 5], [20, 5]), wave)).toEqual([
      [
        ...[
          [0, 5],
          [0, 0],
          [5, 0],
          [5, 10],
          [10, 10],
          [10, 5],
        ],
        ...[
          [10, 0],
          [15, 0],
          [15, 10],
          [20, 10],
          [20, 5],
        ],
      ],
    ]);
  });

  test('scales marks to their height, and keeps their proportions', () => {
    expect(bent(line([0, 0], [40, 0]), wave, { height: 20 })[0]?.slice(0, 3)).toEqual([
      [0, 0],
      [0, -10],
      [10, -10],
    ]);
    // A mark without height is as wide as its size.
    expect(bent(line([0, 0], [4, 0]), mark([0, 0, 1, 0]), { height: 4 })).toEqual([
      [
        [0, 0],
        [4, 0],
      ],
    ]);
  });

  test('bends marks at the corners of the line', () => {
    const side = mark([0, -0.5, 1, -0.5, 1, 0.5]);

    // Ten to the right, then down: positions left of the line stay on its left.
    expect(bent(line([0, 0], [4, 0], [4, 6]), side)).toEqual([
      [
        [0, -5],
        [4, -5],
        [9, 0],
        [9, 6],
        [-1, 6],
      ],
    ]);
  });

  test('follows marks that run backwards', () => {
    const hook = mark([0, 0, 1, 0, 1, 1, 0.2, 1]);

    expect(bent(line([0, 0], [5, 0], [5, 5]), hook)[0]).toEqual([
      ...[
        [0, 0],
        [5, 0],
        [5, 0],
        [5, 5],
        [-5, 5],
      ],
      ...[
        [-5, 0],
        [5, 10],
        [2, 10],
      ],
    ]);
  });

  test('clips the last mark at the end of the line', () => {
    expect(bent(line([0, 0], [7, 0]), wave)).toEqual([
      [
        [0, 0],
        [0, -5],
        [5, -5],
        [5, 5],
        [7, 5],
      ],
    ]);
  });

  test('closes the marks around a closed line', () => {
    const ring: Polyline = {
      positions: [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ],
      isClosed: true,
    };
    const tooth = mark([0, 0, 1, 0, 0.5, -1], true);

    const teeth = bent(ring, tooth);

    expect(teeth).toHaveLength(4);
    expect(teeth[0]).toEqual([
      [0, 0],
      [10, 0],
      [5, -10],
      [0, 0],
    ]);
    expect(teeth[3]?.[2]).toEqual([-10, 5]);
  });

  test.each([
    ['a line without length', line([3, 3], [3, 3]), wave, 10],
    ['an empty line', line(), wave, 10],
    ['a mark without width', line([0, 0], [9, 0]), mark([0, 0, 0, 1]), 10],
    ['a mark that is too small to be visible', line([0, 0], [9, 0]), wave, 0.5],
    ['an empty mark', line([0, 0], [9, 0]), { lines: [], isLine: true }, 10],
  ])('returns no lines for %s', (_, along, given, height) => {
    expect(bent(along, given, { height })).toEqual([]);
  });

  test('limits the number of marks', () => {
    expect(bent(line([0, 0], [1_000, 0]), wave, { maxMarks: 3 })[0]?.at(-1)).toEqual([30, 0]);
  });

  test('follows a line with very many corners', () => {
    const positions = Array.from({ length: 200_001 }, (_, index): Position => [index / 1_000, 0]);

    const [only, ...others] = bent({ positions, isClosed: false }, mark([0, 0, 1, 0]), { height: 100 });

    expect([only?.at(-1), others]).toEqual([[200, 0], []]);
  });
});
