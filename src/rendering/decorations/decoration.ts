/** The decorations of a map, ready to be drawn: pictures are loaded, and texts are final. */

import type { DecorationPlacement } from '../../styling/layout/read-layout.ts';
import type { Drawing } from '../../styling/legend/canvas/drawing.ts';

export interface MapDecoration extends DecorationPlacement {
  readonly content: DecorationContent;
}

export type DecorationContent = PictureContent | TextContent | ScaleLineContent | NorthContent;

/** Pictures below each other: an image, a watermark, or the legends of several layers. */
export interface PictureContent {
  readonly kind: 'pictures';
  readonly pictures: readonly Uint8Array[];
  /** The number of pixels of a picture per written pixel; 1 by default. */
  readonly density?: number;
  /** From 0 to 1. */
  readonly opacity: number;
  /** Undefined for none. */
  readonly background: string | undefined;
}

export interface TextContent {
  readonly kind: 'text';
  readonly text: string;
  readonly fontFamily: string;
  readonly fontPixels: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly color: string;
  readonly haloPixels: number;
  readonly haloColor: string;
  readonly background: string | undefined;
}

export interface ScaleLineContent {
  readonly kind: 'scaleLine';
  /** On the ground, at the centre of the map. */
  readonly metresPerPixel: number;
  readonly hasMetres: boolean;
  readonly hasFeet: boolean;
  readonly fontPixels: number;
  readonly color: string;
  readonly background: string | undefined;
}

export interface NorthContent {
  readonly kind: 'north';
  readonly shape: 'arrow' | 'compass';
  /** The direction of the north, clockwise from the top. */
  readonly radians: number;
  readonly color: string;
  readonly background: string;
}

/** A decoration with its size; it is drawn with its upper left corner at the origin. */
export interface LaidOutDecoration {
  readonly width: number;
  readonly height: number;
  draw(drawing: Drawing): void;
}

/** The space for a decoration, and the number of pixels per written pixel. */
export interface DecorationSpace {
  /** The written size; undefined for the size of the content. */
  readonly size: MapDecoration['size'];
  readonly factor: number;
}
