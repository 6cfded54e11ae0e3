/** The documents for coverage stores. */

import type { CoverageStoreDraft, CoverageStoreView } from '../../catalog/coverage-stores/coverage-stores.ts';
import { getStoreUrl } from '../../catalog/kinds/coverage-store.ts';
import { type DocumentReader, defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { getStorePath } from '../resources/representation.ts';
import { createStoreListing } from '../resources/store-listing.ts';
import { createStorePage } from '../resources/store-page.ts';

const { text, flag, map, reference, timestamp, collectionLink } = createFieldBuilders<CoverageStoreView>();

export const coverageStoreDocument = defineDocument(
  'coverageStore',
  {
    name: text(({ store }) => store.name, {
      required: true,
      description: 'Must be unique among the stores of the workspace.',
    }),
    description: text(({ store }) => store.description ?? undefined),
    type: text(({ store }) => store.type, {
      description:
        'GeoTIFF, WorldImage, NetCDF, MBTiles, PMTiles or ImageMosaic; default: derived from the extension of the url.',
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
      description:
        'Location of the file: below the data directory, elsewhere on the server, or, for cloud-optimised GeoTIFF files, the https URL of another server, which a URL check must allow.',
      example: 'file:data/relief.tif',
    }),
    coverages: collectionLink((view) => [...getStorePath(view), 'coverages']),
  },
  { title: ({ store }) => `Coverage store ${store.name}` },
);

export const coverageStoreInput: DocumentReader<CoverageStoreDraft> = coverageStoreDocument;

/** The document of a store; its page also lists the published coverages. */
export const coverageStorePage = createStorePage(coverageStoreDocument, {
  collection: 'coverages',
  title: 'Coverages',
});

export const coverageStoreListing = createStoreListing<CoverageStoreView>({
  itemName: 'coverageStore',
  title: 'Coverage stores',
  showsType: true,
});
