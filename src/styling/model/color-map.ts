/** The mapping of raster values to colours, in its two notations. */
import type { Expression, FunctionCall, Literal } from '../../filter/model/expression.ts';
import { createLiteral, readLiteralNumber, readLiteralText } from '../../filter/model/literal.ts';

export type ColorMap = EntryColorMap | FunctionColorMap;

export interface EntryColorMap {
  readonly kind: 'entries';
  /**
   * `ramp` (default): interpolated colours; `intervals`: each colour up to its quantity, exclusive; `values`: equal
   * values only.
   */
  readonly type: ColorMapType;
  /** Whether more than 256 colours are computed; false by default. */
  readonly extended?: boolean | undefined;
  /** By ascending quantity. */
  readonly entries: readonly ColorMapEntry[];
}

export type ColorMapType = 'ramp' | 'intervals' | 'values';

export interface ColorMapEntry {
  /** `#RRGGBB`. */
  readonly color: EntryValue;
  /** A number. */
  readonly quantity?: EntryValue | undefined;
  /** 0 to 1; 1 by default. */
  readonly opacity?: EntryValue | undefined;
  /** For the legend. */
  readonly label?: string | undefined;
}

/** Entries are XML attributes, which cannot contain elements, so expressions are written in ECQL. */
export type EntryValue = Literal | EmbeddedExpression;

/** An ECQL expression in `${…}`, as written. */
export interface EmbeddedExpression {
  readonly kind: 'embedded';
  /** Including `${` and `}`. */
  readonly text: string;
}

/** `Categorize` or `Interpolate` over the literal `Rasterdata`, the notation of Symbology Encoding. */
export interface FunctionColorMap {
  readonly kind: 'colorFunction';
  readonly function: FunctionCall;
}

/** The last class of a `Categorize` is unlimited. */
const highestQuantity = createLiteral(Number.MAX_VALUE);

/**
 * Returns the entries of a colour map: `Interpolate` is a ramp, `Categorize` is a list of intervals. Returns undefined
 * for other computations, such as curves, and for data other than the raster. Ignores fallback values, which are for
 * servers without the function.
 */
export function findColorMapEntries(colorMap: ColorMap): EntryColorMap | undefined {
  if (colorMap.kind === 'entries') return colorMap;
  const { name, arguments: parts } = colorMap.function;
  const [lookup, ...rest] = parts;
  if (readLiteralText(lookup)?.toLowerCase() !== 'rasterdata') return undefined;
  return name === 'Categorize' ? toIntervals(rest) : name === 'Interpolate' ? toRamp(rest) : undefined;
}

function toIntervals(parts: readonly Expression[]): EntryColorMap | undefined {
  const belongsTo = parts.length % 2 === 0 ? readLiteralText(parts.at(-1)) : undefined;
  if (parts.length % 2 === 0 && belongsTo !== 'succeeding') return undefined;
  const steps = belongsTo === undefined ? parts : parts.slice(0, -1);
  const pairs = steps.flatMap((color, index) =>
    index % 2 === 0 ? [[color, steps[index + 1] ?? highestQuantity]] : [],
  );
  return toColorMap('intervals', pairs);
}

function toRamp(parts: readonly Expression[]): EntryColorMap | undefined {
  const options = parts.slice(parts.length - (parts.length % 2 === 1 ? 1 : 0)).map(readLiteralText);
  const lastTwo = parts.slice(-2).map(readLiteralText);
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
    if (color?.kind !== 'literal' || quantity?.kind !== 'literal' || readLiteralNumber(quantity) === undefined)
      return undefined;
    entries.push({ color, quantity });
  }
  return { kind: 'entries', type, entries };
}
