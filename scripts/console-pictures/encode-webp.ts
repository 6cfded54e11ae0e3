/** Encodes screenshots as WebP, which takes a fifth of the space of PNG. */
import type { Browser } from 'playwright-core';

export type Encode = (png: Buffer) => Promise<Buffer>;

/** Low enough for the repository, and texts stay sharp. */
const QUALITY = 0.7;

/** Runs in the page. */
const script = `async (png) => {
  const bytes = Uint8Array.from(atob(png), (each) => each.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${QUALITY} });
  let text = '';
  for (const each of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(each);
  return btoa(text);
}`;

export async function openEncoder(browser: Browser): Promise<Encode> {
  const page = await browser.newPage();
  return async (png) => {
    const encoded = await page.evaluate<string>(`(${script})(${JSON.stringify(png.toString('base64'))})`);
    return Buffer.from(encoded, 'base64');
  };
}
