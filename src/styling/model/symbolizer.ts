/** What one drawing step paints. */
import type { Expression } from '../../filter/model/expression.ts';
import type { ColorMap } from './color-map.ts';
import type { Description } from './description.ts';
import type { Fill, Graphic, Point, Stroke, VendorOption } from './paint.ts';

/** In which unit the sizes, widths and offsets of a symbolizer are; pixels by default, the others are on the ground. */
export type UnitOfMeasure = 'pixel' | 'metre' | 'foot';

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

/** How the cells of a grid become colours. */
export interface RasterSymbolizer extends SymbolizerBase {
  readonly kind: 'rasterSymbolizer';
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
  /** By default the first three bands are red, green and blue, and a single band is grey. */
  readonly channelSelection?: ChannelSelection | undefined;
  readonly overlapBehavior?: OverlapBehavior | undefined;
  readonly colorMap?: ColorMap | undefined;
  readonly contrastEnhancement?: ContrastEnhancement | undefined;
  readonly shadedRelief?: ShadedRelief | undefined;
  /** How to draw the border of each image of a mosaic; not at all by default. */
  readonly imageOutline?: LineSymbolizer | PolygonSymbolizer | undefined;
}

export type ChannelSelection =
  | { readonly kind: 'rgbChannels'; readonly red: Channel; readonly green: Channel; readonly blue: Channel }
  | { readonly kind: 'grayChannel'; readonly gray: Channel };

export interface Channel {
  /** The number of a band, counted from 1, or its name. */
  readonly sourceName: Expression;
  readonly contrastEnhancement?: ContrastEnhancement | undefined;
}

/** Which of several overlapping images is seen. */
export type OverlapBehavior = 'latestOnTop' | 'earliestOnTop' | 'average' | 'random';

export interface ContrastEnhancement {
  readonly kind: 'contrastEnhancement';
  /** None by default. */
  readonly method?: ContrastMethod | undefined;
  /** Settings of the method, in the order written; never an empty list. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
  /** Brightens above 1 and darkens below; 1 by default. */
  readonly gamma?: Expression | undefined;
}

export type ContrastMethod = 'normalize' | 'histogram' | 'logarithmic' | 'exponential';

export interface ShadedRelief {
  readonly kind: 'shadedRelief';
  /** Whether the shading goes over the layers below instead of this layer's colours; false by default. */
  readonly brightnessOnly?: boolean | undefined;
  /** How much heights are exaggerated; 55 by default, 0 for none. */
  readonly reliefFactor?: Expression | undefined;
}

/** Letters and where they stand. */
export interface Font {
  readonly kind: 'font';
  /** The first family that is there is used; a serif font with an empty list. */
  readonly families: readonly Expression[];
  /** `normal` (default), `italic` or `oblique`. */
  readonly style?: Expression | undefined;
  /** `normal` (default), `bold`, or a number of 100 to 900. */
  readonly weight?: Expression | undefined;
  /** In units of the symbolizer; 10 by default. */
  readonly size?: Expression | undefined;
}

export interface Halo {
  readonly kind: 'halo';
  /** In units of the symbolizer; 1 by default. */
  readonly radius?: Expression | undefined;
  /** White by default. */
  readonly fill?: Fill | undefined;
}

export type LabelPlacement = PointPlacement | LinePlacement;

export interface PointPlacement {
  readonly kind: 'pointPlacement';
  /** Which point of the text stands on the place: `0,0` is its lower left; `0,0.5` by default. */
  readonly anchorPoint?: Point | undefined;
  /** How far to move it right and up, in units of the symbolizer; `0,0` by default. */
  readonly displacement?: Point | undefined;
  /** Clockwise in degrees; 0 by default. */
  readonly rotation?: Expression | undefined;
}

export interface LinePlacement {
  readonly kind: 'linePlacement';
  /** How far to the left of the line, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
  /** Whether the text comes again along the line; false by default. */
  readonly isRepeated?: boolean | undefined;
  /** How far from the start of the line the first text stands, in units of the symbolizer; 0 by default. */
  readonly initialGap?: Expression | undefined;
  /** The distance between two texts, in units of the symbolizer; 0 by default. */
  readonly gap?: Expression | undefined;
  /** Whether the text follows the line rather than lying level; true by default. */
  readonly isAligned?: boolean | undefined;
  /** Whether a smoothed line may carry the text; false by default. */
  readonly generalizeLine?: boolean | undefined;
}
