/** Encodes the pixels of maps in each image format. */

import type { Bounds } from '../../../crs/bounds.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { createUprightTransform } from '../../../raster/port/grid.ts';
import type { GridTransform } from '../../../raster/port/port.ts';
import { type PictureFormat, pictureFormats } from '../../../rendering/output/encode-picture.ts';
import type { Pixels } from '../../../rendering/request/map-request.ts';
import { createFrame } from '../../../rendering/shapes/frame.ts';
import type { AnimatedEncoding, MapEncoding } from '../context/map-formats.ts';
import type { MapFrame } from './map-frame.ts';

type EncodedMap = Pick<ServiceReply, 'body'> & Partial<Pick<ServiceReply, 'contentType' | 'isPacked'>>;

/** The area of a picture, which is rotated clockwise around its centre by `angle` degrees. */
type PictureFrame = Pick<MapFrame, 'box' | 'system'> & { readonly angle: number };

/** The formats that are encoded from pixels. */
export type PictureEncoding = Exclude<
  MapEncoding,
  AnimatedEncoding | 'openlayers' | 'kml' | 'kmz' | 'svg' | 'pdf' | 'utfgrid' | 'mvt'
>;

export async function encodeMap(
  pixels: Pixels,
  encoding: PictureEncoding,
  isTransparent: boolean,
  frame: PictureFrame,
): Promise<EncodedMap> {
  switch (encoding) {
    case 'geotiff':
      return { body: await encodeGeotiff(pixels, isTransparent, frame), isPacked: true };
    default:
      return encodePlain(pixels, encoding, isTransparent);
  }
}

type PlainEncoding = PictureFormat | 'jpeg-or-png' | 'jpeg-or-png8';

/** For formats without georeferencing. */
export async function encodePlain(
  pixels: Pixels,
  encoding: PlainEncoding,
  isTransparent: boolean,
): Promise<EncodedMap> {
  const { encodePicture } = await import('../../../rendering/output/encode-picture.ts');
  const isOpaque = !isTransparent || isOpaquePicture(pixels);
  const format = selectPictureFormat(encoding, isOpaque);
  const body = await encodePicture(pixels, format, { isOpaque });
  if (encoding === format) return { body, isPacked: true };
  return { body, contentType: format === 'jpeg' ? 'image/jpeg' : 'image/png', isPacked: true };
}

/** Opaque maps have fewer bytes as JPEG; others need opacity. */
function selectPictureFormat(encoding: PlainEncoding, isOpaque: boolean): PictureFormat {
  if (encoding === 'jpeg-or-png') return isOpaque ? 'jpeg' : 'png';
  if (encoding === 'jpeg-or-png8') return isOpaque ? 'jpeg' : 'png8';
  return encoding;
}

/** Returns whether a format can be encoded from pixels alone. */
export function isPlainPicture(encoding: MapEncoding): encoding is PlainEncoding {
  return encoding.startsWith('jpeg-or-') || pictureFormats.some((each) => each === encoding);
}

async function encodeGeotiff(
  { width, height, bytes }: Pixels,
  hasOpacity: boolean,
  { box, system, angle }: PictureFrame,
): Promise<Buffer> {
  const { writePictureGeotiff } = await import('../../../formats/geotiff/geotiff.ts');
  const transform =
    angle === 0 ? createUprightTransform({ width, height }, box) : createRotatedTransform(width, height, box, angle);
  return writePictureGeotiff({ width, height, bytes, hasOpacity, transform, crs: system });
}

/** Returns the inverse of the transform of a rotated map to its picture. */
function createRotatedTransform(width: number, height: number, box: Bounds, angle: number): GridTransform {
  const { xx, xy, yx, yy } = createFrame(width, height, box, angle);
  const area = xx * yy - xy * yx;
  const [columnX, rowX, columnY, rowY] = [yy / area, -xy / area, -yx / area, xx / area];
  return {
    originX: (box.minX + box.maxX - width * columnX - height * rowX) / 2,
    columnX,
    rowX,
    originY: (box.minY + box.maxY - width * columnY - height * rowY) / 2,
    columnY,
    rowY,
  };
}

function isOpaquePicture({ bytes }: Pixels): boolean {
  for (let at = 3; at < bytes.length; at += 4) {
    if (bytes[at] !== 255) return false;
  }
  return true;
}
