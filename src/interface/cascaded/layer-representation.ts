/** Published layers of other map servers as documents. */
import type { CascadedLayer, CascadedLayerDraft } from '../../catalog/cascaded/cascaded-layer.ts';
import type { CascadedLayerView } from '../../catalog/cascaded/cascaded-layers.ts';
import type { CascadedService } from '../../data/cascade/capabilities.ts';
import {
  type DocumentReader,
  type DocumentWriter,
  document,
  SMALL_DOCUMENT_BYTES,
} from '../../http/documents/document.ts';
import { fieldsOf } from '../../http/documents/fields.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import type { ResourcePath } from '../../http/formats/output-tree.ts';
import { type FoundResource, type ResourceList, resourceListing } from '../resources/listing.ts';
import {
  inCatalogWords,
  resourceFields,
  resourcePath,
  type ShownResource,
  shownResource,
} from '../resources/representation.ts';

export type ShownCascadedLayer = ShownResource<CascadedLayer>;

export function shownCascadedLayer(view: CascadedLayerView): Promise<ShownCascadedLayer> {
  return shownResource({ ...view, resource: view.layer });
}

export function cascadedLayerPath(view: CascadedLayerView): ResourcePath {
  return resourcePath({ ...view, resource: view.layer });
}

const { text, flag, integer, map } = fieldsOf<ShownCascadedLayer>();

function documentOf(root: string, heading: string) {
  return document(
    root,
    {
      ...resourceFields<ShownCascadedLayer>('Remarks by key: text, or elements.'),
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

type LayerDocument = ReturnType<typeof documentOf>;

interface LayerDocuments {
  readonly writer: DocumentWriter<ShownCascadedLayer>;
  readonly reader: DocumentReader<CascadedLayerDraft>;
  readonly list: ListWriter<FoundResource, ResourceList>;
}

function documentsOf(root: string, service: CascadedService): LayerDocuments {
  const one: LayerDocument = documentOf(root, `${service} layer`);
  return {
    writer: one,
    reader: {
      root: one.root,
      schema: one.schema,
      maxBytes: SMALL_DOCUMENT_BYTES,
      read: (body, purpose, unknown) => inCatalogWords(one.read(body, purpose, unknown)),
    },
    list: resourceListing(root, { published: `${service} layers`, native: 'Layers of the other server' }),
  };
}

export const cascadedLayerDocuments: Readonly<Record<CascadedService, LayerDocuments>> = {
  WMS: documentsOf('wmsLayer', 'WMS'),
  WMTS: documentsOf('wmtsLayer', 'WMTS'),
};
