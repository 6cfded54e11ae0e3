/** Routes for feature types: under their store, and directly under the workspace. */
import {
  changeFeatureType,
  type Recalculation,
  recalculations,
} from '../../catalog/feature-types/change-feature-type.ts';
import {
  type FeatureTypeLocator,
  type FeatureTypeView,
  featureTypeExists,
  findFeatureType,
} from '../../catalog/feature-types/feature-type-view.ts';
import {
  createFeatureType,
  deleteFeatureType,
  listFeatureTypes,
  listNativeTypes,
} from '../../catalog/feature-types/feature-types.ts';
import { resetStore } from '../../catalog/feature-types/refresh-feature-types.ts';
import { findSqlView } from '../../catalog/feature-types/virtual-table.ts';
import { DEFAULT } from '../../catalog/workspaces/workspaces.ts';
import { createFlagParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { type Principal, WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import { dataProblems } from '../common/data-problems.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, del, family, get, list, post, put, type Services } from '../common/services.ts';
import {
  createListParameter,
  createResourceListing,
  type ListedResources,
  toNativeList,
  toPublishedList,
} from '../resources/listing.ts';
import type { DataSample } from './page.ts';
import {
  featureTypeInput,
  featureTypePage,
  getFeatureTypePath,
  toFeatureTypeRepresentation,
} from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const unknownStore = ['workspace-unknown', 'no-default-workspace', 'store-unknown', 'no-default-store'] as const;
/** Problems with a feature type that is created or changed. */
const wrong = [
  'name-illegal',
  'workspace-mismatch',
  'feature-type-exists',
  'coverage-exists',
  'cascaded-layer-exists',
  'layer-group-exists',
  'native-type-unknown',
  'srs-unknown',
  'attribute-unknown',
  'attribute-invalid',
  'dimension-invalid',
  'cql-filter-invalid',
  'virtual-table-invalid',
  'virtual-table-refused',
  'virtual-table-unsupported',
  'regex-invalid',
  ...dataProblems,
] as const;
const unknown = [...unknownStore, 'feature-type-unknown'] as const;

/** Null derives it from the changed fields. */
const recalculate: QueryParameter<ReadonlySet<Recalculation> | null> = {
  description: `Fields to recompute from the data: ${recalculations.join(', ')}, separated by commas.`,
  schema: { type: 'string' },
  expected: `a list of ${recalculations.join(', ')}`,
  parse: (value) => {
    const words = value.split(',').map((word) => word.trim().toLowerCase());
    const known = words.filter((word): word is Recalculation => recalculations.some((each) => each === word));
    return known.length === words.length ? new Set(known) : undefined;
  },
  absent: null,
};

/** The path variables; half of the paths contain a store. */
interface Params {
  readonly workspace: string;
  readonly store?: string;
}

type Collection = '/workspaces/:workspace/datastores/:store/featuretypes' | '/workspaces/:workspace/featuretypes';

export function featureTypeRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Feature types',
    {
      description: 'Published tables and files, with their metadata.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'featureTypes',
      exactNames: {
        featuretype: ({ catalog }, { featuretype = '', ...place }) =>
          featureTypeExists(catalog, readFeatureTypeParams(place), featuretype),
      },
    },
    [
      ...createRoutesUnder(dialect, '/workspaces/:workspace/datastores/:store/featuretypes'),
      ...createRoutesUnder(dialect, '/workspaces/:workspace/featuretypes'),
    ],
  );
}

function createRoutesUnder(dialect: Dialect, collection: Collection) {
  return [...createReadRows(collection), ...createWriteRows(dialect, collection), ...createResetRows(collection)];
}

function createReadRows(collection: Collection) {
  return [
    list(
      collection,
      'List feature types, or the names of types in the data',
      {
        returns: featureTypeListing,
        query: { list: listParameter },
        role,
        problems: [...unknownStore, ...dataProblems],
      },
      ({ services, params, query }, page) => listByChoice(services, readFeatureTypeParams(params), query.list, page),
    ),

    get(
      `${collection}/:featuretype` as const,
      'Read a feature type',
      { returns: featureTypePage, versioned: true, role, problems: unknown },
      async ({ services, principal, params, format }) => {
        const view = await findFeatureType(services.catalog, readFeatureTypeParams(params), params.featuretype);
        const shown = await toFeatureTypeRepresentation(view);
        // The page also shows features of the data, which has no version.
        return format === 'html'
          ? { resource: { shown, sample: await readSample(services, principal, view) } }
          : { resource: shown, version: view.version };
      },
    ),
  ];
}

