/** Lists the possible positions of a label, best first: on a point, on a polygon, or along a line. */

import { readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleNumber } from '../../styling/legend/values/sample-value.ts';
import { LINES, POLYGONS } from '../../vector/port/packed-features.ts';
import { computeRingArea } from '../shapes/offset-line.ts';
import { closeRing, computeHull } from '../shapes/rings.ts';
import type { Label, LabelledPart, MeasuredLabel } from './label.ts';
import { LabelFit } from './label-fit.ts';
import { MeasuredLine, type OrientedPoint } from './measured-line.ts';
import { findPolygonCenter } from './polygon-center.ts';

/** The centre and clockwise rotation of a text, or the line that the text follows. */
export type LabelPosition =
  | {
      readonly kind: 'straight';
      readonly x: number;
      readonly y: number;
      readonly radians: number;
      /** The labelled point. */
      readonly anchor: Position;
    }
  | {
      readonly kind: 'along';
      readonly line: MeasuredLine;
      readonly start: number;
      /** The distance of the text from the line, upwards. */
      readonly offset: number;
    };

export interface Position {
  readonly x: number;
  readonly y: number;
}

/** A label with its possible positions. The first position that is free and suitable is used. */
export interface LabelCandidates {
  readonly places: Iterable<LabelPosition>;
  /** Costs more than the test for free space, so call it second. */
  readonly isSuitable: (place: LabelPosition) => boolean;
}

export function listLabelCandidates(label: Label, text: MeasuredLabel): readonly LabelCandidates[] {
  const isAlong =
    label.symbolizer.placement?.kind === 'linePlacement' && (label.kind !== POLYGONS || label.options.followsLine);
  if (isAlong) return listLinePositions(label, text).map((places) => ({ places, isSuitable: () => true }));
  const fit = label.kind === POLYGONS ? new LabelFit(label, text) : undefined;
  const isSuitable = (place: LabelPosition) => place.kind !== 'straight' || fit === undefined || fit.canFit(place);
  return listLabelPoints(label, text).map((point) => ({ places: listPointPositions(label, text, point), isSuitable }));
}

function listPointPositions(label: Label, text: MeasuredLabel, point: OrientedPoint): readonly LabelPosition[] {
  const { placement } = label.symbolizer;
  const own = placement?.kind === 'pointPlacement' ? placement : undefined;
  const { lengths, options } = label;
  const written = (sampleNumber(own?.rotation, 0) * Math.PI) / 180;
  const radians = written + point.radians;
  // Polygons and lines are labelled in the centre, unless the style sets an anchor point.
  const byDefault = label.kind === POLYGONS || label.kind === LINES ? 0.5 : 0;
  const anchorX = sampleNumber(own?.anchorPoint?.x, own?.anchorPoint === undefined ? byDefault : 0);
  const anchorY = sampleNumber(own?.anchorPoint?.y, 0.5);
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  // The displacement turns with the label.
  const alongX = (0.5 - anchorX) * text.width + readPixels(lengths, own?.displacement?.x, 0);
  const alongY = (anchorY - 0.5) * text.height - readPixels(lengths, own?.displacement?.y, 0);
  const base = {
    kind: 'straight',
    x: point.x + alongX * cosine - alongY * sine,
    y: point.y + alongX * sine + alongY * cosine,
    radians,
    anchor: point,
  } as const;
  return [base, ...listDisplacedPositions(base, options)];
}

/** A label that may be displaced is tried in this number of steps in each direction. */
const STEPS = 6;

function listDisplacedPositions(
  place: Extract<LabelPosition, { kind: 'straight' }>,
  { maxDisplacement, displacementDirections: directions }: Label['options'],
): readonly Extract<LabelPosition, { kind: 'straight' }>[] {
  if (maxDisplacement <= 0) return [];
  return Array.from({ length: STEPS }, (_, step) => (maxDisplacement * (step + 1)) / STEPS).flatMap((distance) =>
    directions.map((angle) => ({
      ...place,
      x: place.x + distance * Math.cos(angle),
      y: place.y - distance * Math.sin(angle),
    })),
  );
}

