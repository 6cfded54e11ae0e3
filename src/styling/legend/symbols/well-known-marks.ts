/** The well-known marks, as path data in a unit box around the origin, y downwards. */

import { fontFamilies } from '../canvas/canvas.ts';

export interface MarkShape {
  readonly path: string;
  /** Whether it has no area to fill. */
  readonly isLine?: true;
  /** The glyph that is drawn instead of the path, as large as the box allows. */
  readonly letter?: { readonly text: string; readonly family: string };
}

const semicircle = 'M-.5 .25A.5 .5 0 0 1 .5 .25Z';
const square: MarkShape = { path: 'M-.5-.5H.5V.5H-.5Z' };
const triangle: MarkShape = { path: 'M0-.5L.5 .5H-.5Z' };
const cross: MarkShape = { path: 'M-.125-.5h.25v.375h.375v.25h-.375v.375h-.25v-.375h-.375v-.25h.375Z' };
const upArrow: MarkShape = { path: 'M0-.5L.3 0H.12V.5H-.12V0H-.3Z' };

const shapes: ReadonlyMap<string, MarkShape> = new Map<string, MarkShape>([
  ['square', square],
  ['circle', { path: writeCirclePath(0.5) }],
  ['triangle', triangle],
  ['star', { path: writeStarPath(5, 0.19) }],
  ['cross', cross],
  ['x', { path: 'M-.5-.32L-.32-.5L0-.18L.32-.5L.5-.32L.18 0L.5 .32L.32 .5L0 .18L-.32 .5L-.5 .32L-.18 0Z' }],
  ['arrow', { path: 'M.5 0L0 .5V.12H-.5V-.12H0V-.5Z' }],
  ['hatch', { path: 'M-.5 .5L.5-.5M-.5 0L0-.5M0 .5L.5 0', isLine: true }],
  ['diamond', { path: 'M0-.5L.5 0L0 .5L-.5 0Z' }],
  ['pentagon', { path: writePolygonPath(5) }],
  ['hexagon', { path: writePolygonPath(6) }],
  ['octagon', { path: writePolygonPath(8) }],
  ['equilateral_triangle', { path: writePolygonPath(3) }],
  ['regular_star', { path: writeStarPath(5, 0.19) }],
  ['star_diamond', { path: writeStarPath(4, 0.2) }],
  ['half_square', { path: 'M-.5-.5H0V.5H-.5Z' }],
  ['semi_circle', { path: semicircle }],
  ['cross_fill', cross],
  ['cross2', { path: 'M-.5-.5L.5 .5M-.5 .5L.5-.5', isLine: true }],
  ['line', { path: 'M0-.5V.5', isLine: true }],
  ['arrowhead', { path: 'M-.5-.5L0 0L-.5 .5', isLine: true }],
  ['filled_arrowhead', { path: 'M-.5-.5L0 0L-.5 .5Z' }],
  ['shape://vertline', { path: 'M0-.5V.5', isLine: true }],
  ['shape://horline', { path: 'M-.5 0H.5', isLine: true }],
  ['shape://slash', { path: 'M-.5 .5L.5-.5', isLine: true }],
  ['shape://backslash', { path: 'M-.5-.5L.5 .5', isLine: true }],
  ['shape://dot', { path: writeCirclePath(0.05) }],
  ['shape://plus', { path: 'M-.5 0H.5M0-.5V.5', isLine: true }],
  ['shape://times', { path: 'M-.5-.5L.5 .5M-.5 .5L.5-.5', isLine: true }],
  ['shape://oarrow', { path: 'M-.5-.2L0 0L-.5 .2', isLine: true }],
  ['shape://carrow', { path: 'M-.5-.2L0 0L-.5 .2Z' }],
  ['shape://coarrow', { path: 'M-.5-.4L.5 0L-.5 .4', isLine: true }],
  ['shape://ccarrow', { path: 'M-.5-.4L.5 0L-.5 .4Z' }],
  ['extshape://triangle', triangle],
  ['extshape://emicircle', { path: semicircle }],
  ['extshape://triangleemicircle', { path: 'M-.5 0A.5 .5 0 0 1 .5 0L0 .5Z' }],
  ['extshape://narrow', { path: 'M0-.5L.25 .5L0 .3L-.25 .5Z' }],
  ['extshape://sarrow', { path: 'M0 .5L.25-.5L0-.3L-.25-.5Z' }],
  ['extshape://arrow', upArrow],
]);

