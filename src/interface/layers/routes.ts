/** Routes for layers. */
import { addLayerStyle, changeLayer } from '../../catalog/layers/change-layer.ts';
import { deleteLayer, findLayer, type LayerLocator, layerExists, type Viewer } from '../../catalog/layers/layers.ts';
import {
  addLayerDetails,
  addTitles,
  type ListedLayer,
  listLayers,
  listPagedLayers,
  readTitles,
} from '../../catalog/layers/list-layers.ts';
import type { Entries } from '../../http/documents/listing.ts';
import { createFlagParameter } from '../../http/request/query.ts';
import type { ListResult } from '../../http/route-table/lists.ts';
import type { PageQuery } from '../../http/routes/paging.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { anonymous, WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { type Page, selectPage } from '../../lib/text/page.ts';
import type { Catalog } from '../../records/catalog.ts';
import { keepWhileUnchanged } from '../../records/keep-while-unchanged.ts';
import { allPermissions } from '../../security/access-rules/access.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { getStylePath } from '../styles/representation.ts';
import {
  chosenStyleDocument,
  createLayerDocument,
  createLayerPage,
  layerListing,
  layerStyleListing,
  workspaceLayerListing,
} from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const unknownWorkspace = ['workspace-unknown', 'no-default-workspace'] as const;
const unknown = [...unknownWorkspace, 'layer-unknown'] as const;
const recurse = createFlagParameter('Also remove it from the layer groups that contain it, and delete its resource.');
const details = createFlagParameter(
  'Also return title, type, store, default style, state and access of each layer; requires limit.',
);

// Some clients require the path, also of layers that have none.
const oneLayer = createLayerDocument('/');

export function layerRoutes(): RouteTable<Services> {
  const readKeptTitles = keepWhileUnchanged(readTitles);
  const kept: KeptLayers = {
    readTitles: readKeptTitles,
    listPaged: keepWhileUnchanged(async (catalog) =>
      addTitles(await readKeptTitles(catalog), await listPagedLayers(catalog)),
    ),
  };
  return family(
    'Layers',
    {
      description: 'Published data with the styles for maps.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { layer: ({ catalog }, params) => layerExists(catalog, readLayerParams(params)) },
    },
    [
      list('/layers', 'List all layers', { returns: layerListing, query: { details }, role }, (call, page) =>
        listLayerPage(call, { kept, page }),
      ),
      list(
        '/workspaces/:workspace/layers',
        'List the layers of a workspace',
        { returns: workspaceLayerListing, query: { details }, role, problems: unknownWorkspace },
        (call, page) => listLayerPage(call, { workspace: call.params.workspace, kept, page }),
      ),
      ...(['/layers/:layer', '/workspaces/:workspace/layers/:layer'] as const).flatMap((path) => [
        get(
          path,
          'Read a layer',
          { returns: createLayerPage(oneLayer), versioned: true, role, problems: unknown },
          async (call) => {
            const viewer = await loadViewer(call);
            const view = await findLayer(call.services.catalog, readLayerParams(call.params), viewer);
            if (call.format !== 'html') return { resource: view, version: view.version };
            const place = { workspace: view.workspace.name, layer: view.layer.name };
            // The map depends on access rules, whose changes do not affect the version of the layer.
            return { resource: { ...view, isSeen: viewer.permissions.decide(place, 'read') === 'allow' } };
          },
        ),
        put(
          path,
          'Change the styles and settings of a layer',
          { accepts: oneLayer, role, problems: [...unknown, 'style-unknown', 'layer-resource-fixed'] },
          async (call) => {
            const { body, precondition, params, services } = call;
            return changeLayer(services.catalog, readLayerParams(params), await loadViewer(call), {
              draft: body,
              precondition,
            });
          },
        ),
        list(
          `${path}/styles` as const,
          'List the alternative styles of a layer',
          { returns: layerStyleListing, role, problems: unknown },
          async (call, page) => {
            const view = await findLayer(call.services.catalog, readLayerParams(call.params), await loadViewer(call));
            return { entries: selectPage(view.styles, layerStyleListing.getName, page) };
          },
        ),
        post(
          `${path}/styles` as const,
          'Add an existing style to a layer',
          {
            accepts: chosenStyleDocument,
            query: { default: createFlagParameter('Make it the default style of the layer.') },
            role,
            problems: [...unknown, 'style-unknown'],
          },
          async (call) => {
            const { body, query, params, services } = call;
            const { name, workspace } = await addLayerStyle(
              services.catalog,
              readLayerParams(params),
              await loadViewer(call),
              {
                choice: { name: body.name ?? '', ...(body.workspace == null ? {} : { workspace: body.workspace }) },
                asDefault: query.default,
              },
            );
            return { location: getStylePath(name, workspace), text: name };
          },
        ),
        del(
          path,
          'Delete a layer',
          { query: { recurse }, role, problems: [...unknown, 'layer-in-use'] },
          async (call) => {
            const { query, precondition, params, services } = call;
            await deleteLayer(services.catalog, readLayerParams(params), await loadViewer(call), {
              recurse: query.recurse,
              precondition,
            });
          },
        ),
      ]),
    ],
  );
}

/** Reading 100,000 names or titles for each page or each searched letter would take most of its time. */
interface KeptLayers {
  readonly readTitles: (catalog: Catalog) => Promise<ReadonlyMap<string, string>>;
  /** For administrators, whom no rule limits; with titles. */
  readonly listPaged: (catalog: Catalog) => Promise<readonly ListedLayer[]>;
}

/** Titles are read only if they are searched, details only for the entries of the page. */
async function listLayerPage(
  call: Call<Services, unknown, { readonly details: boolean }>,
  { workspace, kept, page }: { readonly workspace?: string; readonly kept: KeptLayers; readonly page: Page },
): Promise<ListResult<ListedLayer, Entries<ListedLayer>>> {
  const { catalog, access } = call.services;
  const { limit, offset, q } = call.query as typeof call.query & PageQuery;
  if (call.query.details && limit === null) {
    throw problem('query-invalid', { parameter: 'details', value: 'true', expected: 'true with limit' });
  }
  const viewer = await loadViewer(call);
  const isJump = limit !== null && (offset !== null || q !== null);
  const isKept = isJump && workspace === undefined && viewer.permissions === allPermissions;
  const layers = isKept
    ? (await kept.listPaged(catalog)).slice(0, page.limit)
    : await listLayers(catalog, workspace, viewer, page);
  return {
    entries: isKept || q === null ? layers : await addTitles(await kept.readTitles(catalog), layers),
    ...(call.query.details
      ? {
          complete: async (entries) => {
            const visitors = await access.getPermissions(anonymous);
            return addLayerDetails(catalog, entries, { permissions: viewer.permissions, visitors });
          },
        }
      : {}),
  };
}

function readLayerParams(params: { readonly workspace?: string; readonly layer?: string }): LayerLocator {
  const { workspace, layer: name = '' } = params;
  return workspace === undefined ? { name } : { name, workspace };
}

async function loadViewer({ services, principal }: Pick<Call<Services>, 'services' | 'principal'>): Promise<Viewer> {
  return { principal, permissions: await services.access.getPermissions(principal) };
}
