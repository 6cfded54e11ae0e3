/** Routes for layer groups. */
import { changeLayerGroup, createLayerGroup } from '../../catalog/layer-groups/change-layer-group.ts';
import {
  deleteLayerGroup,
  findLayerGroup,
  type LayerGroupLocator,
  layerGroupExists,
  listLayerGroups,
} from '../../catalog/layer-groups/layer-groups.ts';
import type { Viewer } from '../../catalog/layers/layers.ts';
import { createFlagParameter } from '../../http/request/query.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { type GlobalFamily, loadWriteRights } from '../common/write-rights.ts';
import { getLayerGroupPath } from './paths.ts';
import { layerGroupInput, layerGroupListing, layerGroupPage, toLayerGroupRepresentation } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const unknownWorkspace = ['workspace-unknown', 'no-default-workspace'] as const;
const unknown = [...unknownWorkspace, 'layer-group-unknown'] as const;
/** Problems with a group that is created or changed. */
const wrongGroup: readonly ProblemCode[] = [
  'name-illegal',
  'layer-group-exists',
  'layer-group-named-as-layer',
  'layer-group-empty',
  'layer-group-part-unknown',
  'layer-group-part-elsewhere',
  'layer-group-styles',
  'layer-group-root',
  'layer-group-global',
  'style-unknown',
  'srs-unknown',
  'workspace-mismatch',
  'layer-group-cycle',
  'name-emptied',
];
const globalGroups: GlobalFamily = {
  collection: 'layergroups',
  createProblem: () => problem('layer-group-global', {}),
};

const GLOBAL = '/layergroups';
const collections = [GLOBAL, '/workspaces/:workspace/layergroups'] as const;
type Collection = (typeof collections)[number];

export function layerGroupRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Layer groups',
    {
      description: 'Layers and other groups that maps show under one name, global or in one workspace.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { layerGroup: ({ catalog }, params) => layerGroupExists(catalog, readLayerGroupParams(params)) },
    },
    collections.flatMap((collection) => [...createReadRows(collection), ...createWriteRows(dialect, collection)]),
  );
}

function createReadRows(collection: Collection) {
  return [
    list(
      collection,
      collection === GLOBAL ? 'List the global layer groups' : 'List the layer groups of a workspace',
      { returns: layerGroupListing, role, problems: collection === GLOBAL ? [] : unknownWorkspace },
      async ({ services, params }, page) => ({
        entries: await listLayerGroups(services.catalog, readWorkspaceParam(params), page),
      }),
    ),

    get(
      `${collection}/:layerGroup` as const,
      'Read a layer group',
      { returns: layerGroupPage, versioned: true, role, problems: unknown },
      async (call) => {
        const view = await findLayerGroup(
          call.services.catalog,
          readLayerGroupParams(call.params),
          await loadViewer(call),
        );
        const resource = await toLayerGroupRepresentation(view);
        // Hidden layers depend on access rules, whose changes do not affect the version of the group.
        return view.isWhole ? { resource, version: view.version } : { resource };
      },
    ),
  ];
}

function createWriteRows(dialect: Dialect, collection: Collection) {
  const one = `${collection}/:layerGroup` as const;
  return [
    post(
      collection,
      collection === GLOBAL ? 'Create a layer group: global, unless it names a workspace' : 'Create a layer group',
      { accepts: layerGroupInput, role, problems: [...unknownWorkspace, ...wrongGroup] },
      async (call) => {
        const { services, params, body } = call;
        const rights = await loadWriteRights(call, globalGroups, body.name ?? '', 'POST');
        const { name, workspace, warnings } = await createLayerGroup(
          services.catalog,
          await loadViewer(call),
          readWorkspaceParam(params),
          { draft: body, checkMayWrite: rights.check },
        );
        const shown = dialect.layerGroupLocation === 'by name alone' ? null : workspace;
        return { location: getLayerGroupPath(name, shown), text: name, warnings };
      },
    ),

    put(
      one,
      'Change or rename a layer group',
      {
        accepts: layerGroupInput,
        role,
        problems: [
          ...unknown,
          ...wrongGroup,
          'layer-group-name-fixed',
          'layer-group-style-in-use',
          'layer-rule-exists',
        ],
      },
      async (call) => {
        const { services, params, body, precondition } = call;
        const place = readLayerGroupParams(params);
        const rights = await loadWriteRights(call, globalGroups, place.name, 'PUT');
        return changeLayerGroup(services.catalog, place, await loadViewer(call), {
          draft: body,
          precondition,
          checkMayWrite: rights.check,
          mayRename: dialect.renamesLayerGroups,
        });
      },
    ),

    del(
      one,
      'Delete a layer group and keep its members',
      {
        query: { recurse: createFlagParameter('Also remove it from the layer groups that contain it.') },
        role,
        problems: [...unknown, 'layer-group-in-use', 'layer-group-global'],
      },
      async (call) => {
        const { services, params, query, precondition } = call;
        const place = readLayerGroupParams(params);
        const rights = await loadWriteRights(call, globalGroups, place.name, 'DELETE');
        await deleteLayerGroup(services.catalog, place, await loadViewer(call), {
          recurse: query.recurse,
          precondition,
          checkMayWrite: rights.check,
        });
      },
    ),
  ];
}

type Params = { readonly workspace?: string; readonly layerGroup?: string };

function readWorkspaceParam(params: unknown): string | undefined {
  return (params as Params).workspace;
}

function readLayerGroupParams({ workspace, layerGroup: name = '' }: Params): LayerGroupLocator {
  return workspace === undefined ? { name } : { name, workspace };
}

async function loadViewer({ services, principal }: Pick<Call<Services>, 'services' | 'principal'>): Promise<Viewer> {
  return { principal, permissions: await services.access.getPermissions(principal) };
}
