/** Routes for cascaded stores of remote map servers and their published layers. */

import type { CascadedService } from '../../cascade/capabilities.ts';
import {
  type CascadedLayerLocator,
  cascadedLayerExists,
  changeCascadedLayer,
  createCascadedLayer,
  deleteCascadedLayer,
  findCascadedLayer,
  listAvailableLayers,
  listCascadedLayers,
} from '../../catalog/cascaded/cascaded-layers.ts';
import {
  cascadedStoreExists,
  changeCascadedStore,
  createCascadedStore,
  deleteCascadedStore,
  findCascadedStore,
  listCascadedStores,
} from '../../catalog/cascaded/cascaded-stores.ts';
import { createFlagParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { Page } from '../../lib/text/page.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { createListParameter, type ListedResources, toNativeList, toPublishedList } from '../resources/listing.ts';
import { getStorePath } from '../resources/representation.ts';
import { storeDetailsParameter, toListedStores } from '../resources/store-listing.ts';
import { cascadedLayerDocuments, getCascadedLayerPath, toCascadedLayerRepresentation } from './layer-representation.ts';
import { cascadedStoreDocuments } from './store-representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const unknownWorkspace = ['workspace-unknown', 'no-default-workspace'] as const;
const unknownStore = [...unknownWorkspace, 'store-unknown'] as const;
const wrongStore = [
  'name-illegal',
  'store-exists',
  'workspace-mismatch',
  'cascaded-store-without-url',
  'cascaded-store-invalid',
  'url-refused',
] as const;

/** Problems that a request to a remote server can cause. */
const remoteProblems: readonly ProblemCode[] = [
  'store-disabled',
  'store-unreachable',
  'url-refused',
  'work-too-large',
  'work-too-slow',
  'work-refused',
];
const unknownLayer = [...unknownStore, 'cascaded-layer-unknown'] as const;
const wrongLayer = [
  'name-illegal',
  'workspace-mismatch',
  'feature-type-exists',
  'coverage-exists',
  'cascaded-layer-exists',
  'layer-group-exists',
  'remote-layer-unknown',
  'srs-unknown',
  ...remoteProblems,
] as const;

const paths = {
  WMS: { stores: 'wmsstores', inStore: 'wmslayers', inWorkspace: 'wmslayers' },
  WMTS: { stores: 'wmtsstores', inStore: 'layers', inWorkspace: 'wmtslayers' },
} as const;

type ListChoice = 'configured' | 'available';

const listParameter = createListParameter(['available']);

export function cascadedStoreRoutes(service: CascadedService): RouteTable<Services> {
  const documents = cascadedStoreDocuments[service];
  const { writer, reader } = documents;
  const collection = `/workspaces/:workspace/${paths[service].stores}` as const;
  const one = `${collection}/:store` as const;
  return family(
    `${service} stores`,
    {
      description: `Connections to remote ${service} servers whose layers are published here.`,
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: {
        store: ({ catalog }, { workspace = '', store = '' }) =>
          cascadedStoreExists(catalog, { service, workspace, store }),
      },
    },
    [
      list(
        collection,
        `List the ${service} stores of a workspace`,
        { returns: documents.list, query: { details: storeDetailsParameter }, role, problems: unknownWorkspace },
        async ({ services, params, query }, page) => ({
          entries: toListedStores(await listCascadedStores(services.catalog, service, params.workspace, page), query),
        }),
      ),

      post(
        collection,
        `Create a ${service} store`,
        { accepts: reader, role, problems: [...unknownWorkspace, ...wrongStore] },
        async ({ services, principal, params, body }) => {
          const place = { service, workspace: params.workspace };
          const created = await createCascadedStore(services.catalog, principal, place, {
            draft: body,
            servers: services.remoteServers,
          });
          return { location: getStorePath(created.view), text: created.view.store.name, warnings: created.warnings };
        },
      ),

      get(
        one,
        `Read a ${service} store`,
        { returns: writer, versioned: true, role, problems: unknownStore },
        async ({ services, params }) => {
          const view = await findCascadedStore(services.catalog, { service, ...params });
          return { resource: view, version: view.version };
        },
      ),

      put(
        one,
        `Change, rename or move a ${service} store`,
        {
          accepts: reader,
          role,
          problems: [
            ...unknownStore,
            ...wrongStore,
            'name-emptied',
            'feature-type-exists',
            'coverage-exists',
            'cascaded-layer-exists',
            'layer-group-exists',
            'layer-in-use',
            'layer-rule-exists',
          ],
        },
        async ({ services, principal, params, body, precondition }) => {
          const permissions = await services.access.getPermissions(principal);
          return changeCascadedStore(
            services.catalog,
            principal,
            { service, ...params },
            { draft: body, servers: services.remoteServers, precondition, mayEnter: permissions.administers },
          );
        },
      ),

      del(
        one,
        `Delete a ${service} store`,
        {
          query: { recurse: createFlagParameter('Also delete the layers published from the store.') },
          role,
          problems: [...unknownStore, 'cascaded-store-not-empty'],
        },
        ({ services, principal, params, query, precondition }) =>
          deleteCascadedStore(
            services.catalog,
            principal,
            { service, ...params },
            { recurse: query.recurse, precondition },
          ),
      ),
    ],
  );
}

export function cascadedLayerRoutes(service: CascadedService): RouteTable<Services> {
  const { stores, inStore, inWorkspace } = paths[service];
  const collections = [
    `/workspaces/:workspace/${stores}/:store/${inStore}`,
    `/workspaces/:workspace/${inWorkspace}`,
  ] as const;
  return family(
    `${service} layers`,
    {
      description: `Published layers of remote ${service} servers, with their metadata.`,
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: {
        cascaded: ({ catalog }, { cascaded = '', ...place }) =>
          cascadedLayerExists(catalog, readLayerParams(service, place), cascaded),
      },
    },
    collections.flatMap((collection) => createLayerRoutes(service, collection)),
  );
}

function createLayerRoutes(service: CascadedService, collection: `/workspaces/:workspace/${string}`) {
  const documents = cascadedLayerDocuments[service];
  const { writer, reader } = documents;
  const one = `${collection}/:cascaded` as const;
  return [
    list(
      collection,
      `List ${service} layers, or the layer names of the remote server`,
      { returns: documents.list, query: { list: listParameter }, role, problems: [...unknownStore, ...remoteProblems] },
      ({ services, params, query }, page) => listByChoice(services, readLayerParams(service, params), query.list, page),
    ),

    post(
      collection,
      `Publish a layer of a remote ${service} server; omitted metadata is copied from there`,
      { accepts: reader, role, problems: [...unknownStore, 'cascaded-layer-without-store', ...wrongLayer] },
      async ({ services, principal, params, body, unverified }) => {
        const place = readLayerParams(service, params);
        // Without a store in the path, the document must name one.
        const store = place.store ?? body.store?.split(':').at(-1);
        if (store === undefined) {
          throw problem('cascaded-layer-without-store', { field: `${service.toLowerCase()}Layer.store` });
        }
        const view = await createCascadedLayer(
          services.catalog,
          principal,
          { ...place, store },
          { draft: body, servers: selectServers(services, unverified), unverified },
        );
        return { location: getCascadedLayerPath(view), text: view.layer.name };
      },
    ),

    get(
      one,
      `Read a ${service} layer`,
      { returns: writer, versioned: true, role, problems: unknownLayer },
      async ({ services, params }) => {
        const view = await findCascadedLayer(services.catalog, readLayerParams(service, params), readLayerName(params));
        return { resource: await toCascadedLayerRepresentation(view), version: view.version };
      },
    ),

    put(
      one,
      `Change or rename a ${service} layer`,
      { accepts: reader, role, problems: [...unknownLayer, 'name-emptied', 'layer-rule-exists', ...wrongLayer] },
      ({ services, principal, params, body, precondition, unverified }) =>
        changeCascadedLayer(
          services.catalog,
          principal,
          { ...readLayerParams(service, params), name: readLayerName(params) },
          {
            draft: body,
            servers: selectServers(services, unverified),
            precondition,
            unverified,
          },
        ),
    ),

    del(
      one,
      `Stop publishing a ${service} layer`,
      {
        query: { recurse: createFlagParameter('Also delete the layer.') },
        role,
        problems: [...unknownLayer, 'cascaded-layer-in-use'],
      },
      ({ services, principal, params, query, precondition }) =>
        deleteCascadedLayer(
          services.catalog,
          principal,
          { ...readLayerParams(service, params), name: readLayerName(params) },
          { recurse: query.recurse, precondition },
        ),
    ),
  ];
}

/** Accepted failures must not disable a store. */
function selectServers({ remoteServers }: Services, unverified: unknown): Services['remoteServers'] {
  return unverified === undefined ? remoteServers : remoteServers.toDryRun();
}

interface Params {
  readonly workspace?: string;
  readonly store?: string;
  readonly cascaded?: string;
}

/** Half of the paths contain a store. */
function readLayerParams(service: CascadedService, { workspace = '', store }: Params): CascadedLayerLocator {
  return store === undefined ? { service, workspace } : { service, workspace, store };
}

function readLayerName({ cascaded = '' }: Params): string {
  return cascaded;
}

async function listByChoice(
  services: Services,
  place: CascadedLayerLocator,
  choice: ListChoice,
  page: Page,
): Promise<ListedResources> {
  const { catalog, remoteServers } = services;
  return choice === 'available'
    ? toNativeList(await listAvailableLayers(catalog, place, remoteServers), page)
    : toPublishedList(await listCascadedLayers(catalog, place, page), paths[place.service]);
}
