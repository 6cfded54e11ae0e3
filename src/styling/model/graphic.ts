/** A symbol: marks and pictures, with their size, turn and place. */
import type { Expression, FunctionCall } from '../../data/filter/expression.ts';
import type { Fill } from './fill.ts';
import type { ForeignElement } from './foreign-element.ts';
import type { Point } from './point.ts';
import type { Stroke } from './stroke.ts';
import type { VendorOption } from './vendor-option.ts';

export interface Graphic {
  readonly kind: 'graphic';
  /** The first that can be drawn is drawn; with none at all, a square mark. */
  readonly symbols: readonly GraphicSymbol[];
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
  /** The height in units of the symbolizer; by default that of the picture, 16 for a picture without one, 6 for a mark. */
  readonly size?: Expression | undefined;
  /** Clockwise in degrees; 0 by default. */
  readonly rotation?: Expression | undefined;
  /** Which point of the graphic stands on the place: `0,0` is its lower left, `1,1` its upper right; `0.5,0.5` by default. */
  readonly anchorPoint?: Point | undefined;
  /** How far to move it right and up, in units of the symbolizer; `0,0` by default. */
  readonly displacement?: Point | undefined;
  /** Settings such as `stroke` for pictures that take colours; in the order written, never an empty list. */
  readonly parameters?: readonly VendorOption[] | undefined;
  /** In the order written; never an empty list. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export type GraphicSymbol = Mark | ExternalGraphic;

export interface Mark {
  readonly kind: 'mark';
  /** `square` (default), `circle`, `triangle`, `star`, `cross`, `x`, or with a scheme: `shape://times`, `ttf://…`, `wkt://…`. */
  readonly wellKnownName?: Expression | undefined;
  /** A shape from elsewhere, instead of a well-known name. */
  readonly externalMark?: ExternalMark | undefined;
  /** Nothing is filled without one. */
  readonly fill?: Fill | undefined;
  /** Nothing is outlined without one. */
  readonly stroke?: Stroke | undefined;
}

export interface ExternalMark {
  readonly source: GraphicSource;
  /** A media type, such as `ttf`. */
  readonly format: string;
  /** Which shape of the resource, such as the number of a glyph; the first by default. */
  readonly index?: number | undefined;
}

export interface ExternalGraphic {
  readonly kind: 'externalGraphic';
  readonly source: GraphicSource;
  /** A media type, such as `image/png` or `image/svg+xml`. */
  readonly format: string;
  /** Calls of `Recode` that say which colour to draw instead of which. */
  readonly colorReplacements?: readonly FunctionCall[] | undefined;
}

export type GraphicSource = OnlineResource | InlineContent | InlineXml;

export interface OnlineResource {
  readonly kind: 'online';
  /** A URL, or a path relative to the style; may hold `${…}` with ECQL in it. */
  readonly href: string;
}

export interface InlineContent {
  readonly kind: 'inlineBase64';
  /** The bytes in base64, without spaces. */
  readonly base64: string;
}

export interface InlineXml {
  readonly kind: 'inlineXml';
  /** Such as an `svg` element. */
  readonly element: ForeignElement;
}
