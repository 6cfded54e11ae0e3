import { expect, test } from 'vitest';
import { loadCanvas, type Path } from '../canvas/canvas.ts';
import { findTypeface } from './typeface.ts';

const SIZE_PIXELS = 10;
/** Straight and curved letters, with and without holes. */
const TEXT = 'SagO 80&%';

test('the simplified outline of a halo covers the same pixels as the exact outline', async () => {
  const library = await loadCanvas();
  const style = { families: ['DejaVu Sans'], weight: 400, widthPercent: 100, isItalic: false, axisValues: [] };
  const typeface = findTypeface(library, style);
  const pieces = typeface.layOut(TEXT);
  const stroke = (path: Path): Uint8Array => {
    const surface = library.createCanvas(80, 20);
    const context = surface.getContext('2d');
    context.translate(5, 14);
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.stroke(path);
    return surface.data();
  };

  const exact = stroke(typeface.createPath(pieces, SIZE_PIXELS));
  const simplified = stroke(typeface.createHaloPath(pieces, SIZE_PIXELS));

  const opacities = exact.filter((_, index) => index % 4 === 3);
  const differences = opacities.map((opacity, pixel) => Math.abs(opacity - (simplified[pixel * 4 + 3] ?? 0)));
  const sum = (values: Uint8Array) => values.reduce((total, value) => total + value, 0);
  expect(sum(opacities)).toBeGreaterThan(50_000);
  expect(sum(differences) / sum(opacities)).toBeLessThan(0.04);
  expect(Math.max(...differences)).toBeLessThan(80);
});
