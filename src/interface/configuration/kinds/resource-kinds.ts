/** Configuration kinds for published resources and their layers. */

import type { CascadedService } from '../../../cascade/capabilities.ts';
import { cascadedLayerKinds } from '../../../catalog/kinds/cascaded-layer.ts';
import { coverageKind } from '../../../catalog/kinds/coverage.ts';
import { featureTypeKind } from '../../../catalog/kinds/feature-type.ts';
import { getAlternateStyles, layerKind } from '../../../catalog/kinds/layer.ts';
import type { Resource, ResourceKind } from '../../../catalog/kinds/resource.ts';
import type { StoreKind } from '../../../catalog/kinds/store.ts';
import { storeKinds } from '../../../catalog/kinds/store-kinds.ts';
import type { LayerDescription } from '../../../catalog/layers/layers.ts';
import type { DocumentWriter } from '../../../http/documents/document.ts';
import { cascadedLayerDocuments } from '../../cascaded/layer-representation.ts';
import { encodePath } from '../../changes/record-path.ts';
import { coverageDocument } from '../../coverages/representation.ts';
import { featureTypeDocument } from '../../feature-types/representation.ts';
import { createLayerDocument } from '../../layers/representation.ts';
import {
  getResourcePath,
  type ResourceRepresentation,
  toResourceRepresentation,
} from '../../resources/representation.ts';
import { createFieldMapping, type Fields } from '../model/fields.ts';
import { type ConfigurationKind, mapPreparedRecords } from '../model/kind.ts';
import { createPutOperations, createResourceOperations } from '../model/operations.ts';
import { listReferencedPaths } from '../model/references.ts';
import { NATIVE_CRS, settleResourceFields } from './settle-fields.ts';

const defaults: Fields = {
  alias: null,
  description: null,
  abstract: null,
  keywords: null,
  metadataLinks: null,
  dataLinks: null,
  enabled: true,
  advertised: true,
  metadata: {},
  serviceConfiguration: false,
  disabledServices: null,
  internationalTitle: null,
  internationalAbstract: null,
};

function createResourceRow<R extends Resource>(
  kind: ResourceKind<R>,
  document: DocumentWriter<ResourceRepresentation<R>>,
  variable: string,
  { leftOut = [], own = {} }: { readonly leftOut?: readonly string[]; readonly own?: Fields } = {},
): ConfigurationKind {
  const further: Fields = { ...defaults, ...own };
  const described = createFieldMapping(document, ['name', 'namespace', 'store', ...leftOut], further);
  return {
    kind: kind.kind,
    patterns: [`/workspaces/:workspace/${getStoreKind(kind).collection}/:store/${kind.collection}/:${variable}`],
    fieldNames: [...described.names, NATIVE_CRS],
    defaults: further,
    settle: settleResourceFields,
    implies: ({ names: { workspace = '', [variable]: name = '' } }) => [
      encodePath(['workspaces', workspace, 'layers', name]),
      encodePath(['layers', name]),
    ],
    uniqueNames: ({ names: { workspace, [variable]: name } }) => [`layer ${workspace}:${name}`],
    every: ({ every, stores }) =>
      mapPreparedRecords(every(kind), async () => {
        const known = await stores();
        return (resource) => {
          const placed = known.get(resource.parent ?? '');
          return (
            placed && {
              path: encodePath(getResourcePath({ ...placed, resource })),
              fields: async () => {
                const shown = await toResourceRepresentation({ ...placed, resource });
                return { ...described.toFields(shown), ...toStatedCrs(shown) };
              },
            }
          );
        };
      }),
    ...createResourceOperations(document.root),
  };
}

function toStatedCrs({ resource, nativeCrs }: ResourceRepresentation): Fields {
  return resource.unverified === undefined ? {} : { [NATIVE_CRS]: nativeCrs?.text ?? null };
}

/** The store kind that contains a resource kind. */
function getStoreKind({ kind }: Pick<ResourceKind, 'kind'>): StoreKind {
  const stores: Readonly<Record<string, string>> = {
    featureType: 'dataStore',
    coverage: 'coverageStore',
    wmsLayer: 'wmsStore',
    wmtsLayer: 'wmtsStore',
  };
  const found = storeKinds.find((each) => each.kind === stores[kind]);
  if (found === undefined) {
    throw new Error(`A ${kind} belongs to no kind of store`);
  }
  return found;
}

function createCascadedLayerRow(service: CascadedService): ConfigurationKind {
  return createResourceRow(cascadedLayerKinds[service], cascadedLayerDocuments[service].writer, 'cascaded');
}

export const resourceRows: readonly ConfigurationKind[] = [
  createResourceRow(featureTypeKind, featureTypeDocument, 'featuretype', { own: { cqlFilter: null } }),
  // Both names of the data refer to the same field.
  createResourceRow(coverageKind, coverageDocument, 'coverage', { leftOut: ['nativeCoverageName'] }),
  createCascadedLayerRow('WMS'),
  createCascadedLayerRow('WMTS'),
];

/** The same in all dialects: an unset path is null. */
const oneLayer = createLayerDocument('left out');

const layerDefaults: Fields = {
  path: null,
  styles: null,
  legend: null,
  enabled: true,
  advertised: true,
  queryable: true,
  opaque: false,
  metadata: {},
  attribution: { logoWidth: 0, logoHeight: 0 },
  authorityURLs: null,
  identifiers: null,
  defaultWMSInterpolationMethod: null,
};

const layerFields = createFieldMapping<LayerDescription>(oneLayer, ['name', 'resource'], layerDefaults);

/** A layer is created with its resource, so creating one means changing it. */
export const layerRow: ConfigurationKind = {
  kind: layerKind.kind,
  patterns: ['/workspaces/:workspace/layers/:layer'],
  fieldNames: layerFields.names,
  isCreatedImplicitly: true,
  defaults: layerDefaults,
  // Both mean the root.
  normalise: (fields) => (fields['path'] === '/' ? { ...fields, path: null } : fields),
  references: ({ fields: { defaultStyle = null, styles = null }, ...address }) =>
    listReferencedPaths([defaultStyle, styles], ['styles'], address),
  every: ({ every, stores, resources, styleNames }) =>
    mapPreparedRecords(every(layerKind), async () => {
      const [knownStores, knownResources, styleNamed] = await Promise.all([stores(), resources(), styleNames()]);
      return (layer) => {
        const resource = knownResources.get(layer.parent ?? '');
        const placed = knownStores.get(resource?.parent ?? '');
        if (resource === undefined || placed === undefined) {
          return undefined;
        }
        return {
          path: encodePath(['workspaces', placed.workspace.name, 'layers', layer.name]),
          fields: () =>
            layerFields.toFields({
              ...placed,
              layer,
              resource,
              defaultStyle: layer.defaultStyle === null ? null : (styleNamed(layer.defaultStyle) ?? null),
              styles: getAlternateStyles(layer).flatMap((each) => styleNamed(each) ?? []),
              version: layer.version,
            }),
        };
      };
    }),
  ...createPutOperations(oneLayer.root),
};
