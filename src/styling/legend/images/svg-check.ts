/** Says whether an SVG picture may be drawn, and what that costs: it reaches for nothing outside itself, and does not explode. */
import { Problem } from '../../../lib/problems/problem.ts';
import { toPrintable } from '../../../lib/text/wording.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import { findImageKind } from './image-kind.ts';
import { computeSvgCost, drawnFilterPrimitives, type SvgCost } from './svg-cost.ts';

export type SvgCheckResult =
  | ({ readonly kind: 'drawn' } & SvgCost)
  /** The reason is the end of a sentence. `isCostly`: it could be drawn, but would take too much time or memory. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isCostly: boolean };

/** A symbol of a map is some kilobytes; drawing programs make them a hundred times as large. */
const MAX_CHARACTERS = 500_000;
const limits = { maxDepth: 100, maxNodes: 50_000 };
/** About as much as is drawn in a tenth of a second on a small picture. */
const MAX_FIXED_COST = 10_000;
/** Layers of paint times pixels: about half a second, during which nothing can interrupt the drawing. */
const MAX_PIXEL_COST = 1_000_000_000;
/** 16 MB of memory, and more than any screen shows of one symbol. */
const MAX_SYMBOL_PIXELS = 4_194_304;
/** Four bytes each when decoded, all pictures in the SVG together. */
const MAX_EMBEDDED_PIXELS = 4_000_000;

/** Nothing of these is ever run or fetched by the renderer; a picture that has them is not one for a map. */
const refusedElements = new Set(['script', 'foreignObject', 'feImage', 'iframe', 'audio', 'video', 'canvas']);

export function checkSvg(text: string): SvgCheckResult {
  if (text.length > MAX_CHARACTERS) return createCostRefusal(`it has more than ${MAX_CHARACTERS} characters`);
  const root = text.includes('<?xml-stylesheet') ? undefined : parseSvg(text);
  if (root?.local !== 'svg')
    return createRefusal('it is not a readable SVG document, or it has a DOCTYPE or a stylesheet instruction');
  if (!isSelfContained(root, { pixels: MAX_EMBEDDED_PIXELS })) {
    return createRefusal('it contains scripts, large pictures or references to other documents');
  }
  const primitive = findRefusedPrimitive(root);
  if (primitive !== undefined) {
    const drawn = [...drawnFilterPrimitives].join(', ');
    return createCostRefusal(
      `the filter primitive '${toPrintable(primitive, 60)}' is not supported; supported are ${drawn}`,
    );
  }
  const cost = computeSvgCost(root);
  if (!(cost.fixed <= MAX_FIXED_COST)) {
    return createCostRefusal(
      `it costs as much as ${Math.round(cost.fixed)} shapes to draw, more than the limit of ${MAX_FIXED_COST}; uses, patterns, filters, dashes and long outlines count several times`,
    );
  }
  return { kind: 'drawn', ...cost };
}

/** How many pixels a picture of that cost may be drawn on; what is larger is not drawn. */
export function computeMaxPixels({ perPixel }: SvgCost): number {
  return Math.min(MAX_SYMBOL_PIXELS, Math.floor(MAX_PIXEL_COST / Math.max(1, perPixel)));
}

function createRefusal(reason: string): SvgCheckResult {
  return { kind: 'refused', reason, isCostly: false };
}

function createCostRefusal(reason: string): SvgCheckResult {
  return { kind: 'refused', reason, isCostly: true };
}

function findRefusedPrimitive({ local, children }: XmlElement): string | undefined {
  if (/^fe[A-Z]/.test(local) && !drawnFilterPrimitives.has(local)) return local;
  for (const child of children) {
    const found = child.kind === 'element' ? findRefusedPrimitive(child) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Undefined with a DOCTYPE too, and so without any entity. */
function parseSvg(text: string): XmlElement | undefined {
  try {
    return readXml(text, limits);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function isSelfContained(element: XmlElement, room: { pixels: number }): boolean {
  if (refusedElements.has(element.local)) return false;
  const isLink = element.local === 'a';
  return (
    element.attributes.every(({ local, value }) => {
      if ((local === 'href' || local === 'src') && !isLink && !isOwnReference(value, room)) return false;
      // A backslash could spell any of the words looked for.
      if (local === 'style' && value.includes('\\')) return false;
      return local !== 'base' && hasOwnUrlsOnly(value);
    }) &&
    element.children.every((child) =>
      child.kind === 'text' ? element.local !== 'style' || isHarmlessCss(child.text) : isSelfContained(child, room),
    )
  );
}

function isOwnReference(href: string, room: { pixels: number }): boolean {
  const reference = href.trim();
  if (reference === '' || reference.startsWith('#')) return true;
  const embedded = /^data:image\/[a-z+]{2,10};base64,/.exec(reference);
  if (!embedded) return false;
  const image = findImageKind(Buffer.from(reference.slice(embedded[0].length), 'base64'));
  // An SVG in an SVG would have to be checked as well, and one in that.
  if (!image || image.kind === 'svg') return false;
  room.pixels -= (image.width ?? 0) * (image.height ?? 0);
  return room.pixels >= 0;
}

function isHarmlessCss(css: string): boolean {
  // A backslash could spell any of the words looked for.
  return !css.includes('\\') && !css.toLowerCase().includes('@import') && hasOwnUrlsOnly(css);
}

function hasOwnUrlsOnly(text: string): boolean {
  return [...text.matchAll(/url\s*\(\s*(.?.?)/gis)].every(([, start = '']) => /^["']?#/.test(start));
}
