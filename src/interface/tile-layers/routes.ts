/** Routes for the tile settings of layers and groups. They are also served at the path of GeoWebCache. */
import type { LayerLocator, Viewer } from '../../catalog/layers/layers.ts';
import {
  changeTileLayer,
  findTileLayer,
  listTileLayers,
  resetTileLayer,
  tileLayerExists,
} from '../../catalog/tile-layers/tile-layers.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { selectPage } from '../../lib/text/page.ts';
import { act, del, family, get, list, type Services } from '../common/services.ts';
import { tileLayerDocument, tileLayerListing } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const unknown = ['workspace-unknown', 'no-default-workspace', 'layer-unknown'] as const;

const GLOBAL = '/tilelayers';
const collections = [GLOBAL, '/workspaces/:workspace/tilelayers'] as const;

export function tileLayerRoutes(): RouteTable<Services> {
  return family(
    'Tile settings',
    {
      description:
        'Formats, grid sets, lifetimes and parameter filters of the tiles of layers and groups. Also at /gwc/rest/layers. The settings of WMTS contain the defaults.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { tileLayer: ({ catalog }, params) => tileLayerExists(catalog, readParams(params)) },
    },
    collections.flatMap((collection) => createRows(collection)),
  );
}

function createRows(collection: (typeof collections)[number]) {
  const one = `${collection}/:tileLayer` as const;
  const accepts = tileLayerDocument;
  const problems = [...unknown, 'tile-layer-renamed'] as const;
  return [
    list(
      collection,
      'List the layers and groups with their own tile settings',
      {
        returns: tileLayerListing,
        role,
        problems: collection === GLOBAL ? [] : ['workspace-unknown', 'no-default-workspace'],
      },
      async (call, page) => {
        const { workspace } = call.params as { readonly workspace?: string };
        const entries = await listTileLayers(call.services.catalog, workspace, await loadViewer(call));
        return { entries: selectPage(entries, tileLayerListing.getName, page) };
      },
    ),

    get(
      one,
      'Read tile settings',
      { returns: tileLayerDocument, versioned: true, role, problems: unknown },
      async (call) => {
        const resource = await findTileLayer(call.services.catalog, readParams(call.params), await loadViewer(call));
        return { resource, version: resource.version };
      },
    ),

    act(
      one,
      'Replace tile settings; absent fields get their default',
      { method: 'PUT', accepts, role, versioned: true, problems },
      (call) => change(call, 'replace'),
    ),

    act(
      one,
      'Change tile settings; absent fields are unchanged',
      { accepts, role, versioned: true, problems },
      (call) => change(call, 'merge'),
    ),

    del(one, 'Restore the default tile settings, and delete all tiles', { role, problems: unknown }, async (call) => {
      const { services, params, precondition } = call;
      const map = await resetTileLayer(services.catalog, readParams(params), await loadViewer(call), precondition);
      await services.tileCache.invalidate({ map });
    }),
  ];
}

type Draft = ReturnType<typeof tileLayerDocument.read>;

async function change(call: Call<Services, object, object, Draft>, way: 'merge' | 'replace') {
  const { services, params, body: draft, precondition } = call;
  return changeTileLayer(services.catalog, readParams(params), await loadViewer(call), { draft, way, precondition });
}

function readParams(params: { readonly workspace?: string; readonly tileLayer?: string }): LayerLocator {
  const { workspace, tileLayer: name = '' } = params;
  return workspace === undefined ? { name } : { name, workspace };
}

async function loadViewer({ services, principal }: Pick<Call<Services>, 'services' | 'principal'>): Promise<Viewer> {
  return { principal, permissions: await services.access.getPermissions(principal) };
}
