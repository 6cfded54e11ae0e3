/** The documents for data stores. */

import type { DataStoreDraft, DataStoreView } from '../../catalog/stores/data-stores.ts';
import { type DocumentReader, defineDocument, SMALL_DOCUMENT_BYTES } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { getStorePath } from '../resources/representation.ts';
import { createStoreListing } from '../resources/store-listing.ts';
import { createStorePage } from '../resources/store-page.ts';
import { connectionKinds } from './connection-kinds.ts';

const { text, serverText, flag, map, reference, timestamp, collectionLink } = createFieldBuilders<DataStoreView>();

export const dataStoreDocument = defineDocument(
  'dataStore',
  {
    name: text(({ store }) => store.name, {
      required: true,
      description: 'Must be unique among the stores of the workspace.',
    }),
    description: text(({ store }) => store.description ?? undefined),
    type: serverText(({ store }) => store.type, {
      description: 'Type of the store, which defines the connection parameters.',
    }),
    enabled: flag(({ store }) => store.enabled, { example: true }),
    workspace: reference(({ workspace }) => ({ name: workspace.name, path: ['workspaces', workspace.name] })),
    connectionParameters: map(
      ({ store, workspace }) => sortParameters({ ...store.parameters, namespace: workspace.uri }),
      {
        required: true,
        kinds: connectionKinds,
        description: 'Connection parameters. A password is never returned, and kept when omitted.',
        example: { dbtype: 'postgis', host: 'localhost', database: 'roads', user: 'roads' },
      },
    ),
    metadata: map(({ store }) => store.metadata),
    _default: flag(({ store }) => store.isDefault, {
      description: 'Whether it is the default store of the workspace.',
    }),
    dateCreated: timestamp(({ store }) => store.createdAtMs),
    dateModified: timestamp(({ store }) => (store.modifiedAtMs === store.createdAtMs ? undefined : store.modifiedAtMs)),
    disableOnConnFailure: flag(({ store }) => store.disableOnConnFailure),
    featureTypes: collectionLink((view) => [...getStorePath(view), 'featuretypes']),
  },
  { title: ({ store }) => `Data store ${store.name}` },
);

/** Parses the same document into a catalog record. */
export const dataStoreInput: DocumentReader<DataStoreDraft> = {
  root: dataStoreDocument.root,
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: dataStoreDocument.schema,
  read(body, purpose, unknown) {
    const { _default: isDefault, ...draft } = dataStoreDocument.read(body, purpose, unknown);
    return { ...draft, ...(isDefault === undefined ? {} : { isDefault }) };
  },
};

/** The document of a store; its page also lists the published feature types. */
export const dataStorePage = createStorePage(dataStoreDocument, { collection: 'featuretypes', title: 'Feature types' });

export const dataStoreListing = createStoreListing<DataStoreView>({
  itemName: 'dataStore',
  title: 'Data stores',
  showsType: true,
});

/** Sorted by key for a stable output. */
function sortParameters(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
}
