/** Routes for coverages: under their store, and for reading and creating also directly under the workspace. */

import { type Calculation, calculations, changeCoverage } from '../../catalog/coverages/change-coverage.ts';
import { type CoverageLocator, coverageExists, findCoverage } from '../../catalog/coverages/coverage-view.ts';
import {
  createCoverage,
  deleteCoverage,
  listCoverages,
  listNativeCoverages,
} from '../../catalog/coverages/coverages.ts';
import { collectParameterWarnings } from '../../catalog/coverages/reading-parameters.ts';
import { resetCoverageStore } from '../../catalog/coverages/refresh-coverages.ts';
import { createFlagParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Page } from '../../lib/text/page.ts';
import { rasterProblems } from '../common/data-problems.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, del, family, get, list, post, put, type Services } from '../common/services.ts';
import {
  createListParameter,
  createResourceListing,
  type ListedResources,
  toNativeList,
  toPublishedList,
} from '../resources/listing.ts';
import { coverageInput, coveragePage, getCoveragePath, toCoverageRepresentation } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const unknownStore = ['workspace-unknown', 'no-default-workspace', 'store-unknown'] as const;
const unknown = [...unknownStore, 'coverage-unknown'] as const;
const unfit = [
  'name-illegal',
  'workspace-mismatch',
  'feature-type-exists',
  'coverage-exists',
  'cascaded-layer-exists',
  'layer-group-exists',
  'native-coverage-unknown',
  'srs-unknown',
  'dimension-invalid',
  'coverage-dimension-invalid',
  ...rasterProblems,
] as const;

/** Null derives it from the changed fields. */
const calculate: QueryParameter<ReadonlySet<Calculation> | null> = {
  description: `Fields to recompute from the data: ${calculations.join(', ')}, separated by commas.`,
  schema: { type: 'string' },
  expected: `a list of ${calculations.join(', ')}`,
  parse: (value) => {
    const words = value.split(',').map((word) => word.trim().toLowerCase());
    const known = words.filter((word): word is Calculation => calculations.some((each) => each === word));
    return known.length === words.length ? new Set(known) : undefined;
  },
  absent: null,
};

const inStore = '/workspaces/:workspace/coveragestores/:store/coverages';
const inWorkspace = '/workspaces/:workspace/coverages';

export function coverageRoutes(dialect: Dialect): RouteTable<Services> {
  const one = `${inStore}/:coverage` as const;
  return family(
    'Coverages',
    {
      description: 'Published rasters and their metadata.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
      exactNames: {
        coverage: ({ catalog }, { coverage = '', ...place }) =>
          coverageExists(catalog, readCoverageParams(place), coverage),
      },
    },
    [
      ...createRoutesUnder(dialect, inStore),

      put(
        one,
        'Change or rename a coverage',
        {
          accepts: coverageInput,
          query: { calculate },
          role,
          problems: [...unknown, 'name-emptied', 'layer-rule-exists', ...unfit],
        },
        async ({ services, principal, params, body, query, precondition, unverified }) => {
          await changeCoverage(
            services.catalog,
            principal,
            { ...readCoverageParams(params), name: params.coverage },
            {
              draft: body,
              data: selectData(services, unverified),
              calculate: query.calculate,
              emptiedLatLonBox: dialect.emptiedLatLonBox,
              precondition,
              unverified,
            },
          );
          return { warnings: collectParameterWarnings(body.parameters ?? {}) };
        },
      ),

      del(
        one,
        'Stop publishing a coverage and keep its data',
        {
          query: { recurse: createFlagParameter('Also delete its layer.') },
          role,
          problems: [...unknown, 'coverage-in-use'],
        },
        ({ services, principal, params, query, precondition }) =>
          deleteCoverage(
            services.catalog,
            principal,
            { ...readCoverageParams(params), name: params.coverage },
            { recurse: query.recurse, precondition },
          ),
      ),

      ...(['POST', 'PUT'] as const).map((method) =>
        act(
          `${one}/reset` as const,
          'Read the metadata of a coverage again after a file change',
          { method, role, problems: unknown },
          async ({ services, principal, params }) => {
            const { coverage, ...view } = await findCoverage(
              services.catalog,
              readCoverageParams(params),
              params.coverage,
            );
            return resetCoverageStore(services.catalog, principal, services.rasterData, { view, only: coverage });
          },
        ),
      ),

      ...createRoutesUnder(dialect, inWorkspace),
    ],
  );
}

