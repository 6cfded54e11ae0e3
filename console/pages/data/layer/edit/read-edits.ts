/** Whether the user may edit a layer, and what its features consist of. */

import { useRest } from '../../../../rest/cache.ts';
import { callService, type RestReply, rest, withQuery } from '../../../../rest/client.ts';
import { RestProblem } from '../../../../rest/problems.ts';
import type { LayerView } from '../page.tsx';
import type { AttributeSchema, FeatureSchema, GeometryValue, StoredFeature } from './format-transaction.ts';

/** Undefined until it is known, which needs a question. */
export function useCanEdit(
  { workspace, name, layer, qualifiedName }: LayerView,
  isAsked: boolean,
): boolean | undefined {
  const path = rest`ogc/features/v1/collections/${qualifiedName}/items`;
  const isVector = layer.type === 'VECTOR';
  const rights = useRest<boolean>({ path: isVector && isAsked ? `${path}#rights` : undefined, read: readRights });
  const store = useRest<boolean>({
    path: isVector && rights.data?.body === true ? `${getCapabilitiesPath(workspace, name)}#writable` : undefined,
    read: readWritability,
  });
  if (!isVector || rights.data?.body === false) return false;
  return store.data?.body;
}

const isTrue = { etag: null, change: null, total: null };

/**
 * The server checks rights before the type of a body: 415 means that the user may write. A dry run would copy an uploaded
 * file each time.
 */
async function readRights(path: string, signal: AbortSignal): Promise<RestReply<boolean>> {
  const [target = ''] = path.split('#');
  try {
    await callService(`${target}?dryRun=true`, { method: 'POST', body: '', contentType: 'text/plain', signal });
  } catch (error) {
    if (error instanceof RestProblem && error.status >= 400 && error.status < 500) {
      return { body: error.status === 415, ...isTrue };
    }
    throw error;
  }
  return { body: false, ...isTrue };
}

function getCapabilitiesPath(workspace: string, layer: string): string {
  return withQuery(rest`${workspace}/${layer}/wfs`, { service: 'WFS', version: '1.1.0', request: 'GetCapabilities' });
}

/** Returns whether the store of a layer accepts edits: on several nodes, those of files do not. */
export async function isStoreWritable(workspace: string, layer: string, signal: AbortSignal): Promise<boolean> {
  return (await readWritability(getCapabilitiesPath(workspace, layer), signal)).body;
}

/** Capabilities restrict the operations of types in read-only stores. */
async function readWritability(path: string, signal: AbortSignal): Promise<RestReply<boolean>> {
  const reply = await callService(path.split('#')[0] ?? '', { signal });
  const text = await reply.text();
  return {
    body: /Transaction/.test(text) && !/<Operations><Operation>Query<\/Operation><\/Operations>/.test(text),
    ...isTrue,
  };
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