function createWriteRows(dialect: Dialect, collection: Collection) {
  const one = `${collection}/:featuretype` as const;
  return [
    post(
      collection,
      'Publish a table or file, or create an empty table and publish it',
      {
        accepts: featureTypeInput,
        role,
        problems: [...unknownStore, ...wrong, 'table-exists', 'store-cannot-create', 'features-in-file'],
      },
      async ({ services, principal, params, body, unverified }) => {
        const place = readFeatureTypeParams(params);
        const { workspace } = place;
        // Without a store in the path, the document may name one.
        const store = place.store ?? body.store?.split(':').at(-1) ?? DEFAULT;
        const draft = dialect.createdEnabled === 'always' ? { ...body, enabled: true } : body;
        const { view, warnings } = await createFeatureType(
          services.catalog,
          principal,
          { workspace, store },
          {
            draft,
            data: selectData(services, unverified),
            files: services.files,
            oneAtATime: services.tableCreation,
            unverified,
          },
        );
        return {
          location: getFeatureTypePath(view),
          text: dialect.createdFeatureType === 'name' ? view.type.name : '',
          warnings,
        };
      },
    ),

    put(
      one,
      'Change or rename a feature type',
      {
        accepts: featureTypeInput,
        query: { recalculate },
        role,
        problems: [...unknown, ...wrong, 'name-emptied', 'layer-rule-exists'],
      },
      ({ services, principal, params, body, query, precondition, unverified }) =>
        changeFeatureType(
          services.catalog,
          principal,
          { ...readFeatureTypeParams(params), name: params.featuretype },
          {
            draft: body,
            data: selectData(services, unverified),
            recalculate: query.recalculate,
            emptiedLatLonBox: dialect.emptiedLatLonBox,
            precondition,
            unverified,
          },
        ),
    ),

    del(
      one,
      'Stop publishing a table or file and keep its data',
      {
        query: { recurse: createFlagParameter('Also delete its layer.') },
        role,
        problems: [...unknown, 'feature-type-in-use'],
      },
      ({ services, principal, params, query, precondition }) =>
        deleteFeatureType(
          services.catalog,
          principal,
          { ...readFeatureTypeParams(params), name: params.featuretype },
          { recurse: query.recurse, precondition },
        ),
    ),
  ];
}

/** Accepted failures must not disable a store. */
function selectData({ vectorData }: Services, unverified: unknown): Services['vectorData'] {
  return unverified === undefined ? vectorData : vectorData.toDryRun();
}

function createResetRows(collection: Collection) {
  return [
    ...(['POST', 'PUT'] as const).map((method) =>
      act(
        `${collection}/:featuretype/reset` as const,
        'Close the connections and files of a feature type, and read its metadata again',
        { method, role, problems: unknown },
        async ({ services, principal, params }) => {
          const { type, ...view } = await findFeatureType(
            services.catalog,
            readFeatureTypeParams(params),
            params.featuretype,
          );
          return resetStore(services.catalog, principal, services.vectorData, { view, only: type });
        },
      ),
    ),
  ];
}

function readFeatureTypeParams(params: Partial<Params>): FeatureTypeLocator {
  const { workspace = '', store } = params;
  return store === undefined ? { workspace } : { workspace, store };
}

/** Number of features on a page. */
const SAMPLE_FEATURES = 5;

/** The first features, for users who can read them. Data errors are shown on the page and do not fail the request. */
async function readSample(services: Services, principal: Principal, view: FeatureTypeView): Promise<DataSample> {
  const permissions = await services.access.getPermissions(principal);
  const place = { workspace: view.workspace.name, layer: view.type.name };
  if (permissions.decide(place, 'read') !== 'allow') {
    return { kind: 'none', reason: 'You do not have permission to read the data.' };
  }
  try {
    const of = findSqlView(view.type.metadata) ?? view.type.nativeName;
    return { kind: 'features', ...(await services.vectorData.readFirstFeatures(view, of, SAMPLE_FEATURES)) };
  } catch (error) {
    const reason = error instanceof Problem ? error.message : 'The data source does not respond.';
    return { kind: 'none', reason: `Features are unavailable. ${reason}` };
  }
}

const collections = { inStore: 'featuretypes', inWorkspace: 'featuretypes' };

async function listByChoice(
  services: Services,
  place: FeatureTypeLocator,
  choice: ListChoice,
  page: Page,
): Promise<ListedResources> {
  const { catalog, vectorData } = services;
  if (choice === 'configured') {
    return toPublishedList(await listFeatureTypes(catalog, place, page), collections);
  }
  const { found, warnings } = await listNativeTypes(catalog, place, vectorData);
  const wanted = found.filter(
    ({ isPublished, hasGeometry }) => choice === 'all' || (!isPublished && (choice === 'available' || hasGeometry)),
  );
  return toNativeList(
    wanted.map(({ name }) => name),
    page,
    warnings,
  );
}

/** Lists of feature types and their selection. */
const featureTypeListing = createResourceListing('featureType', {
  published: 'Feature types',
  native: 'Types of the data',
});

type ListChoice = 'configured' | 'available' | 'available_with_geom' | 'all';

const listParameter = createListParameter(['available', 'available_with_geom', 'all']);
