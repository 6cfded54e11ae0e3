/** Brings the two ways of writing a colour map to one, as far as they mean the same. */

import type { Expression } from '../../data/filter/expression.ts';
import { literal, literalNumber, literalText } from '../../data/filter/literal.ts';
import type { ColorMap, ColorMapEntry, EntryColorMap } from './color-map.ts';

/** The last class of a `Categorize` has no upper end. */
const beyondAll = literal(Number.MAX_VALUE);

/**
 * The entries of a colour map: `Interpolate` is a ramp, `Categorize` is intervals.
 * Undefined where colours are computed otherwise, such as by a curve, or for other data than the raster's.
 * Fallback values are for servers that do not know the function, and so say nothing here.
 */
export function colorMapEntries(colorMap: ColorMap): EntryColorMap | undefined {
  if (colorMap.kind === 'entries') return colorMap;
  const { name, arguments: parts } = colorMap.function;
  const [lookup, ...rest] = parts;
  if (literalText(lookup)?.toLowerCase() !== 'rasterdata') return undefined;
  return name === 'Categorize' ? intervals(rest) : name === 'Interpolate' ? ramp(rest) : undefined;
}

function intervals(parts: readonly Expression[]): EntryColorMap | undefined {
  const belongsTo = parts.length % 2 === 0 ? literalText(parts.at(-1)) : undefined;
  if (parts.length % 2 === 0 && belongsTo !== 'succeeding') return undefined;
  const steps = belongsTo === undefined ? parts : parts.slice(0, -1);
  const pairs = steps.flatMap((color, index) => (index % 2 === 0 ? [[color, steps[index + 1] ?? beyondAll]] : []));
  return toColorMap('intervals', pairs);
}

function ramp(parts: readonly Expression[]): EntryColorMap | undefined {
  const options = parts.slice(parts.length - (parts.length % 2 === 1 ? 1 : 0)).map(literalText);
  const lastTwo = parts.slice(-2).map(literalText);
  const hasBoth = lastTwo[0] === 'color' && lastTwo[1] === 'linear';
  if (!hasBoth && options.some((option) => option !== 'color')) return undefined;
  const points = parts.slice(0, parts.length - (hasBoth ? 2 : options.length));
  const pairs = points.flatMap((quantity, index) => (index % 2 === 0 ? [[points[index + 1], quantity]] : []));
  return toColorMap('ramp', pairs);
}

function toColorMap(
  type: EntryColorMap['type'],
  pairs: readonly (readonly (Expression | undefined)[])[],
): EntryColorMap | undefined {
  const entries: ColorMapEntry[] = [];
  for (const [color, quantity] of pairs) {
    if (color?.kind !== 'literal' || quantity?.kind !== 'literal' || literalNumber(quantity) === undefined)
      return undefined;
    entries.push({ color, quantity });
  }
  return { kind: 'entries', type, entries };
}
