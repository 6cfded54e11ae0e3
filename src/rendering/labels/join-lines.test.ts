import { describe, expect, test } from 'vitest';
import { joinLines } from './join-lines.ts';

const joined = (...lines: readonly (readonly number[])[]) =>
  joinLines(lines.map((line) => Float64Array.from(line))).map((line) => [...line]);

describe('joinLines', () => {
  test('joins lines that share an end, in any direction', () => {
    const road = [0, 0, 1, 1, 10, 0, 20, 0, 20, 9];
    const first = [0, 0, 1, 1, 10, 0];
    const last = [20, 0, 20, 9];

    expect(joined(first, [10, 0, 20, 0], last)).toEqual([road]);
    expect(joined(first, [20, 0, 10, 0], last)).toEqual([road]);
    expect(joined([10, 0, 20, 0], first, [20, 9, 20, 0])).toEqual([road]);
    expect(joined([10, 0, 20, 0], [10, 0, 1, 1, 0, 0], last)).toEqual([road]);
  });

  test('joins ends that are at most half a pixel apart, also across a pixel border', () => {
    expect(joined([0, 0, 9.8, 0], [10.2, 0.3, 20, 0])).toEqual([[0, 0, 9.8, 0, 20, 0]]);
    expect(joined([0, 0, -9.8, 0], [-10.2, -0.3, -20, 0])).toEqual([[0, 0, -9.8, 0, -20, 0]]);
    expect(joined([0, 0, 9.8, 0], [10.3, 0, 20, 0])).toHaveLength(2);
  });

  test('joins lines shorter than half a pixel in their order along the road', () => {
    const road = Array.from({ length: 11 }, (_, index) => [index / 10, 0]).flat();
    const pieces = [0, 3, 1, 9, 2, 5, 8, 4, 7, 6].map((index) => road.slice(index * 2, index * 2 + 4));

    expect(joined(...pieces)).toEqual([road]);
  });

  test('keeps lines without a neighbour unchanged and in order, including rings and empty lines', () => {
    const ring = [40, 40, 50, 40, 50, 50, 40, 40];

    expect(joined([0, 0, 5, 5], ring, [], [80, 80, 90, 90])).toEqual([[0, 0, 5, 5], ring, [], [80, 80, 90, 90]]);
  });

  test('joins the first two of three lines that meet in one point', () => {
    expect(joined([0, 0, 10, 0], [10, 0, 10, 10], [10, 0, 20, 0])).toEqual([
      [0, 0, 10, 0, 10, 10],
      [10, 0, 20, 0],
    ]);
  });

  test('joins a very large number of lines', () => {
    const pieces = Array.from({ length: 100_000 }, (_, index) => [index, 0, index + 1, 0]);
    const shuffled = pieces.map((_, index) => pieces[(index * 7_919) % pieces.length] ?? []);

    const [whole, ...rest] = joinLines(shuffled.map((line) => Float64Array.from(line)));

    expect([whole?.length, rest]).toEqual([200_002, []]);
    expect([whole?.at(0), whole?.at(-2)].sort()).toEqual([0, 100_000]);
  });
});
