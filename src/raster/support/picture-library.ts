/** The library sharp, which unpacks JPEG, WebP and pictures of other servers; loaded with the first such picture. */

export interface PictureShape {
  readonly bands: 1 | 3 | 4;
  readonly width: number;
  readonly height: number;
}

/** Red, green, blue and opacity of each pixel of a picture of whatever format; one of more pixels than so many is an Error. */
export async function unpackColors(packed: Uint8Array, maxPixels: number): Promise<UnpackedColors> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(packed, { limitInputPixels: maxPixels, failOn: 'error' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}

export interface UnpackedColors {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The samples, a byte each, those of a pixel side by side. What cannot be unpacked, or has another shape, is an Error. */
export async function unpackPicture(packed: Uint8Array, { bands, width, height }: PictureShape): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  // Each thread of ours works on one picture; nothing is asked for twice.
  sharp.concurrency(1);
  sharp.cache(false);
  const picture = sharp(packed, { limitInputPixels: width * height, failOn: 'error' }).toColourspace(
    bands === 1 ? 'b-w' : 'srgb',
  );
  // A picture may leave out the alpha of a block that is opaque.
  const { data, info } = await (bands === 4 ? picture.ensureAlpha() : picture.removeAlpha())
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== height || info.channels !== bands) {
    throw new Error(`the decoded image has ${info.width} by ${info.height} pixels in ${info.channels} bands`);
  }
  return data;
}
