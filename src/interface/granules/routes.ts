/** Routes for the granule index of mosaic coverages: its schema, and its granules. */
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
import { del, family, get, type Services } from '../common/services.ts';
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

const filter = createTextParameter("ECQL filter on the attributes of granules, such as location='a.tif'.");

/** A filter without a value must not select all granules. */
const removalFilter = {
  ...filter,
  expected: 'ECQL, or no filter parameter to select all granules',
  empty: 'refused' as const,
};

const purge: QueryParameter<Purge> = {
  description:
    'Files to delete as well: none; metadata (same as none); or all, including files that no other granule uses: uploaded bytes, and for users with access to it also files in the folder of a mosaic on the server.',
  schema: { type: 'string', enum: [...purges] },
  expected: 'none, metadata or all',
  parse: (value) => purges.find((word) => word === value.trim().toLowerCase()),
  absent: 'none',
};

const updateBBox = createFlagParameter('Recompute the box of the coverage; it stays unchanged if no granule is left.');

const removalProblems = [...unknown, ...unreadable, 'mosaic-gone', 'client-gone', 'purge-refused'] as const;

export function granuleRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Granules',
    {
      description: 'The images that the coverages of an image mosaic consist of.',
      formats: ['xml', 'json'],
      formatGroup: 'granules',
    },
    [
      get(
        index,
        'Read the attributes of the granules of a coverage',
        { returns: granuleSchemaDocument, versioned: true, role, problems: unknown },
        async ({ services, params }) => {
          const view = await findGranules(services.catalog, params);
          return { resource: view, version: view.version };
        },
      ),

      get(
        `${index}/granules`,
        'List the granules of a coverage',
        {
          returns: granuleCollection,
          query: {
            filter,
            limit: createIntegerParameter('Maximum number of granules.', 1, Number.MAX_SAFE_INTEGER),
            offset: createIntegerParameter('Number of granules to skip.', 0, Number.MAX_SAFE_INTEGER),
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

      get(
        `${index}/granules/:granule`,
        'Read one granule as a collection of one',
        { returns: granuleCollection, role, problems: [...unknown, ...unreadable, 'granule-unknown'] },
        async ({ services, params: { granule, ...place }, format, signal }) => {
          const view = await findGranules(services.catalog, place);
          return {
            list: formatGranules(await findGranule(view, services.mosaicIndexes, granule, signal()), format, dialect),
          };
        },
      ),

      del(
        `${index}/granules`,
        'Delete the granules that match a filter, or all granules',
        {
          query: { filter: removalFilter, purge, updateBBox },
          // A misspelt filter parameter would otherwise select all granules.
          rejectsUnknownQuery: true,
          role,
          problems: [...removalProblems, 'granule-filter-invalid'],
        },
        ({ services, principal, params, query, precondition, signal }) =>
          removeGranules(services.catalog, services.mosaics, principal, {
            place: params,
            ...query,
            which: { filter: query.filter },
            unknownId: dialect.deletingUnknownGranule,
            precondition,
            signal: signal(),
          }),
      ),

      del(
        `${index}/granules/:granule`,
        'Delete one granule',
        { query: { purge, updateBBox }, role, problems: [...removalProblems, 'granule-unknown'] },
        ({ services, principal, params: { granule, ...place }, query, precondition, signal }) =>
          removeGranules(services.catalog, services.mosaics, principal, {
            place,
            ...query,
            which: { id: granule },
            unknownId: dialect.deletingUnknownGranule,
            precondition,
            signal: signal(),
          }),
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
