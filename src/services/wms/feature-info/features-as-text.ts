/** Formats features as plain text, in the format that scripts parse. */
import { formatMoment } from '../../../formats/writing/format-moment.ts';
import type { Attribute, Feature } from '../../../vector/port/port.ts';
import type { FoundOnLayer } from '../../maps/draw-published.ts';

const LINE = '-'.repeat(44);

export function formatFeaturesAsText(found: readonly FoundOnLayer[]): string {
  const shown = found.filter(({ features }) => features.length > 0);
  return shown.length === 0 ? 'no features were found\n' : shown.map(formatLayer).join('');
}

function formatLayer({ layer, description, features }: FoundOnLayer): string {
  const head = `Results for FeatureType '${layer.workspace.uri}:${layer.name}':\n${LINE}\n`;
  return `${head}${features.map((feature) => formatFeature(feature, description.attributes)).join('')}`;
}

function formatFeature({ values }: Feature, attributes: readonly Attribute[]): string {
  const lines = attributes.map(
    (attribute, place) => `${attribute.name} = ${formatInfoValue(values[place] ?? null, attribute)}\n`,
  );
  return `${lines.join('')}${LINE}\n`;
}

/** Formats a value for display. */
export function formatInfoValue(value: Feature['values'][number], attribute: Attribute): string {
  if (value === null) return 'null';
  if (value instanceof Date) return formatMoment(value, attribute.kind === 'value' ? attribute.type : 'timestamp');
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value !== 'object') return String(value);
  return `[GEOMETRY (${value.type}) with ${countPositions(value)} points]`;
}

function countPositions(value: Extract<Feature['values'][number], { readonly ordinates: unknown }>): number {
  const inside = (value.members ?? []).reduce((sum, member) => sum + countPositions(member), 0);
  return inside + value.ordinates.length / value.dimension.length;
}
