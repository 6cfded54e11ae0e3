/** Data stores as documents. */

import type { DataStoreDraft, DataStoreView } from '../../catalog/stores/data-stores.ts';
import { type DocumentReader, defineDocument, SMALL_DOCUMENT_BYTES } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import { getStorePath } from '../resources/representation.ts';
import { createStorePage } from '../resources/store-page.ts';

const { text, serverText, flag, map, reference, timestamp, collectionLink } = createFieldBuilders<DataStoreView>();

export const dataStoreDocument = defineDocument(
  'dataStore',
  {
    name: text(({ store }) => store.name, { required: true, description: 'Unique among the stores of the workspace.' }),
    description: text(({ store }) => store.description ?? undefined),
    type: serverText(({ store }) => store.type, { description: 'What the connection parameters mean.' }),
    enabled: flag(({ store }) => store.enabled, { example: true }),
    workspace: reference(({ workspace }) => ({ name: workspace.name, path: ['workspaces', workspace.name] })),
    connectionParameters: map(
      ({ store, workspace }) => sortParameters({ ...store.parameters, namespace: workspace.uri }),
      {
        required: true,
        description: 'How to reach the data. A password is never shown, and kept when not sent.',
        example: { dbtype: 'postgis', host: 'localhost', database: 'roads', user: 'roads' },
      },
    ),
    metadata: map(({ store }) => store.metadata),
    _default: flag(({ store }) => store.isDefault, { description: 'Whether it was made the default store.' }),
    dateCreated: timestamp(({ store }) => store.createdAtMs),
    dateModified: timestamp(({ store }) => (store.modifiedAtMs === store.createdAtMs ? undefined : store.modifiedAtMs)),
    disableOnConnFailure: flag(({ store }) => store.disableOnConnFailure),
    featureTypes: collectionLink((view) => [...getStorePath(view), 'featuretypes']),
  },
  { title: ({ store }) => `Data store ${store.name}` },
);

/** The same document read into the words of the catalog. */
export const dataStoreInput: DocumentReader<DataStoreDraft> = {
  root: dataStoreDocument.root,
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: dataStoreDocument.schema,
  read(body, purpose, unknown) {
    const { _default: isDefault, ...draft } = dataStoreDocument.read(body, purpose, unknown);
    return { ...draft, ...(isDefault === undefined ? {} : { isDefault }) };
  },
};

/** The document of a store; on its page, what is published of it is listed as well. */
export const dataStorePage = createStorePage(dataStoreDocument, { collection: 'featuretypes', title: 'Feature types' });

export const dataStoreListing = createListWriter<DataStoreView>('dataStores', {
  itemName: 'dataStore',
  title: 'Data stores',
  name: ({ store }) => store.name,
  path: getStorePath,
  note: ({ store }) => store.type,
});

/** By key, so that the same parameters always look the same. */
function sortParameters(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
}
