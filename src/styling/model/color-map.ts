/** Which value of a grid has which colour. */
import type { FunctionCall, Literal } from '../../data/filter/expression.ts';

export type ColorMap = EntryColorMap | FunctionColorMap;

export interface EntryColorMap {
  readonly kind: 'entries';
  /** `ramp` (default): colours in between are interpolated; `intervals`: each colour up to its quantity, exclusive; `values`: equal values only. */
  readonly type: ColorMapType;
  /** Whether more than 256 colours are computed; false by default. */
  readonly extended?: boolean | undefined;
  /** By growing quantity. */
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

/** Entries are written as attributes, where no element can stand, and so no expression but in ECQL. */
export type EntryValue = Literal | EmbeddedExpression;

/** An ECQL expression in `${…}`, kept as written. */
export interface EmbeddedExpression {
  readonly kind: 'embedded';
  /** `${` and `}` included. */
  readonly text: string;
}

/** `Categorize` or `Interpolate` over the literal `Rasterdata`, as Symbology Encoding writes colour maps. */
export interface FunctionColorMap {
  readonly kind: 'colorFunction';
  readonly function: FunctionCall;
}
