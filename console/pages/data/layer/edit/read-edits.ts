/** Whether the user may edit a layer, and what its features consist of. */

import { useRest } from '../../../../rest/cache.ts';
import { callService, type RestReply, rest, withQuery } from '../../../../rest/client.ts';
import type { LayerView } from '../page.tsx';
import type { AttributeSchema, FeatureSchema, GeometryValue, StoredFeature } from './format-transaction.ts';

/** Whether the user may edit a layer; undefined until it is known. */
export function useCanEdit({ layer, qualifiedName }: LayerView): boolean | undefined {
  const isVector = layer.type === 'VECTOR';
  const read = useRest<boolean>({ path: isVector ? getItemsPath(qualifiedName) : undefined, read: readRights });
  if (!isVector) return false;
  return read.data?.body ?? (read.error === null ? undefined : false);
}

/** Returns whether the user may edit a layer and its store accepts edits: on several nodes, those of files do not. */
export async function isEditable(qualifiedName: string, signal: AbortSignal): Promise<boolean> {
  return (await readRights(getItemsPath(qualifiedName), signal)).body;
}

function getItemsPath(qualifiedName: string): string {
  return rest`ogc/features/v1/collections/${qualifiedName}/items`;
}

/** The server lists POST among the methods of users who may add features. */
async function readRights(path: string, signal: AbortSignal): Promise<RestReply<boolean>> {
  const reply = await callService(path, { method: 'OPTIONS', signal });
  const allowed = (reply.headers.get('allow') ?? '').split(/\s*,\s*/);
  return { body: allowed.includes('POST'), etag: null, change: null, total: null };
}

interface DescribedTypes {
  readonly targetNamespace: string;
  readonly featureTypes: readonly {
    readonly typeName: string;
    readonly properties: readonly {
      readonly name: string;
      readonly type: string;
      readonly localType: string;
      readonly nillable: boolean;
    }[];
  }[];
}

export async function readSchema(qualifiedName: string): Promise<FeatureSchema> {
  const query = {
    ...{ service: 'WFS', version: '2.0.0', request: 'DescribeFeatureType' },
    ...{ typeNames: qualifiedName, outputFormat: 'application/json' },
  };
  const reply = await callService(withQuery('wfs', query));
  const { targetNamespace, featureTypes } = (await reply.json()) as DescribedTypes;
  const type = featureTypes[0];
  if (type === undefined) throw new Error(`The schema of ${qualifiedName} is empty`);
  const all = type.properties.map(({ name, type: full, localType, nillable }) => ({
    attribute: { name, type: localType, isNillable: nillable } satisfies AttributeSchema,
    isGeometry: full.startsWith('gml:'),
  }));
  return {
    namespace: targetNamespace,
    typeName: type.typeName,
    geometry: all.find(({ isGeometry }) => isGeometry)?.attribute,
    attributes: all.flatMap(({ attribute, isGeometry }) => (isGeometry ? [] : [attribute])),
  };
}

interface WfsCollection {
  readonly features: readonly {
    readonly id: string;
    readonly geometry: GeometryValue | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

/** By id, or by a box in degrees. Coordinates are those of the stored CRS, so that Undo restores them exactly. */
export async function readStoredFeature(
  qualifiedName: string,
  crs: string,
  by: { readonly id: string } | { readonly box: readonly number[]; readonly filter: string; readonly geometry: string },
): Promise<StoredFeature | undefined> {
  const selection =
    'id' in by
      ? { resourceId: by.id }
      : {
          cql_filter: [
            `BBOX("${by.geometry}", ${by.box.join(', ')}, 'CRS:84')`,
            ...(by.filter === '' ? [] : [`(${by.filter})`]),
          ].join(' AND '),
        };
  const query = {
    ...{ service: 'WFS', version: '2.0.0', request: 'GetFeature', typeNames: qualifiedName },
    ...{ outputFormat: 'application/json', srsName: crs, count: 1, ...selection },
  };
  const reply = await callService(withQuery('wfs', query));
  const [feature] = ((await reply.json()) as WfsCollection).features;
  if (feature === undefined) return undefined;
  return { id: feature.id, values: feature.properties, geometry: feature.geometry };
}
