/** Coverage stores as documents. */

import type { CoverageStoreDraft, CoverageStoreView } from '../../catalog/coverage-stores/coverage-stores.ts';
import { getStoreUrl } from '../../catalog/kinds/coverage-store.ts';
import { type DocumentReader, defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import { getStorePath } from '../resources/representation.ts';
import { createStorePage } from '../resources/store-page.ts';

const { text, flag, map, reference, timestamp, collectionLink } = createFieldBuilders<CoverageStoreView>();

export const coverageStoreDocument = defineDocument(
  'coverageStore',
  {
    name: text(({ store }) => store.name, { required: true, description: 'Unique among the stores of the workspace.' }),
    description: text(({ store }) => store.description ?? undefined),
    type: text(({ store }) => store.type, {
      description: 'GeoTIFF, WorldImage, NetCDF or ImageMosaic; without it, the ending of the url decides.',
      example: 'GeoTIFF',
    }),
    enabled: flag(({ store }) => store.enabled, { example: true }),
    workspace: reference(({ workspace }) => ({ name: workspace.name, path: ['workspaces', workspace.name] })),
    metadata: map(({ store }) => store.metadata),
    _default: { ...flag(() => false), read: () => undefined },
    dateCreated: timestamp(({ store }) => store.createdAtMs),
    dateModified: timestamp(({ store }) => (store.modifiedAtMs === store.createdAtMs ? undefined : store.modifiedAtMs)),
    disableOnConnFailure: flag(({ store }) => store.disableOnConnFailure),
    url: text(({ store }) => getStoreUrl(store), {
      description: 'Where its file is: below the data directory, or elsewhere on the server.',
      example: 'file:data/relief.tif',
    }),
    coverages: collectionLink((view) => [...getStorePath(view), 'coverages']),
  },
  { title: ({ store }) => `Coverage store ${store.name}` },
);

export const coverageStoreInput: DocumentReader<CoverageStoreDraft> = coverageStoreDocument;

/** The document of a store; on its page, what is published of it is listed as well. */
export const coverageStorePage = createStorePage(coverageStoreDocument, {
  collection: 'coverages',
  title: 'Coverages',
});

export const coverageStoreListing = createListWriter<CoverageStoreView>('coverageStores', {
  itemName: 'coverageStore',
  title: 'Coverage stores',
  name: ({ store }) => store.name,
  path: getStorePath,
  note: ({ store }) => store.type,
});
