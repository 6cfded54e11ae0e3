/** Marks that are bent along a line, one behind the other: a wave along a shore, teeth along a front. */

import type { Polyline, Position } from '../values/sample-geometry.ts';
import type { MarkOutline } from './mark-outline.ts';

/** A straight piece of a line, by how far along the line it begins and ends. */
interface Piece {
  readonly begin: number;
  readonly end: number;
  readonly from: Position;
  /** Of length one. */
  readonly direction: Position;
}

/** How far along the line, and how far to its right. */
type CoursePoint = readonly [along: number, aside: number];

/** Ends nearer to each other than this are one place. */
const MEETING_PIXELS = 0.01;

/**
 * The lines of marks that are so high, each as wide as that makes it, up to so many of them: what is at the height 0 of the
 * mark lies on the line, and the last is cut off where the line ends. Those that meet become one line.
 */
export function bendMarks(line: Polyline, { lines }: MarkOutline, height: number, most: number): readonly Polyline[] {
  const pieces = listPieces(line);
  const total = pieces.at(-1)?.end ?? 0;
  const xs = lines.flatMap(({ places }) => [...places].filter((_, at) => at % 2 === 0));
  const ys = lines.flatMap(({ places }) => [...places].filter((_, at) => at % 2 === 1));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const tall = Math.max(...ys) - Math.min(...ys);
  const scale = height / (tall > 0 ? tall : right - left);
  const width = (right - left) * scale;
  // Narrower ones are a blur, and might be without number.
  if (!(width >= 1) || !(total > 0)) return [];
  const bent: Position[][] = [];
  for (let mark = 0; mark < Math.min(most, Math.ceil(total / width)); mark += 1) {
    for (const { places, isClosed } of lines) {
      const course = Array.from({ length: places.length / 2 }, (_, index): CoursePoint => {
        return [mark * width + ((places[index * 2] ?? 0) - left) * scale, (places[index * 2 + 1] ?? 0) * scale];
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

/** The parts of a course that are not beyond the end of the line. */
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

/** Where the line turns, so does the mark: it is cut there, and goes on along the next piece. */
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
      // One that begins in a corner belongs to what follows.
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

/** The first that ends behind a place, or the last: looked for by halves, since both pieces and marks may be many. */
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
  // A mark along many corners has more positions than a call takes arguments.
  if (meets) for (const position of line.slice(1)) last?.push(position);
  else if (line.length > 1) lines.push(line);
}
