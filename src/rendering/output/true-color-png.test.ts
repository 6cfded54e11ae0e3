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
    const side = fc.integer({ min: 12, max: 40 });
    const slopes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(side, side, slopes, fc.boolean(), async (width, height, slopes, isOpaque) => {
        const picture = paint(width, height, (column, row) =>
          [0, 1, 2, 3].map((channel) => {
            const value = 91 * channel + column * (slopes[channel] ?? 1) + row * (slopes[channel + 4] ?? 1);
            return isOpaque && channel === 3 ? 255 : value % 256;
          }),
        );

        const png = encodeTrueColorPngSync(picture) ?? Buffer.alloc(0);

        expect(await readPixels(png)).toEqual(Buffer.from(picture.pixels.buffer));
        expect(await encodeTrueColorPng(picture)).toEqual(png);
        expect((await sharp(png).metadata()).hasAlpha).toBe(!isOpaque);
      }),
      { numRuns: 40 },
    );
  });

  it('stores straight colours if the input is premultiplied', async () => {
    const picture = new Picture(16, 16);
    picture.set(Uint8Array.from({ length: 1_024 }, (_, at) => at >> 2));

    const png = encodeTrueColorPngSync({ ...picture, pixels: picture.pixels, isPremultiplied: true });

    expect(await readPixels(png ?? Buffer.alloc(0))).toEqual(Buffer.from(picture.toStraight()));
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
  ])('stores differences to %s where that is smallest', (_, filter, color) => {
    const picture = paint(200, 300, color);

    const filters = readFilters(encodeTrueColorPngSync(picture) ?? Buffer.alloc(0), 200, 3);

    // Nothing is above the first row.
    expect(filters).toEqual(new Set(filter === 2 ? [0, 2] : [filter]));
  });

  it('is not created if colours are smaller than their differences', async () => {
    const picture = paint(200, 300, (column, row) => {
      const color = noise((column * 7_919) ^ (row * 104_729)) % 12;
      return [color * 19, (color * 83) % 256, (color * 131) % 256, 255];
    });

    expect(encodeTrueColorPngSync(picture)).toBeUndefined();
    expect(await encodeTrueColorPng(picture)).toBeUndefined();
  });
});
