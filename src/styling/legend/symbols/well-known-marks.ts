/** The well-known marks, as path data in a unit box around the origin, y downwards. */

import { straightenArcs } from '../../../geometry/arcs.ts';
import { type FontMatch, getFontRegistry } from '../../fonts/font-registry.ts';
import { parseWindBarb } from './wind-barb.ts';

export interface MarkShape {
  readonly path: string;
  /** Whether it is never filled. Other fills connect the ends of open lines, as in the reference server. */
  readonly isLine?: true;
  /** The glyph that is drawn instead of the path, as large as the box allows. */
  readonly letter?: FontMatch & { readonly text: string };
  /** The centre of a shape that is not centred at the origin; legends centre it. */
  readonly middle?: readonly [number, number];
}

/** The size of a mark without one. */
export const DEFAULT_MARK_PIXELS = 16;

const semicircle = 'M-.5 .25A.5 .5 0 0 1 .5 .25Z';
export const square: MarkShape = { path: 'M-.5-.5H.5V.5H-.5Z' };
/** Equilateral, with its corners on the circle of the same size, centred. */
const triangle: MarkShape = { path: 'M0-.375L.433 .375H-.433Z' };
const cross: MarkShape = { path: 'M-.125-.5h.25v.375h.375v.25h-.375v.375h-.25v-.375h-.375v-.25h.375Z' };
/** Its outer corners span the width of the box. */
const star: MarkShape = { path: writeStarPath(5, 0.5257, 0.382, 0.05) };

/** The order in which the dots of a pattern appear, row by row, so that any number of them is spread evenly. */
const DOT_ORDER: readonly number[] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

const shapes: ReadonlyMap<string, MarkShape> = new Map<string, MarkShape>([
  ['square', square],
  ['circle', { path: writeCirclePath(0.5) }],
  ['triangle', triangle],
  ['star', star],
  ['cross', cross],
  ['x', { path: 'M-.5-.32L-.32-.5L0-.18L.32-.5L.5-.32L.18 0L.5 .32L.32 .5L0 .18L-.32 .5L-.5 .32L-.18 0Z' }],
  ['arrow', { path: 'M.5 0L0 .5V.1H-.5V-.1H0V-.5Z' }],
  ['hatch', { path: 'M-.5 .5L.5-.5M-.5 0L0-.5M0 .5L.5 0', isLine: true }],
  ['diamond', { path: 'M0-.5L.5 0L0 .5L-.5 0Z' }],
  ['pentagon', { path: writePolygonPath(5) }],
  ['hexagon', { path: writePolygonPath(6) }],
  ['octagon', { path: writePolygonPath(8) }],
  ['equilateral_triangle', { path: writePolygonPath(3) }],
  ['regular_star', star],
  ['star_diamond', { path: writeStarPath(4, 0.5, 0.4, 0) }],
  ['half_square', { path: 'M-.5-.5H0V.5H-.5Z' }],
  ['semi_circle', { path: semicircle }],
  ['cross_fill', cross],
  ['cross2', { path: 'M-.5-.5L.5 .5M-.5 .5L.5-.5', isLine: true }],
  ['line', { path: 'M0-.5V.5', isLine: true }],
  ['arrowhead', { path: 'M-.5-.5L0 0L-.5 .5' }],
  ['filled_arrowhead', { path: 'M-.5-.5L0 0L-.5 .5Z' }],
  ['shape://vertline', { path: 'M0-.5V.5', isLine: true }],
  ['shape://horline', { path: 'M-.5 0H.5', isLine: true }],
  ['shape://slash', { path: 'M-.5 .5L.5-.5', isLine: true }],
  ['shape://backslash', { path: 'M-.5-.5L.5 .5', isLine: true }],
  ['shape://dot', { path: writeCirclePath(0.05) }],
  ['shape://plus', { path: 'M-.5 0H.5M0-.5V.5', isLine: true }],
  ['shape://times', { path: 'M-.5-.5L.5 .5M-.5 .5L.5-.5', isLine: true }],
  ['shape://oarrow', { path: 'M-.5-.2L0 0L-.5 .2' }],
  ['shape://carrow', { path: 'M-.5-.2L0 0L-.5 .2Z' }],
  ['shape://coarrow', { path: 'M-.5-.4L.5 0L-.5 .4' }],
  ['shape://ccarrow', { path: 'M-.5-.4L.5 0L-.5 .4Z' }],
  ['shape://ccoarrow', { path: 'M-.5-.4L.5 0L-.5 .4Z' }],
  ['shape://horizline', { path: 'M-.5 0H.5', isLine: true }],
  ['extshape://triangle', triangle],
  ['extshape://emicircle', { path: semicircle }],
  ['extshape://triangleemicircle', { path: 'M-.5 0A.5 .5 0 0 1 .5 0L0 .5Z' }],
  ['extshape://narrow', { path: 'M0-.5L.25 .5L0 .3L-.25 .5Z' }],
  ['extshape://sarrow', { path: 'M0 .5L.25-.5L0-.3L-.25-.5Z' }],
  ...[15, 14, 10, 8, 6, 2, 1].map((dots, index) => [`brush://dense${index + 1}`, createDots(dots)] as const),
]);

/** The names of marks, in lower case. */
export const markNames: readonly string[] = [...shapes.keys()];

/** Returns undefined for an unknown name. A glyph of an unavailable font is a square. */
export function findWellKnownMark(name: string): MarkShape | undefined {
  const key = name.trim().toLowerCase();
  if (key === '') return square;
  if (key.startsWith('ttf://')) return findLetterMark(key) ?? square;
  if (key.startsWith('wkt://')) return parseWktMark(key.slice('wkt://'.length));
  if (key.startsWith('windbarbs://')) return parseWindBarb(key);
  if (key.startsWith('extshape://arrow')) return createArrow(key.slice('extshape://arrow'.length));
  return shapes.get(key.startsWith('extshape://') ? key.replace(/\?.*$/s, '') : key);
}

