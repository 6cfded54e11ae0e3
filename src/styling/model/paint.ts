/** What shapes are painted with: graphics (marks and pictures), fills and strokes, which hold each other. */
import type { Expression, FunctionCall } from '../../filter/model/expression.ts';

/** A symbol: marks and pictures, with their size, turn and place. */
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

/** How an area is filled. */
export interface Fill {
  readonly kind: 'fill';
  /** Repeated over the area as tiles, instead of a colour. */
  readonly graphicFill?: Graphic | undefined;
  /** `#808080` by default; white in a halo, black in a text symbolizer. */
  readonly color?: Expression | undefined;
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
}

/** How a line is drawn. */
export interface Stroke {
  readonly kind: 'stroke';
  /** Tiles that paint the inside of the line. */
  readonly graphicFill?: Graphic | undefined;
  /** A graphic repeated along the line. */
  readonly graphicStroke?: GraphicStroke | undefined;
  /** `#000000` by default. */
  readonly color?: Expression | undefined;
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
  /** In units of the symbolizer; 1 by default. */
  readonly width?: Expression | undefined;
  /** `mitre` (default), `round` or `bevel`; `miter` means the same as `mitre`. */
  readonly lineJoin?: Expression | undefined;
  /** `butt` (default), `round` or `square`. */
  readonly lineCap?: Expression | undefined;
  /**
   * Lengths of dashes and gaps in turn, in units of the symbolizer; a solid line by default.
   * Each part is one length, or an expression that gives one or more of them.
   */
  readonly dashArray?: readonly Expression[] | undefined;
  /** How far into the dashes the line begins, in units of the symbolizer; 0 by default. */
  readonly dashOffset?: Expression | undefined;
}

export interface GraphicStroke {
  readonly graphic: Graphic;
  /** How far from the start of the line the first graphic stands, in units of the symbolizer; 0 by default. */
  readonly initialGap?: Expression | undefined;
  /** The distance between two graphics, in units of the symbolizer; 0 by default. */
  readonly gap?: Expression | undefined;
  /** How far to the left of the line the graphics stand, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
}

/** Two numbers that belong together: an anchor (shares of the size) or a displacement (units of the symbolizer). */
export interface Point {
  readonly x: Expression;
  readonly y: Expression;
}

/** A named setting beyond the standards, kept as it is for whoever draws. */
export interface VendorOption {
  /** Such as `followLine`; names are not checked. */
  readonly name: string;
  readonly value: Expression;
}

/** XML that the style only carries, such as an inline picture, kept whole but for comments and prefixes. */
export interface ForeignElement {
  readonly kind: 'element';
  readonly name: string;
  /** Empty if it has none. */
  readonly namespace: string;
  readonly attributes: readonly ForeignAttribute[];
  readonly children: readonly (ForeignElement | ForeignText)[];
}

export interface ForeignAttribute {
  readonly name: string;
  /** Empty if it has none. */
  readonly namespace: string;
  readonly value: string;
}

export interface ForeignText {
  readonly kind: 'text';
  readonly text: string;
}
