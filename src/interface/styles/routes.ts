/** Routes for styles. */
import type { ListedLayer } from '../../catalog/layers/list-layers.ts';
import { listLayersByStyle } from '../../catalog/layers/style-references.ts';
import { changeStyleEntry } from '../../catalog/styles/change-style.ts';
import { createStyleEntry } from '../../catalog/styles/create-style.ts';
import { deleteStyle } from '../../catalog/styles/delete-style.ts';
import { addStyleDetails } from '../../catalog/styles/style-details.ts';
import { changeStyleFromBody, createStyleFromBody } from '../../catalog/styles/style-services.ts';
import {
  findStyle,
  listStyles,
  type StyleLocator,
  type StyleView,
  styleExists,
} from '../../catalog/styles/style-view.ts';
import type { StyledLayerOptions } from '../../catalog/styles/styled-layers.ts';
import { createFlagParameter, createIntegerParameter, createTextParameter } from '../../http/request/query.ts';
import type { PageQuery } from '../../http/routes/paging.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { type Principal, WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, get, list, post, put, type Services } from '../common/services.ts';
import { FETCHED_ITEMS } from '../common/short-list.ts';
import { type GlobalFamily, loadWriteRights } from '../common/write-rights.ts';
import { readStyleSource, renderStyle, styleContent, styleRenditions } from './renditions.ts';
import { getStylePath, styleInput, styleListing, stylePage } from './representation.ts';
import { demandingWork, globalOnly, unknownWorkspace, wrongContent, wrongEntry } from './style-problems.ts';

/** Maximum width and height of one sample in pixels. */
const MAX_SAMPLE_PIXELS = 1_024;

const role = WORKSPACE_ADMINISTRATOR;

/** Default size of a legend sample in pixels. */
const SAMPLE_PIXELS = 20;

/** More layers than this are not listed for each style. */
const LISTED_LAYERS = 20;

const details = createFlagParameter(
  `Also return format and users of each style (at most ${LISTED_LAYERS} layers); requires limit.`,
);
const raw = createFlagParameter('Store the content without validation; only a DOCTYPE is rejected.');
const sampleQuery = {
  width: createIntegerParameter(`Width of a sample in pixels; default: ${SAMPLE_PIXELS}.`, 1, MAX_SAMPLE_PIXELS),
  height: createIntegerParameter(`Height of a sample in pixels; default: ${SAMPLE_PIXELS}.`, 1, MAX_SAMPLE_PIXELS),
};

const globalStyles: GlobalFamily = { collection: 'styles', createProblem: () => problem('style-global', {}) };

const GLOBAL = '/styles';
const collections = [GLOBAL, '/workspaces/:workspace/styles'] as const;
type Collection = (typeof collections)[number];

export function styleRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Styles',
    {
      description:
        'SLD, CSS, YSLD and MapLibre style documents that define how layers are drawn, with their images, global or in one workspace.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: { style: ({ catalog }, params) => styleExists(catalog, readStyleParams(params)) },
    },
    collections.flatMap((collection) => [
      ...createReadRows(collection),
      createPostRow(dialect, collection),
      createPutRow(dialect, collection),
      createDeleteRow(dialect, collection),
    ]),
  );
}

function createReadRows(collection: Collection) {
  const isGlobal = collection === GLOBAL;
  return [
    list(
      collection,
      isGlobal ? 'List the global styles' : 'List the styles of a workspace',
      { returns: styleListing, query: { details }, role, problems: isGlobal ? [] : unknownWorkspace },
      async ({ services, principal, params, query }, page) => {
        const { limit } = query as typeof query & PageQuery;
        if (query.details && limit === null) {
          throw problem('query-invalid', { parameter: 'details', value: 'true', expected: 'true with limit' });
        }
        const entries = await listStyles(services.catalog, readWorkspaceParam(params), page);
        if (!query.details) return { entries };
        const permissions = await services.access.getPermissions(principal);
        return {
          entries,
          complete: (shown) => addStyleDetails(services.catalog, permissions, shown, LISTED_LAYERS),
        };
      },
    ),

    get(
      `${collection}/:style` as const,
      isGlobal ? 'Read a global style' : 'Read a style of a workspace',
      {
        returns: stylePage,
        versioned: true,
        renditions: styleRenditions,
        query: sampleQuery,
        role,
        problems: [
          ...unknownWorkspace,
          'style-unknown',
          'style-content-missing',
          'style-content-purged',
          'style-content-lost',
          'style-unreadable',
          'style-not-convertible',
          'style-package-too-large',
          'style-language-not-written',
          ...demandingWork,
        ],
      },
      async ({ services, principal, params, rendition, format, query }) => {
        const view = await findStyle(services.catalog, readStyleParams(params));
        const { version } = view;
        if (rendition !== undefined) {
          const size = { width: query.width ?? SAMPLE_PIXELS, height: query.height ?? SAMPLE_PIXELS };
          return {
            file: await renderStyle(services, view, rendition, size),
            version,
          };
        }
        if (format !== 'html') {
          return { resource: { view }, version };
        }
        // The page also lists the layers that use the style, which have their own versions.
        const layers = await listVisibleLayers(services, principal, view);
        return { resource: { view, page: { source: await readStyleSource(services.styles, view), layers } } };
      },
    ),
  ];
}

