/** Encodes the features of GetFeatureInfo in the requested format. */
import { outputFormats } from '../../../formats/formats.ts';
import type { FeatureCollection, FeatureSet } from '../../../formats/port/port.ts';
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { Feature } from '../../../vector/port/port.ts';
import type { FoundOnLayer } from '../../maps/draw-published.ts';
import { resolveWrittenCrs } from '../../wfs/request/crs-names.ts';
import { formatSchemaUrl } from '../../wfs/schema/describe-feature-type.ts';
import type { WmsContext } from '../context/context.ts';
import type { InfoFormat } from '../context/info-formats.ts';
import type { MapFrame } from '../map/map-frame.ts';
import { formatFeaturesAsHtml } from './features-as-html.ts';
import { formatFeaturesAsText } from './features-as-text.ts';

export type InfoContext = Pick<WmsContext, 'publication' | 'root' | 'now' | 'signal'>;

export async function encodeFoundFeatures(
  context: InfoContext,
  found: readonly FoundOnLayer[],
  frame: Pick<MapFrame, 'system'>,
  { encoding }: InfoFormat,
): Promise<ServiceReply['body']> {
  switch (encoding) {
    case 'text':
      return formatFeaturesAsText(found);
    case 'html':
      return formatFeaturesAsHtml(found);
    case 'json':
      return encodeFoundCollection(context, found, frame, 'wfs-geojson');
    case 'gml2':
    case 'gml31':
      return encodeFoundCollection(context, found, frame, encoding);
  }
}

/** x before y, as in maps. */
async function encodeFoundCollection(
  { publication, root, now, signal }: InfoContext,
  found: readonly FoundOnLayer[],
  frame: Pick<MapFrame, 'system'>,
  name: 'wfs-geojson' | 'gml2' | 'gml31',
): Promise<AsyncIterable<Uint8Array>> {
  const crs = await resolveWrittenCrs('1.0.0', frame.system.code, frame.system);
  const sets = found.map(
    ({ layer, description, features }): FeatureSet => ({
      typeName: { prefix: layer.workspace.name, uri: layer.workspace.uri, local: layer.name },
      description,
      crs,
      numberReturned: features.length,
      batches: toOneBatch(features),
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
              location: formatSchemaUrl(`${root}/wfs`, name === 'gml2' ? '1.0.0' : '1.1.0', [type]),
            },
          ],
    ),
    options: { decimals: publication.decimals },
  };
  const encoder = await outputFormats[name].load();
  return encoder.encode(collection, signal);
}

async function* toOneBatch(features: readonly Feature[]): AsyncIterable<readonly Feature[]> {
  if (features.length > 0) yield features;
}
