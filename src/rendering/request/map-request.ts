/** A map request: the picture, its extent, and the layers with their styles, from bottom to top. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { CoverageRequest, PictureWindow } from '../../raster/pictures/read-pictures.ts';
import type { Band, CoverageDescription } from '../../raster/port/port.ts';
import type { Interpolation } from '../../raster/warp/interpolate.ts';
import type { UploadedFont } from '../../styling/fonts/font-registry.ts';
import type { MissingGlyphs } from '../../styling/fonts/missing-glyphs.ts';
import type { GraphicLoader } from '../../styling/legend/images/pictures.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import type { Feature, FeatureTypeDescription, SortKey } from '../../vector/port/port.ts';
import type { QueriedType } from '../../vector/query/feature-query.ts';
import type { MapDecoration } from '../decorations/decoration.ts';
import type { AdjacentTiles } from '../labels/shared-labels.ts';
import type { ClipArea } from '../rasterizer/clip-area.ts';

/** The variable with the language of the request, which the function `language` returns. */
export const languageVariable = 'wms_language';

export interface MapRequest {
  /** In pixels. The box is stretched to this size, independent of its proportions. */
  readonly width: number;
  readonly height: number;
  /** In units of the CRS, x before y. Beyond the antimeridian, maps continue on the other side. */
  readonly box: Bounds;
  readonly system: CrsReference;
  /** Painted in this order; the labels of all layers are painted last. */
  readonly layers: readonly MapLayer[];
  /** The background colour of an opaque map; by default that of the lowest style with one, or white. */
  readonly background?: Color | undefined;
  readonly isTransparent?: boolean | undefined;
  /**
   * The assumed resolution, which scales symbols and scale denominators. The default of 90.71 corresponds to pixels of
   * 0.28 mm.
   */
  readonly dpi?: number | undefined;
  /** Overrides the computed scale denominator, for rules and ground units. */
  readonly scaleDenominator?: number | undefined;
  /** The distance from the picture in which features are queried; by default the reach of the styles. */
  readonly bufferPixels?: number | undefined;
  /** Whether lines have exactly their written width; by default they are half a pixel wider. */
  readonly hasExactStrokes?: boolean | undefined;
  /** Whether shapes and text have smooth edges; both by default. */
  readonly antialias?: Antialias | undefined;
  /** Whether each pixel is either opaque or transparent, as in images with few colours. */
  readonly hasBinaryOpacity?: boolean | undefined;
  /** Whether a positive y of the displacement of a graphic points down; by default it points up. */
  readonly displacesDownwards?: boolean | undefined;
  /** The variables for `env` in styles. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** The clockwise rotation around the centre in degrees; 0 by default. */
  readonly angle?: number | undefined;
  /** The only colours of the picture, each pixel gets the nearest; any colour by default. */
  readonly palette?: readonly Color[] | undefined;
  /**
   * Called when the time budget is used up; the map is then returned incomplete. Without it, a timeout throws a
   * Problem.
   */
  readonly onPartial?: (() => void) | undefined;
  /** The uploaded fonts that labels and marks can use. */
  readonly fonts?: readonly UploadedFont[] | undefined;
  /** Drawn above everything else. */
  readonly decorations?: readonly MapDecoration[] | undefined;
  /** Called with the address of each picture that is missing or not allowed, before the map is drawn without it. */
  readonly onMissingGraphic?: ((href: string) => void) | undefined;
  /** Called for each raster symbolizer that selects an unknown band, and is not drawn. */
  readonly onMissingBand?: ((missing: MissingBand) => void) | undefined;
  /** For a block of tiles: the sides where other tiles continue it, so that both draw the labels between them. */
  readonly adjacentTiles?: AdjacentTiles | undefined;
  /** Called after drawing, once for each list of fonts and script of labels with characters that no font has. */
  readonly onMissingGlyphs?: ((missing: MissingGlyphs) => void) | undefined;
  /** Content outside is neither shown nor found. */
  readonly clip?: ClipArea | undefined;
}

