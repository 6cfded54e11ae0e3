/** The library geotiff, of which only the decoders of LERC and of unusual JPEG are used; loaded with the first such block. */
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
