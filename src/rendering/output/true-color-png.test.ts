/** Verifies that PNG files with many colours preserve every pixel, and use the filter that suits the picture. */
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { Picture } from '../rasterizer/picture.ts';
import { encodeTrueColorPng, encodeTrueColorPngSync } from './true-color-png.ts';

async function readPixels(png: Uint8Array): Promise<Buffer> {
  return sharp(png).ensureAlpha().raw().toBuffer();
}

function paint(width: number, height: number, color: (column: number, row: number) => readonly number[]) {
  const colors = Array.from({ length: width * height }, (_, at) => color(at % width, Math.floor(at / width)));
  return { width, height, pixels: new Int32Array(Uint8Array.from(colors.flat()).buffer), isPremultiplied: false };
}

/** Returns the filter types of all rows. */
function readFilters(png: Buffer, width: number, channels: number): ReadonlySet<number> {
  const rows = inflateSync(png.subarray(png.indexOf('IDAT') + 4));
  return new Set(rows.filter((_, at) => at % (width * channels + 1) === 0));
}

describe('PNG file with many colours', () => {
  it('has the same pixels after decoding, from both encoders', async () => {
    const bytes = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 })).chain(([width, height]) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        bytes: fc.uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 }),
        isOpaque: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async ({ width, height, bytes, isOpaque }) => {
        const colors = bytes.map((value, at) => (isOpaque && at % 4 === 3 ? 255 : value));
        const picture = { width, height, pixels: new Int32Array(colors.buffer), isPremultiplied: false };

        const png = encodeTrueColorPngSync(picture);

        expect(await readPixels(png)).toEqual(Buffer.from(colors));
        expect(await encodeTrueColorPng(picture)).toEqual(png);
        expect((await sharp(png).metadata()).hasAlpha).toBe(colors.some((value, at) => at % 4 === 3 && value < 255));
      }),
      { numRuns: 40 },
    );
  });

  it('stores straight colours if the input is premultiplied', async () => {
    const picture = new Picture(16, 16);
    picture.set(Uint8Array.from({ length: 1_024 }, (_, at) => (at * 37) % 256));

    const png = encodeTrueColorPngSync({ ...picture, pixels: picture.pixels, isPremultiplied: true });

    expect(await readPixels(png)).toEqual(Buffer.from(picture.toStraight()));
  });

  const noise = (at: number) => (Math.imul(at + 1, 0x9e3779b1) >>> 13) & 0xff;
  it.each([
    [
      'the pixel to the left',
      1,
      (column: number, row: number) => [noise(row * row) + column * (row % 7), noise(row ** 3), 9, 255],
    ],
    [
      'the pixel above',
      2,
      (column: number, row: number) => [noise(column * column) + row * (column % 7), noise(column ** 3), 9, 255],
    ],
    ['nothing', 0, (column: number, row: number) => [noise(column % 5), noise(column % 3), (row % 2) * 99, 255]],
  ])('stores differences to %s where that is smallest', (_, filter, color) => {
    const picture = paint(200, 300, color);

    const filters = readFilters(encodeTrueColorPngSync(picture), 200, 3);

    // Nothing is above the first row.
    expect(filters).toEqual(new Set(filter === 2 ? [0, 2] : [filter]));
  });
});
