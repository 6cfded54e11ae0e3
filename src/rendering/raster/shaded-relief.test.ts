import { expect, it } from 'vitest';
import { createLiteral } from '../../filter/model/literal.ts';
import { type PixelGround, shadeRelief } from './shaded-relief.ts';

/** The brightness of the middle of a plane that rises towards the east by this many metres per pixel. */
function shade(rise: number, ground: PixelGround, reliefFactor?: number): number {
  const samples = Float32Array.from({ length: 9 }, (_, at) => (at % 3) * rise);
  const bytes = new Uint8Array(36).fill(100);
  const relief = reliefFactor === undefined ? {} : { reliefFactor: createLiteral(reliefFactor) };
  shadeRelief(bytes, { samples, width: 3, height: 3 }, { kind: 'shadedRelief', ...relief }, ground);
  return bytes[16] ?? 0;
}

const metres = { width: 10, height: 10 };

it('shades a slope by its true angle with the usual factor', () => {
  // A slope of 45 degrees: (cos 45° + 0.5) / sqrt(2) of a brightness of cos 45° on level ground.
  const expected = Math.floor((100 * (Math.SQRT1_2 + 0.5)) / Math.SQRT2 / Math.SQRT1_2);

  expect(shade(10, metres)).toBe(expected);
  expect(shade(10, metres, 55)).toBe(expected);
  expect(shade(5, metres, 110)).toBe(expected);
  expect(shade(0, metres)).toBe(100);
});

it('uses the distance on the ground, which becomes shorter towards the poles in degrees', () => {
  const at60 = { width: 20, height: 20, latitudes: { top: 60, bottom: 60 } };

  expect(shade(10, at60)).toBe(shade(10, metres));
});
