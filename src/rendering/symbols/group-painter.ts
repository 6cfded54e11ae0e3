/** Paints one group of a style, with painters for its symbolizers. */
import type { CanvasLibrary, DrawingContext } from '../../styling/legend/canvas/canvas.ts';
import type { Pictures } from '../../styling/legend/canvas/drawing.ts';
import { limitRecording } from '../../styling/legend/canvas/recorded-pixels.ts';
import type { Lengths } from '../../styling/legend/values/lengths.ts';
import type { Symbolizer } from '../../styling/model/model.ts';
import { type Blend, blend, isColorBlend } from '../rasterizer/blend.ts';
import { Picture } from '../rasterizer/picture.ts';
import { PlainPainter } from '../rasterizer/plain-painter.ts';
import type { ScanlineRasterizer } from '../rasterizer/scanline-rasterizer.ts';
import { SkiaPainter, type SymbolResources } from '../rasterizer/skia-painter.ts';
import type { Frame } from '../shapes/frame.ts';
import { createGraphicShapePainter, createPlainShapePainter, type PaintShape } from './symbolizer-painters.ts';

export interface GroupPainter {
  /** Returns undefined for symbolizers that this painter does not draw. */
  createShapePainter(symbolizer: Symbolizer, lengths: Lengths): PaintShape | undefined;
  /** Composites the group over the content below, after the last feature. */
  finish(below: Picture): void;
}

/** Paints directly on the existing content, which is correct only for the lowest group of a layer. */
export function createDirectPainter(picture: Picture, coverage: ScanlineRasterizer): GroupPainter {
  const painter = new PlainPainter(picture, coverage);
  return {
    createShapePainter: (symbolizer, lengths) => createPlainShapePainter(symbolizer, lengths, painter),
    finish: () => undefined,
  };
}

export function createPlainPainter(
  { width, height }: Frame,
  coverage: ScanlineRasterizer,
  mode: Blend | undefined,
): GroupPainter {
  const picture = new Picture(width, height);
  const painter = new PlainPainter(picture, coverage);
  return {
    createShapePainter: (symbolizer, lengths) => createPlainShapePainter(symbolizer, lengths, painter),
    finish: (below) => compositeOver(below, picture.bytes, mode),
  };
}

/** `blendsFeatures` blends features with each other, as far as that is independent of the content below. */
export function createGraphicsPainter(
  resources: SymbolResources,
  mode: Blend | undefined,
  blendsFeatures: boolean,
): GroupPainter {
  const { library, frame } = resources;
  const surface = library.createCanvas(frame.width, frame.height);
  const context = surface.getContext('2d');
  if (blendsFeatures && mode !== undefined && isColorBlend(mode)) context.globalCompositeOperation = mode.mode;
  const { createShapePainter } = createContextPainter(limitRecording(context), resources);
  return { createShapePainter, finish: (below) => compositeOver(below, surface.data(), mode) };
}

/** One picture for groups that are painted alternately. */
export interface SharedPainters {
  /** Returns the painter for a layer with the pictures of its style. */
  getPainter(pictures: Pictures, reachPixels: number): GroupPainter;
  finish(below: Picture): void;
}

export function createSharedPlainPainters(
  frame: Frame,
  coverage: ScanlineRasterizer,
  mode: Blend | undefined,
): SharedPainters {
  const painter = createPlainPainter(frame, coverage, mode);
  return { getPainter: () => painter, finish: painter.finish };
}

export function createSharedGraphicsPainters(
  library: CanvasLibrary,
  frame: Frame,
  mode: Blend | undefined,
): SharedPainters {
  const surface = library.createCanvas(frame.width, frame.height);
  const context = limitRecording(surface.getContext('2d'));
  return {
    getPainter: (pictures, reachPixels) => createContextPainter(context, { library, frame, pictures, reachPixels }),
    finish: (below) => compositeOver(below, surface.data(), mode),
  };
}

/** Paints directly on the existing content of any context. */
export function createContextPainter(context: DrawingContext, resources: SymbolResources): GroupPainter {
  const painter = new SkiaPainter(context, resources);
  return {
    createShapePainter: (symbolizer, lengths) => createGraphicShapePainter(symbolizer, lengths, painter),
    finish: () => undefined,
  };
}

/** Both pictures are premultiplied. */
export function compositeOver(below: Picture, bytes: Uint8Array, mode: Blend | undefined): void {
  if (mode === undefined) below.overlay(bytes);
  else blend(below.bytes, bytes, mode);
}
