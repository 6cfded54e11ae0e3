import { expect, test } from 'vitest';
import { type DrawingContext, loadCanvas } from './canvas.ts';
import { addRecordedPixels, limitRecording } from './recorded-pixels.ts';

/** Returns a context that counts how often its surface was flushed. */
function counted(): { readonly context: DrawingContext; painted(): number } {
  let painted = 0;
  const context = {
    getImageData() {
      painted += 1;
      return { data: new Uint8ClampedArray(4) };
    },
  } as unknown as DrawingContext;
  return { context, painted: () => painted };
}

test('a surface is flushed after every four million recorded SVG pixels', () => {
  const { context, painted } = counted();
  limitRecording(context);

  for (let count = 0; count < 100; count += 1) addRecordedPixels(context, 1_000 * 1_000);

  expect(painted()).toBe(20);
});

test('a document is not flushed before its end', () => {
  const { context, painted } = counted();

  for (let count = 0; count < 100; count += 1) addRecordedPixels(context, 1_000 * 1_000);

  expect(painted()).toBe(0);
});

test('the library retains no copy of each drawn SVG', async () => {
  const library = await loadCanvas();
  const image = new library.Image();
  const loaded = Promise.withResolvers<void>();
  image.onload = () => loaded.resolve();
  image.src = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  );
  await loaded.promise;
  const context = limitRecording(library.createCanvas(1_000, 1_000).getContext('2d'));
  const before = process.memoryUsage.rss();

  for (let count = 0; count < 200; count += 1) {
    context.drawImage(image, 0, 0, 1_000, 1_000);
    addRecordedPixels(context, 1_000 * 1_000);
  }

  // Each copy takes four megabytes.
  expect((process.memoryUsage.rss() - before) / 1_000_000).toBeLessThan(400);
});
