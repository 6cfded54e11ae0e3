/** Estimates the length of SVG outlines, never much too short: the cost of filling, stroking and dashing them. */
import type { XmlElement } from '../../../lib/xml/element.ts';

/** Returns the length in the units of the shape; 0 for other elements. Percentages refer to the extent. */
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
      // The closing segment is at most as long as all others together.
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

/**
 * The number of parameters of each command, and those that are coordinates. A curve counts as the length of its
 * control polygon.
 */
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
  // An arc may be longer than the distance of its ends, by a factor of three at most.
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
    // Control points of relative curves all start at the same position; treating each as a step only overestimates.
    place[axis] = isRelative ? place[axis] + value : value;
  }
  return length;
}

function findAttribute({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((each) => each.name === name)?.value;
}
