/**
 * Estimates the cost of drawing an SVG picture. The library cannot be interrupted, neither by a deadline nor by a
 * shutdown, so the cost is estimated first: references multiply the elements they refer to, and repeated painting
 * (filters, dashes, outlines across the picture) costs more than a plain shape.
 */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { computeOutlineLength } from './svg-path-length.ts';

export interface SvgCost {
  /** Independent of the size, in shapes. */
  readonly fixed: number;
  /** For each pixel of the picture, in layers of paint. */
  readonly perPixel: number;
}

/**
 * The supported filter primitives. The cost of others depends on numbers in the document without a useful limit
 * (octaves of noise, radii, kernels), or the library does not support them.
 */
export const drawnFilterPrimitives: ReadonlySet<string> = new Set([
  ...['feBlend', 'feColorMatrix', 'feComponentTransfer', 'feComposite', 'feDropShadow', 'feFlood', 'feGaussianBlur'],
  ...['feFuncA', 'feFuncB', 'feFuncG', 'feFuncR', 'feMerge', 'feMergeNode', 'feOffset'],
]);

/** A large blur takes most of a second even on a small picture, so few are allowed. */
const blurs: ReadonlySet<string> = new Set(['feGaussianBlur', 'feDropShadow']);
const blurCost: SvgCost = { fixed: 2_000, perPixel: 300 };
const otherFilterCost: SvgCost = { fixed: 200, perPixel: 100 };
const maskCost: SvgCost = { fixed: 500, perPixel: 100 };
const layerCost: SvgCost = { fixed: 5, perPixel: 5 };
const shapeCost: SvgCost = { fixed: 1, perPixel: 1 };

/** Elements that are drawn by reference only. */
const definitions: ReadonlySet<string> = new Set([
  ...['clipPath', 'defs', 'filter', 'linearGradient', 'marker', 'mask', 'pattern', 'radialGradient', 'symbol'],
]);

/** This number of attribute characters, mostly paths, costs as much as one shape. */
const CHARACTERS_PER_SHAPE = 64;

/** The depth of elements and references, which the library follows recursively. */
const MAX_DEPTH = 500;

/** The extent of a picture without a size. */
const DEFAULT_EXTENT = 100;

const unknownContext: ElementContext = { extent: 1, scale: 1, period: 1, strokeWidth: 1 };

/** Of a path or a list of points. */
const CHARACTERS_PER_CORNER = 4;

/** The side of the usual filter region, in sides of the element. */
const USUAL_REGION = 1.2;

const noCost: SvgCost = { fixed: 0, perPixel: 0 };
const infiniteCost: SvgCost = { fixed: Number.POSITIVE_INFINITY, perPixel: Number.POSITIVE_INFINITY };

export function computeSvgCost(root: XmlElement): SvgCost {
  return new Costs(root).total;
}

/** The inherited properties of an element that affect its cost. */
interface ElementContext {
  /** The extent of the surrounding coordinates, and the scale of the element in them. */
  readonly extent: number;
  readonly scale: number;
  /** The total length of its dashes and gaps. */
  readonly period: number;
  readonly strokeWidth: number;
}

class Costs {
  readonly total: SvgCost;
  readonly #byId = new Map<string, XmlElement>();
  readonly #contexts = new Map<XmlElement, ElementContext>();
  readonly #cachedCosts = new Map<XmlElement, SvgCost>();
  /** The references in style sheets, counted for every element that may match. */
  readonly #sheetReferences: string[] = [];
  /** The shortest dash period that any element may get from a style sheet or a `use` element. */
  #shortestPeriod = Number.POSITIVE_INFINITY;
  /** The greatest width that any element may get from a style sheet or a `use` element. */
  #widestStroke = 0;
  #elements = 0;
  #depth = 0;

