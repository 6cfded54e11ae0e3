/**
 * Checks whether an SVG picture may be drawn, and at what cost: it must be self-contained and must not exceed the
 * limits.
 */
import { Problem } from '../../../lib/problems/problem.ts';
import { toPrintable } from '../../../lib/text/wording.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import { findImageKind } from './image-kind.ts';
import { computeSvgCost, drawnFilterPrimitives, type SvgCost } from './svg-cost.ts';
import { expandSvgDoctype } from './svg-doctype.ts';

export type SvgCheckResult =
  | ({ readonly kind: 'drawn' } & SvgCost)
  /** `reason` is the end of a sentence. `isCostly` means that only time or memory prevents drawing. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isCostly: boolean };

/** Symbols take a few kilobytes; drawing programs write up to a hundred times as much. */
const MAX_CHARACTERS = 500_000;
const limits = { maxDepth: 100, maxNodes: 50_000 };
/** About a tenth of a second of drawing, at a small size. */
const MAX_FIXED_COST = 10_000;
/** Layers of paint times pixels: about half a second, which cannot be interrupted. */
const MAX_PIXEL_COST = 1_000_000_000;
/** 16 MB of memory, and more than a screen shows of one symbol. */
const MAX_SYMBOL_PIXELS = 4_194_304;
/** Four bytes each when decoded, for all embedded pictures of an SVG. */
const MAX_EMBEDDED_PIXELS = 4_000_000;

/** The renderer neither executes nor fetches these, but an SVG that contains them is not a map symbol. */
const refusedElements = new Set(['script', 'foreignObject', 'feImage', 'iframe', 'audio', 'video', 'canvas']);

export function checkSvg(text: string): SvgCheckResult {
  if (text.length > MAX_CHARACTERS) return createCostRefusal(`it has more than ${MAX_CHARACTERS} characters`);
  const root = text.includes('<?xml-stylesheet') ? undefined : parseSvg(text);
  if (root?.local !== 'svg')
    return createRefusal(
      'it is not a readable SVG document, or it has a DOCTYPE with declarations other than plain entities or a stylesheet instruction',
    );
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

/** Returns the maximum number of pixels for a picture of this cost; larger ones are not drawn. */
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

/** Returns undefined for malformed XML and for a DOCTYPE with other declarations than plain entities. */
export function parseSvg(text: string): XmlElement | undefined {
  try {
    return readXml(expandSvgDoctype(text), limits);
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
      // CSS escapes could hide forbidden words.
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
  // An embedded SVG would have to be checked recursively.
  if (!image || image.kind === 'svg') return false;
  room.pixels -= (image.width ?? 0) * (image.height ?? 0);
  return room.pixels >= 0;
}

function isHarmlessCss(css: string): boolean {
  // CSS escapes could hide forbidden words.
  return !css.includes('\\') && !css.toLowerCase().includes('@import') && hasOwnUrlsOnly(css);
}

function hasOwnUrlsOnly(text: string): boolean {
  return [...text.matchAll(/url\s*\(\s*(.?.?)/gis)].every(([, start = '']) => /^["']?#/.test(start));
}
