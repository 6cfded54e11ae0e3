/** Bends marks along a line, one after the other, such as waves along a shore or teeth along a front. */

import type { Polyline, Position } from '../values/sample-geometry.ts';
import type { MarkOutline } from './mark-outline.ts';

/** A straight segment of a line, with the distances of its ends along the line. */
interface Piece {
  readonly begin: number;
  readonly end: number;
  readonly from: Position;
  /** The unit vector. */
  readonly direction: Position;
}

/** The distance along the line, and the offset to its right. */
type CoursePoint = readonly [along: number, aside: number];

/** Ends closer than this count as one point. */
const MEETING_PIXELS = 0.01;

export interface BendOptions {
  /** In pixels. */
  readonly height: number;
  readonly maxMarks: number;
  /** The smallest scale of a mark that fits the rest of a line; undefined if the last mark is clipped instead. */
  readonly scaleLimit?: number | undefined;
}

/**
 * Returns the lines of marks of the given height, with proportional width. The height 0 of the mark is on the line, and
 * the last mark is clipped at the end of the line or scaled to fit. Adjacent lines are joined.
 */
export function bendMarks(line: Polyline, { lines }: MarkOutline, options: BendOptions): readonly Polyline[] {
  const { height, maxMarks, scaleLimit } = options;
  const pieces = listPieces(line);
  const total = pieces.at(-1)?.end ?? 0;
  const xs = lines.flatMap(({ places }) => [...places].filter((_, at) => at % 2 === 0));
  const ys = lines.flatMap(({ places }) => [...places].filter((_, at) => at % 2 === 1));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const tall = Math.max(...ys) - Math.min(...ys);
  const scale = height / (tall > 0 ? tall : right - left);
  const width = (right - left) * scale;
  // Narrower marks blur, and their number would be unlimited.
  if (!(width >= 1) || !(total > 0)) return [];
  const bent: Position[][] = [];
  for (let mark = 0; mark < Math.min(maxMarks, Math.ceil(total / width)); mark += 1) {
    const fit = scaleLimit === undefined ? 1 : Math.min(1, (total - mark * width) / width);
    if (fit < (scaleLimit ?? 0)) break;
    const sized = scale * fit;
    for (const { places, isClosed } of lines) {
      const course = Array.from({ length: places.length / 2 }, (_, index): CoursePoint => {
        return [mark * width + ((places[index * 2] ?? 0) - left) * sized, (places[index * 2 + 1] ?? 0) * sized];
      });
      const [first] = course;
      for (const part of clipCourse(total, isClosed && first !== undefined ? [...course, first] : course)) {
        joinTo(bent, bendPart(pieces, part));
      }
    }
  }
  return bent.map((positions) => ({ positions, isClosed: false }));
}

function listPieces({ positions, isClosed }: Polyline): readonly Piece[] {
  const pieces: Piece[] = [];
  const [start] = positions;
  const corners = isClosed && start !== undefined ? [...positions, start] : positions;
  let begin = 0;
  for (const [index, [toX, toY]] of corners.entries()) {
    const from = corners[index - 1];
    if (from === undefined) continue;
    const [x, y] = [toX - from[0], toY - from[1]];
    const length = Math.hypot(x, y);
    if (!(length > 0)) continue;
    pieces.push({ begin, end: begin + length, from, direction: [x / length, y / length] });
    begin += length;
  }
  return pieces;
}

/** Returns the parts of a course before the end of the line. */
function clipCourse(total: number, course: readonly CoursePoint[]): readonly (readonly CoursePoint[])[] {
  const parts: CoursePoint[][] = [];
  let part: CoursePoint[] = [];
  for (const [index, place] of course.entries()) {
    const before = course[index - 1];
    const isIn = place[0] <= total;
    if (before !== undefined && isIn !== before[0] <= total) part.push(interpolateCourse(before, place, total));
    if (isIn) part.push(place);
    else if (part.length > 0) {
      parts.push(part);
      part = [];
    }
  }
  return part.length > 0 ? [...parts, part] : parts;
}

function interpolateCourse(one: CoursePoint, other: CoursePoint, along: number): CoursePoint {
  const share = (along - one[0]) / (other[0] - one[0]);
  return [along, one[1] + (other[1] - one[1]) * share];
}

/** Splits the mark at the corners of the line, and continues along the next segment. */
function bendPart(pieces: readonly Piece[], part: readonly CoursePoint[]): Position[] {
  const positions: Position[] = [];
  let at = findFirstBeyond(pieces, part[0]?.[0] ?? 0);
  for (const [index, place] of part.entries()) {
    const before = part[index - 1] ?? place;
    const isForth = place[0] >= before[0];
    for (;;) {
      const piece = pieces[at];
      const next = pieces[isForth ? at + 1 : at - 1];
      if (piece === undefined) break;
      // A mark that starts in a corner belongs to the next segment.
      const isBefore = index === 0 ? place[0] < piece.end : place[0] <= piece.end;
      const isHere = isForth ? isBefore : place[0] >= piece.begin;
      if (isHere || next === undefined) {
        positions.push(toPosition(piece, place));
        break;
      }
      if (index > 0) {
        const corner = interpolateCourse(before, place, isForth ? piece.end : piece.begin);
        positions.push(toPosition(piece, corner), toPosition(next, corner));
      }
      at += isForth ? 1 : -1;
    }
  }
  return positions;
}

/**
 * Returns the first segment that ends beyond a position, or the last one. Uses binary search, because both segments
 * and marks may be many.
 */
function findFirstBeyond(pieces: readonly Piece[], along: number): number {
  let [from, to] = [0, pieces.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (along < (pieces[middle]?.end ?? 0)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function toPosition({ begin, from, direction: [x, y] }: Piece, [along, aside]: CoursePoint): Position {
  const far = along - begin;
  return [from[0] + x * far - y * aside, from[1] + y * far + x * aside];
}

function joinTo(lines: Position[][], line: Position[]): void {
  const last = lines.at(-1);
  const [end, start] = [last?.at(-1), line[0]];
  const meets =
    end !== undefined && start !== undefined && Math.hypot(end[0] - start[0], end[1] - start[1]) < MEETING_PIXELS;
  // A mark along many corners has more positions than a call can have arguments.
  if (meets) for (const position of line.slice(1)) last?.push(position);
  else if (line.length > 1) lines.push(line);
}
