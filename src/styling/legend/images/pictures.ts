/** Loads the pictures of the drawn rules, if they are available and harmless. */

import { isExpression } from '../../../filter/model/expression-contents.ts';
import { hasInnerPart } from '../../../filter/model/inner-parts.ts';
import { yieldIfDue } from '../../../lib/async/yield-if-due.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import { isChartAddress } from '../../graphics/chart-address.ts';
import type { ExternalGraphic, ForeignElement, GraphicSource, Mark, Rule } from '../../model/model.ts';
import { xlinkNamespace } from '../../sld/document/namespaces.ts';
import { writeForeignElement } from '../../sld/write/foreign.ts';
import { printXml } from '../../sld/write/print.ts';
import type { CanvasLibrary, Picture } from '../canvas/canvas.ts';
import { type LoadedPicture, type Pictures, pixelsPerStep } from '../canvas/drawing.ts';
import { findImageKind, type ImageKind } from './image-kind.ts';
import { checkSvg, computeMaxPixels } from './svg-check.ts';
import { expandSvgDoctype } from './svg-doctype.ts';
import { readSvgOutline } from './svg-outline.ts';
import { fillSvgParameters } from './svg-parameters.ts';
import { decodeXmlText } from './svg-root.ts';

/** Returns the bytes of a graphic by its href in the style; undefined if it is missing or not allowed. */
export type GraphicLoader = (href: string) => Promise<Uint8Array | undefined>;

/** Four bytes each when decoded: 64 MB for all pictures of a legend. */
const maxPixels = 16_000_000;
/** A legend has a hundred rows at most, and a map few kinds of symbols, so more pictures are not needed. */
export const maxPictures = 100;
const maxBytes = 10_000_000;
const elementsPerStep = 3;
/** Most elements are small compared with their picture. */
const vectorPixelsPerStep = 10 * pixelsPerStep;
const sourcePixelsPerStep = 20_000;

/** `addresses` are those that depend on features. */
export async function loadPictures(
  library: CanvasLibrary,
  rules: readonly Rule[],
  loadGraphic: GraphicLoader,
  addresses: readonly string[] = [],
): Promise<Pictures> {
  const pictures = new Map<GraphicSource | string, LoadedPicture>();
  const byHref = new Map<string, LoadedPicture | undefined>();
  const budget = { pixels: maxPixels };
  const sources = [...(await listGraphicSources(rules))].slice(0, maxPictures);
  // Load sequentially: a style with a hundred pictures must not open a hundred connections.
  for (const source of sources) {
    const key = source.kind === 'online' ? source.href : undefined;
    const isKnown = key !== undefined && byHref.has(key);
    const picture = isKnown ? byHref.get(key) : await loadPicture(library, source, loadGraphic, budget);
    if (key !== undefined) byHref.set(key, picture);
    if (picture) pictures.set(source, picture);
  }
  for (const href of addresses) {
    const picture = await loadPicture(library, { kind: 'online', href }, loadGraphic, budget);
    if (picture) pictures.set(href, picture);
  }
  return pictures;
}

/** Returns the external graphics of the rules without duplicates: all requests to a loader. */
export async function listRuleHrefs(rules: readonly Rule[]): Promise<readonly string[]> {
  const sources = [...(await listGraphicSources(rules))].slice(0, maxPictures);
  return [
    ...new Set(
      sources.flatMap((source) => (source.kind === 'online' && source.template === undefined ? source.href : [])),
    ),
  ];
}

/** Other work continues between rules, which can be many. */
async function listGraphicSources(rules: readonly Rule[]): Promise<ReadonlySet<GraphicSource>> {
  const sources = new Set<GraphicSource>();
  for (const { legendGraphic, symbolizers } of rules) {
    const others = yieldIfDue();
    if (others !== undefined) await others;
    collectSources(legendGraphic ?? symbolizers, sources);
  }
  return sources;
}

function collectSources(part: object, sources: Set<GraphicSource>): void {
  if (isExpression(part)) return;
  if (isExternalGraphic(part)) {
    const { source } = part;
    // Charts have no file.
    if (source.kind !== 'online' || !isChartAddress(source.href)) sources.add(source);
  } else {
    const markSource = 'kind' in part && part.kind === 'mark' ? (part as Mark).externalMark?.source : undefined;
    if (markSource !== undefined && !isFontSource(markSource)) sources.add(markSource);
    hasInnerPart(part, (inner) => {
      collectSources(inner, sources);
      return false;
    });
  }
}

function isFontSource(source: GraphicSource): boolean {
  return source.kind === 'online' && /^\s*ttf:/i.test(source.href);
}

function isExternalGraphic(part: object): part is ExternalGraphic {
  return 'kind' in part && part.kind === 'externalGraphic';
}

