/** Reads the outlines of an SVG picture, for marks that the style fills and strokes. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { CanvasLibrary, Path, Transform } from '../canvas/canvas.ts';
import { parseSvg } from './svg-check.ts';

/** Marks are simple; a longer outline would slow down maps with many of them. */
const MAX_PATH_CHARACTERS = 100_000;

/** Elements that are not drawn where they are. */
const skippedElements: ReadonlySet<string> = new Set([
  ...['clipPath', 'defs', 'filter', 'linearGradient', 'marker', 'mask', 'metadata', 'pattern', 'radialGradient'],
  ...['style', 'symbol', 'text', 'title', 'use'],
]);

/**
 * Returns path data in a unit box around the origin, with the longer side of the outlines as the unit; undefined
 * without any. The picture has been checked before.
 */
export function readSvgOutline(library: CanvasLibrary, text: string): string | undefined {
  const root = parseSvg(text);
  if (root === undefined) return undefined;
  const path = new library.Path2D();
  addElement(library, path, root, { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 });
  const [left, top, right, bottom] = path.computeTightBounds();
  const scale = 1 / Math.max(right - left, bottom - top);
  if (!(scale > 0) || !Number.isFinite(scale)) return undefined;
  const unit = new library.Path2D();
  unit.addPath(path, {
    ...{ a: scale, b: 0, c: 0, d: scale },
    e: (-scale * (left + right)) / 2,
    f: (-scale * (top + bottom)) / 2,
  });
  const data = unit.toSVGString();
  return data === '' || data.length > MAX_PATH_CHARACTERS ? undefined : data;
}

function addElement(library: CanvasLibrary, path: Path, element: XmlElement, outer: Transform): void {
  if (skippedElements.has(element.local) || isHidden(element)) return;
  const transform = parseTransform(readAttribute(element, 'transform')).reduce(multiply, outer);
  const data = writeShape(element);
  if (data !== undefined) path.addPath(new library.Path2D(data), transform);
  for (const child of element.children) if (child.kind === 'element') addElement(library, path, child, transform);
}

function isHidden(element: XmlElement): boolean {
  return (
    readAttribute(element, 'display').trim() === 'none' || /display\s*:\s*none/.test(readAttribute(element, 'style'))
  );
}

/** Returns the path data of a basic shape; undefined for other elements. */
function writeShape(element: XmlElement): string | undefined {
  const read = (name: string): number => Number.parseFloat(readAttribute(element, name)) || 0;
  switch (element.local) {
    case 'path':
      return readAttribute(element, 'd');
    case 'polygon':
      return `M${readAttribute(element, 'points').trim()}Z`;
    case 'polyline':
      return `M${readAttribute(element, 'points').trim()}`;
    case 'line':
      return `M${read('x1')} ${read('y1')}L${read('x2')} ${read('y2')}`;
    case 'rect':
      return writeRectangle(read);
    case 'circle':
      return writeEllipse(read('cx'), read('cy'), read('r'), read('r'));
    case 'ellipse':
      return writeEllipse(read('cx'), read('cy'), read('rx'), read('ry'));
    default:
      return undefined;
  }
}

function writeRectangle(read: (name: string) => number): string {
  const [x, y, width, height] = [read('x'), read('y'), read('width'), read('height')];
  const [rx, ry] = [Math.min(read('rx') || read('ry'), width / 2), Math.min(read('ry') || read('rx'), height / 2)];
  if (!(rx > 0 && ry > 0)) return `M${x} ${y}h${width}v${height}h${-width}Z`;
  const corner = (toX: number, toY: number): string => `a${rx} ${ry} 0 0 1 ${toX} ${toY}`;
  const [wide, tall] = [width - 2 * rx, height - 2 * ry];
  return `M${x + rx} ${y}h${wide}${corner(rx, ry)}v${tall}${corner(-rx, ry)}h${-wide}${corner(-rx, -ry)}v${-tall}${corner(rx, -ry)}Z`;
}

function writeEllipse(x: number, y: number, rx: number, ry: number): string {
  const arc = `a${rx} ${ry} 0 1 0`;
  return `M${x - rx} ${y}${arc} ${2 * rx} 0${arc} ${-2 * rx} 0Z`;
}

function readAttribute({ attributes }: XmlElement, name: string): string {
  return attributes.find((each) => each.name === name)?.value ?? '';
}

/** Returns the transformations in the order written; unknown ones are ignored. */
function parseTransform(text: string): readonly Transform[] {
  return [...text.matchAll(/([a-zA-Z]+)\s*\(([^)]*)\)/g)].flatMap(([, name = '', list = '']) => {
    const numbers = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    return numbers.every(Number.isFinite) ? createTransforms(name, numbers) : [];
  });
}

function createTransforms(name: string, numbers: readonly number[]): readonly Transform[] {
  const [first = 0, second, third = 0, ...rest] = numbers;
  const move = (e: number, f: number): Transform => ({ a: 1, b: 0, c: 0, d: 1, e, f });
  switch (name) {
    case 'matrix':
      return numbers.length === 6
        ? [{ a: first, b: second ?? 0, c: third, d: rest[0] ?? 0, e: rest[1] ?? 0, f: rest[2] ?? 0 }]
        : [];
    case 'translate':
      return [move(first, second ?? 0)];
    case 'scale':
      return [{ a: first, b: 0, c: 0, d: second ?? first, e: 0, f: 0 }];
    case 'rotate': {
      const angle = (first * Math.PI) / 180;
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      const turn = { a: cosine, b: sine, c: -sine, d: cosine, e: 0, f: 0 };
      return second === undefined ? [turn] : [move(second, third), turn, move(-second, -third)];
    }
    case 'skewX':
      return [{ a: 1, b: 0, c: Math.tan((first * Math.PI) / 180), d: 1, e: 0, f: 0 }];
    case 'skewY':
      return [{ a: 1, b: Math.tan((first * Math.PI) / 180), c: 0, d: 1, e: 0, f: 0 }];
    default:
      return [];
  }
}

/** Returns the transformation that applies the inner one first. */
function multiply(outer: Transform, inner: Transform): Transform {
  return {
    a: outer.a * inner.a + outer.c * inner.b,
    b: outer.b * inner.a + outer.d * inner.b,
    c: outer.a * inner.c + outer.c * inner.d,
    d: outer.b * inner.c + outer.d * inner.d,
    e: outer.a * inner.e + outer.c * inner.f + outer.e,
    f: outer.b * inner.e + outer.d * inner.f + outer.f,
  };
}
