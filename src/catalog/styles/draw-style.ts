/** Draws a style as a legend, with graphics from its own folder and, where a URL check lets them pass, from elsewhere. */
import { buffer } from 'node:stream/consumers';
import type { UrlGate } from '../../gates/url-gate.ts';
import { Problem } from '../../lib/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { classifyHref } from '../../styling/graphics/classify-href.ts';
import { drawLegend } from '../../styling/legend/legend.ts';
import { readStyle } from './read-style.ts';
import type { StyleContents } from './style-contents.ts';
import { findFile, type StyleView } from './style-view.ts';

export interface Drawing {
  readonly contents: StyleContents;
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
  drawing: Drawing,
  view: StyleView,
  size: SampleSize,
): Promise<Uint8Array> {
  const { model } = await readStyle(drawing.contents, view);
  const signal = drawing.deadline(drawing.graphicsTimeoutMs);
  return drawLegend(model, size, async (href) => {
    const reference = classifyHref(href);
    switch (reference?.kind) {
      case 'local': {
        const image = await findFile(catalog, view.style.parent, reference.path);
        return image === undefined || image.written !== null ? undefined : drawing.contents.read(image.content);
      }
      case 'remote':
        return fetchGraphic(drawing, reference.href, signal);
      default:
        return undefined;
    }
  });
}

/** A picture is drawn without what cannot be had. */
async function fetchGraphic(
  { urlGate, graphicsTimeoutMs, maxGraphicBytes }: Drawing,
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
