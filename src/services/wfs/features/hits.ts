/** The response with resultType=hits: a collection with counts only. */
import type { DocumentLink } from '../../../formats/port/port.ts';
import { escapeAttribute } from '../../../lib/xml/escape.ts';
import type { WfsVersion } from '../request/request.ts';

export interface Hits {
  readonly version: WfsVersion;
  readonly matched: number;
  readonly timeStamp: Date;
  readonly links: readonly DocumentLink[];
}

export function writeHits({ version, matched, timeStamp, links }: Hits): string {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const time = timeStamp.toISOString();
  if (version !== '2.0.0') {
    return `${head}<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" numberOfFeatures="${matched}" timeStamp="${time}"/>\n`;
  }
  const next = links.find(({ rel }) => rel === 'next');
  return `${head}<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberMatched="${matched}" numberReturned="0" timeStamp="${time}"${next === undefined ? '' : ` next="${escapeAttribute(next.href)}"`}/>\n`;
}
