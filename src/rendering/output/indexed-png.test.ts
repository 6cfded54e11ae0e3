/** Verifies that indexed PNG files preserve every pixel. */
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { Picture } from '../rasterizer/picture.ts';
import { encodePicture } from './encode-picture.ts';
import { encodeIndexedPng } from './indexed-png.ts';

async function readPixels(png: Uint8Array): Promise<readonly number[]> {
  return [...(await sharp(png).ensureAlpha().raw().toBuffer())];
}

/** Returns pixels of the given number of colours, some of them half or fully transparent. */
function coloured(width: number, height: number, colours: number): Uint8Array {
  const pixel = (place: number) => {
    const colour = (place * 7) % colours;
    return [colour % 256, colour >> 8, 9, colour % 3 === 0 ? 255 : 200];
  };
  return Uint8Array.from(Array.from({ length: width * height }, (_, place) => pixel(place)).flat());
}

describe('picture with few colours', () => {
  test('has the same pixels after decoding', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 256 }),
        async (width, height, colours) => {
          const bytes = coloured(width, height, colours);

          const png = await encodeIndexedPng({
            width,
            height,
            pixels: new Int32Array(bytes.buffer),
            isPremultiplied: false,
          });

          expect(await readPixels(png ?? Buffer.alloc(0))).toEqual([...bytes]);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('stores straight colours if the input is premultiplied', async () => {
    const picture = new Picture(16, 16);
    picture.set(coloured(16, 16, 100));

    const png = await encodeIndexedPng({ ...picture, pixels: picture.pixels, isPremultiplied: true });

    expect(await readPixels(png ?? Buffer.alloc(0))).toEqual([...picture.toStraight()]);
  });

  test('omits the opacity chunk if all colours are opaque', async () => {
    const picture = new Picture(2, 2);
    picture.pixels.fill(0xff0000ff);

    const png = await encodeIndexedPng({ ...picture, pixels: picture.pixels, isPremultiplied: true });

    expect(png?.includes('tRNS')).toBe(false);
    expect(await sharp(png).metadata()).toMatchObject({ hasAlpha: false, width: 2, height: 2 });
  });
});

test('does not encode a picture with more than 256 colours', async () => {
  const bytes = coloured(20, 20, 257);
  const picture = { width: 20, height: 20, pixels: new Int32Array(bytes.buffer), isPremultiplied: false };

  const [indexed, png] = [
    await encodeIndexedPng(picture),
    await encodePicture({ width: 20, height: 20, bytes }, 'png'),
  ];

  expect(indexed).toBeUndefined();
  expect(await readPixels(png)).toEqual([...bytes]);
});