function createPostRow(dialect: Dialect, collection: Collection) {
  const isGlobal = collection === GLOBAL;
  return post(
    collection,
    isGlobal ? 'Create a global style' : 'Create a style in a workspace',
    {
      accepts: styleInput,
      orFile: styleContent,
      query: {
        name: createTextParameter('Name of a style created from its content; default: the name in the content.'),
        raw,
      },
      role,
      problems: [
        ...unknownWorkspace,
        ...(isGlobal ? globalOnly : []),
        ...wrongEntry,
        ...wrongContent,
        'style-sent-twice',
        'style-file-exists',
        'workspace-mismatch',
      ],
    },
    async (call) => {
      const { services, principal, body, query, params, isStrict: strict, unverified } = call;
      const workspace = readWorkspaceParam(params);
      (await loadWriteRights(call, globalStyles, query.name ?? '', 'POST')).check(workspace ?? null);
      const { view, warnings } =
        body.kind === 'document'
          ? {
              view: await createStyleEntry(services.catalog, principal, workspace, body.document),
              warnings: [],
            }
          : await createStyleFromBody(services.catalog, services.styles, principal, {
              body: body.file,
              ...(workspace === undefined ? {} : { workspace }),
              ...query,
              strict,
              unverified,
              layers: await loadStyledLayers(call, dialect),
            });
      const { name } = view.style;
      return { location: getStylePath(name, view.workspace?.name ?? null), text: name, warnings };
    },
  );
}

function createPutRow(dialect: Dialect, collection: Collection) {
  const isGlobal = collection === GLOBAL;
  return put(
    `${collection}/:style` as const,
    isGlobal ? 'Change the entry or the content of a global style' : 'Change the entry or the content of a style',
    {
      accepts: styleInput,
      orFile: styleContent,
      query: { raw },
      role,
      problems: [
        ...unknownWorkspace,
        ...wrongEntry,
        ...wrongContent,
        'style-unknown',
        'style-built-in',
        'style-in-use',
        'style-file-exists',
        'style-format-fixed',
        'style-global',
        'name-emptied',
      ],
    },
    async (call) => {
      const { services, principal, body, params, query, precondition, isStrict: strict, unverified } = call;
      const place = readStyleParams(params);
      const rights = await loadWriteRights(call, globalStyles, place.name, 'PUT');
      rights.check(place.workspace ?? null);
      if (body.kind === 'document') {
        return changeStyleEntry(services.catalog, principal, place, {
          draft: body.document,
          precondition,
          checkMayWrite: rights.check,
        });
      }
      const { warnings } = await changeStyleFromBody(services.catalog, services.styles, principal, {
        body: body.file,
        place,
        precondition,
        ...query,
        strict,
        unverified,
        layers: await loadStyledLayers(call, dialect),
      });
      return { warnings };
    },
  );
}

function createDeleteRow(dialect: Dialect, collection: Collection) {
  const isGlobal = collection === GLOBAL;
  return del(
    `${collection}/:style` as const,
    isGlobal ? 'Delete a global style' : 'Delete a style of a workspace',
    {
      query: {
        purge: createFlagParameter('Also delete its content and images, unless other styles use them.'),
        recurse: createFlagParameter('Assign the default style of their geometry type to the layers that use it.'),
      },
      role,
      problems: [
        ...unknownWorkspace,
        ...(isGlobal ? globalOnly : []),
        'style-unknown',
        'style-built-in',
        'style-in-use',
      ],
    },
    async (call) => {
      const { services, principal, params, query, precondition } = call;
      const place = readStyleParams(params);
      const rights = await loadWriteRights(call, globalStyles, place.name, 'DELETE');
      rights.check(place.workspace ?? null);
      await deleteStyle(services.catalog, services.files, principal, {
        place,
        recurse: query.recurse,
        content: query.purge ? 'purged' : dialect.orphanedStyleContent,
        precondition,
        checkMayWrite: rights.check,
      });
    },
  );
}

async function loadStyledLayers(
  { services, principal }: Pick<Call<Services>, 'services' | 'principal'>,
  { unknownStyledLayers }: Dialect,
): Promise<StyledLayerOptions> {
  const viewer = { principal, permissions: await services.access.getPermissions(principal) };
  return { viewer, unknown: unknownStyledLayers };
}

/** The layers that use a style, as far as the user can see them. */
async function listVisibleLayers(
  { catalog, access }: Services,
  principal: Principal,
  { style }: StyleView,
): Promise<readonly ListedLayer[]> {
  const permissions = await access.getPermissions(principal);
  const layers = await listLayersByStyle(catalog, style, FETCHED_ITEMS);
  return layers.filter(
    ({ name, workspace }) => permissions.administers(workspace) || permissions.isListed({ workspace, layer: name }),
  );
}

type Params = { readonly workspace?: string; readonly style?: string };

function readWorkspaceParam(params: unknown): string | undefined {
  return (params as Params).workspace;
}

function readStyleParams({ workspace, style: name = '' }: Params): StyleLocator {
  return workspace === undefined ? { name } : { name, workspace };
}
