/** Counts the features of a type on both servers. */
import { attribute } from '../../../lib/xml/elements.ts';
import type { ComparedServer } from '../http/compared-server.ts';
import { readXmlDocument } from '../http/read-xml-document.ts';
import { mapReading, type Reading } from '../model/reading.ts';
import type { Detail } from '../model/report.ts';

export async function readCount(server: ComparedServer, name: string): Promise<Reading<number>> {
  const query = { service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames: name, resultType: 'hits' };
  return mapReading(await server.get('/wfs', query), ({ bytes }) => {
    const collection = readXmlDocument(bytes);
    // WFS 1.1.0 has the other attribute; servers that know no other version answer with it.
    const text = attribute(collection, 'numberMatched') ?? attribute(collection, 'numberOfFeatures') ?? 'missing';
    if (!/^\d+$/.test(text)) throw new Error(`The server does not count the features: numberMatched is '${text}'.`);
    return Number(text);
  });
}

export function compareCounts(old: number, renewed: number): readonly Detail[] {
  if (old === renewed) return [];
  const message = `Number of features: old ${old}, new ${renewed}.`;
  return [{ check: 'count', service: 'WFS', code: 'count-differs', message }];
}
