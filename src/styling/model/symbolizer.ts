/** What one drawing step paints. */

import type { Expression } from '../../data/filter/expression.ts';
import type { Description } from './description.ts';
import type { Fill } from './fill.ts';
import type { Graphic } from './graphic.ts';
import type { Font, Halo, LabelPlacement } from './label.ts';
import type { Point } from './point.ts';
import type { RasterSymbolizer } from './raster-symbolizer.ts';
import type { Stroke } from './stroke.ts';
import type { UnitOfMeasure } from './unit-of-measure.ts';
import type { VendorOption } from './vendor-option.ts';

export type Symbolizer = PointSymbolizer | LineSymbolizer | PolygonSymbolizer | TextSymbolizer | RasterSymbolizer;

export interface SymbolizerBase extends Description {
  readonly name?: string | undefined;
  /** The address of a symbolizer elsewhere whose settings stand where this one has none. */
  readonly baseSymbolizer?: string | undefined;
  /** Which geometry to draw, or one computed from it; by default the first of the feature. */
  readonly geometry?: Expression | undefined;
  /** Pixels by default. */
  readonly uom?: UnitOfMeasure | undefined;
  /** In the order written; never an empty list. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export interface PointSymbolizer extends SymbolizerBase {
  readonly kind: 'pointSymbolizer';
  /** Nothing is drawn without one. */
  readonly graphic?: Graphic | undefined;
}

export interface LineSymbolizer extends SymbolizerBase {
  readonly kind: 'lineSymbolizer';
  /** Nothing is drawn without one. */
  readonly stroke?: Stroke | undefined;
  /** How far to the left of the line to draw, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
}

export interface PolygonSymbolizer extends SymbolizerBase {
  readonly kind: 'polygonSymbolizer';
  /** Nothing is filled without one. */
  readonly fill?: Fill | undefined;
  /** Nothing is outlined without one. */
  readonly stroke?: Stroke | undefined;
  /** How far to move it right and up, in units of the symbolizer; `0,0` by default. */
  readonly displacement?: Point | undefined;
  /** How far to grow the polygon, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
}

export interface TextSymbolizer extends SymbolizerBase {
  readonly kind: 'textSymbolizer';
  /** Nothing is drawn without one. */
  readonly label?: Expression | undefined;
  readonly font?: Font | undefined;
  /** A point placement by default. */
  readonly placement?: LabelPlacement | undefined;
  readonly halo?: Halo | undefined;
  /** Black by default. */
  readonly fill?: Fill | undefined;
  /** Drawn behind the text, as a shield. */
  readonly graphic?: Graphic | undefined;
  /** Which label goes first where two want the same place: the greater; 1000 by default. */
  readonly priority?: Expression | undefined;
  /** A short text for outputs that have a place for one, such as KML. */
  readonly snippet?: Expression | undefined;
  /** A long text for outputs that have a place for one, such as KML. */
  readonly featureDescription?: Expression | undefined;
  /** A text for any other place of an output, by the name of that place. */
  readonly otherText?: { readonly target: string; readonly text: Expression } | undefined;
}