  constructor(root: XmlElement) {
    this.#addElement(root, { extent: DEFAULT_EXTENT, scale: 1, period: Number.POSITIVE_INFINITY, strokeWidth: 0 });
    const sheets = this.#sheetReferences.map((id) => this.#getReferencedCost(id));
    this.total = sheets.reduce((sum, cost) => addCosts(sum, multiplyCost(cost, this.#elements)), this.#getCost(root));
  }

  #addElement(element: XmlElement, around: ElementContext): void {
    this.#elements += 1;
    const id = findAttribute(element, 'id');
    if (id !== undefined) this.#byId.set(id, element);
    const extent = readViewBoxExtent(element);
    const place: ElementContext = {
      extent: extent ?? around.extent,
      scale: (extent === undefined ? around.scale : 1) * computeScaleFactor(findAttribute(element, 'transform') ?? ''),
      period: readOwnPeriod(element) ?? around.period,
      strokeWidth: readOwnStrokeWidth(element, extent ?? around.extent) ?? around.strokeWidth,
    };
    this.#contexts.set(element, place);
    if (element.local === 'use') {
      this.#shortestPeriod = Math.min(this.#shortestPeriod, place.period);
      this.#widestStroke = Math.max(this.#widestStroke, place.strokeWidth);
    }
    for (const child of element.children) {
      if (child.kind === 'element') this.#addElement(child, place);
      else if (element.local === 'style') this.#readSheet(child.text);
    }
  }

  #readSheet(css: string): void {
    this.#sheetReferences.push(...listReferences('style', css));
    this.#shortestPeriod = Math.min(this.#shortestPeriod, findShortestPeriod(css) ?? Number.POSITIVE_INFINITY);
    this.#widestStroke = Math.max(this.#widestStroke, findWidestStroke(css, DEFAULT_EXTENT) ?? 0);
  }

  #getCost(element: XmlElement): SvgCost {
    const known = this.#cachedCosts.get(element);
    if (known !== undefined) return known;
    if (this.#depth > MAX_DEPTH) return infiniteCost;
    // An element that is reached again during its own computation contains itself.
    this.#cachedCosts.set(element, infiniteCost);
    this.#depth += 1;
    const cost = this.#computeCost(element);
    this.#depth -= 1;
    this.#cachedCosts.set(element, cost);
    return cost;
  }

  #computeCost(element: XmlElement): SvgCost {
    let cost = addCosts(computeOwnCost(element), this.#computeOutlineCost(element));
    for (const { local, value } of element.attributes) {
      cost = addCosts(cost, computeTextCost(value));
      // A marker is drawn at each corner of its line, and a used element may be enlarged.
      const count = local.startsWith('marker') ? countCorners(element) : 1;
      for (const id of listReferences(local, value)) {
        const enlarged = Math.max(1, computeScaleFactor(findAttribute(element, 'transform') ?? ''));
        cost = addCosts(cost, multiplyCost(this.#getReferencedCost(id), count * enlarged));
      }
    }
    for (const child of element.children) {
      if (child.kind === 'text') cost = addCosts(cost, computeTextCost(child.text));
      else if (!definitions.has(child.local)) cost = addCosts(cost, this.#getCost(child));
    }
    return element.local === 'filter' ? multiplyCost(cost, computeRegionFactor(element, this.#contexts)) : cost;
  }

  /** Each crossing of the picture, each dash and each corner of a line as wide as the picture costs as much as a shape. */
  #computeOutlineCost(element: XmlElement): SvgCost {
    const { extent, scale, period, strokeWidth } = this.#contexts.get(element) ?? unknownContext;
    const shortest = Math.min(period, this.#shortestPeriod);
    if (shortest !== Number.POSITIVE_INFINITY && dashedText.has(element.local)) return infiniteCost;
    const length = computeOutlineLength(element, extent);
    if (length === 0) return noCost;
    const widthShare = Math.min(1, (Math.max(strokeWidth, this.#widestStroke) * scale) / extent);
    const corners = countCorners(element) / CHARACTERS_PER_CORNER;
    return multiplyCost(shapeCost, (length * scale) / extent + length / shortest + corners * widthShare);
  }

  #getReferencedCost(id: string): SvgCost {
    const target = this.#byId.get(id);
    return target === undefined ? noCost : this.#getCost(target);
  }
}

function computeOwnCost({ local, attributes }: XmlElement): SvgCost {
  if (blurs.has(local)) return blurCost;
  if (/^fe[A-Z]/.test(local)) return otherFilterCost;
  if (local === 'mask') return maskCost;
  const isLayer = attributes.some(
    ({ name, value }) => name === 'opacity' || (name === 'style' && /(?:^|;)\s*opacity\s*:/i.test(value)),
  );
  return isLayer ? layerCost : shapeCost;
}

function computeTextCost(text: string): SvgCost {
  return { fixed: text.length / CHARACTERS_PER_SHAPE, perPixel: 0 };
}

function addCosts(one: SvgCost, other: SvgCost): SvgCost {
  return { fixed: one.fixed + other.fixed, perPixel: one.perPixel + other.perPixel };
}

function multiplyCost({ fixed, perPixel }: SvgCost, count: number): SvgCost {
  return { fixed: fixed * count, perPixel: perPixel * count };
}

function findAttribute({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((each) => each.name === name)?.value;
}

function countCorners(element: XmlElement): number {
  return (findAttribute(element, 'd') ?? findAttribute(element, 'points'))?.length ?? 1;
}

function listReferences(attribute: string, value: string): readonly string[] {
  if (attribute === 'href') return value.trim().startsWith('#') ? [value.trim().slice(1)] : [];
  return [...value.matchAll(/url\s*\(\s*["']?#([^"')\s]+)/gi)].map(([, id = '']) => id);
}

/** Returns the longer side of the coordinate system that an element establishes; undefined if it establishes none. */
function readViewBoxExtent(element: XmlElement): number | undefined {
  const numbers = (findAttribute(element, 'viewBox') ?? '').trim().split(/[\s,]+/);
  const box = numbers.length === 4 ? numbers.slice(2).map(Number) : readRootSize(element);
  const extent = Math.max(...box.map((side) => Math.abs(side) || 0));
  return extent > 0 ? extent : undefined;
}

function readRootSize(element: XmlElement): readonly number[] {
  if (element.local !== 'svg') return [0];
  return ['width', 'height'].map((name) => {
    const length = findAttribute(element, name) ?? '';
    return length.trim().endsWith('%') ? 0 : Number.parseFloat(length);
  });
}

/** Drawing programs write a few dozen characters. */
const MAX_TRANSFORM_CHARACTERS = 1_000;

/** Returns the maximum enlargement by a transformation. */
function computeScaleFactor(transform: string): number {
  if (transform.length > MAX_TRANSFORM_CHARACTERS) return Number.POSITIVE_INFINITY;
  let scale = 1;
  for (const [, kind = '', list = ''] of transform.matchAll(/(scale|matrix)\s*\(([^)]*)\)/gi)) {
    const numbers = list.split(/[\s,]+/).map(Number);
    const factors = kind.toLowerCase() === 'matrix' ? numbers.slice(0, 4) : numbers;
    scale *= Math.max(...factors.map((factor) => Math.abs(factor) || 0));
  }
  return scale;
}

/** Only the library knows the length of the outlines of text. */
const dashedText: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath']);

/** Returns undefined if the element sets no dashes. */
function readOwnPeriod(element: XmlElement): number | undefined {
  const periods = [
    computeDashPeriod(findAttribute(element, 'stroke-dasharray')),
    findShortestPeriod(findAttribute(element, 'style') ?? ''),
  ].filter((period) => period !== undefined);
  return periods.length === 0 ? undefined : Math.min(...periods);
}

/** Returns undefined if the element sets no width. */
function readOwnStrokeWidth(element: XmlElement, extent: number): number | undefined {
  const widths = [
    readLength(findAttribute(element, 'stroke-width'), extent),
    findWidestStroke(findAttribute(element, 'style') ?? '', extent),
  ].filter((width) => width !== undefined);
  return widths.length === 0 ? undefined : Math.max(...widths);
}

function findWidestStroke(css: string, extent: number): number | undefined {
  const widths = [...removeComments(css).matchAll(/stroke-width\s*:\s*([^;}]*)/gi)].flatMap(
    ([, width]) => readLength(width, extent) ?? [],
  );
  return widths.length === 0 ? undefined : Math.max(...widths);
}

/** Reads a length; percentages refer to the extent. */
function readLength(text: string | undefined, extent: number): number | undefined {
  const number = Math.abs(Number.parseFloat(text ?? ''));
  if (Number.isNaN(number)) return undefined;
  return text?.trim().endsWith('%') ? (number / 100) * extent : number;
}

/** Returns by how much a filter region exceeds the usual one. The library computes all of it, also beyond the picture. */
function computeRegionFactor(filter: XmlElement, contexts: ReadonlyMap<XmlElement, ElementContext>): number {
  const isAbsolute = findAttribute(filter, 'filterUnits') === 'userSpaceOnUse';
  const unit = isAbsolute ? (contexts.get(filter)?.extent ?? DEFAULT_EXTENT) : 1;
  const sides = ['width', 'height'].map((name) => readLength(findAttribute(filter, name), unit) ?? USUAL_REGION * unit);
  return sides.reduce((factor, side) => factor * Math.max(1, side / unit / USUAL_REGION), 1);
}

/** Returns the shortest period in a style attribute or style sheet. */
function findShortestPeriod(css: string): number | undefined {
  const periods = [...removeComments(css).matchAll(/stroke-dasharray\s*:\s*([^;}]*)/gi)].flatMap(
    ([, list]) => computeDashPeriod(list) ?? [],
  );
  return periods.length === 0 ? undefined : Math.min(...periods);
}

function removeComments(css: string): string {
  const parts = css.split('/*').map((part, index) => {
    const end = part.indexOf('*/');
    return index === 0 ? part : end < 0 ? '' : part.slice(end + 2);
  });
  return parts.join('');
}

/** Returns undefined if no dashes are set, and infinity for a solid line. */
function computeDashPeriod(list: string | undefined): number | undefined {
  const text = list?.trim() ?? '';
  if (text === '' || text === 'inherit') return undefined;
  if (text === 'none') return Number.POSITIVE_INFINITY;
  // The reference length of percentages is unknown here.
  if (text.includes('%')) return 0;
  const sum = text.split(/[\s,]+/).reduce((total, part) => total + Math.abs(Number.parseFloat(part) || 0), 0);
  return sum === 0 ? Number.POSITIVE_INFINITY : sum;
}
