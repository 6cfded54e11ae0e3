/** Files of few colours have every pixel as it was. */
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { Picture } from '../rasterizer/picture.ts';
import { encodePicture } from './encode-picture.ts';
import { encodeIndexedPng } from './indexed-png.ts';

async function readPixels(png: Uint8Array): Promise<readonly number[]> {
  return [...(await sharp(png).ensureAlpha().raw().toBuffer())];
}

/** Of so many colours, of which some are half or wholly transparent. */
function coloured(width: number, height: number, colours: number): Uint8Array {
  const pixel = (place: number) => {
    const colour = (place * 7) % colours;
    return [colour % 256, colour >> 8, 9, colour % 3 === 0 ? 255 : 200];
  };
  return Uint8Array.from(Array.from({ length: width * height }, (_, place) => pixel(place)).flat());
}

describe('a picture of few colours', () => {
  test('is the same when it is read again', async () => {
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

  test('whose colours are times the opacity has them as they are in its file', async () => {
    const picture = new Picture(16, 16);
    picture.set(coloured(16, 16, 100));

    const png = await encodeIndexedPng({ ...picture, pixels: picture.pixels, isPremultiplied: true });

    expect(await readPixels(png ?? Buffer.alloc(0))).toEqual([...picture.toStraight()]);
  });

  test('says nothing of opacity where there is no other than the whole', async () => {
    const picture = new Picture(2, 2);
    picture.pixels.fill(0xff0000ff);

    const png = await encodeIndexedPng({ ...picture, pixels: picture.pixels, isPremultiplied: true });

    expect(png?.includes('tRNS')).toBe(false);
    expect(await sharp(png).metadata()).toMatchObject({ hasAlpha: false, width: 2, height: 2 });
  });
});

test('a picture of more colours than a byte tells apart is written in another way', async () => {
  const bytes = coloured(20, 20, 257);
  const picture = { width: 20, height: 20, pixels: new Int32Array(bytes.buffer), isPremultiplied: false };

  const [indexed, png] = [
    await encodeIndexedPng(picture),
    await encodePicture({ width: 20, height: 20, bytes }, 'png'),
  ];

  expect(indexed).toBeUndefined();
  expect(await readPixels(png)).toEqual([...bytes]);
});
