/**
 * Paints symbols that plain coverage does not support, such as pictures, patterns and graphics along lines, with the
 * legend code.
 */
import type { Bounds } from '../../crs/bounds.ts';
import type { CanvasLibrary, DrawingContext, Path } from '../../styling/legend/canvas/canvas.ts';
import { Budget, type Drawing, drawIsolated, type Pictures } from '../../styling/legend/canvas/drawing.ts';
import { shouldFallBack } from '../../styling/legend/symbols/choose-mark.ts';
import { drawGraphic, fillPath, prepareGraphic } from '../../styling/legend/symbols/graphic.ts';
import { type LineStyle, strokeLine, strokePath } from '../../styling/legend/symbols/line.ts';
import { type Lengths, readPixels } from '../../styling/legend/values/lengths.ts';
import type { Polyline, Position } from '../../styling/legend/values/sample-geometry.ts';
import type { LineSymbolizer, PointSymbolizer, PolygonSymbolizer } from '../../styling/model/model.ts';
import { LINES, POINTS } from '../../vector/port/packed-features.ts';
import { clipLine, clipRing } from '../shapes/clip.ts';
import type { Frame } from '../shapes/frame.ts';
import { offsetOutwards, offsetToSide, type SidewaysMove } from '../shapes/offset-line.ts';
import type { PixelShape } from '../shapes/pixel-shape.ts';
import { forEachMiddle } from '../shapes/shape-middles.ts';
import { simplifyLine } from '../shapes/simplify-line.ts';

/** Beyond the reach of symbols, so that clipped edges stay invisible. */
const CUT_MARGIN_PIXELS = 64;

/** The maximum number of graphics on one line. A line ten pictures long has a few thousand at most. */
const MAX_GRAPHICS_ALONG_LINE = 10_000;

/** The resources for symbols, apart from the context that they are drawn on. */
export interface SymbolResources {
  readonly library: CanvasLibrary;
  readonly frame: Frame;
  readonly pictures: Pictures;
  readonly reachPixels: number;
  /** How far lines may move to have fewer positions; 0 by default. */
  readonly tolerancePixels?: number;
}

export class SkiaPainter {
  readonly #drawing: Drawing;
  readonly #window: Bounds;
  readonly #tolerancePixels: number;

