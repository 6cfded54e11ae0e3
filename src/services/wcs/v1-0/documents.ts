/** Common parts of documents of WCS 1.0.0. */
import type { Bounds } from '../../../crs/bounds.ts';
import { escapeText } from '../../../lib/xml/escape.ts';
import type { ServedCoverage } from '../coverage/context.ts';

export const namespaces = [
  'xmlns:wcs="http://www.opengis.net/wcs"',
  'xmlns:gml="http://www.opengis.net/gml"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
].join(' ');

export const CONTENT_TYPE = 'application/xml;charset=utf-8';

/** The elements that begin an entry of the capabilities and a description. */
export function writeBrief(served: ServedCoverage, times: readonly string[] = []): string {
  const { title, abstract, keywords, qualifiedName, latLonBounds } = served;
  const words = keywords.map((word) => `<wcs:keyword>${escapeText(word)}</wcs:keyword>`);
  const description = abstract === '' ? '' : `<wcs:description>${escapeText(abstract)}</wcs:description>`;
  return `${description}<wcs:name>${escapeText(qualifiedName)}</wcs:name><wcs:label>${escapeText(title)}</wcs:label>
${writeLonLatEnvelope(latLonBounds, times)}${words.length === 0 ? '' : `<wcs:keywords>${words.join('')}</wcs:keywords>\n`}`;
}

function writeLonLatEnvelope(box: Bounds | null, times: readonly string[]): string {
  if (box === null) return '';
  const moments = times.map((time) => `<gml:timePosition>${time}</gml:timePosition>`).join('');
  return `<wcs:lonLatEnvelope srsName="urn:ogc:def:crs:OGC:1.3:CRS84">${writePositions(box)}${moments}</wcs:lonLatEnvelope>\n`;
}

/** x precedes y in all CRSs of this version. */
export function writePositions({ minX, minY, maxX, maxY }: Bounds): string {
  return `<gml:pos>${minX} ${minY}</gml:pos><gml:pos>${maxX} ${maxY}</gml:pos>`;
}
