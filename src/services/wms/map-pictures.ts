/** Pixels of maps as the bytes of each format that is made of them. */
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import type { PictureFormat } from '../../rendering/encode-picture.ts';
import type { Pixels } from '../../rendering/map-request.ts';
import type { MapEncoding, MapFormat } from './map-formats.ts';
import type { MapFrame } from './map-frame.ts';

export interface PictureWishes {
  readonly isTransparent: boolean;
  readonly frame: MapFrame;
}

type EncodedMap = Pick<ServiceReply, 'body'> & Partial<Pick<ServiceReply, 'contentType' | 'isPacked'>>;

/** The formats that are pictures and nothing else. */
const pictures: Partial<Record<MapEncoding, PictureFormat>> = {
  png: 'png',
  png8: 'png8',
  jpeg: 'jpeg',
  webp: 'webp',
  gif: 'gif',
  tiff: 'tiff',
};

export async function encodeMap(
  pixels: Pixels,
  { encoding, names }: MapFormat,
  { isTransparent }: PictureWishes,
): Promise<EncodedMap> {
  const { encodePicture } = await import('../../rendering/encode-picture.ts');
  const isOpaque = !isTransparent || isOpaquePicture(pixels);
  if (encoding === 'jpeg-or-png') {
    return isOpaque
      ? { body: await encodePicture(pixels, 'jpeg'), contentType: 'image/jpeg', isPacked: true }
      : { body: await encodePicture(pixels, 'png'), contentType: 'image/png', isPacked: true };
  }
  const format = pictures[encoding];
  if (format === undefined) {
    throw problem('wms-format-unknown', { format: names[0], formats: Object.keys(pictures), field: 'format' });
  }
  return { body: await encodePicture(pixels, format, { isOpaque }), isPacked: true };
}

function isOpaquePicture({ bytes }: Pixels): boolean {
  for (let at = 3; at < bytes.length; at += 4) {
    if (bytes[at] !== 255) return false;
  }
  return true;
}