async function loadPicture(
  library: CanvasLibrary,
  source: GraphicSource,
  loadGraphic: GraphicLoader,
  budget: { pixels: number },
): Promise<LoadedPicture | undefined> {
  const written = await readGraphicBytes(source, loadGraphic);
  return written && decodeGraphic(library, written, source.kind === 'online' ? source.href : '', budget);
}

/** Returns undefined for a picture that is invalid, active or too large. `href` has the parameters of an SVG. */
export async function decodeGraphic(
  library: CanvasLibrary,
  written: Uint8Array,
  href: string,
  budget: { pixels: number },
): Promise<LoadedPicture | undefined> {
  if (written.length > maxBytes) return undefined;
  const kind = findImageKind(written);
  const bytes = kind?.kind === 'svg' ? prepareSvg(written, href) : written;
  const price = kind && computePictureCost(kind, bytes, budget);
  const image = price === undefined ? undefined : await decodePicture(library, bytes);
  if (!kind || !image || price === undefined) return undefined;
  const { width, height } = kind;
  const readOutline = createOutlineReader(library, price.isVector ? bytes : undefined);
  return { image, ...(width && height ? { width, height } : {}), ...price, readOutline };
}

/** Most pictures are not used as marks, so outlines are read when they are needed. */
function createOutlineReader(library: CanvasLibrary, svg: Uint8Array | undefined): () => string | undefined {
  let outline: { readonly path: string | undefined } | undefined;
  return () => {
    const text = svg && outline === undefined ? decodeXmlText(svg) : undefined;
    outline ??= { path: text === undefined ? undefined : readSvgOutline(library, text) };
    return outline.path;
  };
}

/** Returns an SVG with its parameters filled, without a document type and with the entities that it declares. */
function prepareSvg(bytes: Uint8Array, href: string): Uint8Array {
  const text = decodeXmlText(bytes);
  const expanded = text === undefined ? undefined : tryExpandDoctype(text);
  if (expanded === undefined) return bytes;
  const filled = fillSvgParameters(expanded, href);
  // A declared encoding applies to the bytes as written.
  return filled === text ? bytes : Buffer.from(filled.replace(/^<\?xml[^>]*\?>/, ''));
}

/** Returns undefined for a document type that is not allowed, which the check of the picture rejects. */
function tryExpandDoctype(text: string): string | undefined {
  try {
    return expandSvgDoctype(text);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Returns undefined if the cost exceeds the limit. Each element of an SVG paints some of its pixels. */
function computePictureCost(
  kind: ImageKind,
  bytes: Uint8Array,
  budget: { pixels: number },
): Pick<LoadedPicture, 'steps' | 'maxPixels' | 'isVector'> | undefined {
  if (kind.kind === 'svg') {
    const text = decodeXmlText(bytes);
    const verdict = text === undefined ? undefined : checkSvg(text);
    if (verdict?.kind !== 'drawn') return undefined;
    return {
      steps: (drawn) => (verdict.fixed / elementsPerStep) * (1 + drawn / vectorPixelsPerStep),
      maxPixels: computeMaxPixels(verdict),
      isVector: true,
    };
  }
  const pixels = (kind.width ?? 0) * (kind.height ?? 0);
  if (pixels > budget.pixels) return undefined;
  budget.pixels -= pixels;
  return {
    steps: (drawn) => pixels / sourcePixelsPerStep + drawn / pixelsPerStep,
    maxPixels: Number.POSITIVE_INFINITY,
    isVector: false,
  };
}

async function readGraphicBytes(source: GraphicSource, loadGraphic: GraphicLoader): Promise<Uint8Array | undefined> {
  return source.kind === 'online' ? loadGraphic(source.href) : readInlineBytes(source);
}

/** Returns the bytes of an inline graphic; undefined for others. */
export function readInlineBytes(source: GraphicSource): Uint8Array | undefined {
  switch (source.kind) {
    case 'online':
      return undefined;
    case 'inlineBase64':
      return Buffer.from(source.base64, 'base64');
    case 'inlineXml':
      return Buffer.from(writeInlineDocument(source.element));
  }
}

function writeInlineDocument(foreign: ForeignElement): string {
  const root = writeForeignElement(foreign, '');
  // In the style, the namespace is declared on an outer element.
  return printXml({ ...root, attributes: [...root.attributes, ['xmlns:xlink', xlinkNamespace]] });
}

async function decodePicture(library: CanvasLibrary, bytes: Uint8Array): Promise<Picture | undefined> {
  const image = new library.Image();
  const isLoaded = await new Promise<boolean>((resolve) => {
    image.onload = () => resolve(true);
    image.onerror = () => resolve(false);
    image.src = bytes;
  });
  return isLoaded && image.width > 0 && image.height > 0 ? image : undefined;
}
