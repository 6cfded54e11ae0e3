/** GetFeatureInfo: returns the features that are drawn at a pixel; features without a matching rule are omitted. */

import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Feature } from '../../../vector/port/port.ts';
import { type FoundOnLayer, findPublished } from '../../maps/draw-published.ts';
import { getPublishedAttribute } from '../../ows/property-names.ts';
import type { WmsContext } from '../context/context.ts';
import { selectInfoFormat } from '../context/info-formats.ts';
import { type MapFrame, resolveMapFrame } from '../map/map-frame.ts';
import { type NamedMap, resolveMapLayers } from '../map/map-layers.ts';
import { createMapToDraw } from '../map/map-to-draw.ts';
import type { GetFeatureInfoRequest } from '../request/request.ts';
import { encodeFoundFeatures } from './found-features.ts';

export async function getFeatureInfo(context: WmsContext, request: GetFeatureInfoRequest): Promise<ServiceReply> {
  const { services, settings, signal } = context;
  const { map, version } = request;
  const format = selectInfoFormat(request.infoFormat, settings);
  const named = await resolveMapLayers(context, map);
  const frame = await resolveMapFrame(
    version,
    map,
    named.map((each) => each.map),
    settings,
  );
  const { x, y } = readPixel(request, frame);
  const asked = selectQueriedMaps(named, request);
  const place = {
    // The centre of the pixel.
    x: x + 0.5,
    y: y + 0.5,
    count: request.featureCount,
    field: 'query_layers',
    ...(map.buffer === undefined ? {} : { radiusPixels: Math.min(map.buffer, settings.maxBuffer) }),
  };
  const found = await findPublished(services, createMapToDraw(context, map, asked, frame), place, signal);
  const shown = found.map((each) => selectProperties(each, findPropertyNames(asked, each, request)));
  const body = await encodeFoundFeatures({ ...context, environment: map.environment }, shown, frame, format);
  return { contentType: format.mediaType, body };
}

function readPixel({ point, version }: GetFeatureInfoRequest, { width, height }: MapFrame) {
  const [x, y] = [point.x, point.y].map((text) => (text.trim() === '' ? Number.NaN : Math.floor(Number(text))));
  const isOnMap = x !== undefined && y !== undefined && x >= 0 && y >= 0 && x < width && y < height;
  if (!isOnMap) {
    const isAcross = x === undefined || !(x >= 0 && x < width);
    const [across, down] = version === '1.3.0' ? ['i', 'j'] : ['x', 'y'];
    throw problem('wms-point-invalid', { ...point, width, height, field: (isAcross ? across : down) ?? '' });
  }
  return { x, y };
}

/** Returns the queried layers in the order of the request; of a group those that are queryable. */
function selectQueriedMaps(named: readonly NamedMap[], { queryLayers }: GetFeatureInfoRequest): readonly NamedMap[] {
  return queryLayers.map((name) => {
    const found = named.find((each) => each.name === name || each.map.qualifiedName === name || each.map.name === name);
    if (found === undefined) throw problem('wms-layer-unknown', { name, field: 'query_layers' });
    if (!found.map.isQueryable) throw problem('wms-layer-not-queryable', { name, field: 'query_layers' });
    return { ...found, layers: found.layers.filter(({ layer }) => layer.isQueryable) };
  });
}

function findPropertyNames(
  asked: readonly NamedMap[],
  { layer }: FoundOnLayer,
  { propertyNames }: GetFeatureInfoRequest,
): readonly string[] | undefined {
  const place = asked.findIndex(({ layers }) => layers.some((each) => each.layer === layer));
  return propertyNames[place];
}

/** Selects the attributes with these names, in the order of the type. */
function selectProperties(found: FoundOnLayer, names: readonly string[] | undefined): FoundOnLayer {
  if (names === undefined) return found;
  const { description, features, layer } = found;
  const { type } = layer;
  // Bands are no published attributes; their names are used as sent.
  const wanted = new Set(
    type === undefined ? names : names.map((name) => getPublishedAttribute(type, name, 'propertyName').name),
  );
  const places = description.attributes.flatMap(({ name }, place) => (wanted.has(name) ? [place] : []));
  return {
    ...found,
    description: { ...description, attributes: places.flatMap((place) => description.attributes[place] ?? []) },
    features: features.map(
      ({ content: _, ...feature }): Feature => ({
        ...feature,
        values: places.map((place) => feature.values[place] ?? null),
      }),
    ),
  };
}
