/** One group of a style that is painted by itself, and how its symbolizers paint. */
import type { CanvasLibrary, DrawingContext } from '../styling/legend/canvas.ts';
import type { Pictures } from '../styling/legend/drawing.ts';
import type { Lengths } from '../styling/legend/lengths.ts';
import { limitRecording } from '../styling/legend/recorded-pixels.ts';
import type { Symbolizer } from '../styling/model.ts';
import { type Blend, blend } from './blend.ts';
import type { Coverage } from './coverage.ts';
import type { Frame } from './frame.ts';
import { Picture } from './picture.ts';
import { PlainPainter } from './plain-painter.ts';
import { SkiaPainter } from './skia-painter.ts';
import { graphicPainting, type PaintShape, plainPainting } from './symbolizer-painters.ts';

export interface GroupPainter {
  /** Undefined for symbolizers of which nothing is painted here. */
  paintingFor(symbolizer: Symbolizer, lengths: Lengths): PaintShape | undefined;
  /** Lays what was painted over what is below, once there are no more features. */
  finish(below: Picture): void;
}

/** Straight onto what is there already, which only the lowest group of a layer may. */
export function paintDirectly(picture: Picture, coverage: Coverage): GroupPainter {
  const painter = new PlainPainter(picture, coverage);
  return {
    paintingFor: (symbolizer, lengths) => plainPainting(symbolizer, lengths, painter),
    finish: () => undefined,
  };
}

export function paintPlainly({ width, height }: Frame, coverage: Coverage, mode: Blend | undefined): GroupPainter {
  const picture = new Picture(width, height);
  const painter = new PlainPainter(picture, coverage);
  return {
    paintingFor: (symbolizer, lengths) => plainPainting(symbolizer, lengths, painter),
    finish: (below) => layOver(below, picture.bytes, mode),
  };
}

export function paintGraphics(
  library: CanvasLibrary,
  frame: Frame,
  pictures: Pictures,
  reachPixels: number,
  mode: Blend | undefined,
): GroupPainter {
  const surface = library.createCanvas(frame.width, frame.height);
  const { paintingFor } = paintOnto(limitRecording(surface.getContext('2d')), library, frame, pictures, reachPixels);
  return { paintingFor, finish: (below) => layOver(below, surface.data(), mode) };
}

/** One picture for groups that are painted by turns. */
export interface SharedPainters {
  /** The one for a layer, with the pictures in its style. */
  painterWith(pictures: Pictures, reachPixels: number): GroupPainter;
  finish(below: Picture): void;
}

export function sharePlainly(frame: Frame, coverage: Coverage, mode: Blend | undefined): SharedPainters {
  const painter = paintPlainly(frame, coverage, mode);
  return { painterWith: () => painter, finish: painter.finish };
}

export function shareGraphics(library: CanvasLibrary, frame: Frame, mode: Blend | undefined): SharedPainters {
  const surface = library.createCanvas(frame.width, frame.height);
  const context = limitRecording(surface.getContext('2d'));
  return {
    painterWith: (pictures, reachPixels) => paintOnto(context, library, frame, pictures, reachPixels),
    finish: (below) => layOver(below, surface.data(), mode),
  };
}

/** Straight onto what is there already, whatever that is. */
export function paintOnto(
  context: DrawingContext,
  library: CanvasLibrary,
  frame: Frame,
  pictures: Pictures,
  reachPixels: number,
): GroupPainter {
  const painter = new SkiaPainter(library, context, frame, pictures, reachPixels);
  return {
    paintingFor: (symbolizer, lengths) => graphicPainting(symbolizer, lengths, painter),
    finish: () => undefined,
  };
}

/** Both have colours times their opacity. */
export function layOver(below: Picture, bytes: Uint8Array, mode: Blend | undefined): void {
  if (mode === undefined) below.lay(bytes);
  else blend(below.bytes, bytes, mode);
}
