/** Styles that clients bring along with a request: as a document, or as an address that passes the gate. */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createGraphicLoader } from '../../../catalog/styles/draw-style.ts';
import { Problem, problem } from '../../../lib/problems/problem.ts';
import type { NamedLayer, StyledLayerDescriptor, UserStyle } from '../../../styling/model/model.ts';
import type { StyleProcessor } from '../../../styling/style-processor.ts';
import type { StoredStyle } from '../../../styling/style-tasks.ts';
import type { MapLayer } from '../../access/published-map.ts';
import type { ReadyStyle } from '../../maps/style-models.ts';
import type { WmsContext } from '../context/context.ts';
import type { SentStyle } from '../request/request.ts';

/** More is no style that somebody has written for a map. */
const MAX_BYTES = 1_048_576;

/** A Problem where styles of clients are switched off, cannot be had or read, or ask for what is not done for clients. */
export async function readSentStyle(context: WmsContext, sent: SentStyle): Promise<StyledLayerDescriptor> {
  const { style, content } = await loadSentContent(context, sent);
  const { work } = context.services.styles;
  try {
    const model = await work.readModel(content, async () => style);
    await refuseCostlyGraphics(work, style, sent);
    return model;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'style-unreadable') throw error;
    const reason = String(error.details['reason']).replace(/\.$/, '');
    throw problem('wms-sld-unusable', { reason, field: 'sld_body' });
  }
}

/** A stored style has a crossed box in the place of such a graphic; a client that sends one learns why. */
async function refuseCostlyGraphics(work: StyleProcessor, style: StoredStyle, { kind }: SentStyle): Promise<void> {
  // Most styles contain no graphics, and need not be looked through.
  if (!Buffer.from(style.bytes).includes('InlineContent')) return;
  const fault = (await work.checkGraphics(style)).find(({ isCostly }) => isCostly);
  if (fault !== undefined) {
    const reason = `it contains an SVG graphic that is not drawn: ${fault.reason}`;
    throw problem('wms-sld-unusable', { reason, field: kind === 'document' ? 'sld_body' : 'sld' });
  }
}

/** The bytes of a style that was sent, and a name for them; they may still be anything. */
export async function loadSentContent(
  context: WmsContext,
  sent: SentStyle,
): Promise<{ readonly style: StoredStyle; readonly content: string }> {
  if (!context.settings.takesStyles) {
    throw problem('wms-styling-disabled', { field: sent.kind === 'document' ? 'sld_body' : 'sld' });
  }
  const bytes = sent.kind === 'document' ? Buffer.from(sent.text) : await fetchStyle(context, sent.url);
  if (bytes.length > MAX_BYTES) {
    throw problem('wms-sld-unusable', { reason: `it is longer than ${MAX_BYTES} bytes`, field: 'sld_body' });
  }
  return {
    style: { name: 'that was sent', bytes, language: 'sld', charset: null },
    content: `sent ${createHash('sha256').update(bytes).digest('base64url')}`,
  };
}

async function fetchStyle({ services, settings, signal }: WmsContext, url: string): Promise<Buffer> {
  const { urlGate, graphicsTimeoutMs } = services.styles;
  const timeoutMs = Math.min(graphicsTimeoutMs, settings.maxStyleMs);
  try {
    const { body } = await urlGate.open(url, { signal, timeoutMs, maxBytes: MAX_BYTES });
    return await buffer(body);
  } catch (error) {
    const reason = error instanceof Problem ? explainFetchFailure(error, timeoutMs) : undefined;
    throw reason === undefined ? error : problem('wms-sld-unusable', { reason, field: 'sld' });
  }
}

/** Without what only the operator should know of other servers; undefined where it is something else. */
function explainFetchFailure({ code }: Problem, timeoutMs: number): string | undefined {
  if (code === 'url-too-slow') return `it did not come within ${timeoutMs} ms`;
  return code === 'url-unreachable' ? 'its server does not give it' : undefined;
}

/** The layers of the server that a document draws. Data that it brings along, or that others have, is not drawn. */
export function listDrawnLayers({ layers }: StyledLayerDescriptor): readonly NamedLayer[] {
  return layers.map((layer) => {
    if (layer.kind === 'namedLayer') return layer;
    const reason =
      layer.source?.kind === 'remoteService'
        ? 'it asks for data of another server (RemoteOWS)'
        : 'it brings data along (UserLayer); name a layer of this server';
    throw problem('wms-sld-unusable', { reason, field: 'sld_body' });
  });
}

/** What a document has for a layer; undefined where it does not speak of it. */
export function findDrawnLayer(
  document: StyledLayerDescriptor,
  map: Pick<MapLayer, 'name' | 'qualifiedName'>,
  asked: string,
) {
  const names = [asked, map.qualifiedName, map.name];
  return listDrawnLayers(document).find(({ name }) => names.includes(name));
}

/** A style that was sent, ready to be drawn. Its pictures are those of the server, or come through the gate. */
export function createSentStyle({ services }: WmsContext, model: UserStyle): ReadyStyle {
  return {
    model,
    loadGraphic: createGraphicLoader(services.catalog, services.styles, null),
    version: createHash('sha256').update(JSON.stringify(model)).digest('base64url'),
  };
}