/** Returns the points that are labelled: one, or several along lines if the label is repeated. */
function listLabelPoints({ kind, parts, options }: Label, text: MeasuredLabel): readonly OrientedPoint[] {
  if (kind === POLYGONS) {
    const rings = findLargestPolygon(parts);
    const center = findPolygonCenter(rings);
    if (center === undefined) return [];
    return [{ x: center[0], y: center[1], radians: computeAlignment(rings[0], options.polygonAlign, text) }];
  }
  if (kind !== LINES) return parts.slice(0, 1).map(({ places: [x = 0, y = 0] }) => ({ x, y, radians: 0 }));
  const lines = parts.map(({ places }) => new MeasuredLine(places));
  const chosen = options.repeat > 0 ? lines : [findLongestLine(lines)].filter((line) => line !== undefined);
  return chosen.flatMap((line) =>
    listLabelMiddles(line.length, options.repeat).map((middle) => ({ ...line.getPointAt(middle), radians: 0 })),
  );
}

/** Returns the outer ring with the largest area, followed by its holes. */
function findLargestPolygon(parts: readonly LabelledPart[]): readonly Float64Array[] {
  let best: readonly Float64Array[] = [];
  let area = -1;
  for (const [index, { places, isOuter }] of parts.entries()) {
    const own = isOuter ? Math.abs(computeRingArea(places, 0, places.length)) : -1;
    if (own <= area) continue;
    area = own;
    const next = parts.findIndex((part, other) => other > index && part.isOuter);
    best = parts.slice(index, next < 0 ? parts.length : next).map((part) => part.places);
  }
  return best;
}

/**
 * Returns the angle of a label: for `mbr` the longest direction of the minimum bounding rectangle of the polygon, for
 * `ortho` a quarter turn if the polygon is taller than wide and narrower than the text.
 */
function computeAlignment(
  ring: Float64Array | undefined,
  align: 'none' | 'ortho' | 'mbr',
  text: MeasuredLabel,
): number {
  if (ring === undefined || align === 'none') return 0;
  if (align === 'ortho') {
    const { width, height } = measureTurnedSize(ring, 0);
    return height > width && text.width > width ? -Math.PI / 2 : 0;
  }
  // One side of the minimum bounding rectangle coincides with a side of the convex hull.
  const hull = computeHull(ring);
  let [best, smallest] = [0, Number.POSITIVE_INFINITY];
  for (const angle of listDirections(hull)) {
    const { width, height } = measureTurnedSize(hull, angle);
    if (width * height >= smallest) continue;
    smallest = width * height;
    best = width >= height ? angle : angle + Math.PI / 2;
  }
  return toUprightAngle(best);
}

const DIRECTIONS_PER_QUARTER = 90;

/** Returns the directions of the sides. Directions that are nearly equal, or differ by a quarter turn, are merged. */
function listDirections(ring: Float64Array): Iterable<number> {
  const directions = new Map<number, number>();
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    const angle = Math.atan2((ring[next + 1] ?? 0) - (ring[at + 1] ?? 0), (ring[next] ?? 0) - (ring[at] ?? 0));
    const quarters = angle / (Math.PI / 2);
    const place = Math.round((quarters - Math.floor(quarters)) * DIRECTIONS_PER_QUARTER) % DIRECTIONS_PER_QUARTER;
    if (!directions.has(place)) directions.set(place, angle);
  }
  return directions.values();
}

function measureTurnedSize(ring: Float64Array, radians: number): { readonly width: number; readonly height: number } {
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < ring.length; at += 2) {
    const [x, y] = [ring[at] ?? 0, ring[at + 1] ?? 0];
    const [along, across] = [x * cosine + y * sine, y * cosine - x * sine];
    minX = Math.min(minX, along);
    maxX = Math.max(maxX, along);
    minY = Math.min(minY, across);
    maxY = Math.max(maxY, across);
  }
  return { width: maxX - minX, height: maxY - minY };
}

/** Returns the angle within a quarter turn to either side, so that no text is upside down. */
function toUprightAngle(radians: number): number {
  const turn = ((((radians + Math.PI / 2) % Math.PI) + Math.PI) % Math.PI) - Math.PI / 2;
  return turn;
}

/** More labels on one line are unreadable. */
const MAX_LABELS_PER_LINE = 100;

/** The step by which a label is moved along its line, in pixels. */
const LINE_STEP_PIXELS = 8;

