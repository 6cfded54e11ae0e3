/** GetMap: layers as a picture, or as a document that shows them. */
import type { ServiceReply } from '../../http/service-reply.ts';
import type { Color } from '../../rendering/map-request.ts';
import { drawPublished, type MapToDraw } from '../maps/draw-published.ts';
import { contentDisposition } from '../ows/content-disposition.ts';
import type { WmsContext } from './context.ts';
import { type MapFormat, requestedMapFormat } from './map-formats.ts';
import { type MapFrame, mapFrame } from './map-frame.ts';
import { mapLayers, type NamedMap } from './map-layers.ts';
import { encodeMap } from './map-pictures.ts';
import type { GetMapRequest, RequestedMap } from './request.ts';

export async function getMap(context: WmsContext, request: GetMapRequest): Promise<ServiceReply> {
  const { settings } = context;
  const { map, version } = request;
  const format = requestedMapFormat(request.format, settings);
  const named = await mapLayers(context, map);
  const frame = await mapFrame(
    version,
    map.frame,
    named.map((each) => each.map),
    settings,
  );
  const { headers, ...head } = headOf(named, format);
  const { headers: more, ...content } = await contentOf(context, map, named, frame, format);
  return { ...head, ...content, headers: { ...headers, ...more } };
}

async function contentOf(
  context: WmsContext,
  map: RequestedMap,
  named: readonly NamedMap[],
  frame: MapFrame,
  { encoding }: MapFormat,
): Promise<Omit<ServiceReply, 'contentType'> & Partial<Pick<ServiceReply, 'contentType'>>> {
  switch (encoding) {
    case 'openlayers': {
      const { mapPage } = await import('./map-page.ts');
      return mapPage(context, named, frame);
    }
    case 'kml':
    case 'kmz': {
      const { kmlOfMap } = await import('./kml-of-map.ts');
      return kmlOfMap(context, mapToDraw(context, map, named, frame), encoding === 'kmz');
    }
    default: {
      const pixels = await drawPublished(context.services, mapToDraw(context, map, named, frame), context.signal);
      return encodeMap(pixels, encoding, map.isTransparent, frame);
    }
  }
}

/** What a request means for whoever draws it. */
export function mapToDraw(
  { settings }: WmsContext,
  requested: RequestedMap,
  named: readonly NamedMap[],
  { system, box, width, height }: MapFrame,
): MapToDraw {
  const dpi = Number(requested.formatOptions.get('dpi'));
  return {
    layers: named.flatMap(({ layers }) => layers),
    system,
    box,
    width,
    height,
    background: colourOf(requested.background),
    isTransparent: requested.isTransparent,
    ...(dpi >= MIN_DPI && dpi <= MAX_DPI ? { dpi } : {}),
    ...(requested.buffer === undefined ? {} : { bufferPixels: Math.min(requested.buffer, MAX_BUFFER_PIXELS) }),
    variables: Object.fromEntries(requested.environment),
    angle: requested.angle,
    ...(Number.isFinite(settings.maxRenderingMs) ? { milliseconds: settings.maxRenderingMs } : {}),
  };
}

/** What screens and printers have; others are mistakes, and mean nothing. */
const MIN_DPI = 10;
const MAX_DPI = 2_400;

/** No symbol is larger. */
const MAX_BUFFER_PIXELS = 1_000;

function colourOf(text: string): Color {
  const part = (at: number): number => Number.parseInt(text.slice(at, at + 2), 16);
  return { red: part(1), green: part(3), blue: part(5) };
}

/** What is said before the first byte of a body. */
function headOf(named: readonly NamedMap[], { mediaType, fileExtension, isDownload }: MapFormat) {
  const [first] = named;
  const name = `${(first?.map.qualifiedName ?? 'map').replaceAll(':', '-')}.${fileExtension}`;
  const ages = named.flatMap(({ layers }) => layers.map(({ layer }) => layer.type?.maxAgeSeconds));
  const isKept = ages.length > 0 && ages.every((age) => age !== undefined);
  return {
    contentType: mediaType,
    headers: { 'content-disposition': contentDisposition(isDownload ? 'attachment' : 'inline', name) },
    ...(isKept ? { maxAgeSeconds: Math.min(...ages) } : {}),
  };
}
