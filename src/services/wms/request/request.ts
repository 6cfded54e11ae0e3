/** The requests of a WMS, the same for both versions and all ways they are sent. */
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
  /** Those of the map whose features are asked for. */
  readonly queryLayers: readonly string[];
  /** The pixel, as written. */
  readonly point: { readonly x: string; readonly y: string };
  readonly infoFormat?: string;
  readonly featureCount: number;
  /** As written, one list for each layer that is asked; undefined means all. */
  readonly propertyNames: readonly (readonly string[] | undefined)[];
}

export interface GetLegendGraphicRequest {
  readonly kind: 'GetLegendGraphic';
  readonly version: WmsVersion;
  /** None for a style that is sent for no layer. */
  readonly layers: readonly string[];
  /** One for each layer; undefined for the default one. */
  readonly styles: readonly (string | undefined)[];
  readonly sentStyle?: SentStyle;
  readonly format: string;
  /** Of one sample, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly rule?: string;
  readonly scale?: number;
  readonly isTransparent: boolean;
  readonly options: ReadonlyMap<string, string>;
  /** The map that it is the legend of, where features on it are counted. */
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
  /** That of the document; the older one where it can say it all. */
  readonly sldVersion?: SldVersion;
}

/** The map that is meant, to be looked at or to be asked for what is on it. */
export interface RequestedMap {
  /** In the order they are drawn; may be none where a style is sent, which then says what is drawn. */
  readonly layers: readonly RequestedLayer[];
  readonly sentStyle?: SentStyle;
  readonly frame: RequestedFrame;
  readonly isTransparent: boolean;
  /** What is below everything, as `#rrggbb`. */
  readonly background: string;
  /** By names in lower case: `time`, `elevation`, or that of another dimension. */
  readonly dimensions: ReadonlyMap<string, string>;
  /** What styles look up, by names in lower case. */
  readonly environment: ReadonlyMap<string, string>;
  readonly formatOptions: ReadonlyMap<string, string>;
  /** What a pixel is taken for; undefined for 0.28 mm. */
  readonly dpi?: number;
  /** The name of the colours that a picture of few colours is made of. */
  readonly palette?: string;
  /** Whether scales are measured on the ground rather than by the width of the box. */
  readonly hasTrueScale: boolean;
  /** How many pixels around the map, or around a place on it, are looked at. */
  readonly buffer?: number;
  /** By how many degrees the map is turned, clockwise. */
  readonly angle: number;
  /** No layer shows more features than this. */
  readonly maxFeatures?: number;
  readonly startIndex?: number;
}

/** Where the map lies and how large it is. What is missing is the server's to choose, where a request may leave it out. */
export interface RequestedFrame {
  /** As written. */
  readonly crs?: string;
  /** In the order that the client has written them: the lower corner, then the upper one. */
  readonly corners?: readonly [number, number, number, number];
  readonly width?: number;
  readonly height?: number;
  /** The area that is shown, as written. */
  readonly clip?: string;
}

export interface RequestedLayer {
  readonly name: string;
  /** Undefined for the default one. */
  readonly style?: string;
  readonly selection: Selection;
  readonly sortBy: readonly SortKey[];
  /** How a coverage is read between its samples; undefined for what the layer says. */
  readonly interpolation?: Interpolation;
  /** What a virtual table asks for, by name. */
  readonly viewParameters: ReadonlyMap<string, string>;
}

/** A style that a client brings along. */
export type SentStyle =
  | { readonly kind: 'document'; readonly text: string }
  | { readonly kind: 'address'; readonly url: string };
