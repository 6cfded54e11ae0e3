/** The granule index of coverages of mosaics: its schema, and its granules. */
import { findGranule, findGranules, type GranuleList, listGranules } from '../../catalog/mosaics/granules.ts';
import { type Purge, purges, removeGranules } from '../../catalog/mosaics/remove-granules.ts';
import {
  createFlagParameter,
  createIntegerParameter,
  createTextParameter,
  type QueryParameter,
} from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { Format } from '../../http/serialization/format.ts';
import type { PrintedList } from '../../http/serialization/list-frame.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import type { Granule } from '../../raster/granules/port/port.ts';
import type { Dialect } from '../common/dialects.ts';
import { del, family, get, getPrinted, type Services } from '../common/services.ts';
import { createGeoJsonFrame } from './geojson.ts';
import { createGmlFrame } from './gml.ts';
import { granuleCollection, granuleSchemaDocument } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;
const index = '/workspaces/:workspace/coveragestores/:store/coverages/:coverage/index';
const unknown = [
  'workspace-unknown',
  'no-default-workspace',
  'store-unknown',
  'coverage-unknown',
  'granule-index-missing',
] as const;
const unreadable = ['store-unreachable', 'store-refuses', 'work-refused', 'work-too-slow'] as const;

const filter = createTextParameter("ECQL on the attributes of granules, such as location='a.tif'.");

/** Whoever forgets the value of a filter does not mean all of them. */
const removalFilter = { ...filter, expected: 'ECQL, or no filter at all for all granules', empty: 'refused' as const };

const purge: QueryParameter<Purge> = {
  description:
    'What else is to go: none; metadata, of which there is none; or all, the files too, unless other granules are in them: uploaded bytes, and files in the folder of a mosaic on the server for those who may name it.',
  schema: { type: 'string', enum: [...purges] },
  expected: 'none, metadata or all',
  parse: (value) => purges.find((word) => word === value.trim().toLowerCase()),
  absent: 'none',
};

const updateBBox = createFlagParameter(
  'Compute the box of the coverage anew; it stays as it is where nothing is left.',
);

const removalProblems = [...unknown, ...unreadable, 'mosaic-gone', 'client-gone', 'purge-refused'] as const;

export function granuleRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Granules',
    {
      description: 'The pictures that coverages of image mosaics are made of.',
      formats: ['xml', 'json'],
      formatGroup: 'granules',
    },
    [
      get(
        index,
        'Read which attributes the granules of a coverage have',
        { answers: granuleSchemaDocument, versioned: true, role, problems: unknown },
        async ({ services, params }) => {
          const view = await findGranules(services.catalog, params);
          return { resource: view, version: view.version };
        },
      ),

      getPrinted(
        `${index}/granules`,
        'List the granules of a coverage',
        {
          answers: granuleCollection,
          query: {
            filter,
            limit: createIntegerParameter('At most so many.', 1, Number.MAX_SAFE_INTEGER),
            offset: createIntegerParameter('So many are left out first.', 0, Number.MAX_SAFE_INTEGER),
          },
          role,
          problems: [...unknown, ...unreadable, 'granule-filter-invalid'],
        },
        async ({ services, params, query, format, signal }) => {
          const view = await findGranules(services.catalog, params);
          return {
            list: formatGranules(await listGranules(view, services.mosaicIndexes, query, signal()), format, dialect),
          };
        },
      ),

      getPrinted(
        `${index}/granules/:granule`,
        'Read one granule, as a collection of one',
        { answers: granuleCollection, role, problems: [...unknown, ...unreadable, 'granule-unknown'] },
        async ({ services, params: { granule, ...place }, format, signal }) => {
          const view = await findGranules(services.catalog, place);
          return {
            list: formatGranules(await findGranule(view, services.mosaicIndexes, granule, signal()), format, dialect),
          };
        },
      ),

      del(
        `${index}/granules`,
        'Remove granules, all of them if no filter says which',
        {
          query: { filter: removalFilter, purge, updateBBox },
          // A filter under a misspelt name would be none.
          refusesUnknownQuery: true,
          role,
          problems: [...removalProblems, 'granule-filter-invalid'],
        },
        ({ services, principal, params, query, precondition, signal }) =>
          removeGranules(
            services.catalog,
            services.mosaics,
            principal,
            params,
            { ...query, which: { filter: query.filter }, unknownId: dialect.deletingUnknownGranule, precondition },
            signal(),
          ),
      ),

      del(
        `${index}/granules/:granule`,
        'Remove one granule',
        { query: { purge, updateBBox }, role, problems: [...removalProblems, 'granule-unknown'] },
        ({ services, principal, params: { granule, ...place }, query, precondition, signal }) =>
          removeGranules(
            services.catalog,
            services.mosaics,
            principal,
            place,
            { ...query, which: { id: granule }, unknownId: dialect.deletingUnknownGranule, precondition },
            signal(),
          ),
      ),
    ],
  );
}

function formatGranules(
  { schema, bounds, batches }: GranuleList,
  format: Format | undefined,
  dialect: Dialect,
): PrintedList {
  const frame = format === 'json' ? createGeoJsonFrame(schema) : createGmlFrame(schema, bounds, dialect.granuleBoxes);
  return { frame, pieces: formatBatches(batches, (batch) => batch.map(frame.item).join(frame.between)) };
}

async function* formatBatches(
  batches: AsyncIterable<readonly Granule[]>,
  print: (batch: readonly Granule[]) => string,
): AsyncGenerator<string> {
  for await (const batch of batches) yield print(batch);
}
