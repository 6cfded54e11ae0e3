/** Styles that clients send with a request: as a document, or as an address that the URL checks permit. */
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

/** The maximum size; styles for a map are far smaller. */
const MAX_BYTES = 1_048_576;

/** Throws a Problem if client styles are disabled, unavailable, invalid or contain unsupported content. */
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

/** For such graphics a stored style draws a crossed box; a sent style is rejected with the reason. */
async function refuseCostlyGraphics(work: StyleProcessor, style: StoredStyle, { kind }: SentStyle): Promise<void> {
  // Most styles contain no inline graphics and need no check.
  if (!Buffer.from(style.bytes).includes('InlineContent')) return;
  const fault = (await work.checkGraphics(style)).find(({ isCostly }) => isCostly);
  if (fault !== undefined) {
    const reason = `it contains an SVG graphic that is not drawn: ${fault.reason}`;
    throw problem('wms-sld-unusable', { reason, field: kind === 'document' ? 'sld_body' : 'sld' });
  }
}

/** Returns the unchecked bytes of a sent style and a key for them. */
export async function loadSentContent(
  context: WmsContext,
  sent: SentStyle,
): Promise<{ readonly style: StoredStyle; readonly content: string }> {
  if (!context.settings.takesStyles) {
    throw problem('wms-styling-disabled', { field: sent.kind === 'document' ? 'sld_body' : 'sld' });
  }
  const bytes = sent.kind === 'document' ? Buffer.from(sent.text) : await fetchStyle(context, sent.url);
  if (bytes.length > MAX_BYTES) {
    throw problem('wms-sld-unusable', { reason: `it exceeds the size limit of ${MAX_BYTES} bytes`, field: 'sld_body' });
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
    if (error instanceof Problem && error.code === 'url-refused') {
      throw new Problem(error.code, error.message, { ...error.details, field: 'sld' });
    }
    const reason = error instanceof Problem ? explainFetchFailure(error, timeoutMs) : undefined;
    throw reason === undefined ? error : problem('wms-sld-unusable', { reason, field: 'sld' });
  }
}

/** Hides details of other servers, which concern the operator only; undefined for other problems. */
function explainFetchFailure({ code }: Problem, timeoutMs: number): string | undefined {
  if (code === 'url-too-slow') return `it could not be fetched within ${timeoutMs} ms`;
  return code === 'url-unreachable' ? 'its server is unavailable' : undefined;
}

/** Returns the local layers of a document. Inline data and data of other servers are not supported. */
export function listDrawnLayers({ layers }: StyledLayerDescriptor): readonly NamedLayer[] {
  return layers.map((layer) => {
    if (layer.kind === 'namedLayer') return layer;
    const reason =
      layer.source?.kind === 'remoteService'
        ? 'it requests data of another server (RemoteOWS)'
        : 'it contains inline data (UserLayer); use a layer of this server';
    throw problem('wms-sld-unusable', { reason, field: 'sld_body' });
  });
}

/** Returns the entry of a document for a layer; undefined if it has none. */
export function findDrawnLayer(
  document: StyledLayerDescriptor,
  map: Pick<MapLayer, 'name' | 'qualifiedName'>,
  asked: string,
) {
  const names = [asked, map.qualifiedName, map.name];
  return listDrawnLayers(document).find(({ name }) => names.includes(name));
}

/** Creates a drawable style. Its images are those of the server or are fetched through the URL checks. */
export function createSentStyle({ services }: WmsContext, model: UserStyle): ReadyStyle {
  return {
    model,
    loadGraphic: createGraphicLoader(services.catalog, services.styles, null),
  };
}
