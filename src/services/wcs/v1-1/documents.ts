/** Common parts of documents of WCS 1.1.1. */
import type { Bounds } from '../../../crs/bounds.ts';

export const namespaces = [
  'xmlns:wcs="http://www.opengis.net/wcs/1.1.1"',
  'xmlns:ows="http://www.opengis.net/ows/1.1"',
  'xmlns:gml="http://www.opengis.net/gml"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
].join(' ');

export const CONTENT_TYPE = 'text/xml;charset=utf-8';

export function writeLonLatBox(box: Bounds | null): string {
  if (box === null) return '';
  return `<ows:WGS84BoundingBox><ows:LowerCorner>${box.minX} ${box.minY}</ows:LowerCorner><ows:UpperCorner>${box.maxX} ${box.maxY}</ows:UpperCorner></ows:WGS84BoundingBox>`;
}
