/** Lists the colours of a colour map in order, with their labels. */
import { parseColor, type Rgb } from '../../../lib/values/parse-color.ts';
import type { ColorMapEntry, EntryColorMap, EntryValue } from '../../model/model.ts';
import { gray } from './color.ts';

export interface ColorStop {
  readonly color: Rgb;
  readonly opacity: number;
  /** Empty for no label. */
  readonly label: string;
}

/** A swatch has no space for more. */
const maxStops = 1024;

export function listColorStops({ entries, type }: EntryColorMap): readonly ColorStop[] {
  return entries.slice(0, maxStops).map((entry, index) => ({
    color: parseColor(findEntryText(entry.color) ?? '') ?? gray,
    opacity: Math.min(1, Math.max(0, toEntryNumber(entry.opacity) ?? 1)),
    label: entry.label ?? formatQuantityLabel(entry, type, entries[index - 1]),
  }));
}

function formatQuantityLabel(
  entry: ColorMapEntry,
  type: EntryColorMap['type'],
  before: ColorMapEntry | undefined,
): string {
  const quantity = toEntryNumber(entry.quantity);
  if (quantity === undefined) return '';
  if (type !== 'intervals') return formatShortNumber(quantity);
  const lower = before && toEntryNumber(before.quantity);
  // An unlimited last class has the greatest possible quantity.
  if (quantity === Number.MAX_VALUE) return lower === undefined ? '' : `≥ ${formatShortNumber(lower)}`;
  return lower === undefined
    ? `< ${formatShortNumber(quantity)}`
    : `${formatShortNumber(lower)} – ${formatShortNumber(quantity)}`;
}

function formatShortNumber(number: number): string {
  return String(Number(number.toPrecision(6)));
}

function toEntryNumber(value: EntryValue | undefined): number | undefined {
  const text = value && findEntryText(value);
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Of an embedded expression only the default of a variable is known, as in `${env('low', '#00FF00')}`. */
function findEntryText(value: EntryValue): string | undefined {
  if (value.kind === 'literal') return value.value;
  const variable = /^\$\{\s*env\(\s*'[^']*'\s*,\s*(?:'([^']*)'|([^\s')]+))\s*\)\s*\}$/.exec(value.text);
  return variable?.[1] ?? variable?.[2];
}
