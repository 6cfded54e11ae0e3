/** The paints of shapes: graphics (marks and pictures), fills and strokes, which may contain each other. */
import type { Expression, FunctionCall } from '../../filter/model/expression.ts';

/** A symbol: marks and pictures, with their size, rotation and position. */
export interface Graphic {
  readonly kind: 'graphic';
  /** The first one that can be drawn is used; a square mark if the list is empty. */
  readonly symbols: readonly GraphicSymbol[];
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
  /**
   * The height in units of the symbolizer; by default that of the picture, 16 for a picture without one and for a mark.
   */
  readonly size?: Expression | undefined;
  /** Clockwise in degrees; 0 by default. */
  readonly rotation?: Expression | undefined;
  /**
   * The point of the graphic at the position: `0,0` is its lower left, `1,1` its upper right; `0.5,0.5` by default.
   */
  readonly anchorPoint?: Point | undefined;
  /** The displacement right and up, in units of the symbolizer; `0,0` by default. */
  readonly displacement?: Point | undefined;
  /** Settings such as `stroke` for pictures with variable colours; in the order written, never empty. */
  readonly parameters?: readonly VendorOption[] | undefined;
  /** In the order written; never empty. */
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export type GraphicSymbol = Mark | ExternalGraphic;

export interface Mark {
  readonly kind: 'mark';
  /** `square` (default), `circle`, `triangle`, `star`, `cross`, `x`, or with a scheme: `shape://times`, `ttf://…`, `wkt://…`. */
  readonly wellKnownName?: Expression | undefined;
  /** An external shape, instead of a well-known name. */
  readonly externalMark?: ExternalMark | undefined;
  /** Not filled if omitted; grey if the stroke is omitted too. */
  readonly fill?: Fill | undefined;
  /** Not outlined if omitted; black if the fill is omitted too. */
  readonly stroke?: Stroke | undefined;
}

export interface ExternalMark {
  readonly source: GraphicSource;
  /** A media type, such as `ttf`. */
  readonly format: string;
  /** The index of the shape in the resource, such as the number of a glyph; the first by default. */
  readonly index?: number | undefined;
}

export interface ExternalGraphic {
  readonly kind: 'externalGraphic';
  readonly source: GraphicSource;
  /** A media type, such as `image/png` or `image/svg+xml`. */
  readonly format: string;
  /** Calls of `Recode` that map colours to replacements. */
  readonly colorReplacements?: readonly FunctionCall[] | undefined;
}

export type GraphicSource = OnlineResource | InlineContent | InlineXml;

export interface OnlineResource {
  readonly kind: 'online';
  /** A URL, or a path relative to the style; may contain ECQL in `${…}`. */
  readonly href: string;
  /** The parts of an address with expressions, once they are parsed for a map. */
  readonly template?: readonly AddressPart[] | undefined;
}

/** A text, or a value that depends on the feature; a value without a result has neither. */
export interface AddressPart {
  readonly text?: string | undefined;
  readonly value?: Expression | undefined;
}

export interface InlineContent {
  readonly kind: 'inlineBase64';
  /** The bytes in base64, without white space. */
  readonly base64: string;
}

export interface InlineXml {
  readonly kind: 'inlineXml';
  /** Such as an `svg` element. */
  readonly element: ForeignElement;
}

/** The fill of an area. */
export interface Fill {
  readonly kind: 'fill';
  /** Repeated over the area as tiles, instead of a colour. */
  readonly graphicFill?: Graphic | undefined;
  /** `#808080` by default; white in a halo, black in a text symbolizer. */
  readonly color?: Expression | undefined;
  /** 0 to 1; 1 by default. */
  readonly opacity?: Expression | undefined;
}

/** The stroke of a line. */
export interface Stroke {
  readonly kind: 'stroke';
  /** Tiles that fill the line. */
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
   * Alternating lengths of dashes and gaps, in units of the symbolizer; a solid line by default. Each item is one
   * length, or an expression that returns one or more.
   */
  readonly dashArray?: readonly Expression[] | undefined;
  /** The start offset in the dash pattern, in units of the symbolizer; 0 by default. */
  readonly dashOffset?: Expression | undefined;
}

export interface GraphicStroke {
  readonly graphic: Graphic;
  /** The distance of the first graphic from the start of the line, in units of the symbolizer; 0 by default. */
  readonly initialGap?: Expression | undefined;
  /** The distance between two graphics, in units of the symbolizer; 0 by default. */
  readonly gap?: Expression | undefined;
  /** The offset of the graphics to the left of the line, in units of the symbolizer; 0 by default. */
  readonly perpendicularOffset?: Expression | undefined;
}

/** A pair of numbers: an anchor (fractions of the size) or a displacement (units of the symbolizer). */
export interface Point {
  readonly x: Expression;
  readonly y: Expression;
}

/** A named setting beyond the standards, preserved for renderers. */
export interface VendorOption {
  /** Such as `followLine`; names are not validated. */
  readonly name: string;
  readonly value: Expression;
}

/** XML that the style preserves without interpretation, such as an inline picture, except comments and prefixes. */
export interface ForeignElement {
  readonly kind: 'element';
  readonly name: string;
  /** Empty for no namespace. */
  readonly namespace: string;
  readonly attributes: readonly ForeignAttribute[];
  readonly children: readonly (ForeignElement | ForeignText)[];
}

export interface ForeignAttribute {
  readonly name: string;
  /** Empty for no namespace. */
  readonly namespace: string;
  readonly value: string;
}

export interface ForeignText {
  readonly kind: 'text';
  readonly text: string;
}
