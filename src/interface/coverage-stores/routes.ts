/** Routes for coverage stores. */

import {
  changeCoverageStore,
  coverageStoreExists,
  createCoverageStore,
  findCoverageStore,
  isMosaicMove,
  listCoverageStores,
} from '../../catalog/coverage-stores/coverage-stores.ts';
import { resetCoverageStore } from '../../catalog/coverages/refresh-coverages.ts';
import { coverageKind } from '../../catalog/kinds/coverage.ts';
import { isMosaicType } from '../../catalog/kinds/mosaic.ts';
import { deleteCoverageStore } from '../../catalog/mosaics/delete-coverage-store.ts';
import { createFlagParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { connectParameter } from '../common/connect-parameter.ts';
import { rasterProblems } from '../common/data-problems.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, del, family, get, list, post, put, type Services } from '../common/services.ts';
import { FETCHED_ITEMS } from '../common/short-list.ts';
import { getStorePath } from '../resources/representation.ts';
import { storeDetailsParameter, toListedStores } from '../resources/store-listing.ts';
import { coverageStoreInput, coverageStoreListing, coverageStorePage } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const collection = '/workspaces/:workspace/coveragestores';
const one = '/workspaces/:workspace/coveragestores/:store';

/** Clients send arbitrary values; unknown ones purge nothing. */
const purge: QueryParameter<'none' | 'metadata' | 'all'> = {
  description:
    'Files to delete with the store: none, metadata or all. The index of a mosaic is always deleted. With all, uploaded bytes that no other store uses and the granules in the folder of a mosaic on the server are deleted immediately; other files of the server stay. Otherwise uploads stay as long as the history refers to them. Any other value means none.',
  schema: { type: 'string', enum: ['none', 'metadata', 'all'] },
  expected: 'none, metadata or all',
  parse: (value) => (['metadata', 'all'] as const).find((word) => word === value.trim().toLowerCase()) ?? 'none',
  absent: 'none',
};

const unknown = ['workspace-unknown', 'no-default-workspace', 'store-unknown'] as const;
const wrong = [
  'name-illegal',
  'store-exists',
  'workspace-mismatch',
  'coverage-store-type-unknown',
  'mosaic-type-fixed',
  'coverage-store-without-url',
  'store-connection-failed',
  ...rasterProblems,
] as const;

/** Problems with the folder of a new mosaic. */
const wrongMosaic = [
  'upload-without-data',
  'archive-refused',
  'archive-too-large',
  'mosaic-definition-invalid',
  'mosaic-empty',
  'mosaic-gone',
  'mosaic-index-unreachable',
  'mosaic-index-store-refused',
  'store-unknown',
  'store-unreachable',
  'store-parameter-invalid',
  'database-host-refused',
  'table-refused',
  'client-gone',
] as const;

/** Problems with a store that is renamed or moved to another workspace. */
const wrongMove = [
  'upload-loses-data',
  'name-emptied',
  'feature-type-exists',
  'coverage-exists',
  'cascaded-layer-exists',
  'layer-group-exists',
  'layer-in-use',
  'layer-rule-exists',
] as const;

export function coverageStoreRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Coverage stores',
    {
      description:
        'Connections to raster data: GeoTIFF files, images with world files, NetCDF files, tile archives with images, and mosaics of them.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: {
        store: ({ catalog }, { workspace = '', store = '' }) => coverageStoreExists(catalog, workspace, store),
      },
    },
    [...readRows, ...createWriteRows(dialect), deleteRow, ...resetRows],
  );
}

const readRows = [
  list(
    collection,
    'List the coverage stores of a workspace',
    {
      returns: coverageStoreListing,
      query: { details: storeDetailsParameter },
      role,
      problems: ['workspace-unknown', 'no-default-workspace'],
    },
    async ({ services, params, query }, page) => ({
      entries: toListedStores(await listCoverageStores(services.catalog, params.workspace, page), query),
    }),
  ),

  get(
    one,
    'Read a coverage store',
    { returns: coverageStorePage, versioned: true, role, problems: unknown },
    async ({ services, params, format }) => {
      const { catalog } = services;
      const view = await findCoverageStore(catalog, params.workspace, params.store);
      if (format !== 'html') {
        return { resource: { view }, version: view.version };
      }
      // The page also lists the contents of the store, which have their own versions.
      const first = await catalog.list(coverageKind, view.store.id, { limit: FETCHED_ITEMS });
      return { resource: { view, contents: first.map(({ name }) => name) } };
    },
  ),
];

function createWriteRows(dialect: Dialect) {
  return [
    post(
      collection,
      'Create a coverage store',
      {
        accepts: coverageStoreInput,
        query: { validate: connectParameter },
        role,
        problems: ['workspace-unknown', 'no-default-workspace', ...wrong, ...wrongMosaic],
      },
      async ({ services, principal, params, body, query, isStrict, signal, unverified }) => {
        const { catalog } = services;
        const view = isMosaicType(body.type)
          ? await (await import('../../catalog/mosaics/mosaic-documents.ts')).createMosaic(
              catalog,
              services.mosaics,
              principal,
              {
                workspace: params.workspace,
                draft: body,
                habits: dialect.coverageHabits,
                isStrict,
                signal: signal(),
                unverified,
              },
            )
          : await createCoverageStore(catalog, principal, params.workspace, {
              draft: body,
              data: services.rasterData,
              connect: query.validate,
            });
        return { location: getStorePath(view), text: view.store.name, warnings: view.warnings };
      },
    ),

    put(
      one,
      'Change, rename or move a coverage store',
      {
        accepts: coverageStoreInput,
        query: { validate: connectParameter },
        role,
        problems: [...unknown, ...wrong, ...wrongMosaic, ...wrongMove],
      },
      async ({ services, principal, params, body, query, precondition, isStrict, signal }) => {
        const { catalog, mosaics, rasterData } = services;
        const mayEnter = (await services.access.getPermissions(principal)).administers;
        if (await isMosaicMove(catalog, params, body)) {
          const reading = { habits: dialect.coverageHabits, isStrict, signal: signal() };
          const { moveMosaic } = await import('../../catalog/mosaics/mosaic-documents.ts');
          return moveMosaic(catalog, mosaics, principal, {
            ...reading,
            place: params,
            draft: body,
            precondition,
            mayEnter,
          });
        }
        return changeCoverageStore(catalog, principal, params, {
          draft: body,
          data: rasterData,
          connect: query.validate,
          precondition,
          mayEnter,
        });
      },
    ),
  ];
}

const deleteRow = del(
  one,
  'Delete a coverage store',
  {
    query: { recurse: createFlagParameter('Also delete its coverages and their layers.'), purge },
    role,
    problems: [...unknown, 'coverage-store-not-empty', 'purge-refused'],
  },
  ({ services, principal, params, query, precondition }) =>
    deleteCoverageStore(services.catalog, services.mosaics, principal, { place: params, ...query, precondition }),
);

const resetRows = (['POST', 'PUT'] as const).map((method) =>
  act(
    `${one}/reset`,
    'Read the metadata of the published coverages again after a file change',
    { method, role, problems: unknown },
    async ({ services, principal, params }) => {
      const view = await findCoverageStore(services.catalog, params.workspace, params.store);
      return resetCoverageStore(services.catalog, principal, services.rasterData, { view });
    },
  ),
);
