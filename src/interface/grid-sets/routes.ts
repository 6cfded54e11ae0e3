/** Routes for grid sets, which are tile matrix sets. They are also served at the path of GeoWebCache. */
import type { GridSetDraft } from '../../catalog/grid-sets/grid-set-draft.ts';
import {
  createGridSet,
  deleteGridSet,
  findGridSet,
  gridSetExists,
  listGridSetNames,
  putGridSet,
} from '../../catalog/grid-sets/grid-sets.ts';
import { toGridSetDraft } from '../../catalog/grid-sets/tile-matrix-set-draft.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { selectPage } from '../../lib/text/page.ts';
import { del, family, get, list, post, putOrCreate, type Services } from '../common/services.ts';
import { type GridSetInput, gridSetDocument, gridSetListing, gridSetReader } from './representation.ts';

export function gridSetRoutes(): RouteTable<Services> {
  return family(
    'Grid sets',
    {
      description:
        'Tile matrix sets: built-in ones and own ones. Each is also at /gwc/rest/gridsets/{gridSet}. TileMatrixSet documents of OGC are accepted too.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { gridSet: ({ catalog }, { gridSet = '' }) => gridSetExists(catalog, gridSet) },
    },
    [
      list('/gridsets', 'List the grid sets', { returns: gridSetListing }, async ({ services }, page) => ({
        entries: selectPage(await listGridSetNames(services.catalog), gridSetListing.getName, page),
      })),

      post(
        '/gridsets',
        'Create a grid set',
        { accepts: gridSetReader, problems: ['name-illegal', 'grid-set-exists'] },
        async ({ services, principal, body }) => {
          const { name } = await createGridSet(services.catalog, principal, await toDraft(body));
          return { location: ['gridsets', name], text: name };
        },
      ),

      get(
        '/gridsets/:gridSet',
        'Read a grid set',
        { returns: gridSetDocument, versioned: true, problems: ['grid-set-unknown'] },
        async ({ services, params }) => {
          const resource = await findGridSet(services.catalog, params.gridSet);
          return { resource, version: resource.version };
        },
      ),

      putOrCreate(
        '/gridsets/:gridSet',
        'Replace or create a grid set',
        { accepts: gridSetReader, problems: ['name-illegal', 'grid-set-built-in', 'grid-set-renamed'] },
        async ({ services, principal, params, body, precondition }) => {
          const draft = await toDraft(body);
          const { isNew } = await putGridSet(services.catalog, principal, params.gridSet, { draft, precondition });
          return { location: ['gridsets', params.gridSet], text: '', status: isNew ? 201 : 200 };
        },
      ),

      del(
        '/gridsets/:gridSet',
        'Delete a grid set',
        { problems: ['grid-set-unknown', 'grid-set-built-in', 'grid-set-in-use'] },
        ({ services, principal, params, precondition }) =>
          deleteGridSet(services.catalog, principal, params.gridSet, precondition),
      ),
    ],
  );
}

async function toDraft(input: GridSetInput): Promise<GridSetDraft> {
  return input.kind === 'gridSet' ? input.draft : toGridSetDraft(input.written);
}
