/** Compares sample features: values of properties, and coordinates with a tolerance. */
import type { SampleFeature } from '../http/read-features.ts';
import type { Detail } from '../model/report.ts';
import { compareGeometries } from './compare-geometries.ts';
import { hasSameValue } from './compare-values.ts';

/** Further differences of one layer are counted only. */
const MAX_DETAILS = 20;

/** Longer values would fill the lines of a terminal. */
const MAX_VALUE_CHARACTERS = 80;

/** `renewed` can have more features; only those with the ids, or at the positions, of the old ones are compared. */
export function compareSamples(old: readonly SampleFeature[], renewed: readonly SampleFeature[]): readonly Detail[] {
  const messages = pairFeatures(old, renewed).flatMap(([before, after]) => compareFeatures(before, after));
  const shown = messages.slice(0, MAX_DETAILS);
  if (messages.length > MAX_DETAILS) shown.push(`${messages.length - MAX_DETAILS} more values differ.`);
  return shown.map((message) => ({ check: 'sample', service: 'WFS', code: 'value-differs', message }));
}

type FeaturePair = readonly [SampleFeature, SampleFeature | undefined];

/** Pairs features by id, or by position if the servers have no id in common, as for tables without a primary key. */
function pairFeatures(old: readonly SampleFeature[], renewed: readonly SampleFeature[]): readonly FeaturePair[] {
  const byId = new Map(renewed.map((feature) => [feature.id, feature]));
  const hasCommonId = old.some(({ id }) => id !== undefined && byId.has(id));
  return old.map((feature, index) => [feature, hasCommonId ? byId.get(feature.id) : renewed[index]]);
}

function compareFeatures(old: SampleFeature, renewed: SampleFeature | undefined): readonly string[] {
  const name = `Feature ${old.id ?? 'without an id'}`;
  if (renewed === undefined) return [`${name}: the new server lacks it.`];
  const properties = new Set([...Object.keys(old.properties), ...Object.keys(renewed.properties)]);
  const values = [...properties].flatMap((property) => {
    // GeoJSON writers can omit properties without a value.
    const [before, after] = [old.properties[property] ?? null, renewed.properties[property] ?? null];
    if (hasSameValue(before, after)) return [];
    return [`${name}, ${property}: old ${formatValue(before)}, new ${formatValue(after)}.`];
  });
  const geometry = compareGeometries(old.geometry, renewed.geometry);
  return geometry === undefined ? values : [`${name}, geometry: ${geometry}`, ...values];
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}
