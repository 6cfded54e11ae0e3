/** What a map is asked for with: the picture, the piece of the Earth in it, and the layers with their styles, from below to above. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { Band } from '../../raster/port/port.ts';
import type { Interpolation } from '../../raster/warp/interpolate.ts';
import type { WarpRequest } from '../../raster/warp/read-warped.ts';
import type { GraphicLoader } from '../../styling/legend/images/pictures.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import type { Feature, FeatureTypeDescription, SortKey } from '../../vector/port/port.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import type { ClipArea } from '../rasterizer/clip-area.ts';

export interface MapRequest {
  /** In pixels; the box is stretched to them, whatever its proportions. */
  readonly width: number;
  readonly height: number;
  /** In units of the system, x before y. It may lie anywhere: beyond the antimeridian maps go on from the other side. */
  readonly box: Bounds;
  readonly system: CrsReference;
  /** Painted in this order; labels of all of them come last. */
  readonly layers: readonly MapLayer[];
  /** Below everything, unless the map is transparent; white by default. */
  readonly background?: Color | undefined;
  readonly isTransparent?: boolean | undefined;
  /** What a pixel is taken for: symbols grow with it, and scales get finer. Pixels have 0.28 mm by default, which is 90.71. */
  readonly dpi?: number | undefined;
  /** In the place of the scale that follows from the box, for rules and units on the ground. */
  readonly scaleDenominator?: number | undefined;
  /** How far from the picture features are looked for whose symbols reach into it; by default as far as the styles reach. */
  readonly bufferPixels?: number | undefined;
  /** What `env` gives in styles. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Clockwise in degrees, around the middle; 0 by default. */
  readonly angle?: number | undefined;
  /** The only colours of the picture, of which each pixel has the nearest; it may have any by default. */
  readonly palette?: readonly Color[] | undefined;
  /** Called where time has run out, of a map that is given as far as it is painted; without it that is a Problem. */
  readonly onPartial?: (() => void) | undefined;
  /** What is beyond it is not shown, nor found. */
  readonly clip?: ClipArea | undefined;
}

/** Each part 0 to 255. */
export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

export type MapLayer = VectorLayer | CoverageLayer;

export interface CoverageLayer {
  readonly kind: 'coverage';
  /** What complaints call it. */
  readonly title: string;
  readonly source: DrawnCoverage;
  readonly style: UserStyle;
  /** How samples between samples are computed; the nearest is taken by default. */
  readonly interpolation?: Interpolation | undefined;
}

/** A coverage that pictures can be read of. */
export interface DrawnCoverage {
  readonly name: string;
  readonly bands: readonly Pick<Band, 'name' | 'colorInterpretation'>[];
  /** Undefined where it has nothing to show. */
  read(request: WarpRequest, signal: AbortSignal): Promise<PictureWindow | undefined>;
  /** What there is at a pixel of a map, where that is not the values of its bands. */
  readonly find?: (
    pixel: { readonly bounds: Bounds; readonly crs: CrsReference },
    count: number,
    signal: AbortSignal,
  ) => Promise<{ readonly description: FeatureTypeDescription; readonly features: readonly Feature[] }>;
}

export interface VectorLayer {
  readonly kind: 'vector';
  /** What complaints call it. */
  readonly title: string;
  readonly source: DrawnFeatureType;
  readonly style: UserStyle;
  /** Only features that fit. */
  readonly filter?: ResolvedFilter | undefined;
  /** The order in which features are painted, unless the style says so itself. */
  readonly sort?: readonly SortKey[] | undefined;
  /** So many features at most. */
  readonly limit?: number | undefined;
  /** So many features are passed over. */
  readonly offset?: number | undefined;
  /** The bytes of pictures by the names that the style has for them; without it there are none. */
  readonly loadGraphic?: GraphicLoader | undefined;
}

/** A type that can be queried, and where its features come from, the watch over how long they take. */
export interface DrawnFeatureType extends QueriedType {
  readonly inTime?: <B>(batches: AsyncIterable<B>) => AsyncIterable<B>;
}

/** How much one map may take. */
export interface MapBudget {
  readonly milliseconds: number;
  /** Of pixels in memory: those of the picture, once more for each part of a style that is painted by itself. */
  readonly bytes: number;
}

/** A picture as a file. */
export interface PngFile {
  readonly png: Uint8Array;
}

/** Red, green, blue and opacity of each pixel, row by row; colours as they are, not times the opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}
