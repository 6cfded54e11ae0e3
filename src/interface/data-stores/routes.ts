/** Routes for data stores. */

import { resetStore } from '../../catalog/feature-types/refresh-feature-types.ts';
import { featureTypeKind } from '../../catalog/kinds/feature-type.ts';
import { changeDataStore } from '../../catalog/stores/change-data-store.ts';
import {
  createDataStore,
  dataStoreExists,
  deleteDataStore,
  findDataStore,
  listDataStores,
} from '../../catalog/stores/data-stores.ts';
import { createFlagParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { connectParameter } from '../common/connect-parameter.ts';
import { dataProblems } from '../common/data-problems.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, del, family, get, list, post, put, type Services } from '../common/services.ts';
import { FETCHED_ITEMS } from '../common/short-list.ts';
import { getStorePath } from '../resources/representation.ts';
import { storeDetailsParameter, toListedStores } from '../resources/store-listing.ts';
import { storeContents } from './contents.ts';
import { dataStoreInput, dataStoreListing, dataStorePage } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const collection = '/workspaces/:workspace/datastores';
const one = '/workspaces/:workspace/datastores/:store';

/** Clients send arbitrary values; unknown ones purge nothing. */
const purge: QueryParameter<'none' | 'all'> = {
  description:
    'With all, uploaded bytes that no other store uses are deleted immediately, with those of earlier uploads. Otherwise they stay as long as the history refers to them. Files of the server and tables of databases always stay. Any other value means none.',
  schema: { type: 'string', enum: ['none', 'all'] },
  expected: 'none or all',
  parse: (value) => (value.trim().toLowerCase() === 'all' ? 'all' : 'none'),
  absent: 'none',
};

const unknown = ['workspace-unknown', 'no-default-workspace', 'store-unknown', 'no-default-store'] as const;
const wrong = [
  'name-illegal',
  'store-exists',
  'workspace-mismatch',
  'database-host-refused',
  'store-connection-failed',
  ...dataProblems,
] as const;

export function dataStoreRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Data stores',
    {
      description: 'Connections to vector data: shapefiles, folders of shapefiles, and spatial databases.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: {
        store: ({ catalog }, { workspace = '', store = '' }) => dataStoreExists(catalog, workspace, store),
      },
    },
    [...createCollectionRows(dialect), ...itemRows],
  );
}

function createCollectionRows(dialect: Dialect) {
  return [
    list(
      collection,
      'List the data stores of a workspace',
      {
        returns: dataStoreListing,
        query: { details: storeDetailsParameter },
        role,
        problems: ['workspace-unknown', 'no-default-workspace'],
      },
      async ({ services, params, query }, page) => ({
        entries: toListedStores(await listDataStores(services.catalog, params.workspace, page), query),
      }),
    ),

    post(
      collection,
      'Create a data store',
      {
        accepts: dataStoreInput,
        query: { validate: connectParameter },
        returns: storeContents,
        role,
        problems: ['workspace-unknown', 'no-default-workspace', ...wrong],
      },
      async ({ services, principal, params, body, query, isStrict }) => {
        const draft = dialect.createdEnabled === 'always' ? { ...body, enabled: true } : body;
        const view = await createDataStore(services.catalog, principal, params.workspace, {
          draft,
          parameters: services.vectorData,
          connect: query.validate,
          isStrict,
        });
        const { contents } = view;
        return {
          location: getStorePath(view),
          text: view.store.name,
          warnings: view.warnings,
          // Other replies are the plain name, as clients expect.
          ...(contents !== undefined && services.catalog.isDryRun ? { resource: contents } : {}),
        };
      },
    ),
  ];
}

const itemRows = [
  get(
    one,
    'Read a data store',
    { returns: dataStorePage, versioned: true, role, problems: unknown },
    async ({ services, params, format }) => {
      const { catalog } = services;
      const view = await findDataStore(catalog, params.workspace, params.store);
      if (format !== 'html') {
        return { resource: { view }, version: view.version };
      }
      // The page also lists the contents of the store, which have their own versions.
      const first = await catalog.list(featureTypeKind, view.store.id, { limit: FETCHED_ITEMS });
      return { resource: { view, contents: first.map(({ name }) => name) } };
    },
  ),

  put(
    one,
    'Change, rename or move a data store',
    {
      accepts: dataStoreInput,
      query: { validate: connectParameter },
      role,
      problems: [
        ...unknown,
        ...wrong,
        'name-emptied',
        'feature-type-exists',
        'coverage-exists',
        'cascaded-layer-exists',
        'layer-group-exists',
        'layer-in-use',
        'layer-rule-exists',
      ],
    },
    async ({ services, principal, params, body, query, precondition, isStrict }) => {
      const permissions = await services.access.getPermissions(principal);
      return changeDataStore(services.catalog, principal, params, {
        draft: body,
        parameters: services.vectorData,
        connect: query.validate,
        isStrict,
        precondition,
        mayEnter: permissions.administers,
      });
    },
  ),

  del(
    one,
    'Delete a data store',
    {
      query: { recurse: createFlagParameter('Also delete its feature types and their layers.'), purge },
      role,
      problems: [...unknown, 'store-not-empty'],
    },
    ({ services, principal, params, query, precondition }) =>
      deleteDataStore(services.catalog, principal, params, {
        recurse: query.recurse,
        purge: query.purge === 'all',
        files: services.files,
        precondition,
        release: services.vectorData.reset,
      }),
  ),

  ...(['POST', 'PUT'] as const).map((method) =>
    act(
      `${one}/reset`,
      'Close the connections and files of a data store, and read the metadata of its feature types again',
      { method, role, problems: unknown },
      async ({ services, principal, params }) => {
        const view = await findDataStore(services.catalog, params.workspace, params.store);
        return resetStore(services.catalog, principal, services.vectorData, { view });
      },
    ),
  ),
];