/** Returns undefined for an unknown name. A glyph of an unavailable font is a square. */
export function findWellKnownMark(name: string): MarkShape | undefined {
  const key = name.trim().toLowerCase();
  if (key === '') return square;
  if (key.startsWith('ttf://')) return findLetterMark(key) ?? square;
  if (key.startsWith('wkt://')) return parseWktMark(key.slice('wkt://'.length));
  return shapes.get(key.startsWith('extshape://') ? key.replace(/\?.*$/s, '') : key);
}

/** The bundled families, and common names for them. */
const markFamilies: ReadonlyMap<string, string> = new Map([
  ...Object.values(fontFamilies).map((family) => [family.toLowerCase(), family] as const),
  ...['sansserif', 'dialog', 'arial', 'verdana'].map((name) => [name, fontFamilies.sans] as const),
  ...['serif', 'times new roman'].map((name) => [name, fontFamilies.serif] as const),
  ...['monospaced', 'courier new'].map((name) => [name, fontFamilies.mono] as const),
]);

/** Parses names such as `ttf://DejaVu Sans#0x2605`; returns undefined for symbol fonts, which have no substitute. */
export function findLetterMark(name: string): MarkShape | undefined {
  const [, font = '', code = ''] =
    /^ttf:\/\/([^#]+)#(?:0x|u\+|\\u)([0-9a-f]{1,6})$/.exec(name.trim().toLowerCase()) ?? [];
  const family = markFamilies.get(font.trim());
  const point = Number.parseInt(code, 16);
  if (family === undefined || !(point <= 0x10ffff)) return undefined;
  return { ...square, letter: { text: String.fromCodePoint(point), family } };
}

/** Longer shapes are truncated. */
const maxWktCharacters = 20_000;

/** Each list of positions in parentheses is a line, y upwards; those of polygons are closed. */
function parseWktMark(wkt: string): MarkShape | undefined {
  const isArea = /^\s*(multi)?(curve)?polygon/.test(wkt);
  const lists = [...wkt.slice(0, maxWktCharacters).matchAll(/\(([^()]+)\)/g)].map(([, list = '']) =>
    parsePositions(list),
  );
  const lines = lists.filter((list) => list !== undefined && list.length > 1);
  if (lines.length === 0) return undefined;
  const path = lines.map((line) => `M${line?.map(([x, y]) => `${x} ${y}`).join('L')}${isArea ? 'Z' : ''}`).join('');
  return isArea ? { path } : { path, isLine: true };
}

/** Returns undefined for other text. A mark far larger than its box would be invisible. */
function parsePositions(list: string): readonly (readonly [number, number])[] | undefined {
  const found = list.split(',').map((position) => position.trim().split(/\s+/).map(Number));
  if (found.some(([x, y]) => x === undefined || y === undefined || !(Math.abs(x) < 1000) || !(Math.abs(y) < 1000)))
    return undefined;
  return found.map(([x = 0, y = 0]) => [x, -y] as const);
}

function writeCirclePath(radius: number): string {
  const arc = `a${radius} ${radius} 0 1 0`;
  return `M${-radius} 0${arc} ${2 * radius} 0${arc} ${-2 * radius} 0Z`;
}

function writePolygonPath(corners: number): string {
  return writeClosedPath(Array.from({ length: corners }, (_, index) => formatCirclePoint(0.5, index / corners)));
}

function writeStarPath(points: number, innerRadius: number): string {
  return writeClosedPath(
    Array.from({ length: 2 * points }, (_, index) =>
      formatCirclePoint(index % 2 === 0 ? 0.5 : innerRadius, index / 2 / points),
    ),
  );
}

/** Clockwise from the top. */
function formatCirclePoint(radius: number, turn: number): string {
  const angle = 2 * Math.PI * turn;
  return `${(radius * Math.sin(angle)).toFixed(4)} ${(-radius * Math.cos(angle)).toFixed(4)}`;
}

function writeClosedPath(corners: readonly string[]): string {
  return `M${corners.join('L')}Z`;
}