/** Creates a pattern for fills: square dots on a grid of four by four. */
function createDots(count: number): MarkShape {
  const dots = DOT_ORDER.flatMap((order, at) =>
    order < count ? `M${(at % 4) / 4 - 0.5} ${Math.floor(at / 4) / 4 - 0.5}h.25v.25h-.25Z` : [],
  );
  return { path: dots.join('') };
}

/**
 * Parses `?hr=2&t=0.2&ab=0.5`: the ratio of height to width, the thickness of the shaft as a part of the width, and the
 * height at which the head begins as a part of the arrow.
 */
function createArrow(query: string): MarkShape {
  const parameters = new URLSearchParams(query);
  const read = (name: string, byDefault: number, max: number): number => {
    const value = Number(parameters.get(name) ?? Number.NaN);
    return value > 0 && value <= max ? value : byDefault;
  };
  const ratio = read('hr', 2, 1000);
  const [width, height] = [Math.min(1, 1 / ratio), Math.min(1, ratio)];
  const [half, shaft, top, bottom] = [width / 2, (width * read('t', 0.2, 1)) / 2, -height / 2, height / 2];
  const base = bottom - height * read('ab', 0.5, 1);
  return {
    path: `M0 ${top}L${half} ${base}H${shaft}V${bottom}H${-shaft}V${base}H${-half}Z`,
  };
}

/** Symbol fonts have their characters here, by their codes of one byte. */
const SYMBOL_OFFSET = 0xf000;

/** Parses names such as `ttf://DejaVu Sans#0x2605`; returns undefined if the font is unavailable. */
export function findLetterMark(name: string): MarkShape | undefined {
  const [, font = '', code = ''] = /^ttf:\/\/([^#]+)#(?:0x|u\+|\\u)([0-9a-f]{1,6})$/i.exec(name.trim()) ?? [];
  const fonts = getFontRegistry();
  const match = font === '' ? undefined : fonts.find(decodeName(font));
  const written = Number.parseInt(code, 16);
  if (match === undefined || !(written <= 0x10ffff)) return undefined;
  const isSymbol = !fonts.covers(match.family, written) && fonts.covers(match.family, written + SYMBOL_OFFSET);
  return { ...square, letter: { text: String.fromCodePoint(isSymbol ? written + SYMBOL_OFFSET : written), ...match } };
}

function decodeName(font: string): string {
  try {
    return decodeURIComponent(font);
  } catch {
    return font;
  }
}

/** Longer shapes are invalid: their cost is that of each point of a layer. */
export const MAX_WKT_CHARACTERS = 20_000;

/** Each list of positions in parentheses is a line or an arc, y upwards; those of polygons are closed. */
function parseWktMark(wkt: string): MarkShape | undefined {
  if (wkt.length > MAX_WKT_CHARACTERS) return undefined;
  const isArea = /^\s*(multi)?(curve)?polygon/.test(wkt);
  const lists = [...wkt.matchAll(/(circularstring)?\s*\(([^()]+)\)/g)].map(([, arc, list = '']) =>
    parsePositions(list, arc !== undefined),
  );
  if (lists.includes(undefined)) return undefined;
  const lines = lists.filter((list) => list !== undefined && list.length > 1);
  if (lines.length === 0) return undefined;
  const path = lines.map((line) => `M${line?.map(([x, y]) => `${x} ${y}`).join('L')}${isArea ? 'Z' : ''}`).join('');
  return { path };
}

/** Returns undefined for other text. A mark far larger than its box would be invisible. */
function parsePositions(list: string, isArc: boolean): readonly (readonly [number, number])[] | undefined {
  const found = list.split(',').map((position) => position.trim().split(/\s+/).map(Number));
  if (found.some(([x, y]) => x === undefined || y === undefined || !(Math.abs(x) < 1000) || !(Math.abs(y) < 1000)))
    return undefined;
  const positions = Float64Array.from(found.flatMap(([x = 0, y = 0]) => [x, -y]));
  const line = isArc ? straightenArcs(positions, 2) : positions;
  return Array.from({ length: line.length / 2 }, (_, index) => [line[index * 2] ?? 0, line[index * 2 + 1] ?? 0]);
}

function writeCirclePath(radius: number): string {
  const arc = `a${radius} ${radius} 0 1 0`;
  return `M${-radius} 0${arc} ${2 * radius} 0${arc} ${-2 * radius} 0Z`;
}

function writePolygonPath(corners: number): string {
  return writeClosedPath(Array.from({ length: corners }, (_, index) => formatCirclePoint(0.5, index / corners)));
}

/** `inner` is the part of the radius at the inner corners, `down` the distance of the centre below the origin. */
function writeStarPath(points: number, radius: number, inner: number, down: number): string {
  return writeClosedPath(
    Array.from({ length: 2 * points }, (_, index) =>
      formatCirclePoint(index % 2 === 0 ? radius : radius * inner, index / 2 / points, down),
    ),
  );
}

/** Clockwise from the top. */
function formatCirclePoint(radius: number, turn: number, down = 0): string {
  const angle = 2 * Math.PI * turn;
  return `${(radius * Math.sin(angle)).toFixed(4)} ${(down - radius * Math.cos(angle)).toFixed(4)}`;
}

function writeClosedPath(corners: readonly string[]): string {
  return `M${corners.join('L')}Z`;
}

/** Returns the names for the documentation. */
export function listWellKnownMarks(): readonly string[] {
  return [...shapes.keys()];
}
