import { expect, test } from 'vitest';
import { simplify } from './simplify.ts';

test('simplification keeps every corner of a line with many corners', () => {
  const corners = 200_000;
  const zigzag = Float64Array.from({ length: corners * 2 }, (_, at) => (at % 2 === 0 ? at / 2 : ((at - 1) / 2) % 2));
  const line = { type: 'LineString', dimension: 'XY', ordinates: zigzag, ends: [corners], parts: [] } as const;

  const simpler = simplify(line, 0.25);

  expect(simpler.ends).toEqual([corners]);
  expect(Buffer.from(simpler.ordinates.buffer).equals(Buffer.from(zigzag.buffer))).toBe(true);
});
