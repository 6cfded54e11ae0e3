/** GetFeatureInfo: which features are drawn at a pixel of a map; what no rule draws there is not told. */
import { outputFormats } from '../../data/encode/formats.ts';
import type { FeatureCollection, FeatureSet } from '../../data/encode/port.ts';
import type { Feature } from '../../data/vector/port.ts';
import type { ServiceReply } from '../../http/service-reply.ts';
import { problem } from '../../lib/problem.ts';
import { type FoundOnLayer, findPublished } from '../maps/draw-published.ts';
import { writtenCrs } from '../wfs/crs-names.ts';
import { schemaAddress } from '../wfs/describe-feature-type.ts';
import { propertyNamed } from '../wfs/property-names.ts';
import type { WmsContext } from './context.ts';
import { featuresAsHtml } from './features-as-html.ts';
import { featuresAsText } from './features-as-text.ts';
import { mapToDraw } from './get-map.ts';
import { type InfoFormat, requestedInfoFormat } from './info-formats.ts';
import { type MapFrame, mapFrame } from './map-frame.ts';
import { mapLayers, type NamedMap } from './map-layers.ts';
import type { GetFeatureInfoRequest } from './request.ts';

export async function getFeatureInfo(context: WmsContext, request: GetFeatureInfoRequest): Promise<ServiceReply> {
  const { services, settings, signal } = context;
  const { map, version } = request;
  const format = requestedInfoFormat(request.infoFormat, settings);
  const named = await mapLayers(context, map);
  const frame = await mapFrame(
    version,
    map,
    named.map((each) => each.map),
    settings,
  );
  const { x, y } = pixelOf(request, frame);
  const asked = askedOf(named, request);
  const place = {
    // The middle of the pixel.
    x: x + 0.5,
    y: y + 0.5,
    count: request.featureCount,
    ...(map.buffer === undefined ? {} : { radiusPixels: Math.min(map.buffer, settings.maxBuffer) }),
  };
  const found = await findPublished(services, mapToDraw(context, map, asked, frame), place, signal);
  const shown = found.map((each) => withProperties(each, propertiesOf(asked, each, request)));
  return { contentType: format.mediaType, body: await written(context, shown, frame, format) };
}

function pixelOf({ point }: GetFeatureInfoRequest, { width, height }: MapFrame) {
  const [x, y] = [point.x, point.y].map((text) => (text.trim() === '' ? Number.NaN : Math.floor(Number(text))));
  const isOnMap = x !== undefined && y !== undefined && x >= 0 && y >= 0 && x < width && y < height;
  if (!isOnMap) throw problem('wms-point-invalid', { ...point, width, height, field: 'i' });
  return { x, y };
}

/** The layers of the map that are asked, in the order they are asked in; of a group those that can be. */
function askedOf(named: readonly NamedMap[], { queryLayers }: GetFeatureInfoRequest): readonly NamedMap[] {
  return queryLayers.map((name) => {
    const found = named.find((each) => each.name === name || each.map.qualifiedName === name || each.map.name === name);
    if (found === undefined) throw problem('wms-layer-unknown', { name, field: 'query_layers' });
    if (!found.map.isQueryable) throw problem('wms-layer-not-queryable', { name, field: 'query_layers' });
    return { ...found, layers: found.layers.filter(({ layer }) => layer.isQueryable) };
  });
}

function propertiesOf(
  asked: readonly NamedMap[],
  { layer }: FoundOnLayer,
  { propertyNames }: GetFeatureInfoRequest,
): readonly string[] | undefined {
  const place = asked.findIndex(({ layers }) => layers.some((each) => each.layer === layer));
  return propertyNames[place];
}

/** Only the attributes of these names, in the order of the type. */
function withProperties(found: FoundOnLayer, names: readonly string[] | undefined): FoundOnLayer {
  if (names === undefined) return found;
  const { description, features, layer } = found;
  const { type } = layer;
  // Bands of a coverage are called as they are.
  const wanted = new Set(
    type === undefined ? names : names.map((name) => propertyNamed(type, name, 'propertyName').name),
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

async function written(
  context: WmsContext,
  found: readonly FoundOnLayer[],
  frame: MapFrame,
  { encoding }: InfoFormat,
): Promise<ServiceReply['body']> {
  switch (encoding) {
    case 'text':
      return featuresAsText(found);
    case 'html':
      return featuresAsHtml(found);
    case 'json':
      return encoded(context, found, frame, 'wfs-geojson');
    case 'gml2':
    case 'gml31':
      return encoded(context, found, frame, encoding);
  }
}

/** x before y, as maps have it. */
async function encoded(
  { publication, root, now, signal }: WmsContext,
  found: readonly FoundOnLayer[],
  frame: MapFrame,
  name: 'wfs-geojson' | 'gml2' | 'gml31',
): Promise<AsyncIterable<Uint8Array>> {
  const crs = await writtenCrs('1.0.0', frame.system.code, frame.system);
  const sets = found.map(
    ({ layer, description, features }): FeatureSet => ({
      typeName: { prefix: layer.workspace.name, uri: layer.workspace.uri, local: layer.name },
      description,
      crs,
      numberReturned: features.length,
      batches: inOneBatch(features),
    }),
  );
  const collection: FeatureCollection = {
    sets,
    timeStamp: now(),
    links: () => [],
    schemaLocations: found.flatMap(({ layer: { type } }) =>
      type === undefined
        ? []
        : [
            {
              uri: type.namespace,
              location: schemaAddress(`${root}/wfs`, name === 'gml2' ? '1.0.0' : '1.1.0', [type]),
            },
          ],
    ),
    options: { decimals: publication.decimals },
  };
  const encoder = await outputFormats[name].load();
  return encoder.encode(collection, signal);
}

async function* inOneBatch(features: readonly Feature[]): AsyncIterable<readonly Feature[]> {
  if (features.length > 0) yield features;
}