  constructor(context: DrawingContext, resources: SymbolResources) {
    const { library, frame, pictures, reachPixels, tolerancePixels = 0 } = resources;
    this.#tolerancePixels = tolerancePixels;
    this.#drawing = {
      library,
      context,
      pictures,
      // The caller limits the time of the map.
      budget: new Budget(Number.POSITIVE_INFINITY),
      nesting: 0,
      // Patterns start at the origin of the coordinates, so that they continue across adjacent maps.
      middle: { x: frame.x0, y: frame.y0 },
      maxGraphicsAlongLine: MAX_GRAPHICS_ALONG_LINE,
    };
    const margin = 2 * reachPixels + CUT_MARGIN_PIXELS;
    this.#window = { minX: -margin, minY: -margin, maxX: frame.width + margin, maxY: frame.height + margin };
  }

  paintPolygon(shape: PixelShape, symbolizer: PolygonSymbolizer, lengths: Lengths): void {
    if (shape.kind === POINTS) return;
    const { fill, stroke, displacement, perpendicularOffset, vendorOptions } = symbolizer;
    const move = {
      offset: readPixels(lengths, perpendicularOffset, 0),
      shiftX: readPixels(lengths, displacement?.x, 0),
      shiftY: -readPixels(lengths, displacement?.y, 0),
    };
    const isMoved = move.offset !== 0 || move.shiftX !== 0 || move.shiftY !== 0;
    const rings = isMoved ? offsetRings(shape, move) : listRings(shape);
    const isClosed = shape.kind !== LINES;
    const area = fill && this.#buildPath(this.#cutRings(rings), true);
    if (area) fillPath(this.#drawing, area, { fill, lengths, vendorOptions });
    if (!stroke) return;
    // Building a path takes as long as drawing it.
    if (area && isClosed && stroke.graphicStroke === undefined)
      strokePath(this.#drawing, area, { stroke, lengths, vendorOptions });
    else this.#strokeRings(rings, isClosed, { stroke, lengths, vendorOptions });
  }

  paintLine(shape: PixelShape, symbolizer: LineSymbolizer, lengths: Lengths): void {
    const { stroke, perpendicularOffset, vendorOptions } = symbolizer;
    if (shape.kind === POINTS || !stroke) return;
    const offset = readPixels(lengths, perpendicularOffset, 0);
    const rings = offset === 0 ? listRings(shape) : offsetRings(shape, { offset, shiftX: 0, shiftY: 0 });
    this.#strokeRings(rings, shape.kind !== LINES, { stroke, lengths, vendorOptions });
  }

  #strokeRings(rings: readonly Float64Array[], isClosed: boolean, style: LineStyle): void {
    const lines = isClosed
      ? this.#cutRings(rings)
      : rings.flatMap((ring) => clipLine(ring, this.#window)).map((line) => this.#simplify(line));
    if (style.stroke.graphicStroke === undefined) {
      strokePath(this.#drawing, this.#buildPath(lines, isClosed), style);
    } else {
      for (const line of lines) strokeLine(this.#drawing, toPolyline(line, isClosed), style);
    }
  }

  paintPoint(shape: PixelShape, { graphic, vendorOptions }: PointSymbolizer, lengths: Lengths): void {
    if (!graphic) return;
    const ready = prepareGraphic(this.#drawing, graphic, lengths);
    const isFallback = ready.symbol.kind === 'missing' || (ready.symbol.kind === 'mark' && ready.symbol.isFallback);
    if (!(ready.width > 0) || (isFallback && !shouldFallBack(vendorOptions))) return;
    const { context } = this.#drawing;
    forEachMiddle(shape, (x, y) => {
      drawIsolated(context, () => {
        context.translate(x + ready.shift[0], y + ready.shift[1]);
        drawGraphic(this.#drawing, ready);
      });
    });
  }

  #cutRings(rings: readonly Float64Array[]): readonly Float64Array[] {
    return rings.map((ring) => this.#simplify(clipRing(ring, this.#window)));
  }

  #simplify(places: Float64Array): Float64Array {
    return this.#tolerancePixels > 0 ? simplifyLine(places, this.#tolerancePixels) : places;
  }

  #buildPath(rings: readonly Float64Array[], isClosed: boolean): Path {
    const path = new this.#drawing.library.Path2D();
    for (const ring of rings) {
      for (let at = 0; at < ring.length; at += 2) {
        if (at === 0) path.moveTo(ring[at] ?? 0, ring[at + 1] ?? 0);
        else path.lineTo(ring[at] ?? 0, ring[at + 1] ?? 0);
      }
      if (isClosed && ring.length > 0) path.closePath();
    }
    return path;
  }
}

/** Copies the rings of a shape, which is reused for the next feature. */
export function listRings({ places, ends, rings }: PixelShape): readonly Float64Array[] {
  const copied: Float64Array[] = [];
  let start = 0;
  for (let ring = 0; ring < rings; ring += 1) {
    const end = ends[ring] ?? start;
    copied.push(copyPlaces(places.subarray(start * 2, end * 2)));
    start = end;
  }
  return copied;
}

/** Many short lines share one buffer: the garbage collector handles each buffer separately. */
const SHARED_NUMBERS = 32_768;
let sharedPlaces = new Float64Array(0);
let sharedUsed = 0;

function copyPlaces(places: Float64Array): Float64Array {
  const { length } = places;
  if (length > SHARED_NUMBERS / 8) return places.slice();
  if (sharedUsed + length > sharedPlaces.length) {
    sharedPlaces = new Float64Array(SHARED_NUMBERS);
    sharedUsed = 0;
  }
  const copy = sharedPlaces.subarray(sharedUsed, sharedUsed + length);
  copy.set(places);
  sharedUsed += length;
  return copy;
}

/** Lines move to their left, rings away from the inside of their polygon. */
function offsetRings(shape: PixelShape, move: SidewaysMove): readonly Float64Array[] {
  return listRings(shape).map((ring, index) =>
    shape.kind === LINES ? offsetToSide(ring, false, move) : offsetOutwards(ring, shape.isOuter[index] === 1, move),
  );
}

function toPolyline(places: Float64Array, isClosed: boolean): Polyline {
  const positions = Array.from(
    { length: places.length / 2 },
    (_, index): Position => [places[index * 2] ?? 0, places[index * 2 + 1] ?? 0],
  );
  return { positions, isClosed };
}
