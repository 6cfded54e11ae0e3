/** Features of a map as plain text, in the form that scripts look for. */
import { formatMoment } from '../../data/encode/moment-text.ts';
import type { Attribute, Feature } from '../../data/vector/port.ts';
import type { FoundOnLayer } from '../maps/draw-published.ts';

const LINE = '-'.repeat(44);

export function featuresAsText(found: readonly FoundOnLayer[]): string {
  const shown = found.filter(({ features }) => features.length > 0);
  return shown.length === 0 ? 'no features were found\n' : shown.map(layerText).join('');
}

function layerText({ layer, description, features }: FoundOnLayer): string {
  const head = `Results for FeatureType '${layer.workspace.uri}:${layer.name}':\n${LINE}\n`;
  return `${head}${features.map((feature) => featureText(feature, description.attributes)).join('')}`;
}

function featureText({ values }: Feature, attributes: readonly Attribute[]): string {
  const lines = attributes.map(
    (attribute, place) => `${attribute.name} = ${infoValue(values[place] ?? null, attribute)}\n`,
  );
  return `${lines.join('')}${LINE}\n`;
}

/** A value as people read it. */
export function infoValue(value: Feature['values'][number], attribute: Attribute): string {
  if (value === null) return 'null';
  if (value instanceof Date) return formatMoment(value, attribute.kind === 'value' ? attribute.type : 'timestamp');
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value !== 'object') return String(value);
  return `[GEOMETRY (${value.type}) with ${positionsOf(value)} points]`;
}

function positionsOf(value: Extract<Feature['values'][number], { readonly ordinates: unknown }>): number {
  const inside = (value.members ?? []).reduce((sum, member) => sum + positionsOf(member), 0);
  return inside + value.ordinates.length / value.dimension.length;
}
