/** WMS requests, independent of version and encoding. */
import type { Interpolation } from '../../../raster/warp/interpolate.ts';
import type { Selection, SortKey } from '../../ows/selection.ts';
import type { SupportedVersions } from '../../ows/versions.ts';

export type WmsVersion = '1.1.1' | '1.3.0';

export const wmsVersions: SupportedVersions<WmsVersion> = ['1.1.1', '1.3.0'];

export type WmsRequest =
  | GetCapabilitiesRequest
  | GetMapRequest
  | GetFeatureInfoRequest
  | GetLegendGraphicRequest
  | DescribeLayerRequest
  | GetStylesRequest;

export interface GetCapabilitiesRequest {
  readonly kind: 'GetCapabilities';
  readonly version: WmsVersion;
  readonly updateSequence?: string;
  /** The only workspace whose layers are listed. */
  readonly namespace?: string;
}

export interface GetMapRequest {
  readonly kind: 'GetMap';
  readonly version: WmsVersion;
  readonly map: RequestedMap;
  readonly format: string;
}

export interface GetFeatureInfoRequest {
  readonly kind: 'GetFeatureInfo';
  readonly version: WmsVersion;
  readonly map: RequestedMap;
  /** The queried layers of the map. */
  readonly queryLayers: readonly string[];
  /** The pixel, as sent. */
  readonly point: { readonly x: string; readonly y: string };
  readonly infoFormat?: string;
  readonly featureCount: number;
  /** As sent, one list per queried layer; undefined for all. */
  readonly propertyNames: readonly (readonly string[] | undefined)[];
}

export interface GetLegendGraphicRequest {
  readonly kind: 'GetLegendGraphic';
  readonly version: WmsVersion;
  /** Empty for a style that is sent without a layer. */
  readonly layers: readonly string[];
  /** One per layer; undefined for the default. */
  readonly styles: readonly (string | undefined)[];
  readonly sentStyle?: SentStyle;
  readonly format: string;
  /** The size of one sample in pixels. */
  readonly width: number;
  readonly height: number;
  readonly rule?: string;
  readonly scale?: number;
  readonly isTransparent: boolean;
  readonly options: ReadonlyMap<string, string>;
  /** The map whose features are counted for the legend. */
  readonly map?: RequestedMap;
}

export interface DescribeLayerRequest {
  readonly kind: 'DescribeLayer';
  readonly version: WmsVersion;
  readonly layers: readonly string[];
  readonly outputFormat?: string;
}

export type SldVersion = '1.0.0' | '1.1.0';

export interface GetStylesRequest {
  readonly kind: 'GetStyles';
  readonly version: WmsVersion;
  readonly layers: readonly string[];
  /** The SLD version of the document; by default the older one if it can express the styles. */
  readonly sldVersion?: SldVersion;
}

/** A map to draw or to query. */
export interface RequestedMap {
  /** In drawing order; may be empty if a sent style determines the layers. */
  readonly layers: readonly RequestedLayer[];
  readonly sentStyle?: SentStyle;
  /** Reads the options of layers that only the sent style names. */
  readonly readStyledLayers?: (names: readonly string[]) => Promise<readonly RequestedLayer[]>;
  readonly frame: RequestedFrame;
  readonly isTransparent: boolean;
  /** The background colour as `#rrggbb`; by default that of the styles, or white. */
  readonly background?: string;
  /** By lower-case name: `time`, `elevation` or a custom dimension. */
  readonly dimensions: ReadonlyMap<string, string>;
  /** Values for the env function of styles, by lower-case name. */
  readonly environment: ReadonlyMap<string, string>;
  readonly formatOptions: ReadonlyMap<string, string>;
  /** The resolution; undefined for pixels of 0.28 mm. */
  readonly dpi?: number;
  /** The palette of a paletted image. */
  readonly palette?: string;
  /** Whether scales are measured on the ground instead of from the width of the box. */
  readonly hasTrueScale: boolean;
  /** The number of pixels around the map, or around a queried pixel, to include. */
  readonly buffer?: number;
  /** The clockwise rotation in degrees. */
  readonly angle: number;
  /** The maximum number of features per layer. */
  readonly maxFeatures?: number;
  /** The attributes of vector tiles; undefined for all. */
  readonly properties?: readonly string[];
  readonly startIndex?: number;
}

/** The extent and size of a map. Operations with defaults accept absent values. */
export interface RequestedFrame {
  /** As sent. */
  readonly crs?: string;
  /** In the order of the request: lower corner, upper corner. */
  readonly corners?: readonly [number, number, number, number];
  readonly width?: number;
  readonly height?: number;
  /** The clip area, as sent. */
  readonly clip?: string;
}

export interface RequestedLayer {
  readonly name: string;
  /** Undefined for the default style. */
  readonly style?: string;
  readonly selection: Selection;
  readonly sortBy: readonly SortKey[];
  /** The interpolation of a coverage; undefined for that of the layer. */
  readonly interpolation?: Interpolation;
  /** The parameters of a virtual table by name. */
  readonly viewParameters: ReadonlyMap<string, string>;
}

/** A style that a client sends. */
export type SentStyle =
  | { readonly kind: 'document'; readonly text: string }
  | { readonly kind: 'address'; readonly url: string };
