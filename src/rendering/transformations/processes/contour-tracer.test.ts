import { expect, test } from 'vitest';
import { ContourTracer } from './contour-tracer.ts';

const reject = (reason: string) => new Error(reason);

function trace(rows: readonly (readonly number[])[], levels: readonly number[]): readonly (readonly number[])[] {
  const [first = []] = rows;
  const lines: number[][] = [];
  const tracer = new ContourTracer(Float64Array.from(rows.flat()), first.length, rows.length);
  tracer.trace(levels, reject, (level, line) => lines.push([level, ...line]));
  return lines;
}

test('a line is interpolated between the centres of cells and joined', () => {
  const lines = trace(
    [
      [0, 10, 20],
      [0, 10, 20],
      [0, 10, 20],
    ],
    [5],
  );

  expect(lines).toEqual([[5, 0.5, 0, 0.5, 1, 0.5, 2]]);
});

test('a line around a summit is closed', () => {
  const [line = []] = trace(
    [
      [0, 0, 0],
      [0, 10, 0],
      [0, 0, 0],
    ],
    [5],
  );

  expect(line).toHaveLength(11);
  expect(line.slice(1, 3)).toEqual(line.slice(-2));
});

test('the mean of a saddle decides which corners are connected', () => {
  const high = trace(
    [
      [10, 4],
      [4, 10],
    ],
    [5],
  );
  const low = trace(
    [
      [10, 0],
      [0, 6],
    ],
    [5],
  );

  expect([high.length, low.length]).toEqual([2, 2]);
  // The lines of a high saddle separate its low corners.
  expect(high.map((line) => line.slice(1))).toContainEqual([expect.closeTo(0.833, 2), 0, 1, expect.closeTo(0.167, 2)]);
  expect(low.map((line) => line.slice(1))).toContainEqual([0, 0.5, 0.5, 0]);
});

test('cells without data have no lines', () => {
  const lines = trace(
    [
      [0, 10, Number.NaN],
      [0, 10, 20],
    ],
    [5, 15],
  );

  expect(lines.map(([level]) => level)).toEqual([5]);
});
