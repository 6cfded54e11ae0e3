/**
 * The geotiff library, of which only the LERC decoder and the decoder for unusual JPEG are used; loaded on first use.
 */
import { getDecoder } from 'geotiff';
import { countSamplesPerBlockPixel, type TiffImage } from './tiff-image.ts';

export async function decodeWithGeotiff(
  image: TiffImage,
  packed: Buffer,
  further: Readonly<Record<string, unknown>>,
): Promise<Uint8Array> {
  const parameters = {
    tileWidth: image.blockWidth,
    tileHeight: image.blockHeight,
    predictor: 1,
    bitsPerSample: Array.from({ length: countSamplesPerBlockPixel(image) }, () => image.bits),
    planarConfiguration: image.isPlanar ? 2 : 1,
    ...further,
  };
  const decoder = await getDecoder(image.compression, parameters);
  const bytes = new Uint8Array(packed);
  return new Uint8Array(await decoder.decode(bytes.buffer));
}
