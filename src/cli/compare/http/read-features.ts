/** Reads features from GeoJSON responses. */
import { mapReading, type Reading } from '../model/reading.ts';
import type { ReceivedDocument } from './compared-server.ts';

export interface SampleFeature {
  readonly id: string | undefined;
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

export function readFeatures(reading: Reading<ReceivedDocument>): Reading<readonly SampleFeature[]> {
  return mapReading(reading, ({ bytes }) => {
    const document = parseDocument(bytes);
    const features = isObject(document) ? document['features'] : undefined;
    if (!Array.isArray(features)) throw new Error('The response is not a GeoJSON feature collection.');
    return features.filter(isObject).map(readFeature);
  });
}

function parseDocument(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Error('The response is not JSON.');
  }
}

function readFeature({ id, geometry, properties }: Readonly<Record<string, unknown>>): SampleFeature {
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
    geometry: geometry ?? null,
    properties: isObject(properties) ? properties : {},
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
