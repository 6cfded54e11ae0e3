/** The documents for cascaded stores of remote map servers. */

import type { CascadedService } from '../../cascade/capabilities.ts';
import type { CascadedStoreDraft, CascadedStoreView } from '../../catalog/cascaded/cascaded-stores.ts';
import { defaultNumbers } from '../../catalog/cascaded/connection.ts';
import { type DocumentReader, type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import type { Entries, ListWriter } from '../../http/documents/listing.ts';
import { getStorePath } from '../resources/representation.ts';
import { createStoreListing, type ListedStore } from '../resources/store-listing.ts';

const { text, flag, integer, map, reference, secret, serverText, timestamp, collectionLink } =
  createFieldBuilders<CascadedStoreView>();

const createNumberField = (name: keyof typeof defaultNumbers, description: string) =>
  integer(({ store }) => Number(store.parameters[name] ?? defaultNumbers[name]), { description });

const createSharedFields = (service: CascadedService) => ({
  name: text(({ store }: CascadedStoreView) => store.name, {
    required: true,
    description: 'Must be unique among the stores of the workspace.',
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
    description: 'Capabilities URL of the remote server; a URL check must allow it.',
    example: `https://maps.example/${service.toLowerCase()}?service=${service}&request=GetCapabilities`,
  }),
  user: text(({ store }) => store.parameters['user'], { description: 'User name for the remote server.' }),
  password: secret({ description: 'Never returned; kept when omitted.' }),
  maxConnections: createNumberField('maxConnections', 'Maximum number of concurrent requests to the remote server.'),
  readTimeout: createNumberField('readTimeout', 'Read timeout in seconds.'),
  connectTimeout: createNumberField('connectTimeout', 'Connect timeout in seconds.'),
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
      description: 'Header that authenticates requests to the remote server, instead of user and password.',
    }),
    headerValue: secret({ description: 'Never returned; kept when omitted.' }),
    layers: collectionLink((view) => [...getStorePath(view), 'layers']),
  },
  { title: formatTitle },
);

interface StoreDocument {
  readonly writer: DocumentWriter<CascadedStoreView>;
  readonly reader: DocumentReader<CascadedStoreDraft>;
  readonly list: ListWriter<ListedStore<CascadedStoreView>, Entries<ListedStore<CascadedStoreView>>>;
}

export const cascadedStoreDocuments: Readonly<Record<CascadedService, StoreDocument>> = {
  WMS: { writer: wmsStoreDocument, reader: wmsStoreDocument, list: createListing('wmsStore', 'WMS stores') },
  WMTS: { writer: wmtsStoreDocument, reader: wmtsStoreDocument, list: createListing('wmtsStore', 'WMTS stores') },
};

/** All stores of a list have the same type. */
function createListing(itemName: string, title: string) {
  return createStoreListing<CascadedStoreView>({ itemName, title, showsType: false });
}
