/** Draws a style as a legend, with graphics from its own folder and, where a URL check lets them pass, from elsewhere. */
import { buffer } from 'node:stream/consumers';
import type { UrlGate } from '../../gates/url-gate.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { classifyHref } from '../../styling/graphics/classify-href.ts';
import type { GraphicLoader } from '../../styling/legend/legend.ts';
import { loadStoredStyle, type StyleReadContext } from './read-style.ts';
import { findStyleFile, type StyleView } from './style-view.ts';

export interface StyleDrawContext extends StyleReadContext {
  readonly urlGate: UrlGate;
  readonly graphicsTimeoutMs: number;
  readonly maxGraphicBytes: number;
  /** A signal that is given after so many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
}

/** The pixels of one sample. */
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
  return drawing.work.draw(style, size, createGraphicLoader(catalog, drawing, view.style.parent));
}

/** The pictures of a style out of the folder that it lives in, and from elsewhere, all of those within one time. */
export function createGraphicLoader(
  catalog: CatalogReader,
  drawing: Omit<StyleDrawContext, 'work'>,
  folder: string | null,
): GraphicLoader {
  const signal = drawing.deadline(drawing.graphicsTimeoutMs);
  return async (href) => {
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
  };
}

/** A picture is drawn without what cannot be had. */
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
