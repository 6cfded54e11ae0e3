/** Draws a style as a legend, with images from its own folder and from URLs that a URL check allows. */
import { buffer } from 'node:stream/consumers';
import type { UrlGate } from '../../gates/url-gate.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { classifyHref } from '../../styling/graphics/classify-href.ts';
import { isDataAddress, readDataAddress } from '../../styling/graphics/data-address.ts';
import { createSpriteLoader } from '../../styling/graphics/sprite-sheet.ts';
import type { GraphicLoader } from '../../styling/legend/legend.ts';
import { loadStoredStyle, type StyleReadContext } from './read-style.ts';
import { findStyleFile, type StyleView } from './style-view.ts';
import { loadFontsToDraw, type UploadedFonts } from './uploaded-fonts.ts';

export interface StyleDrawContext extends StyleReadContext {
  readonly urlGate: UrlGate;
  readonly graphicsTimeoutMs: number;
  readonly maxGraphicBytes: number;
  readonly fonts: UploadedFonts;
  /** Returns a signal that aborts after a number of milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
}

/** The size of one sample in pixels. */
export interface SampleSize {
  readonly width: number;
  readonly height: number;
}

export async function drawStyle(
  catalog: CatalogReader,
  drawing: StyleDrawContext,
  view: StyleView,
  size: SampleSize,
): Promise<Uint8Array> {
  const style = await loadStoredStyle(drawing.contents, view);
  const fonts = await loadFontsToDraw(drawing, catalog);
  return drawing.work.draw(style, { ...size, fonts }, createGraphicLoader(catalog, drawing, view.style.parent));
}

/** Loads the images of a style from its folder and from URLs, the latter within one common timeout. */
export function createGraphicLoader(
  catalog: CatalogReader,
  drawing: Omit<StyleDrawContext, 'work'>,
  folder: string | null,
): GraphicLoader {
  const signal = drawing.deadline(drawing.graphicsTimeoutMs);
  return createSpriteLoader(async (href) => {
    if (isDataAddress(href)) return readDataAddress(href);
    const reference = classifyHref(href);
    switch (reference?.kind) {
      case 'local': {
        const image = await findStyleFile(catalog, folder, reference.path);
        return image === undefined || image.written !== null ? undefined : drawing.contents.read(image.content);
      }
      case 'remote':
        return fetchGraphic(drawing, reference.href, signal);
      default:
        return undefined;
    }
  });
}

/** Returns undefined for an unavailable image; the legend is drawn without it. */
async function fetchGraphic(
  { urlGate, graphicsTimeoutMs, maxGraphicBytes }: Omit<StyleDrawContext, 'work'>,
  href: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    const { body } = await urlGate.open(href, { signal, timeoutMs: graphicsTimeoutMs, maxBytes: maxGraphicBytes });
    return await buffer(body);
  } catch (error) {
    if (error instanceof Problem || signal.aborted) {
      return undefined;
    }
    throw error;
  }
}