/** What has smooth edges: everything, only text, or nothing. */
export type Antialias = 'on' | 'text' | 'off';

/** Each channel from 0 to 255. */
export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

export type MapLayer = VectorLayer | CoverageLayer;

/** The id of the store, if reading the layer waits for the server of that store. */
interface RemoteLayer {
  readonly remoteStore?: string | undefined;
}

export interface CoverageLayer extends RemoteLayer {
  readonly kind: 'coverage';
  /** The name of the layer in error messages. */
  readonly title: string;
  readonly source: DrawnCoverage;
  readonly style: UserStyle;
  /** The resampling method; nearest neighbour by default. */
  readonly interpolation?: Interpolation | undefined;
  /** Loads the pictures of features that a transformation computes; without it, pictures are not drawn. */
  readonly loadGraphic?: GraphicLoader | undefined;
}

export interface DrawnBand extends Pick<Band, 'name' | 'colorInterpretation'> {
  /** The name in the catalog, if it differs from that in the data. */
  readonly publishedName?: string;
}

/** A band that a style selects, and those that the coverage has. */
export interface MissingBand {
  readonly coverage: string;
  readonly band: string;
  readonly bands: readonly string[];
}

/** A coverage that can be read as pictures. */
export interface DrawnCoverage {
  readonly name: string;
  readonly bands: readonly DrawnBand[];
  /** The cells of the data, if they are known. */
  readonly description?: Pick<CoverageDescription, 'grid'> | undefined;
  /** Returns undefined if the coverage has no data there. */
  read(request: CoverageRequest, signal: AbortSignal): Promise<PictureWindow | undefined>;
  /** Returns a text that changes with the cells that `read` returns; undefined if they can change without notice. */
  readonly identify?: (() => string | undefined) | undefined;
  /** Whether `find` is supported; by default it is. */
  readonly isQueryable?: boolean | undefined;
  /** Identifies the content of a map pixel, if that differs from the band values. */
  readonly find?: (
    pixel: { readonly bounds: Bounds; readonly crs: CrsReference },
    count: number,
    signal: AbortSignal,
  ) => Promise<{ readonly description: FeatureTypeDescription; readonly features: readonly Feature[] }>;
}

export interface VectorLayer extends RemoteLayer {
  readonly kind: 'vector';
  /** The name of the layer in error messages. */
  readonly title: string;
  readonly source: DrawnFeatureType;
  readonly style: UserStyle;
  /** Restricts the features that are drawn. */
  readonly filter?: ResolvedFilter | undefined;
  /** The order in which features are painted, unless the style sets one. */
  readonly sort?: readonly SortKey[] | undefined;
  /** The maximum number of features. */
  readonly limit?: number | undefined;
  /** The number of features to skip. */
  readonly offset?: number | undefined;
  /** Loads the bytes of a picture by its reference in the style; without it, pictures are not drawn. */
  readonly loadGraphic?: GraphicLoader | undefined;
}

/** A feature type that can be queried, with a timeout for reading its features. */
export interface DrawnFeatureType extends QueriedType {
  readonly inTime?: <B>(batches: AsyncIterable<B>) => AsyncIterable<B>;
}

/** The limits of one map. */
export interface MapBudget {
  readonly milliseconds: number;
  /** The memory for pixels: one picture, plus one for each separately painted part of a style. */
  readonly bytes: number;
}

/** A drawn map, with the characters of its labels that no font has. */
export interface DrawnMap {
  readonly missingGlyphs?: readonly MissingGlyphs[];
}

/** A picture as a file. */
export interface PngFile extends DrawnMap {
  readonly png: Uint8Array;
}

/** Red, green, blue and opacity of each pixel, row by row, with straight colours. */
export interface Pixels extends DrawnMap {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
  /** Whether neither a palette nor the differences of pixels make a PNG file smaller; unknown by default. */
  readonly isVaried?: boolean;
}
