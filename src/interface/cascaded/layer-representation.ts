/** The documents for published layers of remote map servers. */

import type { CascadedService } from '../../cascade/capabilities.ts';
import type { CascadedLayerView } from '../../catalog/cascaded/cascaded-layers.ts';
import type { CascadedLayer, CascadedLayerDraft } from '../../catalog/kinds/cascaded-layer.ts';
import {
  type DocumentReader,
  type DocumentWriter,
  defineDocument,
  SMALL_DOCUMENT_BYTES,
} from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import type { ResourcePath } from '../../http/serialization/output-tree.ts';
import { createResourceListing, type ResourceEntry, type ResourceList } from '../resources/listing.ts';
import {
  createResourceFields,
  getResourcePath,
  type ResourceRepresentation,
  toCatalogDraft,
  toResourceRepresentation,
} from '../resources/representation.ts';

export type CascadedLayerRepresentation = ResourceRepresentation<CascadedLayer>;

export function toCascadedLayerRepresentation(view: CascadedLayerView): Promise<CascadedLayerRepresentation> {
  return toResourceRepresentation({ ...view, resource: view.layer });
}

export function getCascadedLayerPath(view: CascadedLayerView): ResourcePath {
  return getResourcePath({ ...view, resource: view.layer });
}

const { text, flag, integer, map } = createFieldBuilders<CascadedLayerRepresentation>();

function createLayerDocument(root: string, heading: string) {
  return defineDocument(
    root,
    {
      ...createResourceFields<CascadedLayerRepresentation>('Metadata by key: text or elements.'),
      forcedRemoteStyle: text(({ resource }) => resource.forcedRemoteStyle ?? undefined, {
        description: 'Remote style that the layer is always drawn with.',
      }),
      preferredFormat: text(({ resource }) => resource.preferredFormat ?? undefined, {
        description: 'Media type requested from the remote server.',
      }),
      minScale: integer(({ resource }) => resource.minScale ?? undefined),
      maxScale: integer(({ resource }) => resource.maxScale ?? undefined),
      metadataBBoxRespected: flag(({ resource }) => resource.metadataBBoxRespected, {
        description: 'Whether requests to the remote server are limited to the bounding box.',
      }),
      vendorParameters: map(({ resource }) => resource.vendorParameters, {
        description: 'Parameters sent with each request to the remote server.',
      }),
    },
    { title: ({ resource }) => `${heading} ${resource.name}` },
  );
}

type LayerDocument = ReturnType<typeof createLayerDocument>;

interface LayerDocuments {
  readonly writer: DocumentWriter<CascadedLayerRepresentation>;
  readonly reader: DocumentReader<CascadedLayerDraft>;
  readonly list: ListWriter<ResourceEntry, ResourceList>;
}

function createLayerDocuments(root: string, service: CascadedService): LayerDocuments {
  const one: LayerDocument = createLayerDocument(root, `${service} layer`);
  return {
    writer: one,
    reader: {
      root: one.root,
      schema: one.schema,
      maxBytes: SMALL_DOCUMENT_BYTES,
      read: (body, purpose, unknown) => toCatalogDraft(one.read(body, purpose, unknown)),
    },
    list: createResourceListing(root, { published: `${service} layers`, native: 'Remote layers' }),
  };
}

export const cascadedLayerDocuments: Readonly<Record<CascadedService, LayerDocuments>> = {
  WMS: createLayerDocuments('wmsLayer', 'WMS'),
  WMTS: createLayerDocuments('wmtsLayer', 'WMTS'),
};
