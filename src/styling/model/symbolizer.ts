/** The symbolizers: what one drawing step paints. */
import type { Expression } from '../../filter/model/expression.ts';
import type { ColorMap } from './color-map.ts';
import type { Description } from './description.ts';
import type { Fill, Graphic, Point, Stroke, VendorOption } from './paint.ts';

/** The unit of sizes, widths and offsets; pixels by default, the others are on the ground. */
export type UnitOfMeasure = 'pixel' | 'metre' | 'foot';

export type Symbolizer = PointSymbolizer | LineSymbolizer | PolygonSymbolizer | TextSymbolizer | RasterSymbolizer;

export interface SymbolizerBase extends Description {
  readonly name?: string | undefined;
  /** The address of an external symbolizer that provides defaults. */
  readonly baseSymbolizer?: string | undefined;
  /** The geometry to draw, possibly computed; by default the first of the feature. */
  readonly geometry?: Expression | undefined;
  /** Pixels by default. */
  readonly uom?: UnitOfMeasure | undefined;
  /** In the order written; never empty. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export interface PointSymbolizer extends SymbolizerBase {
  readonly kind: 'pointSymbolizer';
  /** Nothing is drawn if omitted. */
  readonly graphic?: Graphic | undefined;
}

export interface LineSymbolizer extends SymbolizerBase {
  readonly kind: 'lineSymbolizer';
  /** Nothing is drawn if omitted. */
  readonly stroke?: Stroke | undefined;
  /** The offset to the left of the line, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
}

export interface PolygonSymbolizer extends SymbolizerBase {
  readonly kind: 'polygonSymbolizer';
  /** Not filled if omitted. */
  readonly fill?: Fill | undefined;
  /** Not outlined if omitted. */
  readonly stroke?: Stroke | undefined;
  /** The displacement right and up, in units of the symbolizer; `0,0` by default. */
  readonly displacement?: Point | undefined;
  /** The growth of the polygon, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
}

export interface TextSymbolizer extends SymbolizerBase {
  readonly kind: 'textSymbolizer';
  /** Nothing is drawn if omitted. */
  readonly label?: Expression | undefined;
  readonly font?: Font | undefined;
  /** A point placement by default. */
  readonly placement?: LabelPlacement | undefined;
  readonly halo?: Halo | undefined;
  /** Black by default. */
  readonly fill?: Fill | undefined;
  /** Drawn behind the text, as a shield. */
  readonly graphic?: Graphic | undefined;
  /** The label with the higher priority wins a conflict; 1000 by default. */
  readonly priority?: Expression | undefined;
  /** A short text for formats that support one, such as KML. */
  readonly snippet?: Expression | undefined;
  /** A long text for formats that support one, such as KML. */
  readonly featureDescription?: Expression | undefined;
  /** A text for another field of an output format, with the name of the field. */
  readonly otherText?: { readonly target: string; readonly text: Expression } | undefined;
}

/** The conversion of raster cells to colours. */
export interface RasterSymbolizer extends SymbolizerBase {
  readonly kind: 'rasterSymbolizer';
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
  /** By default the first three bands are red, green and blue, and a single band is grey. */
  readonly channelSelection?: ChannelSelection | undefined;
  /** For the granules of a mosaic; that of its configuration by default. */
  readonly overlapBehavior?: OverlapBehavior | undefined;
  readonly colorMap?: ColorMap | undefined;
  readonly contrastEnhancement?: ContrastEnhancement | undefined;
  readonly shadedRelief?: ShadedRelief | undefined;
  /** The outline of each image of a mosaic; none by default. */
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

/** The visible one of several overlapping images. */
export type OverlapBehavior = 'latestOnTop' | 'earliestOnTop' | 'average' | 'random';

export interface ContrastEnhancement {
  readonly kind: 'contrastEnhancement';
  /** None by default. */
  readonly method?: ContrastMethod | undefined;
  /** Settings of the method, in the order written; never empty. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
  /** Values above 1 brighten, values below 1 darken; 1 by default. */
  readonly gamma?: Expression | undefined;
}

export type ContrastMethod = 'normalize' | 'histogram' | 'logarithmic' | 'exponential';

export interface ShadedRelief {
  readonly kind: 'shadedRelief';
  /** Whether the shading applies to the layers below, instead of the colours of this layer; false by default. */
  readonly brightnessOnly?: boolean | undefined;
  /** The exaggeration of heights; 55 by default, 0 for none. */
  readonly reliefFactor?: Expression | undefined;
}

/** The font of a label. */
export interface Font {
  readonly kind: 'font';
  /** The first available family is used; a serif font if empty. */
  readonly families: readonly Expression[];
  /** `normal` (default), `italic` or `oblique`. */
  readonly style?: Expression | undefined;
  /** `normal` (default), `bold`, or a number from 100 to 900. */
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
  /** The point of the text at the position: `0,0` is its lower left; `0,0.5` by default. */
  readonly anchorPoint?: Point | undefined;
  /** The displacement right and up, in units of the symbolizer; `0,0` by default. */
  readonly displacement?: Point | undefined;
  /** Clockwise in degrees; 0 by default. */
  readonly rotation?: Expression | undefined;
}

export interface LinePlacement {
  readonly kind: 'linePlacement';
  /** The offset to the left of the line, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
  /** Whether the text is repeated along the line; false by default. */
  readonly isRepeated?: boolean | undefined;
  /** The distance of the first text from the start of the line, in units of the symbolizer; 0 by default. */
  readonly initialGap?: Expression | undefined;
  /** The distance between two texts, in units of the symbolizer; 0 by default. */
  readonly gap?: Expression | undefined;
  /** Whether the text follows the line instead of being horizontal; true by default. */
  readonly isAligned?: boolean | undefined;
  /** Whether the text may follow a generalized line; false by default. */
  readonly generalizeLine?: boolean | undefined;
}
