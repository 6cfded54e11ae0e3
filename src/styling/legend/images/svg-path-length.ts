/** How long the outlines of SVG shapes are, roughly and never much too short: what it takes to fill, stroke and dash them. */
import type { XmlElement } from '../../../lib/xml/element.ts';

/** In the units of the shape itself; 0 for elements that are no shape. Percentages are of the extent. */
export function computeOutlineLength(element: XmlElement, extent: number): number {
  const readLength = (name: string): number => {
    const text = findAttribute(element, name)?.trim() ?? '';
    const value = Math.abs(Number.parseFloat(text) || 0);
    return text.endsWith('%') ? (value * extent) / 100 : value;
  };
  switch (element.local) {
    case 'path':
      return computePathLength(findAttribute(element, 'd') ?? '');
    case 'polyline':
    case 'polygon':
      // The way back from the last corner to the first is as long as all others at most.
      return 2 * computePathLength(`L${findAttribute(element, 'points') ?? ''}`);
    case 'line':
      return readLength('x1') + readLength('x2') + readLength('y1') + readLength('y2');
    case 'rect':
      return 2 * (readLength('width') + readLength('height'));
    case 'circle':
      return 2 * Math.PI * readLength('r');
    case 'ellipse':
      return 2 * Math.PI * Math.max(readLength('rx'), readLength('ry'));
    default:
      return 0;
  }
}

/** How many numbers each command takes at a time, and which of them say where to go; curves are as long as their handles. */
const commands: Readonly<
  Record<string, { readonly count: number; readonly axes: readonly ('x' | 'y' | undefined)[] }>
> = {
  m: { count: 2, axes: ['x', 'y'] },
  l: { count: 2, axes: ['x', 'y'] },
  t: { count: 2, axes: ['x', 'y'] },
  h: { count: 1, axes: ['x'] },
  v: { count: 1, axes: ['y'] },
  c: { count: 6, axes: ['x', 'y', 'x', 'y', 'x', 'y'] },
  s: { count: 4, axes: ['x', 'y', 'x', 'y'] },
  q: { count: 4, axes: ['x', 'y', 'x', 'y'] },
  // The radii may make an arc longer than the way between its ends, three times at most.
  a: { count: 7, axes: [undefined, undefined, undefined, undefined, undefined, 'x', 'y'] },
};

const ARC_FACTOR = 3;

function computePathLength(data: string): number {
  const token = /[a-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
  const place = { x: 0, y: 0 };
  let command = 'L';
  let at = 0;
  let length = 0;
  for (let match = token.exec(data); match !== null; match = token.exec(data)) {
    const [text] = match;
    if (/[a-z]/i.test(text) && !/\d/.test(text)) {
      command = text;
      at = 0;
      continue;
    }
    const taken = commands[command.toLowerCase()];
    if (taken === undefined) continue;
    const axis = taken.axes[at];
    at = (at + 1) % taken.count;
    const isArc = command.toLowerCase() === 'a';
    if (axis === undefined) continue;
    const value = Number(text);
    const isRelative = command === command.toLowerCase();
    length += Math.abs(isRelative ? value : value - place[axis]) * (isArc ? ARC_FACTOR : 1);
    // Handles of relative curves all begin at the same place; taking each for a step only makes it longer.
    place[axis] = isRelative ? place[axis] + value : value;
  }
  return length;
}

function findAttribute({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((each) => each.name === name)?.value;
}
