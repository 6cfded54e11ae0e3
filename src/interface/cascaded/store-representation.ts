/** Stores of other map servers as documents. */

import type { CascadedService } from '../../cascade/capabilities.ts';
import type { CascadedStoreDraft, CascadedStoreView } from '../../catalog/cascaded/cascaded-stores.ts';
import { defaultNumbers } from '../../catalog/cascaded/connection.ts';
import { type DocumentReader, type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter, type Entries, type ListWriter } from '../../http/documents/listing.ts';
import { getStorePath } from '../resources/representation.ts';

const { text, flag, integer, map, reference, secret, serverText, timestamp, collectionLink } =
  createFieldBuilders<CascadedStoreView>();

const createNumberField = (name: keyof typeof defaultNumbers, description: string) =>
  integer(({ store }) => Number(store.parameters[name] ?? defaultNumbers[name]), { description });

const createSharedFields = (service: CascadedService) => ({
  name: text(({ store }: CascadedStoreView) => store.name, {
    required: true,
    description: 'Unique among the stores of the workspace.',
  }),
  description: text(({ store }: CascadedStoreView) => store.description ?? undefined),
  type: serverText(({ store }: CascadedStoreView) => store.type, { example: service }),
  enabled: flag(({ store }: CascadedStoreView) => store.enabled, { example: true }),
  workspace: reference(({ workspace }) => ({ name: workspace.name, path: ['workspaces', workspace.name] })),
  metadata: map(({ store }) => store.metadata),
  _default: { ...flag(() => false), read: () => undefined },
  dateCreated: timestamp(({ store }) => store.createdAtMs),
  dateModified: timestamp(({ store }) => (store.modifiedAtMs === store.createdAtMs ? undefined : store.modifiedAtMs)),
  disableOnConnFailure: flag(({ store }) => store.disableOnConnFailure),
  capabilitiesURL: text(({ store }) => store.parameters['capabilitiesURL'], {
    description: 'Where the other server tells of its layers; a URL check must let it pass.',
    example: `https://maps.example/${service.toLowerCase()}?service=${service}&request=GetCapabilities`,
  }),
  user: text(({ store }) => store.parameters['user'], { description: 'Who logs in there.' }),
  password: secret({ description: 'Never shown, and kept when not sent.' }),
  maxConnections: createNumberField('maxConnections', 'How many requests the other server is sent at a time.'),
  readTimeout: createNumberField('readTimeout', 'How many seconds an answer is waited for.'),
  connectTimeout: createNumberField('connectTimeout', 'How many seconds a connection is waited for.'),
});

const formatTitle = ({ store }: CascadedStoreView) => `${store.type} store ${store.name}`;

const wmsStoreDocument = defineDocument(
  'wmsStore',
  { ...createSharedFields('WMS'), wmslayers: collectionLink((view) => [...getStorePath(view), 'wmslayers']) },
  { title: formatTitle },
);

const wmtsStoreDocument = defineDocument(
  'wmtsStore',
  {
    ...createSharedFields('WMTS'),
    headerName: text(({ store }) => store.parameters['headerName'], {
      description: 'A header that tells the other server who asks, in the place of user and password.',
    }),
    headerValue: secret({ description: 'Never shown, and kept when not sent.' }),
    layers: collectionLink((view) => [...getStorePath(view), 'layers']),
  },
  { title: formatTitle },
);

interface StoreDocument {
  readonly writer: DocumentWriter<CascadedStoreView>;
  readonly reader: DocumentReader<CascadedStoreDraft>;
  readonly list: ListWriter<CascadedStoreView, Entries<CascadedStoreView>>;
}

export const cascadedStoreDocuments: Readonly<Record<CascadedService, StoreDocument>> = {
  WMS: { writer: wmsStoreDocument, reader: wmsStoreDocument, list: createStoreListing('wmsStore', 'WMS stores') },
  WMTS: { writer: wmtsStoreDocument, reader: wmtsStoreDocument, list: createStoreListing('wmtsStore', 'WMTS stores') },
};

function createStoreListing(itemName: string, heading: string) {
  return createListWriter<CascadedStoreView>(`${itemName}s`, {
    itemName,
    title: heading,
    name: ({ store }) => store.name,
    path: getStorePath,
  });
}
