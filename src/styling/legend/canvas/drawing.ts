/** What every drawing step is given: the renderer, where to draw, and how much more may be drawn. */
import type { GraphicSource } from '../../model/model.ts';
import type { CanvasLibrary, DrawingContext, Picture } from './canvas.ts';

export interface Drawing {
  readonly library: CanvasLibrary;
  readonly context: DrawingContext;
  readonly pictures: Pictures;
  readonly budget: Budget;
  /** How many graphics this one is inside of: a mark may be filled with marks that are filled with marks. */
  readonly nesting: number;
  /** Where patterns have one of their graphics, so that one is seen however far apart they are. */
  readonly middle: { readonly x: number; readonly y: number };
  /** More graphics than so many are not drawn along one line. */
  readonly maxGraphicsAlongLine: number;
}

export interface LoadedPicture {
  readonly image: Picture;
  /** In pixels; an SVG that does not say has none. */
  readonly width?: number;
  readonly height?: number;
  /** How much work it is to draw it on so many pixels, in steps of the budget. */
  readonly steps: (pixels: number) => number;
  /** On more pixels it is not drawn: the library cannot be interrupted while it draws an SVG. */
  readonly maxPixels: number;
  /** Whether it is an SVG, which the library draws anew each time. */
  readonly isVector: boolean;
}

/** What could be loaded, by where it comes from. */
export type Pictures = ReadonlyMap<GraphicSource, LoadedPicture>;

/** Deeper than this, a plain colour is all that can be seen. */
export const maxNesting = 2;

/** The room for one sample, its upper left corner at the origin, in pixels. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

/** Filling so many pixels is about as much work as drawing one mark, which is one step. */
export const pixelsPerStep = 4000;

/** Counts steps, so that no style can keep the renderer busy for long; what is too much is left out. */
export class Budget {
  #steps: number;

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** False, and nothing is spent, if there are not so many steps left. */
  spend(steps: number): boolean {
    if (!(steps <= this.#steps)) return false;
    this.#steps -= steps;
    return true;
  }
}

/** Draws with settings of its own, which are gone afterwards. */
export function drawIsolated(context: DrawingContext, draw: () => void): void {
  context.save();
  draw();
  context.restore();
}
