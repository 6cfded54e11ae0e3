/** Compares the number of features that GetFeatureInfo returns at the centre of a layer. */
import type { GeographicBox } from '../capabilities/published-layer.ts';
import type { ComparedServer } from '../http/compared-server.ts';
import { readFeatures } from '../http/read-features.ts';
import { mapReading, type Reading } from '../model/reading.ts';
import type { Detail } from '../model/report.ts';
import { createInfoQuery, createMapBox } from './map-request.ts';

export async function readInfo(server: ComparedServer, layer: string, box: GeographicBox): Promise<Reading<number>> {
  const query = createInfoQuery(layer, createMapBox(box, 'whole'));
  return mapReading(readFeatures(await server.get('/wms', query)), ({ length }) => length);
}

export function compareInfo(old: number, renewed: number): readonly Detail[] {
  if (old === renewed) return [];
  const message = `Features at the centre: old ${old}, new ${renewed}.`;
  return [{ check: 'info', service: 'WMS', code: 'info-differs', message }];
}
