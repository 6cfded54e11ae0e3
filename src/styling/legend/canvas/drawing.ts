/** The state of a drawing step: the renderer, the target and the remaining budget. */
import { expandAddress } from '../../graphics/address-template.ts';
import type { GraphicSource } from '../../model/model.ts';
import type { CanvasLibrary, DrawingContext, Picture } from './canvas.ts';

export interface Drawing {
  readonly library: CanvasLibrary;
  readonly context: DrawingContext;
  readonly pictures: Pictures;
  readonly budget: Budget;
  /** The nesting depth of graphics: a mark may be filled with marks that are filled with marks. */
  readonly nesting: number;
  /** The position of one graphic of a pattern, so that at least one is visible at any spacing. */
  readonly middle: { readonly x: number; readonly y: number };
  /** The maximum number of graphics along one line. */
  readonly maxGraphicsAlongLine: number;
  /** Whether labels stay text, for documents whose text can be selected and searched. */
  readonly keepsText?: true;
}

export interface LoadedPicture {
  readonly image: Picture;
  /** In pixels; undefined for an SVG without a size. */
  readonly width?: number;
  readonly height?: number;
  /** Returns the cost of drawing it on a number of pixels, in budget steps. */
  readonly steps: (pixels: number) => number;
  /** The maximum size on which it is drawn, because the library cannot be interrupted while it draws an SVG. */
  readonly maxPixels: number;
  /** Whether it is an SVG, which the library renders each time. */
  readonly isVector: boolean;
  /** Returns the outlines of an SVG as path data in a unit box; undefined for other pictures and without outlines. */
  readonly readOutline: () => string | undefined;
}

/** The loaded pictures, by their source, and by their address if that depends on the feature. */
export type Pictures = ReadonlyMap<GraphicSource | string, LoadedPicture>;

export function findPicture(pictures: Pictures, source: GraphicSource): LoadedPicture | undefined {
  if (source.kind !== 'online' || source.template === undefined) return pictures.get(source);
  const address = expandAddress(source);
  return address === undefined ? undefined : pictures.get(address);
}

/** At deeper levels only a plain colour is visible. */
export const maxNesting = 2;

/** The area of one sample in pixels, with its upper left corner at the origin. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Filling this number of pixels costs about as much as drawing one mark, which is one step. */
export const pixelsPerStep = 4000;

/** Counts steps, so that no style can block the renderer; graphics beyond the budget are omitted. */
export class Budget {
  #steps: number;

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** Returns false without spending anything if fewer steps are left. */
  spend(steps: number): boolean {
    if (!(steps <= this.#steps)) return false;
    this.#steps -= steps;
    return true;
  }
}

/** Draws with separate settings, which are restored afterwards. */
export function drawIsolated(context: DrawingContext, draw: () => void): void {
  context.save();
  draw();
  context.restore();
}

/** Returns a drawing without pictures and without a limit, for labels and decorations. */
export function createUnlimitedDrawing(library: CanvasLibrary, context: DrawingContext): Drawing {
  return {
    library,
    context,
    pictures: new Map(),
    budget: new Budget(Number.POSITIVE_INFINITY),
    nesting: 0,
    middle: { x: 0, y: 0 },
    maxGraphicsAlongLine: 0,
  };
}
