/** GetMap: draws layers as an image or a document. */
import type { ServiceReply } from '../../http/session/service-reply.ts';
import { problem } from '../../lib/problems/problem.ts';
import { drawPublished, drawPublishedDocument, drawPublishedPng } from '../maps/draw-published.ts';
import { formatContentDisposition } from '../ows/content-disposition.ts';
import type { WmsContext } from './context/context.ts';
import {
  type AnimatedEncoding,
  animatedFormatNames,
  type MapEncoding,
  type MapFormat,
  mapFormats,
  selectMapFormat,
} from './context/map-formats.ts';
import { createDecoratedMap } from './decorations/create-decorated-map.ts';
import { type MapFrame, resolveMapFrame } from './map/map-frame.ts';
import { type NamedMap, resolveMapLayers } from './map/map-layers.ts';
import { resolveColorReduction } from './map/map-palette.ts';
import { encodeMap } from './map/map-pictures.ts';
import { createMapToDraw } from './map/map-to-draw.ts';
import type { GetMapRequest, RequestedMap } from './request/request.ts';

export async function getMap(context: WmsContext, request: GetMapRequest): Promise<ServiceReply> {
  const { settings } = context;
  const { map, version } = request;
  const format = selectMapFormat(request.format, settings);
  if (format.encoding === 'animated-gif' || format.encoding === 'animated-webp') {
    const { listTimeFrames } = await import('./animation/list-frames.ts');
    return getAnimation(context, await listTimeFrames(context, map), request);
  }
  const named = await resolveMapLayers(context, map);
  const frame = await resolveMapFrame(
    version,
    map,
    named.map((each) => each.map),
    settings,
  );
  const { headers: more, ...content } = await createMapContent(context, map, {
    named,
    frame,
    encoding: format.encoding,
  });
  // Some formats are chosen by the content of the map.
  const { fileExtension } = mapFormats.find(({ mediaType }) => mediaType === content.contentType) ?? format;
  const { headers, ...head } = createReplyHead(named, { ...format, fileExtension });
  return { ...head, ...content, headers: { ...headers, ...more } };
}

/** Draws several maps as the frames of one image; `request` has the format. */
export async function getAnimation(
  context: WmsContext,
  maps: readonly RequestedMap[],
  { version, format: name }: Pick<GetMapRequest, 'version' | 'format'>,
): Promise<ServiceReply> {
  const { encoding, mediaType, fileExtension } = selectMapFormat(name, context.settings);
  if (encoding !== 'animated-gif' && encoding !== 'animated-webp') {
    throw problem('wms-format-unknown', { format: name, formats: animatedFormatNames, field: 'format' });
  }
  const { animateMaps } = await import('./animation/animate-map.ts');
  return {
    contentType: mediaType,
    headers: { 'content-disposition': formatContentDisposition('inline', `map.${fileExtension}`) },
    ...(await animateMaps(context, { version, maps, encoding })),
  };
}

interface ResolvedMap {
  readonly named: readonly NamedMap[];
  readonly frame: MapFrame;
  readonly encoding: Exclude<MapEncoding, AnimatedEncoding>;
}

async function createMapContent(
  context: WmsContext,
  map: RequestedMap,
  { named, frame, encoding }: ResolvedMap,
): Promise<Omit<ServiceReply, 'contentType'> & Partial<Pick<ServiceReply, 'contentType'>>> {
  switch (encoding) {
    case 'openlayers': {
      const { createMapPage: mapPage } = await import('./output/map-page.ts');
      return mapPage(context, named, frame);
    }
    case 'kml':
    case 'kmz': {
      const { createMapKml } = await import('./kml/map-kml.ts');
      return createMapKml(context, { requested: map, named, frame }, encoding === 'kmz');
    }
    case 'png': {
      await resolveColorReduction(context, map, encoding);
      const drawn = await createDecoratedMap(context, map, named, frame);
      return { body: await drawPublishedPng(context.services, drawn, context.signal), isPacked: true };
    }
    case 'svg':
    case 'pdf': {
      const drawn = await createDecoratedMap(context, map, named, frame);
      const body = await drawPublishedDocument(context.services, drawn, encoding, context.signal);
      return encoding === 'pdf' ? { body, isPacked: true } : { body };
    }
    case 'utfgrid': {
      const { createMapUtfgrid: utfgridOfMap } = await import('./output/map-utfgrid.ts');
      return { body: await utfgridOfMap(context, createMapToDraw(context, map, named, frame), map.formatOptions) };
    }
    case 'mvt': {
      const { createMapVectorTile } = await import('./output/map-vector-tile.ts');
      return createMapVectorTile(context, createMapToDraw(context, map, named, frame));
    }
    default: {
      // JPEG has no opacity: the background is visible where nothing is drawn.
      const isTransparent = map.isTransparent && encoding !== 'jpeg';
      const drawn = {
        ...(await createDecoratedMap(context, { ...map, isTransparent }, named, frame)),
        ...(await resolveColorReduction(context, map, encoding)),
      };
      const pixels = await drawPublished(context.services, drawn, context.signal);
      return encodeMap(pixels, encoding, isTransparent, { ...frame, angle: map.angle });
    }
  }
}

/** Creates the response headers. */
export function createReplyHead(
  named: readonly NamedMap[],
  { mediaType, fileExtension, isDownload }: Omit<MapFormat, 'names' | 'encoding'>,
) {
  const [first] = named;
  const name = `${(first?.map.qualifiedName ?? 'map').replaceAll(':', '-')}.${fileExtension}`;
  const ages = named.flatMap(({ layers }) => layers.map(({ layer }) => layer.type?.maxAgeSeconds));
  const isKept = ages.length > 0 && ages.every((age) => age !== undefined);
  return {
    contentType: mediaType,
    headers: { 'content-disposition': formatContentDisposition(isDownload ? 'attachment' : 'inline', name) },
    ...(isKept ? { maxAgeSeconds: Math.min(...ages) } : {}),
  };
}