/** The routes that exist in both places. */
function createRoutesUnder(dialect: Dialect, collection: typeof inStore | typeof inWorkspace) {
  return [
    list(
      collection,
      'List coverages, or the names of coverages in the data',
      {
        returns: coverageListing,
        query: { list: listParameter },
        role,
        problems: [...unknownStore, ...rasterProblems],
      },
      ({ services, params, query }, page) => listByChoice(services, readCoverageParams(params), query.list, page),
    ),

    post(
      collection,
      'Publish a coverage of the data; omitted fields are derived from it',
      {
        accepts: coverageInput,
        role,
        problems: [...unknownStore, 'coverage-without-store', ...unfit],
      },
      async ({ services, principal, params, body, unverified }) => {
        const place = readCoverageParams(params);
        // Without a store in the path, the document must name one.
        const store = place.store ?? body.store?.split(':').at(-1);
        if (store === undefined) {
          throw problem('coverage-without-store', { field: 'coverage.store' });
        }
        const draft = dialect.createdEnabled === 'always' ? { ...body, enabled: true } : body;
        const { view, warnings } = await createCoverage(
          services.catalog,
          principal,
          { workspace: place.workspace, store },
          { draft, data: selectData(services, unverified), habits: dialect.coverageHabits, unverified },
        );
        return { location: getCoveragePath(view), text: view.coverage.name, warnings };
      },
    ),

    get(
      `${collection}/:coverage` as const,
      'Read a coverage',
      { returns: coveragePage, versioned: true, role, problems: unknown },
      async ({ services, principal, params, format }) => {
        const view = await findCoverage(services.catalog, readCoverageParams(params), params.coverage);
        const shown = await toCoverageRepresentation(view);
        if (format !== 'html') return { resource: shown, version: view.version };
        const permissions = await services.access.getPermissions(principal);
        const place = { workspace: view.workspace.name, layer: view.coverage.name };
        // The map depends on access rules, whose changes do not affect the version of the coverage.
        return { resource: { ...shown, isSeen: permissions.decide(place, 'read') === 'allow' } };
      },
    ),
  ];
}

/** Half of the paths contain a store. */
/** Accepted failures must not disable a store. */
function selectData({ rasterData }: Services, unverified: unknown): Services['rasterData'] {
  return unverified === undefined ? rasterData : rasterData.toDryRun();
}

function readCoverageParams(params: { readonly workspace?: string; readonly store?: string }): CoverageLocator {
  const { workspace = '', store } = params;
  return store === undefined ? { workspace } : { workspace, store };
}

const collections = { inStore: 'coverages', inWorkspace: 'coverages' };

async function listByChoice(
  services: Services,
  place: CoverageLocator,
  choice: ListChoice,
  page: Page,
): Promise<ListedResources> {
  const { catalog, rasterData } = services;
  if (choice === 'configured') {
    return toPublishedList(await listCoverages(catalog, place, page), collections);
  }
  const { found, warnings } = await listNativeCoverages(catalog, place, rasterData);
  const wanted = found.filter(({ isPublished }) => choice === 'all' || !isPublished);
  return toNativeList(
    wanted.map(({ name }) => name),
    page,
    warnings,
  );
}

/** Lists of coverages and their selection. */
const coverageListing = createResourceListing('coverage', {
  published: 'Coverages',
  native: 'Coverages of the data',
});

type ListChoice = 'configured' | 'available' | 'all';

const listParameter = createListParameter(['available', 'all']);
