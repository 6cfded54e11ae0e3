/** Published layers of other map servers as documents. */

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
      ...createResourceFields<CascadedLayerRepresentation>('Remarks by key: text, or elements.'),
      forcedRemoteStyle: text(({ resource }) => resource.forcedRemoteStyle ?? undefined, {
        description: 'The style of the other server that it is always drawn with.',
      }),
      preferredFormat: text(({ resource }) => resource.preferredFormat ?? undefined, {
        description: 'The media type that the other server is asked for.',
      }),
      minScale: integer(({ resource }) => resource.minScale ?? undefined),
      maxScale: integer(({ resource }) => resource.maxScale ?? undefined),
      metadataBBoxRespected: flag(({ resource }) => resource.metadataBBoxRespected, {
        description: 'Whether the other server is asked only for what lies in the box.',
      }),
      vendorParameters: map(({ resource }) => resource.vendorParameters, {
        description: 'Sent along with each request to the other server.',
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
    list: createResourceListing(root, { published: `${service} layers`, native: 'Layers of the other server' }),
  };
}

export const cascadedLayerDocuments: Readonly<Record<CascadedService, LayerDocuments>> = {
  WMS: createLayerDocuments('wmsLayer', 'WMS'),
  WMTS: createLayerDocuments('wmtsLayer', 'WMTS'),
};
