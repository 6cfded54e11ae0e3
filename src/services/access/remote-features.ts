/** Parses the features that a remote map server returns for a position. */

import { problem } from '../../lib/problems/problem.ts';
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';

/** The maximum size of a response with features, which is held in memory. */
export const MAX_INFO_BYTES = 4_194_304;

export interface RemoteFeatures {
  readonly description: FeatureTypeDescription;
  readonly features: readonly Feature[];
}

/** The attributes are the union over all features; geometries are dropped. */
export function parseRemoteFeatures(bytes: Uint8Array, name: string, count: number): RemoteFeatures {
  const rows = parseFeatureCollection(bytes, name).slice(0, count);
  const names = [...new Set(rows.flatMap(({ properties }) => Object.keys(properties)))];
  return {
    description: {
      name,
      attributes: names.map((each) => ({ kind: 'value', name: each, type: 'string', nillable: true })),
    },
    features: rows.map(({ id, properties }, index) => ({
      id: id ?? `${name}.${index + 1}`,
      values: names.map((each) => toPlainValue(properties[each])),
    })),
  };
}

interface RemoteRow {
  readonly id: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

function parseFeatureCollection(bytes: Uint8Array, name: string): readonly RemoteRow[] {
  try {
    const { features } = JSON.parse(Buffer.from(bytes).toString()) as { readonly features?: unknown };
    return (Array.isArray(features) ? features : []).map((feature: unknown): RemoteRow => {
      const { id, properties } = (typeof feature === 'object' && feature !== null ? feature : {}) as {
        readonly id?: unknown;
        readonly properties?: unknown;
      };
      const isObject = typeof properties === 'object' && properties !== null;
      return {
        id: id === undefined || id === null || id === '' ? undefined : String(id),
        properties: isObject ? (properties as Record<string, unknown>) : {},
      };
    });
  } catch {
    throw problem('remote-map-failed', { layer: name, reason: 'the response is invalid JSON' });
  }
}

function toPlainValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function createTextFeature(text: string, name: string): RemoteFeatures {
  const words = text.trim();
  const description: FeatureTypeDescription = {
    name,
    attributes: [{ kind: 'value', name: 'text', type: 'string', nillable: true }],
  };
  return { description, features: words === '' ? [] : [{ id: name, values: [words] }] };
}
