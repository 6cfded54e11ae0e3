/** How the cells of a grid become colours. */

import type { Expression } from '../../data/filter/expression.ts';
import type { ColorMap } from './color-map.ts';
import type { LineSymbolizer, PolygonSymbolizer, SymbolizerBase } from './symbolizer.ts';
import type { VendorOption } from './vendor-option.ts';

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