function listLinePositions(label: Label, text: MeasuredLabel): readonly Iterable<LabelPosition>[] {
  const { options, kind, parts } = label;
  const closed = kind === POLYGONS;
  const lines = parts.map(({ places }) => new MeasuredLine(closed ? closeRing(places) : places));
  const chosen = options.repeat > 0 ? lines : [findLongestLine(lines)].filter((line) => line !== undefined);
  return chosen.flatMap((line) => {
    const isTooLong = text.width > line.length;
    if (isTooLong && (!options.mayOverrun || options.followsLine)) return [];
    return listLabelMiddles(line.length, options.repeat).map((middle) =>
      iteratePositionsAround(label, text, { line, at: middle }),
    );
  });
}

/** Returns the centres of the labels on a line: the centre of the line, and repetitions in both directions. */
function listLabelMiddles(length: number, repeat: number): readonly number[] {
  if (repeat <= 0) return [length / 2];
  const toEachSide = Math.min(MAX_LABELS_PER_LINE / 2, Math.floor(length / 2 / repeat));
  return Array.from({ length: 2 * toEachSide + 1 }, (_, index) => length / 2 + (index - toEachSide) * repeat);
}

/** The centre of a text on a line. */
interface LineSpot {
  readonly line: MeasuredLine;
  readonly at: number;
}

/**
 * Iterates over the positions within the displacement that the style allows. A label that would cross a kink of the
 * line moves to the nearest place without one.
 */
function* iteratePositionsAround(label: Label, text: MeasuredLabel, spot: LineSpot): Iterable<LabelPosition> {
  const { maxDisplacement, repeat } = label.options;
  let isFound = false;
  for (const position of iteratePositionsWithin(label, text, spot, maxDisplacement)) {
    isFound = true;
    yield position;
  }
  if (isFound) return;
  const reach = repeat > 0 ? repeat / 2 : spot.line.length / 2;
  for (const position of iteratePositionsWithin(label, text, spot, reach)) {
    yield position;
    return;
  }
}

/** More positions on one line are not tried. */
const MAX_SHIFTS = 200;

function* iteratePositionsWithin(
  label: Label,
  text: MeasuredLabel,
  { line, at: middle }: LineSpot,
  reach: number,
): Iterable<LabelPosition> {
  const steps = Math.min(MAX_SHIFTS, Math.floor(reach / LINE_STEP_PIXELS));
  for (let index = -1; index < steps * 2; index += 1) {
    const at = middle + (index < 0 ? 0 : computeShift(index));
    if (at < 0 || at > line.length) continue;
    // Letters would overlap at a sharp corner, and a straight text would leave the line.
    const [start, end] = [at - text.width / 2, at + text.width / 2];
    if (line.hasSharperBend(start, end, label.options.maxAngleDelta, text.fontPixels / 2)) continue;
    yield* listPositionsAt(label, text, { line, at });
  }
}

function listPositionsAt(label: Label, text: MeasuredLabel, { line, at }: LineSpot): readonly LabelPosition[] {
  const { options, symbolizer, lengths } = label;
  const { placement } = symbolizer;
  const offset = placement?.kind === 'linePlacement' ? readPixels(lengths, placement.perpendicularOffset, 0) : 0;
  if (options.followsLine) return listFollowingPositions(label, text, { line, at }, offset);
  // Use the average direction of the line below the text.
  const { radians: angle } = line.getChord(at - text.width / 2, at + text.width / 2);
  const anchor = line.getPointAt(at);
  const radians = options.readsLeftToRight ? toUprightAngle(angle) : angle;
  const [x, y] = [anchor.x + offset * Math.sin(radians), anchor.y - offset * Math.cos(radians)];
  return [{ kind: 'straight', x, y, radians, anchor }];
}

/** Alternates between the two directions of the line. */
function computeShift(index: number): number {
  return LINE_STEP_PIXELS * (Math.floor(index / 2) + 1) * (index % 2 === 0 ? 1 : -1);
}

function listFollowingPositions(
  { options }: Label,
  text: MeasuredLabel,
  { line, at }: LineSpot,
  offset: number,
): readonly LabelPosition[] {
  const start = at - text.width / 2;
  const end = start + text.width;
  if (start < 0 || end > line.length) return [];
  const isTurned = options.readsLeftToRight && line.getPointAt(end).x < line.getPointAt(start).x;
  return isTurned
    ? [{ kind: 'along', line: line.reversed, start: line.length - end, offset }]
    : [{ kind: 'along', line, start, offset }];
}

function findLongestLine(lines: readonly MeasuredLine[]): MeasuredLine | undefined {
  let best: MeasuredLine | undefined;
  for (const line of lines) if (best === undefined || line.length > best.length) best = line;
  return best;
}
