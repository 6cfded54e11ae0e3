/** Reads the first features of a type, and those with given ids, as GeoJSON. */
import type { ComparedServer } from '../http/compared-server.ts';
import { readFeatures, type SampleFeature } from '../http/read-features.ts';
import { hasFailed, type Reading, type ReadingPair } from '../model/reading.ts';

export const SAMPLE_SIZE = 10;

interface Servers {
  readonly old: ComparedServer;
  readonly new: ComparedServer;
}

/**
 * Reads the first features of the old server, and the same features of the new one. Without a common order, the first
 * features of the new server differ from them; the same ones are then requested by id.
 */
export async function readSamples(servers: Servers, name: string): Promise<ReadingPair<readonly SampleFeature[]>> {
  const [old, first] = await Promise.all([requestFeatures(servers.old, name), requestFeatures(servers.new, name)]);
  if (hasFailed(old) || hasFailed(first)) return { old, new: first };
  const known = new Set(first.value.map(({ id }) => id));
  const missing = old.value.map(({ id }) => id).filter((id) => id !== undefined && !known.has(id));
  if (missing.length === 0) return { old, new: first };
  const further = await requestFeatures(servers.new, name, missing.join(','));
  // A server can reject ids of another form; the features are then compared by position.
  return { old, new: hasFailed(further) ? first : { value: [...first.value, ...further.value] } };
}

async function requestFeatures(
  server: ComparedServer,
  name: string,
  ids?: string,
): Promise<Reading<readonly SampleFeature[]>> {
  const query = {
    ...{ service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames: name, count: SAMPLE_SIZE },
    // GeoJSON has the order x, y for every reference system.
    outputFormat: 'application/json',
    ...(ids === undefined ? {} : { resourceId: ids }),
  };
  return readFeatures(await server.get('/wfs', query));
}
